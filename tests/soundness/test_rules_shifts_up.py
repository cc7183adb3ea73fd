"""Rule 19, noise whose cost is a bound for shifts up only: a shift that may go down is never proved.

For Gumbel noise ln f(x)/f(x + d) has no bound where d < 0. Its cost as a function of the shift would be below 0 there:
each program below but those said to be private comes out proved if that is believed.
"""

# Programs under test compute values that they do not use.
# ruff: noqa: F841

from __future__ import annotations

from fractions import Fraction

import pytest
from support.near_misses import Table, right, wrong

from alignkit import (
    Epsilon,
    Noise,
    Query,
    alignment,
    mechanism,
)
from alignkit.proofs.exponential_mechanism import gap_phi, two_sided_gap_phi
from alignkit.reporting.full_report import plain_text


@mechanism
def unused(q: Query, eps: Epsilon, noise: Noise):
    """The noise enters nowhere."""
    g = noise.gumbel(1 / eps)
    return 1


@alignment(unused, epsilon="eps")
def down_phi(H):
    return H.shift(g=-1)


def test_a_shift_down_is_refuted_where_the_noise_is_far_down(refuted):
    found = refuted(down_phi, "cost").counterexample
    assert found.condition == "cost"
    assert found.witness.H["g"] < 0
    assert found.cost > found.claim


def test_a_shift_down_costs_what_its_noise_shows():
    """At -4, e^4 (e - 1) - 1 = 92.8…, of which 68/3 is shown; at 4 no more than e^-4 (e - 1) - 1, which is below 0."""
    far = down_phi.replay(0, 0, eps=1, H={"g": -4})
    assert (far.cost, far.violation.condition) == (Fraction(68, 3), "cost")
    assert "cost at least 68/3 > claim 1 (eps)" in str(far)
    assert far.violation.words == "the shift of g costs at least 68/3, more than the claim 1"
    near = down_phi.replay(0, 0, eps=1, H={"g": 4})
    assert near.violation is None
    assert "cost at least -1; claim 1 (eps)" in str(near)


def test_the_report_of_a_shift_down_does_not_say_that_it_costs_what_is_shown(refuted):
    result = refuted(down_phi, "cost")
    text = plain_text(result)
    assert f"the shift of g costs at least {result.counterexample.cost}, more than the claim 1" in text
    assert f"cost at least {result.counterexample.cost} > claim 1 (eps)" in text
    assert f"cost at least {result.counterexample.cost} &gt; claim 1 (eps)" in result._repr_html_()


table = Table()

table.base(
    """
    @mechanism
    def unused(q: Query, eps: Epsilon, noise: Noise):
        # The noise enters nowhere.
        g = noise.gumbel(1 / eps)
        return 1

    @alignment(unused, epsilon="eps")
    def phi(H):
        return H.shift(g=1)
    """,
    right("up_phi", checked=True),
    wrong(
        "down_where_noise_is_large_phi", "a shift whose sign depends on noise",
        {"return H.shift(g=1)": "return H.shift(g=-1 if H.g >= 10 else 0)"},
        fails="cost",
    ),
    wrong(
        "down_where_noise_is_small_phi", "a shift whose sign depends on noise",
        {"return H.shift(g=1)": "return H.shift(g=-1 if H.g < 0 else 0)"},
        fails="cost",
    ),
    wrong(
        "down_by_noise_phi", "a shift whose sign depends on noise",
        {"H.shift(g=1)": "H.shift(g=H.g / 2)"},
        fails="cost",
    ),
    wrong(
        "one_pays_for_the_other_phi", "a shift down does not pay for one up",
        {
            "g = noise.gumbel(1 / eps)": "a = noise.gumbel(1 / eps)\nb = noise.gumbel(1 / eps)",
            "H.shift(g=1)": "H.shift(a=3, b=-2)",
        },
        fails="cost", refuted=True,
    ),
    wrong(
        "without_scale_phi", "a vector whose scale is 0 is undecided",
        {
            "Query": "Queries",
            "g = noise.gumbel(1 / eps)\nreturn 1": (
                "g = [noise.gumbel(0) for q_i in q]\n"
                "(best,) = largest([q_i + g_i for q_i, g_i in zip(q, g)], 1)\n"
                "return best"
            ),
            "H.shift(g=1)": "H.shift()",
        },
    ),
)

