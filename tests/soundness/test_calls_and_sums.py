"""Calls by their lemmas together with sums, with several loops and with adaptive queries."""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table(
    """
    @mechanism
    def noisy(x: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return x + e

    @alignment(noisy, epsilon="eps")
    def noisy_phi(x, x_, H):
        return H.shift(e=x - x_)
    """
)

table.base(
    """
    @mechanism
    def of_sum(q: Queries, eps: Epsilon, noise: Noise):
        s = noisy(sum(q), eps, noise)
        return s

    @alignment(of_sum, epsilon="eps", adjacency="one", lemmas=[noisy_phi])
    def phi(H):
        return H.shift()
    """,
    right("of_sum_phi", checked=True),
    wrong("of_sum_each", changes={'adjacency="one", lemmas': "lemmas"}),
    wrong("twice_sum_phi", changes={"sum(q)": "2 * sum(q)"}),
    wrong("half", changes={'epsilon="eps"': 'epsilon="eps / 2"'}),
    wrong("free", changes={'epsilon="eps"': 'epsilon="0 * eps"'}),
    right(
        "each_round_phi",
        changes={
            "s = noisy(sum(q), eps, noise)\nreturn s": "for q_i in q:\n    s = noisy(q_i, eps, noise)\n    yield s",
        },
        checked=True,
    ),
    wrong(
        "two_loops_phi",
        changes={
            "s = noisy(sum(q), eps, noise)\nreturn s": (
                "for q_i in q:\n"
                "    s = noisy(q_i, eps, noise)\n"
                "    yield s\n"
                "for q_i in q:\n"
                "    s = noisy(q_i, eps, noise)\n"
                "    yield s"
            ),
        },
    ),
    wrong(
        "each_round_adaptive",
        changes={
            "s = noisy(sum(q), eps, noise)\nreturn s": "for q_i in q:\n    s = noisy(q_i, eps, noise)\n    yield s",
            "lemmas": 'queries="adaptive", lemmas',
        },
    ),
)

table.base(
    """
    @mechanism
    def totals(q: Queries, eps: Epsilon, noise: Noise):
        total = 0
        for q_i in q:
            total += q_i
            s = noisy(total, eps, noise)
            yield s

    @alignment(totals, epsilon="len(omega)*eps", adjacency="one", lemmas=[noisy_phi])
    def phi(omega, H):
        return H.shift()
    """,
    right("totals_n_phi", checked=True),
    wrong("totals_phi", changes={'epsilon="len(omega)*eps"': 'epsilon="eps"'}),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
