"""What an attack must not certify: each of these programs came out with a loss, or a probability, that was not one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from alignkit import ABOVE, BELOW, Noise, Queries, Query, Tag, log, mechanism
from alignkit.attacking import ANYTHING, Event, Interval, OneOf, attack, certify
from alignkit.attacking.attack_aim import nothing_found, weight
from alignkit.auditing.sampling_attack import certify_event
from alignkit.errors import InputError, Undefined, Unsupported
from alignkit.formatting import loss_shown
from alignkit.mechanisms.noisy_max import noisy_max

MIDDLE = Tag("MIDDLE")


@mechanism
def as_it_is(q: Query, noise: Noise):
    return q


@mechanism
def one_or_two(q: Query, noise: Noise):
    eta = noise.laplace(1)
    if q + eta > 0:
        return [0]
    return [0, 1]


@mechanism
def one_pair(q: Query, noise: Noise):
    eta = noise.laplace(1)
    if q + eta > 0:
        return (0, 1)
    return (0, q)


@mechanism
def perhaps(q: Query, noise: Noise):
    eta = noise.laplace(1)
    if q + eta > 0:
        yield ABOVE


@mechanism
def undefined_below(q: Query, noise: Noise):
    eta = noise.laplace(1)
    if q + eta > 0:
        return eta
    return 1 / (q - q)


@mechanism
def threshold(q: Query, noise: Noise):
    eta = noise.laplace(1)
    return q >= 0.3 or eta > 5


@mechanism
def even_by_3(q: Queries(sensitivity=2, lattice=2), r: Query(sensitivity=3, lattice=3), noise: Noise):
    eta = noise.laplace(1)
    return q[0] + r + eta > 0


@mechanism
def far_apart(q: Query, noise: Noise):
    eta = noise.laplace(1)
    if q + eta > 1000000:
        yield ABOVE
    elif q + eta > 100:
        yield MIDDLE
    else:
        yield BELOW


@mechanism
def at_nought(q: Query, noise: Noise):
    eta = noise.laplace(1)
    x = log(2)
    return q >= x - x and eta > 0


@mechanism
def counted(q: Queries(lattice=1), noise: Noise):
    for q_i in q:
        eta = noise.geometric(1, 1)
        if q_i + eta > 2:
            yield ABOVE
            return
        yield BELOW


@pytest.mark.parametrize("values", [{1, 1.5}, {1, Fraction(3, 2)}], ids=["float", "fraction"])
def test_a_number_of_an_event_may_be_a_float(values):
    found = certify(as_it_is, event=Event(OneOf(frozenset(values))), q=1, q_=Fraction(3, 2))
    assert found.high == 1
    assert found.loss == 0


def test_in_a_set_of_values_true_is_1():
    event = Event(OneOf(frozenset({0, True})))
    assert event.holds(1)
    assert certify(as_it_is, event=event, q=0, q_=1).loss == 0


def test_a_number_of_another_kind_is_refused():
    with pytest.raises(Unsupported, match="int64"):
        certify(as_it_is, event=Event(np.int64(1)), q=0, q_=1)


def test_more_may_follow_in_a_list_that_is_returned():
    found = certify(one_or_two, event=Event((0,), more=True), q=0, q_=-1)
    assert found.low > 0.999
    assert found.high == 1
    assert found.loss == 0


def test_one_of_whole_outputs_holds_answers_too():
    event = Event(OneOf(frozenset({(0, 1)})))
    found = certify(one_pair, event=event, q=2, q_=1)
    assert found.high == 1
    assert found.loss == 0
    either = Event(OneOf(frozenset({(ABOVE,), ()})))
    assert certify(perhaps, event=either, q=0, q_=1).high == 1


@pytest.mark.parametrize("pattern", [None, 0, Interval(), BELOW, OneOf(frozenset({0}))], ids=str)
def test_no_outputs_at_all_are_the_empty_sequence(pattern):
    assert certify(perhaps, event=Event(pattern), q=0, q_=1).low == 0
    assert certify(perhaps, event=Event(()), q=0, q_=1).low == pytest.approx(0.5)


@pytest.mark.parametrize("pattern", [Interval(low=Fraction(0)), Interval(), ANYTHING], ids=str)
def test_nothing_is_claimed_of_a_run_without_a_value(pattern):
    with pytest.raises(Undefined):
        certify(undefined_below, event=Event(pattern), q=2, q_=1)


def test_as_many_answers_on_either_side():
    for q, q_ in (([0, 4], [1, 3, 100]), ([0, 4, 4], [1, 3])):
        with pytest.raises(InputError, match="the same number"):
            certify(noisy_max, event=Event(0), q=q, q_=q_, eps=1)


def test_a_float_answer_is_the_decimal_it_prints_as():
    found = certify(threshold, event=Event(True), q=0.5, q_=0.3)
    assert found.high == 1
    assert found.loss == 0


def test_databases_lie_on_the_lattice():
    found = attack(even_by_3, effort=60)
    assert 4.9 < found.loss < 5.0
    assert all(x % 2 == 0 for x in (*found.witness.q["q"], *found.witness.q_["q"]))
    assert found.witness.q["r"] % 3 == found.witness.q_["r"] % 3 == 0


def test_probabilities_too_small_to_compute_are_refused():
    with pytest.raises(Unsupported, match="too small"):
        certify(far_apart, event=Event((BELOW,)), q=10**6, q_=10**6 + 1)
    assert attack(far_apart, effort=20).loss <= 1


def test_a_comparison_that_is_not_settled_on_one_side_only():
    with pytest.raises(Unsupported):
        certify(at_nought, event=Event(False), q=1, q_=0)


def test_an_ex_post_claim_of_a_sampled_mechanism_is_left_out():
    assert attack(counted, claim="len(omega)", effort=2).claim is None


def test_batches_that_repeat_rare_outputs_are_seen():
    def seeded(x, size):
        return np.random.default_rng(x).random(size) < 0.1

    with pytest.raises(InputError, match="repeats its random numbers"):
        certify_event(seeded, (91, 92), Event(True), samples=200_000)


@pytest.mark.parametrize("loss", [1.9995999999999998, 0.1 + 0.2, 0.0, 12.00005, 5e-324])
def test_a_loss_is_shown_rounded_down(loss):
    assert 0 <= Fraction(loss) - Fraction(loss_shown(loss)) < Fraction(1, 10**4)


def test_a_loss_above_a_claim_of_0_says_more_than_a_large_share_of_another_claim():
    above = replace(nothing_found(), loss=0.5, claim=0.0)
    below = replace(nothing_found(), loss=0.9, claim=1.0)
    assert max([below, above], key=weight) is above
