"""Rule 19, noise whose cost is a bound for shifts up only: a shift that may go down is never proved.

For Gumbel noise ln f(x)/f(x + d) has no bound where d < 0. Its cost as a function of the shift would be below 0 there:
each program below but those said to be private comes out proved if that is believed.
"""

# Programs under test compute values that they do not use.
# ruff: noqa: F841

from __future__ import annotations

from fractions import Fraction

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    alignment,
    largest,
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


@alignment(unused, epsilon="eps")
def up_phi(H):
    return H.shift(g=1)


def test_a_shift_up_is_proved(proved):
    proved(up_phi)


@alignment(unused, epsilon="eps")
def down_where_noise_is_large_phi(H):
    return H.shift(g=-1 if H.g >= 10 else 0)


@alignment(unused, epsilon="eps")
def down_where_noise_is_small_phi(H):
    return H.shift(g=-1 if H.g < 0 else 0)


@alignment(unused, epsilon="eps")
def down_by_noise_phi(H):
    return H.shift(g=H.g / 2)


@pytest.mark.parametrize(
    "phi",
    [down_where_noise_is_large_phi, down_where_noise_is_small_phi, down_by_noise_phi],
    ids=lambda a: a.name,
)
def test_a_shift_whose_sign_depends_on_noise(never_proved, phi):
    never_proved(phi, "cost")


@mechanism
def answer(q: Query, eps: Epsilon, noise: Noise):
    g = noise.gumbel(1 / eps)
    return q + g


@alignment(answer, epsilon="eps")
def answer_phi(q, q_, H):
    return H.shift(g=q - q_)


def test_an_answer_with_gumbel_noise_is_not_private_by_moving_with_it(refuted):
    refuted(answer_phi, "cost")


@alignment(answer, epsilon="eps", adjacency="monotone")
def falling_answer_phi(q, q_, H):
    return H.shift(g=q - q_)


def test_nor_where_answers_move_in_one_direction_which_is_either(refuted):
    refuted(falling_answer_phi, "cost")


@mechanism
def two_draws(q: Query, eps: Epsilon, noise: Noise):
    a = noise.gumbel(1 / eps)
    b = noise.gumbel(1 / eps)
    return 1


@alignment(two_draws, epsilon="eps")
def one_pays_for_the_other_phi(H):
    return H.shift(a=3, b=-2)


def test_a_shift_down_does_not_pay_for_one_up(refuted):
    refuted(one_pays_for_the_other_phi, "cost")


@mechanism
def chosen(q: Queries, eps: Epsilon, noise: Noise):
    g = [noise.gumbel(2 / eps) for q_i in q]
    noisy = [q_i + g_i for q_i, g_i in zip(q, g)]
    (best,) = largest(noisy, 1)
    return best


@alignment(chosen, epsilon="eps")
def chosen_phi(q, q_, omega, H):
    return H.shift(g=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


def test_raising_the_chosen_is_proved(proved):
    proved(chosen_phi)


@alignment(chosen, epsilon="eps")
def first_lowered_phi(q, q_, omega, H):
    return H.shift(g=[1 + q[i] - q_[i] if i == omega else (-1 if i == 0 else 0) for i in range(len(q))])


@alignment(chosen, epsilon="eps")
def losers_lowered_phi(q, q_, omega, H):
    """The mirror image of `chosen_phi`, and as good for Laplace noise of two outcomes."""
    return H.shift(g=[0 if i == omega else q[i] - q_[i] - 1 for i in range(len(q))])


@alignment(chosen, epsilon="eps")
def chosen_lowered_phi(q, q_, omega, H):
    return H.shift(g=[q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@pytest.mark.parametrize(
    "phi", [first_lowered_phi, losers_lowered_phi, chosen_lowered_phi], ids=lambda a: a.name
)
def test_one_of_a_vector_that_may_go_down(never_proved, phi):
    never_proved(phi, "cost")


def test_a_chosen_one_that_keeps_its_lead_by_going_down(refuted, proved):
    refuted(two_sided_gap_phi, "cost")
    proved(gap_phi)


@mechanism
def vector(q: Queries(sensitivity="delta"), delta: Positive, eps: Epsilon, noise: Noise):
    g = [noise.gumbel(delta / eps) for q_i in q]
    return [q_i + g_i for q_i, g_i in zip(q, g)]


@alignment(vector, epsilon="eps", adjacency="l1")
def vector_phi(q, q_, H):
    return H.shift(g=[q[i] - q_[i] for i in range(len(q))])


def test_a_vector_whose_shifts_add_up_to_its_change(never_proved):
    """Each shift is at most the change of its answer: no more than that is asked of Laplace noise."""
    never_proved(vector_phi, "cost")


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
def sparse_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


def test_sparse_vector_moves_up_only_and_is_proved(proved):
    proved(sparse_phi)


@alignment(sparse, epsilon="eps")
def threshold_down_phi(q, q_, omega, H):
    """The mirror image: the threshold falls, and so do those that stay below it."""
    return H.shift(eta=-1, eta_i=[q[i] - q_[i] - 1 if w is BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse, epsilon="eps")
def some_below_lowered_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is ABOVE else -1 for i, w in enumerate(omega)])


@alignment(sparse, epsilon="eps", adjacency="monotone")
def monotone_phi(q, q_, omega, H):
    """Private for Laplace noise, where the answers fall by as much as the threshold stays."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(eta=up, eta_i=[2 * up - 1 if w is ABOVE else 0 for i, w in enumerate(omega)])


@pytest.mark.parametrize("phi", [threshold_down_phi, some_below_lowered_phi, monotone_phi], ids=lambda a: a.name)
def test_a_loop_in_which_a_shift_may_go_down(never_proved, phi):
    never_proved(phi, "cost")


@mechanism
def without_scale(q: Queries, eps: Epsilon, noise: Noise):
    g = [noise.gumbel(0) for q_i in q]
    (best,) = largest([q_i + g_i for q_i, g_i in zip(q, g)], 1)
    return best


@alignment(without_scale, epsilon="eps")
def without_scale_phi(H):
    return H.shift()


def test_a_vector_whose_scale_is_0_is_undecided(never_proved):
    never_proved(without_scale_phi)


@mechanism
def logistic_answer(q: Query, eps: Epsilon, noise: Noise):
    e = noise.logistic(1 / eps)
    return q + e


@alignment(logistic_answer, epsilon="eps")
def logistic_phi(q, q_, H):
    return H.shift(e=q - q_)


@alignment(logistic_answer, epsilon="eps / 2")
def half_logistic_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_logistic_noise_may_move_both_ways(proved, refuted):
    proved(logistic_phi)
    refuted(half_logistic_phi, "cost")
