"""Losses of mechanisms with noise on a lattice: exact laws, rounded outward, and what is convicted by them."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Eta,
    InputError,
    Noise,
    Queries,
    Query,
    Real,
    alignment,
    attack,
    base2,
    check,
    clamp,
    mechanism,
)
from alignkit.attacking import Event, Interval, Method, OneOf, certify
from alignkit.errors import Unsupported
from alignkit.mechanisms.discrete_laplace import discrete_laplace_mechanism, discrete_laplace_mechanism_base2
from alignkit.mechanisms.discrete_selection import noisy_max_discrete, noisy_max_with_gap_discrete
from alignkit.output_events import ANYTHING


@mechanism
def half_the_noise(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    eta = [noise.discrete_laplace(1 / (2 * eps)) for q_i in q]
    return [q_i + eta_i for q_i, eta_i in zip(q, eta)]


@alignment(half_the_noise, epsilon="eps", adjacency="l1", expect="refuted")
def half_the_noise_phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def without_query_noise(q: Queries(lattice=1), T: Real(lattice=1), c: Count, eta: Eta, noise: Noise):
    rho = noise.discrete_laplace_base2(eta / 2)
    for q_i in q:
        if q_i >= T + rho:
            yield ABOVE
        else:
            yield BELOW


@alignment(without_query_noise, eta="eta", expect="refuted")
def without_query_noise_phi(H):
    return H.shift(rho=1)


@mechanism
def clamped(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    return clamp(q + e, -2, 2)


@mechanism
def of_many_values(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    e = noise.geometric(1 / eps)
    return q + e, q + e >= 1


def mass(k, ratio):
    return (1 - ratio) / (1 + ratio) * ratio ** abs(k)


@given(q=st.integers(-3, 3), change=st.sampled_from([-1, 0, 1]), value=st.integers(-5, 5))
@settings(max_examples=40, deadline=None)
def test_single_outputs_lose_what_their_masses_say(q, change, value):
    found = certify(discrete_laplace_mechanism_base2, event=Event(value), q=q, q_=q + change, delta=1, gamma=1, eta=3)
    true = 3 * math.log(2) * (abs(value - q - change) - abs(value - q))
    assert found.method is Method.EXACT
    assert found.low <= mass(value - q, 1 / 8) <= found.low + 1e-12
    assert found.high - 1e-12 <= mass(value - q - change, 1 / 8) <= found.high
    assert max(0, true) - 1e-12 <= found.loss <= max(0, true) + 1e-15


def probability(answer, wanted, eps=0.7):
    """Of clamp(answer + e, -2, 2) in a set, by a long sum."""
    ratio = math.exp(-eps)
    return math.fsum(mass(k, ratio) for k in range(-150, 151) if max(-2, min(2, answer + k)) in wanted)


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        pytest.param(ANYTHING, {-2, -1, 0, 1, 2}, id="anything"),
        pytest.param(Interval(low=Fraction(0)), {0, 1, 2}, id="at least 0"),
        pytest.param(Interval(high=Fraction(0)), {-2, -1}, id="below 0"),
        pytest.param(Interval(Fraction(-1), Fraction(2)), {-1, 0, 1}, id="from -1 to below 2"),
        pytest.param(OneOf(frozenset({-2, 1})), {-2, 1}, id="-2 or 1"),
        pytest.param(2, {2}, id="2"),
        pytest.param(7, set(), id="7, impossible"),
        pytest.param(Interval(low=Fraction(100)), set(), id="at least 100, impossible"),
    ],
)
def test_events_are_sums_of_outputs(pattern, wanted):
    for q, q_ in ((0, 1), (2, 1), (-3, -2)):
        found = certify(clamped, event=Event(pattern), q=q, q_=q_, eps=Fraction(7, 10))
        p, p_ = probability(q, wanted), probability(q_, wanted)
        assert found.low <= p + 1e-12 >= found.low
        assert found.high >= p_ - 1e-12
        assert found.loss <= (max(0, math.log(p / p_)) if p else 0) + 1e-12
        assert found.loss >= (math.log(p / p_) if p else 0) - 1e-9


def test_whole_outputs_in_a_set_count_as_they_do_alone():
    both = certify(of_many_values, event=Event(OneOf(frozenset({(2, True), (0, False)}))), q=0, q_=1, eps=1)
    alone = [certify(of_many_values, event=Event(output), q=0, q_=1, eps=1) for output in ((2, True), (0, False))]
    assert both.low == pytest.approx(sum(found.low for found in alone), rel=1e-12)
    assert both.high == pytest.approx(sum(found.high for found in alone), rel=1e-12)


def test_whole_outputs_beyond_the_window_are_refused():
    with pytest.raises(Unsupported, match="beyond the window"):
        certify(of_many_values, event=Event(OneOf(frozenset({(2, True), (70, True)}))), q=0, q_=1, eps=1)


@pytest.mark.parametrize("low", [-7, 0, 5, 40])
def test_intervals_reach_beyond_every_window(low):
    event = Event((Interval(low=Fraction(low)), ANYTHING))
    found = certify(of_many_values, event=event, q=0, q_=1, eps=1)
    p, p_ = (min(1, math.exp(-max(0, low - q))) for q in (0, 1))
    assert found.low == pytest.approx(p, rel=1e-12)
    assert found.high == pytest.approx(p_, rel=1e-12)
    assert certify(of_many_values, event=event, q=1, q_=0, eps=1).loss == pytest.approx(
        math.log(p_ / p), rel=1e-9, abs=1e-12
    )


def test_impossible_on_one_side_is_an_infinite_loss():
    found = certify(of_many_values, event=Event((0, False)), q=0, q_=1, eps=1)
    assert found.loss == math.inf
    assert found.high == 0
    # Far out is unlikely, not impossible.
    far = certify(of_many_values, event=Event((90, True)), q=1, q_=0, eps=1)
    assert 0.999 < far.loss <= 1


def test_rational_exponents_of_2():
    found = certify(discrete_laplace_mechanism_base2, event=Event(0), q=0, q_=1, delta=1, gamma=1, eta=Fraction(1, 3))
    assert math.log(2) / 3 - 1e-12 < found.loss <= math.log(2) / 3


def test_the_parameters_that_are_released_with():
    for eta, true in ((base2(3, 2, 1), 4 / 3), (base2(3, 2, 5), (4 / 3) ** 5)):
        found = certify(discrete_laplace_mechanism_base2, event=Event(0), q=0, q_=1, delta=1, gamma=1, eta=eta)
        assert math.log(true) - 1e-12 < found.loss <= math.log(true) + 1e-15


def test_floats_are_their_decimals_on_the_lattice_too():
    third = {"delta": 1, "gamma": Fraction(1, 3), "eta": 1}
    with pytest.raises(InputError, match="must be a multiple of 1/3"):
        certify(discrete_laplace_mechanism_base2, event=Event(Fraction(1, 3)), q=Fraction(1, 3), q_=2 / 3, **third)
    tenth = {"delta": 1, "gamma": Fraction(1, 10), "eta": 1}
    found = certify(discrete_laplace_mechanism_base2, event=Event(Fraction(1, 10)), q=0.1, q_=0.3, **tenth)
    assert found.loss == pytest.approx(math.log(2) / 5)


@mechanism
def many_steps(q: Query(lattice=1, sensitivity=100_000), eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(100_000 / eps)
    return clamp(q + e, 0, 1)


@alignment(many_steps, epsilon="eps")
def many_steps_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_many_steps_are_no_more_work():
    found = check(many_steps_phi)
    assert found.privacy.status == "private"
    one = certify(many_steps, event=Event(0), q=0, q_=100_000, eps=1)
    assert one.loss == pytest.approx(math.log(0.5 / (0.5 * math.exp(-1))), rel=1e-4)
    with pytest.raises(Unsupported, match="tried one by one"):
        certify(discrete_laplace_mechanism, event=Event((10**5,)), q=[10**5], q_=[0], delta=10**5, gamma=1, eps=1)


@mechanism
def names_of_its_own(window: Query(lattice=1), mechanism: Real, eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    return BELOW if e < 0 else window + e


def test_parameters_may_have_any_names_and_outputs_be_tags_or_numbers():
    common = {"mechanism": 0, "eps": 1}
    for pattern in (BELOW, OneOf(frozenset({BELOW, ABOVE})), None):
        found = certify(names_of_its_own, event=Event(pattern), window=0, window_=1, **common)
        assert found.loss == 0
    assert certify(names_of_its_own, event=Event(0), window=0, window_=1, **common).loss == math.inf


def test_half_the_noise_is_convicted():
    result = check(half_the_noise_phi)
    assert result.privacy.status == "not private"
    assert float(result.privacy.lower) > 1.9
    found = attack(half_the_noise_phi, effort=400)
    assert found.number_model == "lattice"
    assert 1.9 < found.loss <= 2


def test_losses_of_base_2_are_held_against_the_claim_in_natural_units():
    found = attack(without_query_noise_phi, effort=400)
    assert found.loss == math.inf
    assert found.claim == pytest.approx(math.log(2))
    assert found.violates
    proved = attack(discrete_laplace_mechanism_base2, claim=1, parameters={"delta": 1, "gamma": 1}, effort=200)
    assert proved.loss == pytest.approx(math.log(2))
    assert not proved.violates
    written = attack(discrete_laplace_mechanism_base2, claim="eta * delta", parameters={"delta": 1}, effort=200)
    assert written.claim == pytest.approx(math.log(2))
    assert attack(discrete_laplace_mechanism_base2, claim="0.9 * eta * delta", effort=200).violates


def test_selections_are_bracketed():
    found = attack(noisy_max_discrete, claim="eps", effort=1500)
    assert 0.8 < found.loss <= 1
    one = certify(noisy_max_discrete, event=found.event, q=found.witness.q["q"], q_=found.witness.q_["q"], eps=1)
    assert one.loss == found.loss


def test_gaps_of_ties_lose_more_than_claimed():
    pairs = [((2, 2, 0, 0), (3, 3, -1, -1), 2, 1.67), ((4, 4, 4, 0, 0), (5, 5, 5, -1, -1), 3, 1.98)]
    for q, q_, winner, least in pairs:
        found = certify(noisy_max_with_gap_discrete, event=Event((winner, 0)), q=q, q_=q_, eps=1)
        assert least < found.loss < 2


def test_vectors_under_l1():
    found = attack(discrete_laplace_mechanism, adjacency="l1", claim="eps", effort=400)
    assert 0.99 < found.loss <= 1