table.base(
    """
    @mechanism
    def answer(q: Query, eps: Epsilon, noise: Noise):
        g = noise.gumbel(1 / eps)
        return q + g

    @alignment(answer, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(g=q - q_)
    """,
    wrong("answer_phi", "an answer with gumbel noise is not private by moving with it", fails="cost", refuted=True),
    wrong(
        "falling_answer_phi", "nor where answers move in one direction which is either",
        {'epsilon="eps"': 'epsilon="eps", adjacency="monotone"'},
        fails="cost", refuted=True,
    ),
)

table.base(
    """
    @mechanism
    def chosen(q: Queries, eps: Epsilon, noise: Noise):
        g = [noise.gumbel(2 / eps) for q_i in q]
        noisy = [q_i + g_i for q_i, g_i in zip(q, g)]
        (best,) = largest(noisy, 1)
        return best

    @alignment(chosen, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(g=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
    """,
    right("chosen_phi", checked=True),
    wrong(
        "first_lowered_phi", "one of a vector that may go down",
        {"else 0": "else (-1 if i == 0 else 0)"},
        fails="cost",
    ),
    wrong(
        "losers_lowered_phi", "The mirror image of `chosen_phi`, and as good for Laplace noise of two outcomes",
        {"1 + q[i] - q_[i] if i == omega else 0": "0 if i == omega else q[i] - q_[i] - 1"},
        fails="cost",
    ),
    wrong("chosen_lowered_phi", "one of a vector that may go down", {"1 + q[i]": "q[i]"}, fails="cost"),
)


def test_a_chosen_one_that_keeps_its_lead_by_going_down(refuted, proved):
    refuted(two_sided_gap_phi, "cost")
    proved(gap_phi)


table.base(
    """
    @mechanism
    def vector(q: Queries(sensitivity="delta"), delta: Positive, eps: Epsilon, noise: Noise):
        g = [noise.gumbel(delta / eps) for q_i in q]
        return [q_i + g_i for q_i, g_i in zip(q, g)]

    @alignment(vector, epsilon="eps", adjacency="l1")
    def phi(q, q_, H):
        return H.shift(g=[q[i] - q_[i] for i in range(len(q))])
    """,
    wrong("vector_phi", "a vector whose shifts add up to its change", fails="cost"),
)

table.base(
    """
    @mechanism
    def sparse(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        eta = noise.gumbel(2 / eps)
        count = 0
        for q_i in q:
            eta_i = noise.gumbel(4 * k / eps)
            if q_i + eta_i >= T + eta:
                yield ABOVE
                count += 1
            else:
                yield BELOW
            if count >= k:
                break

    @alignment(sparse, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
    """,
    right("sparse_phi", checked=True),
    wrong(
        "threshold_down_phi", "The mirror image: the threshold falls, and so do those that stay below it",
        {
            "return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])":
                "return H.shift(eta=-1, eta_i=[q[i] - q_[i] - 1 if w is BELOW else 0 for i, w in enumerate(omega)])",
        },
        fails="cost",
    ),
    wrong("some_below_lowered_phi", "a loop in which a shift may go down", {"else 0": "else -1"}, fails="cost"),
    wrong(
        "monotone_phi", "Private for Laplace noise, where the answers fall by as much as the threshold stays",
        {
            'epsilon="eps"': 'epsilon="eps", adjacency="monotone"',
            "return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])": (
                "up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0\n"
                "return H.shift(eta=up, eta_i=[2 * up - 1 if w is ABOVE else 0 for i, w in enumerate(omega)])"
            ),
        },
        fails="cost",
    ),
)

# Logistic noise may move both ways
table.base(
    """
    @mechanism
    def logistic_answer(q: Query, eps: Epsilon, noise: Noise):
        e = noise.logistic(1 / eps)
        return q + e

    @alignment(logistic_answer, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)
    """,
    right("logistic_phi", checked=True),
    wrong("half_logistic_phi", changes={'epsilon="eps"': 'epsilon="eps / 2"'}, fails="cost", refuted=True),
)


@pytest.mark.parametrize("program", table.wrong())
def test_what_is_wrong_is_not_proved(program, tmp_path, never_proved, refuted):
    program.is_not_proved(tmp_path, never_proved, refuted)


@pytest.mark.parametrize("program", table.right())
def test_what_is_right_is_proved(program, tmp_path, prover_alone, proved_by_check):
    program.is_proved(tmp_path, prover_alone, proved_by_check)
