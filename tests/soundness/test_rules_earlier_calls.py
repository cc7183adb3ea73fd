"""What a call or a noisy sum gave in an earlier iteration is earlier noise; that of the iteration at hand is not.

The shift of f reads what the iteration before has put out, or the one before that. Where it reads what is not there
before f is drawn, its own noise could be chosen by what it makes of it.
"""

from __future__ import annotations

import pytest
from support.near_misses import Table, right, wrong

table = Table()

table.base(
    """
    @mechanism
    def released(x: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return x + e

    @alignment(released, epsilon="eps")
    def released_phi(x, x_, H):
        return H.shift(e=x - x_)

    @mechanism
    def called(q: Queries, eps: Epsilon, noise: Noise):
        last = 0
        older = 0
        for q_i in q:
            f = noise.laplace(len(q) / eps)
            older = last
            last = released(q_i, eps / len(q), noise)
            yield last

    @alignment(called, epsilon="2 * eps", lemmas=[released_phi])
    def phi(q, q_, omega, H):
        return H.shift(f=[clamp([0, *omega][i], 0, 1) for i in range(len(omega))])
    """,
    right("the_last_call", "f is moved by at most 1, and hides nothing"),
    right(
        "the_last_call_but_one",
        "the same",
        {
            "return H.shift(f=[clamp([0, *omega][i], 0, 1) for i in range(len(omega))])": "shifts = []\n"
            "kept = 0\nfor i in range(len(omega)):\n    shifts = [*shifts, clamp(kept, 0, 1)]\n"
            "    kept = [0, *omega][i]\nreturn H.shift(f=shifts)",
        },
    ),
    right(
        "f_hides_a_share",
        "the call pays for the rest of the change",
        {"released(q_i, eps": "released(q_i + f, eps",
         "f=[clamp([0, *omega][i], 0, 1) for": "f=[clamp([0, *omega][i], 0, 1) * (q[i] - q_[i]) for"},
    ),
    right("f_is_called", "the call pays for the shift of f", {"released(q_i, eps": "released(last + f, eps"}),
    wrong("this_call", "U: reads what is drawn after f", {"clamp([0, *omega][i]": "clamp(omega[i]"}),
    wrong("the_next_call", "U: looks ahead", {"clamp([0, *omega][i]": "clamp([*omega, 0][i + 1]"}),
    wrong("unpaid", "Costs 2 * eps", {'"2 * eps"': '"eps"'}, fails="cost"),
    wrong("without_a_bound", "Has no bound", {"clamp([0, *omega][i], 0, 1)": "[0, *omega][i]"}, fails="cost"),
    wrong(
        "f_hides_too_little",
        "Leaks: the argument changes by up to 2",
        {"released(q_i, eps": "released(q_i + f, eps",
         "f=[clamp([0, *omega][i], 0, 1) for": "f=[-clamp([0, *omega][i], 0, 1) * (q[i] - q_[i]) for"},
    ),
    wrong(
        "twice_the_last",
        "Leaks: the argument changes by up to 2",
        {"released(q_i, eps": "released(last + 2 * f, eps"},
    ),
)

table.base(
    """
    @mechanism
    def summed(q: Queries, r: Queries, T: Reals, eps: Epsilon, noise: Noise):
        e = [noise.laplace(1 / eps) for x in r]
        noisy = [x + y for x, y in zip(r, e)]
        s = 0
        for t in T:
            f = noise.laplace(len(T) / eps)
            s = sum(max(x, t) for x in noisy)
            yield s

    @alignment(summed, epsilon="(len(r) + 1) * eps")
    def phi(q, q_, r, r_, T, omega, H):
        return H.shift(
            e=[r[i] - r_[i] for i in range(len(r))],
            f=[clamp([0, *omega][i], 0, 1) for i in range(len(omega))],
        )
    """,
    right("the_last_sum", "f is moved by at most 1 in each of len(T) iterations"),
    wrong("this_sum", "U: reads the sum of its own iteration", {"clamp([0, *omega][i]": "clamp(omega[i]"}),
    wrong("sums_unpaid", "Costs (len(r) + 1) * eps", {"(len(r) + 1) * eps": "len(r) * eps"}, fails="cost"),
    wrong("e_unmoved", "Leaks", {"e=[r[i] - r_[i] for": "e=[0 for"}, fails="same_output"),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
