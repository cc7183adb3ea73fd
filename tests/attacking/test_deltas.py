"""Attacks on claims of (epsilon, delta)-privacy: wrong ones are convicted at their true delta, right ones never are."""

from __future__ import annotations

import doctest
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignkit import (
    Count,
    Epsilon,
    InputError,
    InternalError,
    LanguageError,
    Noise,
    Queries,
    Query,
    Real,
    Tag,
    alignment,
    attack,
    check,
    clamp,
    mechanism,
)
from alignkit.attacking import ANYTHING, Either, Event, Interval, Method, certify
from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.brackets import attacked, with_bound
from alignkit.attacking.cases import AttackCase
from alignkit.attacking.mechanism_attack import certify_case
from alignkit.auditing.sampling_attack import certify_event
from alignkit.checking import fold_privacy
from alignkit.results import Verdict
from alignkit.running.adjacent_pairs import PrivateAnswers

PAGE = Path(__file__).parents[2] / "docs" / "attacks.md"

NOTHING, KEPT, FAIL = Tag("NOTHING"), Tag("KEPT"), Tag("FAIL")
R = math.exp(-1)


@mechanism
def count_kept(q: Query(lattice=1), tau: Real(lattice=1), eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@mechanism
def count_above(q: Query(lattice=1), tau: Real(lattice=1), eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(1 / eps)
    if q > 0 and q + x > tau:
        return q + x
    return NOTHING


@mechanism
def key_kept(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@mechanism
def one_sided(q: Query(lattice=1), tau: Real(lattice=1), eps: Epsilon, noise: Noise):
    x = noise.geometric(1 / eps)
    if q > 0 and q + x >= tau:
        return KEPT
    return NOTHING


@mechanism
def exponential(q: Query, eps: Epsilon, noise: Noise):
    x = noise.exponential(1 / eps)
    return q + x


@mechanism
def count_by_two(q: Query(lattice=1, sensitivity=2), tau: Real(lattice=1), eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(2 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@mechanism
def group_of_two(q: Query(lattice=1, sensitivity=2), tau: Real(lattice=1), eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@mechanism
def keys(q: Queries(lattice=1), tau: Real(lattice=1), eps: Epsilon, noise: Noise):
    for q_i in q:
        x = noise.discrete_laplace(1 / eps)
        if q_i > 0 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def real_keys(q: Queries, tau: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        x = noise.laplace(1 / eps)
        if q_i > 0 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@mechanism
def retried(q: Query(lattice=1), T: Real(lattice=1), k: Count, eps: Epsilon, noise: Noise):
    for _ in range(k):
        x = noise.discrete_laplace(1 / eps)
        if q + x >= T:
            return KEPT
    return FAIL


@mechanism
def charged_too_late(q: Query, eps: Epsilon, noise: Noise):
    b = noise.laplace(1 / eps)
    if b > 0:
        x = noise.exponential(1)
        return q + 0 * x
    return 0


@mechanism
def half_the_noise(q: Query, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / (2 * eps))
    return q + x


@mechanism
def half_the_lattice_noise(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(1 / (2 * eps))
    return q + x


@mechanism
def clamped(q: Query, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / (2 * eps))
    return clamp(q + x, -2, 2)


@mechanism
def two_answers(q: Query, r: Query, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    y = noise.laplace(1 / eps)
    return q + x, r + y


TWO_SIDED = "exp(-eps * (tau - 1)) / (1 + exp(-eps))"
AT_5 = {"tau": 5}

# The mechanism, the wrong claim, its public parameters, the true delta, and how close to that the attack comes.
WRONG = [
    pytest.param(count_kept, "eps", "exp(-eps * tau) / (1 + exp(-eps))", AT_5, R**4 / (1 + R), 1e-12, id="at least"),
    pytest.param(one_sided, "eps", TWO_SIDED, AT_5, 1 - R, 1e-12, id="one-sided"),
    pytest.param(exponential, "eps", "exp(-eps)", {}, 1 - R, 1e-12, id="lower end"),
    pytest.param(
        count_by_two, "eps", "exp(-eps / 2 * (tau - 1)) / (1 + exp(-eps / 2))", AT_5,
        math.exp(-1.5) / (1 + math.exp(-0.5)), 1e-12, id="from 0 to 2",
    ),
    pytest.param(group_of_two, "2 * eps", f"2 * {TWO_SIDED}", AT_5, R**3 / (1 + R), 1e-12, id="group"),
    pytest.param(charged_too_late, "eps", 0, {}, 0.5, 1e-12, id="charge under its own limit"),
    pytest.param(half_the_noise, "eps", "0.39", {}, 1 - math.exp(-0.5), 1e-12, id="half the noise"),
    pytest.param(clamped, "eps", "0.39", {}, 1 - math.exp(-0.5), 1e-5, id="clamped"),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "epsilon", "delta", "public", "true", "near"), WRONG)
def test_a_wrong_delta_is_convicted_at_the_true_one(wrong, epsilon, delta, public, true, near, capsys):
    found = attack(wrong, claim=epsilon, delta=delta, parameters=public, effort=60)
    assert found.violates
    assert found.verdict == "NOT PRIVATE"
    assert found.method is Method.EXACT
    assert found.claimed_delta < true * (1 - near) <= found.delta <= true * (1 + 1e-15)
    exec(found.snippet, {})
    assert float(capsys.readouterr().out) == found.delta


def test_the_tail_of_one_sided_noise():
    """A key of count 1 is kept more often than the tail of two-sided noise says; at other counts more still shows."""
    found = certify(one_sided, event=Event(KEPT), q=1, q_=0, tau=5, eps=1)
    assert found.delta_at(1) == pytest.approx(R**4, rel=1e-12)


def test_several_keys_have_more_than_one_tail():
    """The event that any key is kept: for more keys than one claim is for, in few words."""
    found = attack(keys, claim="len(q) * eps", delta=TWO_SIDED, parameters=AT_5, effort=200)
    assert found.violates
    count = len(found.witness.q["q"])
    assert set(found.witness.q["q"]) == {1}
    assert count >= 3
    assert found.delta == pytest.approx(1 - (1 - R**4 / (1 + R)) ** count, rel=1e-12)
    assert str(found.event) == f"not ({', '.join(['NOTHING'] * count)})"
    real = attack(real_keys, claim="len(q) * eps", delta="exp(-eps * (tau - 1)) / 2", parameters=AT_5, effort=300)
    assert real.violates
    assert real.delta == pytest.approx(1 - (1 - R**4 / 2) ** len(real.witness.q["q"]), rel=1e-12)


def test_ten_keys():
    event = Event(Either(((NOTHING,) * 10,), none=True))
    found = certify(real_keys, event=event, q=[1] * 10, q_=[0] * 10, tau=5, eps=1)
    assert found.delta_at(10) == found.low == pytest.approx(1 - (1 - R**4 / 2) ** 10, rel=1e-12)


@pytest.mark.slow
def test_ten_keys_on_a_lattice():
    event = Event(Either(((NOTHING,) * 10,), none=True))
    found = certify(keys, event=event, q=[1] * 10, q_=[0] * 10, tau=5, eps=1)
    assert 0.126 < found.delta_at(10) == found.low == pytest.approx(1 - (1 - R**4 / (1 + R)) ** 10, rel=1e-12)


def retries(tau, k):
    """The delta of the event that all k tries fail, at epsilon 1."""
    fails, fails_ = (1 - R**tau / (1 + R)) ** k, (1 - R ** (tau - 1) / (1 + R)) ** k
    return fails - math.e * fails_


def test_tries_that_are_free_are_not():
    found = attack(retried, claim="eps", delta=0, parameters={"T": 2, "k": 12}, effort=60)
    assert found.violates
    assert found.delta >= retries(2, 12) * (1 - 1e-9) > 0.15


@pytest.mark.slow
def test_235_tries():
    found = attack(retried, claim="eps", delta=0, parameters={"T": 5, "k": 235}, effort=60)
    assert found.violates
    assert str(found.event) == "FAIL"
    assert 0.1989 < found.delta == pytest.approx(retries(5, 235), rel=1e-9)


RIGHT = [
    pytest.param(count_kept, "eps", TWO_SIDED, AT_5, id="at least"),
    pytest.param(count_kept, "eps", TWO_SIDED, {"tau": 60}, id="rare"),
    pytest.param(count_above, "eps", "exp(-eps * tau) / (1 + exp(-eps))", AT_5, id="above"),
    pytest.param(key_kept, "eps", "exp(-eps * (tau - 1)) / 2", {}, id="Laplace"),
    pytest.param(key_kept, "eps", "exp(-eps * (tau - 1)) / 2", {"tau": 30}, id="rare Laplace"),
    pytest.param(keys, "len(q) * eps", f"len(q) * {TWO_SIDED}", AT_5, id="keys"),
    pytest.param(real_keys, "len(q) * eps", "len(q) * exp(-eps * (tau - 1)) / 2", {"tau": 3}, id="Laplace keys"),
    pytest.param(exponential, "eps", "1 - exp(-eps)", {}, id="exponential"),
    pytest.param(count_kept, "2 * eps", TWO_SIDED, AT_5, id="larger epsilon"),
    pytest.param(two_answers, "2 * eps", 0, {}, id="pure"),
]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("right", "epsilon", "delta", "public"), RIGHT)
def test_a_right_delta_is_not_convicted_however_close(right, epsilon, delta, public, seed):
    found = attack(right, claim=epsilon, delta=delta, parameters=public, effort=60, seed=seed)
    assert not found.violates
    assert found.verdict == "NO VIOLATION"
    assert found.empty or found.delta <= found.claimed_delta


@pytest.mark.parametrize(
    ("right", "delta"),
    [(count_kept, TWO_SIDED), (key_kept, "exp(-eps * (tau - 1)) / 2"), (exponential, "1 - exp(-eps)")],
)
def test_a_delta_that_is_attained_is_found(right, delta):
    found = attack(right, claim="eps", delta=delta, effort=60, parameters={} if right is exponential else AT_5)
    assert found.delta == pytest.approx(found.claimed_delta, rel=1e-12)


@settings(max_examples=15, deadline=None)
@given(q=st.integers(-3, 3), change=st.sampled_from([-1, 1]), eps=st.sampled_from([Fraction(1, 2), 1, Fraction(3)]),
       share=st.sampled_from([0, Fraction(1, 2), 1, Fraction(3, 2)]))  # fmt: skip
def test_what_is_certified_is_at_most_the_known_delta(q, change, eps, share):
    """Laplace noise with scale b moved by 1 has delta 1 - e^((epsilon - 1/b)/2), and discrete noise sums it exactly."""
    epsilon = share * eps
    found = attack(half_the_noise, eps=eps, claim=epsilon, delta=0, effort=8)
    true = 1 - math.exp((float(epsilon) - 2 * float(eps)) / 2)
    assert true * 0.999 <= found.delta <= true * (1 + 1e-12)
    event = Event(Either(tuple(range(q, q - 9 * change, -change))))
    some = certify(half_the_lattice_noise, event=event, q=q, q_=q + change, eps=eps)
    r = math.exp(-2 * float(eps))
    p = [(1 - r) / (1 + r) * r ** abs(i) for i in range(9)]
    p_ = [(1 - r) / (1 + r) * r ** (i + 1) for i in range(9)]
    exact = max(0.0, sum(p) - math.exp(epsilon) * sum(p_))
    assert exact - 1e-12 <= some.delta_at(epsilon) <= exact + 1e-15


def test_all_outputs_that_are_too_likely_are_in_the_event():
    """On a lattice the greatest lower bound for two inputs: no other event shows more."""
    found = attack(half_the_lattice_noise, claim="eps", delta=0, effort=60)
    r = math.exp(-2)
    (a,), (b,) = found.witness.q.values(), found.witness.q_.values()
    near = range(int(a) - 60, int(a) + 60)
    true = sum(max(0.0, (1 - r) / (1 + r) * (r ** abs(x - a) - math.e * r ** abs(x - b))) for x in near)
    assert found.delta == pytest.approx(true, rel=1e-12)


def test_two_real_numbers_are_cut_into_cells():
    found = attack(two_answers, claim="eps", delta=0, effort=150)
    assert isinstance(found.event.pattern, Either)
    # One answer alone shows nothing at eps; of both, of which the costs add up to 2 eps, this much can be shown.
    assert 0.2 < found.delta < 1 - math.exp(-0.5)


def test_the_claims_of_alignments():
    @alignment(key_kept, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2")
    def right(q, q_, H, tau):
        new = (q <= 0) != (q_ <= 0)
        return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)

    @alignment(key_kept, epsilon="eps", delta="exp(-eps * tau) / 2", expect="refuted")
    def wrong(q, q_, H, tau):
        new = (q <= 0) != (q_ <= 0)
        return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)

    held = attack(right, effort=60)
    assert not held.violates
    assert held.delta == pytest.approx(held.claimed_delta, rel=1e-12)
    assert attack(wrong, effort=60).violates
    assert attack(wrong, effort=60, delta="exp(-eps * (tau - 1)) / 2").violates is False
    assert attack(right, effort=60, claim="eps").loss == math.inf, "a claim that is given is pure"

    results = [check(phi, effort=0) for phi in (right, wrong)]
    assert [result.verdict for result in results] == [Verdict.PROVED, Verdict.REFUTED]
    proved, refuted = (
        attacked(phi, result, 60, 0) for phi, result in zip((right, wrong), results, strict=True)
    )
    assert proved.privacy.leak.delta > 0
    assert proved.privacy.status == "private"
    assert refuted.privacy.status == "not private"
    # An infinite loss beside a proof of (epsilon, delta)-privacy is no contradiction, a larger delta is one.
    assert with_bound(right, results[0], held).privacy.leak == held
    fold_privacy([right, wrong], [proved, refuted])
    with pytest.raises(InternalError, match=r"at least delta 0\.\d+ at epsilon 1\.0 .* at most epsilon 1, delta 0"):
        attacked(wrong, replace(results[1], verdict=Verdict.PROVED, counterexample=None), 60, 0)


def test_a_delta_of_zero_asks_how_much_there_is():
    found = attack(key_kept, claim="eps", delta=0, parameters=AT_5, effort=40)
    assert found.delta == pytest.approx(R**4 / 2, rel=1e-12)
    assert "  delta at epsilon 1 is at least 0.00915781, by closed form\n" in str(found)
    assert str(found).startswith("NOT PRIVATE    claim: epsilon 1, delta 0\n")
    assert "delta at epsilon 1 is at least 0.00915781; claim: epsilon 1, delta 0" in found._repr_html_()


def test_claims_that_make_no_sense_are_refused():
    for delta in (1, -1):
        with pytest.raises(InputError, match="below 1"):
            attack(key_kept, claim="eps", delta=delta, effort=1)
    with pytest.raises(LanguageError, match="delta may not depend on the output"):
        attack(key_kept, claim="eps", delta="len(omega)", effort=1)
    with pytest.raises(InputError, match="delta goes with an epsilon"):
        attack(key_kept, delta=0, effort=1)
    for claim, delta, words in ((None, 0, "beside a claim"), (1, 2, "below 1"), (1, "0.1", "a sampler is a number")):
        with pytest.raises(InputError, match=words):
            attack(lambda data: 0, claim=claim, delta=delta)


def test_either_is_one_of_patterns_or_none():
    event = Event(Either(((1, Interval(high=0)), (1, Interval(low=2)))))
    assert event.holds((1, -1))
    assert event.holds((1, 3))
    assert not event.holds((1, 1))
    other = Event(Either(event.pattern.patterns, none=True))
    assert [other.holds(x) for x in ((1, -1), (1, 3), (1, 1), KEPT)] == [False, False, True, True]
    assert str(event) == "(1, < 0) or (1, >= 2)"
    assert str(other) == "neither (1, < 0) nor (1, >= 2)"


def test_either_has_the_probability_of_its_parts():
    inputs = {"q": 1, "q_": 0, "eps": 1}
    parts = Interval(high=Fraction(0)), Interval(Fraction(1, 2), Fraction(3))
    both = certify(half_the_noise, event=Event(Either(parts)), **inputs)
    one, other = (certify(half_the_noise, event=Event(part), **inputs) for part in parts)
    assert both.low == pytest.approx(one.low + other.low, rel=1e-15)
    assert both.high == pytest.approx(one.high + other.high, rel=1e-15)
    rest = certify(half_the_noise, event=Event(Either(parts, none=True)), **inputs)
    assert (rest.low, rest.high) == (pytest.approx(1 - both.low, rel=1e-12), pytest.approx(1 - both.high, rel=1e-12))


@pytest.mark.parametrize(
    "patterns",
    [(Interval(high=1), Interval(low=0)), (Interval(), ANYTHING), (2, Interval(1, 3)), (Either((1,)), 2)],
    ids=str,
)
def test_patterns_that_may_overlap_are_not_added_up(patterns):
    with pytest.raises(InputError, match="Either"):
        certify(clamped, event=Event(Either(patterns)), q=0, q_=1, eps=1)


@mechanism
def at_an_end(q: Query, eps: Epsilon, noise: Noise):
    """Numbers from 2 on, and 2 itself with a probability that is larger where the answer is."""
    x = noise.exponential(1 / (4 * eps))
    y = noise.laplace(1 / (4 * eps))
    if q + y >= 0:
        return 2
    return 2 + x


def test_a_single_number_at_the_end_of_an_interval_is_left_out_of_it():
    found = attack(at_an_end, claim="eps", delta=0, effort=60)
    (a,), (b,) = ([float(x) for x in answers.values()] for answers in (found.witness.q, found.witness.q_))

    def at_end(q):
        return 1 - math.exp(-4 * q) / 2 if q > 0 else math.exp(4 * q) / 2

    single, above = at_end(a) - math.e * at_end(b), 1 - at_end(a) - math.e * (1 - at_end(b))
    assert found.delta == pytest.approx(max(single, above), rel=1e-3)
    for q, q_ in ((-0.5, 0.5), (0.5, -0.5)):
        given = certify_worst(at_an_end, q, q_)
        single, above = at_end(q) - math.e * at_end(q_), 1 - at_end(q) - math.e * (1 - at_end(q_))
        assert given.delta == pytest.approx(max(single, above), rel=1e-3)


def certify_worst(mechanism, q, q_):
    """What two inputs show at epsilon 1 by the event that the attack takes for the worst."""
    aim = AttackAim.of(mechanism, None, "eps", 0)
    private = PrivateAnswers(mechanism, {"eps": Fraction(1)}, 1)
    return certify_case(aim, AttackCase(private, (Fraction(q),), (Fraction(q_ - q),)))


@mechanism
def logistic_key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.logistic(1 / eps)
    if q > 0 and q + x >= tau:
        return KEPT
    return NOTHING


def test_what_has_no_closed_form_is_sampled():
    """P(1 + x >= 3) is 1 / (1 + e^2), about 0.119; the bound holds but for a chance of one in a million."""
    found = attack(logistic_key, claim="eps", delta="exp(-eps * tau)", parameters={"tau": 3}, effort=400)
    assert found.violates
    assert found.method is Method.SAMPLED
    assert found.error <= 1e-6
    assert 0.1 < found.delta == found.delta_at(1) <= 1 / (1 + math.exp(2))
    held = attack(logistic_key, claim="eps", delta="1 / (1 + exp(2))", parameters={"tau": 3}, effort=400)
    assert not held.violates


def kept_or_not(data, size, rng):
    """Rarely the answer is given away."""
    noisy = data[0] + rng.laplace(size=size)
    return np.where(rng.random(size) < 0.05, data[0], noisy)


def test_any_sampler_is_held_against_a_claim_with_delta():
    """With probability 0.05 the outputs are apart: delta is about that at epsilon 1, where the noise costs 1."""
    found = attack(kept_or_not, queries=1, claim=1.0, delta=0.01, samples=60_000)
    assert found.violates
    assert 0.04 < found.delta < 0.051
    held = attack(kept_or_not, queries=1, claim=1.0, delta=0.05, samples=20_000)
    assert not held.violates
    pair = (found.witness.q, found.witness.q_)
    again = certify_event(kept_or_not, pair, found.event, samples=60_000, claim=1.0, delta=0.01)
    assert again.violates


def test_the_page():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert failed == 0 < tried
