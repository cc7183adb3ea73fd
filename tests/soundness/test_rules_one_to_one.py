"""Rules 10 and 21: one-to-one by pieces. What forgets noise, folds it or makes it denser unpaid is never proved."""

# ruff: noqa: F841
from __future__ import annotations

from fractions import Fraction

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Epsilon,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    alignment,
    check,
    clamp,
    largest,
    log,
    mechanism,
)
from alignkit.mechanisms.general_theorem import one_sided_threshold_test
from alignkit.mechanisms.noisy_max import noisy_max, noisy_max_with_gap_exponential
from alignkit.plain_enclosures import log_bounds
from alignkit.proofs.noisy_max import levels
from alignkit.reporting.full_report import report_lines
from alignkit.reporting.json_documents import results_json

# One draw


@mechanism
def one_unused(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return 1


@alignment(one_unused, epsilon="eps")
def together_phi(H):
    """Two halves that move onto one another."""
    return H.shift(eta=-1 if H.eta >= 0 else 1)


@alignment(one_unused, epsilon="eps")
def apart_phi(H):
    """A gap in the image does no harm."""
    return H.shift(eta=1 if H.eta >= 0 else -1)


@alignment(one_unused, epsilon="eps")
def folded_phi(H):
    return H.shift(eta=min(abs(H.eta), 1))


@alignment(one_unused, epsilon="100 * eps")
def forgotten_phi(H):
    """All of (0, 1) comes to one point."""
    return H.shift(eta=-H.eta if H.eta > 0 and H.eta < 1 else 0)


@alignment(one_unused, epsilon="eps")
def an_interval_onto_another_phi(T, H):
    return H.shift(eta=-1 if H.eta > T and H.eta < T + 2 else 0)


@alignment(one_unused, epsilon="eps")
def reflected_beside_itself_phi(H):
    return H.shift(eta=clamp(-2 * H.eta, -1, 1))


@alignment(one_unused, epsilon="eps")
def by_the_answers_it_passes_phi(q, H):
    return H.shift(eta=max(-1 if H.eta > q[i] else 0 for i in range(len(q))))


@alignment(one_unused, epsilon="eps")
def by_an_answer_it_filtered_phi(q, H):
    m = max(q[i] for i in range(len(q)) if i == 0 or q[i] <= H.eta)
    return H.shift(eta=-clamp(m, 0, 1))


@alignment(one_unused, epsilon="eps")
def halved_unpaid_phi(H):
    """One-to-one, but twice as dense on (0, 1/2)."""
    return H.shift(eta=-H.eta / 2 if H.eta > 0 and H.eta < 1 else 0)


@alignment(one_unused, epsilon="eps + log(2)")
def halved_paid_phi(H):
    return H.shift(eta=-H.eta / 2 if H.eta > 0 and H.eta < 1 else 0)


@alignment(one_unused, epsilon="eps + log(2)")
def cut_to_a_third_for_too_little_phi(H):
    return H.shift(eta=-2 * H.eta / 3 if H.eta > 0 and H.eta < 1 else 0)


# Two draws


@mechanism
def two_unused(q: Query, eps: Epsilon, noise: Noise):
    a = noise.laplace(2 / eps)
    b = noise.laplace(2 / eps)
    return 1


@mechanism
def two_scales(q: Query, eps: Epsilon, noise: Noise):
    a = noise.laplace(2 / eps)
    b = noise.laplace(4 / eps)
    return 1


@alignment(two_scales, epsilon="eps")
def swapped_scales_phi(H):
    """One-to-one with the determinant -1, but noise of one scale is no noise of another."""
    return H.shift(a=H.b - H.a, b=H.a - H.b)


@alignment(two_unused, epsilon="eps")
def towards_one_another_phi(H):
    if H.a > H.b:
        return H.shift(b=1)
    return H.shift(a=1)


@alignment(two_unused, epsilon="eps")
def turned_phi(H):
    """Each depends on the other, in a circle; the four quadrants move apart."""
    return H.shift(a=1 if H.b > 0 else 0, b=-1 if H.a > 0 else 0)


@alignment(two_unused, epsilon="eps")
def turned_the_wrong_way_phi(H):
    return H.shift(a=1 if H.b > 0 else 0, b=1 if H.a > 0 else 0)


@alignment(two_unused, epsilon="100 * eps")
def flattened_phi(H):
    """Near 0 both become a + b."""
    return H.shift(a=clamp(H.b, -1, 1), b=clamp(H.a, -1, 1))


@alignment(two_unused, epsilon="eps")
def mixed_unpaid_phi(H):
    """One-to-one with the determinant 3/4 near 0."""
    return H.shift(a=clamp(H.b, -1, 1) / 2, b=clamp(H.a, -1, 1) / 2)


@alignment(two_unused, epsilon="eps + log(4) - log(3)")
def mixed_paid_phi(H):
    return H.shift(a=clamp(H.b, -1, 1) / 2, b=clamp(H.a, -1, 1) / 2)


@alignment(two_unused, epsilon="100 * eps")
def by_both_sizes_phi(H):
    return H.shift(a=-1 if abs(H.a) > abs(H.b) and H.a > 0 else 0)


# Vectors of draws


@mechanism
def many_unused(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(4 / eps) for q_i in q]
    return 1


@alignment(many_unused, epsilon="eps")
def raise_the_largest_phi(q, H):
    m = max(H.eta)
    return H.shift(eta=[1 if H.eta[i] == m else 0 for i in range(len(q))])


@alignment(many_unused, epsilon="eps / 5")
def raise_the_largest_for_less_phi(q, H):
    m = max(H.eta)
    return H.shift(eta=[1 if H.eta[i] == m else 0 for i in range(len(q))])


@alignment(many_unused, epsilon="eps")
def lower_the_largest_phi(q, H):
    """It falls among the others, and it is forgotten which it was."""
    m = max(H.eta)
    return H.shift(eta=[-1 if H.eta[i] == m else 0 for i in range(len(q))])


@alignment(many_unused, epsilon="eps")
def raise_the_smallest_phi(q, H):
    m = min(H.eta)
    return H.shift(eta=[1 if H.eta[i] == m else 0 for i in range(len(q))])


@alignment(many_unused, epsilon="eps")
def contract_the_largest_phi(q, H):
    """The determinant of a vector must be 1."""
    m = max(H.eta)
    return H.shift(eta=[clamp(m, 0, 1) if H.eta[i] == m else 0 for i in range(len(q))])


@alignment(many_unused, epsilon="eps", adjacency="one")
def whoever_is_positive_falls_phi(q, q_, H):
    return H.shift(eta=[0 if q[i] == q_[i] else -1 if H.eta[i] > 0 else 0 for i in range(len(q))])


@alignment(many_unused, epsilon="eps", adjacency="one")
def all_fall_if_the_first_is_positive_phi(q, q_, H):
    if H.eta[0] > 0:
        return H.shift(eta=[0 if q[i] == q_[i] else -1 for i in range(len(q))])
    return H.shift()


@mechanism
def many_on_a_lattice(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    eta = [noise.discrete_laplace(4 / eps, 1) for q_i in q]
    return 1


@alignment(many_on_a_lattice, epsilon="eps")
def raise_all_the_largest_phi(q, H):
    """On a lattice ties are likely, and then every one of the largest is paid for."""
    m = max(H.eta)
    return H.shift(eta=[1 if H.eta[i] == m else 0 for i in range(len(q))])


@alignment(many_unused, epsilon="eps")
def everyone_is_the_largest_phi(q, H):
    """A maximum of equals: no tie of it is negligible."""
    m = max(H.eta[0] for i in range(len(q)))
    return H.shift(eta=[1 if H.eta[0] == m else 0 for i in range(len(q))])


@mechanism
def two_kinds(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    a = noise.discrete_laplace(2 / eps, 1)
    b = noise.laplace(2 / eps)
    return 1


@alignment(two_kinds, epsilon="eps")
def two_kinds_phi(H):
    return H.shift(a=1 if H.a > 0 else 0)


# Noisy Max


@alignment(noisy_max_with_gap_exponential, epsilon="eps")
def as_printed_phi(q, q_, omega, H):
    """As in Equation (5) of the journal version: D's best loser becomes D''s, whose own noise is forgotten."""
    best, gap = omega
    before, after, level = levels(q, q_, H.eta, best)
    return H.shift(
        eta=[
            q[i] - q_[i] + level - before
            if i == best
            else level - q_[i] - H.eta[i]
            if after < level and q_[i] + H.eta[i] == after
            else 0
            for i in range(len(q))
        ]
    )


@alignment(noisy_max_with_gap_exponential, epsilon="eps")
def losers_close_by_phi(q, q_, omega, H):
    best, gap = omega
    before, after, level = levels(q, q_, H.eta, best)
    return H.shift(
        eta=[
            q[i] - q_[i] + level - before if i == best or (after < level and q[i] + H.eta[i] >= before - 1) else 0
            for i in range(len(q))
        ]
    )


@alignment(noisy_max_with_gap_exponential, epsilon="eps / 2")
def for_half_phi(q, q_, omega, H):
    best, gap = omega
    before, after, level = levels(q, q_, H.eta, best)
    return H.shift(
        eta=[
            q[i] - q_[i] + level - before if i == best or (after < level and q[i] + H.eta[i] == before) else 0
            for i in range(len(q))
        ]
    )


@mechanism
def one_sided_max_on_a_lattice(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    eta = [noise.geometric(2 / eps, 1) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best, noisy[best] - noisy[runner_up]


@alignment(one_sided_max_on_a_lattice, epsilon="eps")
def with_ties_phi(q, q_, omega, H):
    """All losers that tie for the best are raised, and each costs."""
    best, gap = omega
    before, after, level = levels(q, q_, H.eta, best)
    return H.shift(
        eta=[
            q[i] - q_[i] + level - before if i == best or (after < level and q[i] + H.eta[i] == before) else 0
            for i in range(len(q))
        ]
    )


@alignment(noisy_max, epsilon="eps")
def winner_forgotten_phi(q, q_, omega, H):
    """A winner that leads by less than 2 is put 2 above the best of the losers."""
    before = max(q[j] + H.eta[j] for j in range(len(q)) if j != omega)
    return H.shift(eta=[max(0, before + 2 - q[i] - H.eta[i]) if i == omega else 0 for i in range(len(q))])


# One-sided noise


@alignment(one_sided_threshold_test, epsilon="eps")
def contracted_unpaid_phi(q, q_, omega, H):
    level, level_ = clamp(q, 1, 2), clamp(q_, 1, 2)
    return H.shift(eta=level_ - level if omega[0] is ABOVE else H.eta * (level_ / level - 1))


@alignment(one_sided_threshold_test, epsilon="max(eps, log(19 / 10))")
def contracted_for_too_little_phi(q, q_, omega, H):
    level, level_ = clamp(q, 1, 2), clamp(q_, 1, 2)
    return H.shift(eta=level_ - level if omega[0] is ABOVE else H.eta * (level_ / level - 1))


@alignment(one_sided_threshold_test, epsilon="eps + log(2)")
def cut_off_phi(q, q_, omega, H):
    """What sticks out below 0 is folded onto 0."""
    level, level_ = clamp(q, 1, 2), clamp(q_, 1, 2)
    return H.shift(eta=max(level_ - level, -H.eta))


@mechanism
def one_side_of_one(q: Query, eps: Epsilon, noise: Noise):
    """The output tells on which side of 1 the noise is, and nothing of the answer."""
    eta = noise.exponential(1 / eps)
    if eta >= 1:
        yield ABOVE
    else:
        yield BELOW


@alignment(one_side_of_one, epsilon="100 * eps")
def within_each_side_phi(omega, H):
    return H.shift(eta=-1 if omega[0] is ABOVE and H.eta >= 2 else 0)


@alignment(one_side_of_one, epsilon="log(3)")
def thirds_phi(omega, H):
    return H.shift(eta=-2 * H.eta / 3 if omega[0] is BELOW else 0)


@alignment(one_side_of_one, epsilon="log(2)")
def thirds_for_too_little_phi(omega, H):
    return H.shift(eta=-2 * H.eta / 3 if omega[0] is BELOW else 0)


NEVER = [
    together_phi, folded_phi, forgotten_phi, an_interval_onto_another_phi, reflected_beside_itself_phi,
    by_the_answers_it_passes_phi, by_an_answer_it_filtered_phi, towards_one_another_phi, turned_the_wrong_way_phi,
    flattened_phi, by_both_sizes_phi, lower_the_largest_phi, raise_the_smallest_phi, contract_the_largest_phi,
    whoever_is_positive_falls_phi, all_fall_if_the_first_is_positive_phi, two_kinds_phi, as_printed_phi,
    losers_close_by_phi, winner_forgotten_phi, cut_off_phi, within_each_side_phi,
]  # fmt: skip


@pytest.mark.parametrize("phi", NEVER, ids=lambda phi: phi.name)
def test_noise_that_is_folded_or_forgotten(phi, never_proved):
    never_proved(phi, "one_to_one")


UNPAID = [
    halved_unpaid_phi, cut_to_a_third_for_too_little_phi, mixed_unpaid_phi, raise_the_largest_for_less_phi,
    raise_all_the_largest_phi, everyone_is_the_largest_phi, for_half_phi, with_ties_phi, contracted_unpaid_phi,
    contracted_for_too_little_phi, thirds_for_too_little_phi, swapped_scales_phi,
]  # fmt: skip


@pytest.mark.parametrize("phi", UNPAID, ids=lambda phi: phi.name)
def test_volume_and_ties_are_paid_for(phi, never_proved):
    never_proved(phi, "cost")


@pytest.mark.parametrize(
    "phi", [apart_phi, halved_paid_phi, turned_phi, mixed_paid_phi, raise_the_largest_phi, thirds_phi],
    ids=lambda phi: phi.name,
)  # fmt: skip
def test_what_is_one_to_one_and_paid_for(phi, proved_by_check):
    assert proved_by_check(phi).conditions["one_to_one"].how.startswith("by pieces")


COLLIDING = [
    together_phi, folded_phi, forgotten_phi, an_interval_onto_another_phi, reflected_beside_itself_phi,
    by_the_answers_it_passes_phi, towards_one_another_phi, turned_the_wrong_way_phi, lower_the_largest_phi,
    raise_the_smallest_phi, within_each_side_phi, as_printed_phi,
]  # fmt: skip


@pytest.mark.parametrize("phi", COLLIDING, ids=lambda phi: phi.name)
def test_two_noise_vectors_with_one_image_refute(phi, never_proved, capsys):
    never_proved(phi)
    result = check(phi, effort=0)
    found = result.counterexample
    assert found is not None
    assert found.condition == "one_to_one"
    witness = found.witness
    assert witness.H != found.H_other
    primed = {f"{name}_": value for name, value in witness.q_.items()}
    one = phi.replay(H=witness.H, **witness.values, **primed)
    other = phi.replay(H=found.H_other, **witness.values, **primed)
    assert one.output == other.output == found.omega
    assert one.trial.noise_ == other.trial.noise_
    assert one.trial.run.noise != other.trial.run.noise
    assert '"H_other": {' in results_json([result])
    assert any("the other noise vector" in line.text for line in report_lines(result, verbose=True))
    exec(found.snippet, {})
    assert capsys.readouterr().out.count("no condition fails on this pair of runs") == 2


@alignment(one_unused, epsilon="100 * eps")
def at_one_point_phi(H):
    """Only 0 comes to where 1 is: a coincidence of probability 0 refutes nothing."""
    return H.shift(eta=1 if H.eta == 0 else 0)


def test_a_single_coincidence_refutes_nothing(never_proved):
    never_proved(at_one_point_phi)
    assert check(at_one_point_phi, effort=0).counterexample is None


# Claims with a logarithm, in exact replay


@mechanism
def scale_given(q: Query, scale: Positive, noise: Noise):
    e = noise.laplace(scale)
    return 1


@alignment(scale_given, epsilon="log(2)")
def moved_by_one_phi(H):
    return H.shift(e=1)


def test_costs_nearer_to_a_claim_than_floats_can_tell_are_judged_exactly():
    low, high = log_bounds(2)
    hair = Fraction(1, 10**19)
    above = moved_by_one_phi.replay(0, 0, H={"e": 0}, scale=1 / (high + hair))
    below = moved_by_one_phi.replay(0, 0, H={"e": 0}, scale=1 / (low - hair))
    assert above.violation is not None
    assert above.violation.condition == "cost"
    assert below.violation is None
    assert log(1) == 0
