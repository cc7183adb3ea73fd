"""Attacks by samples of mechanisms that have no closed form: all runs of a batch are made at once."""

from __future__ import annotations

from fractions import Fraction

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Query, attack, largest, mechanism
from alignkit.attacking import Event, Method


@mechanism
def products(q: Queries, eps: Epsilon, noise: Noise):
    """The product of each noisy answer with a noisy factor, where it is positive."""
    e = noise.laplace(1 / eps)
    for q_i in q:
        f = noise.laplace(1 / eps)
        if (q_i + e) * f > 0:
            yield (q_i + e) * (q_i + f)
        else:
            yield BELOW


@mechanism
def top_squares(q: Queries, eps: Epsilon, noise: Noise):
    """Where the two largest squares are, each with its size."""
    e = [noise.laplace(1 / eps) for q_i in q]
    squares = [(q_i + e_i) * (q_i + e_i) for q_i, e_i in zip(q, e)]
    return [(i, squares[i]) for i in largest(squares, 2)]


@mechanism
def names_of_arguments(q: Query, runs: Count, eps: Epsilon, noise: Noise):
    """A public parameter with the name of an argument of `sample_many`."""
    e = noise.laplace(1 / eps)
    return (q + e) * e * runs > 0


@mechanism
def coefficients_put_together(q: Queries, eps: Epsilon, noise: Noise):
    """Each output mixes three draws, as the answers that are put together from a wavelet's coefficients do."""
    a = noise.laplace(3 / eps)
    b = noise.laplace(3 / eps)
    c = noise.laplace(3 / eps)
    d = noise.laplace(3 / eps)
    whole = (q[0] + q[1] + q[2] + q[3]) / 4 + a
    halves = (q[0] + q[1] - q[2] - q[3]) / 4 + b
    left = (q[0] - q[1]) / 2 + c
    right = (q[2] - q[3]) / 2 + d
    return (whole + halves + left, whole + halves - left, whole - halves + right, whole - halves - right)


def test_what_has_no_event_with_a_closed_form_is_sampled_and_the_report_says_why() -> None:
    found = attack(coefficients_put_together, claim="eps", parameters={"eps": 3}, effort=150, seed=1)
    assert found.method is Method.SAMPLED
    assert 0.2 < found.loss < 3
    assert "no closed form: a path to the event bounds a sum of three or more draws of noise" in str(found)


def test_where_nothing_is_certified_no_bound_is_printed() -> None:
    found = attack(coefficients_put_together, claim="eps", parameters={"eps": Fraction(1, 100)}, effort=30)
    assert found.loss == 0
    assert str(found).splitlines()[1] == "  no loss above 0 was certified by samples at eps = 1/100"
    assert "event E" not in str(found)


def test_a_seed_fixes_the_samples_of_an_attack() -> None:
    one, again = (attack(products, eps=1, claim="eps", effort=20, seed=3) for _ in range(2))
    other = attack(products, eps=1, claim="eps", effort=20, seed=4)
    assert one.method is Method.SAMPLED
    assert (one.loss, one.event, one.samples) == (again.loss, again.event, again.samples)
    assert (one.loss, one.event) != (other.loss, other.event)
    assert one.loss > 0


def test_lists_of_pairs_are_told_apart() -> None:
    found = attack(top_squares, eps=8, claim="eps", effort=40, seed=1)
    assert found.method is Method.SAMPLED
    assert found.loss > 1
    assert isinstance(found.event, Event)


def test_parameters_may_have_any_name() -> None:
    found = attack(names_of_arguments, eps=1, claim="eps", parameters={"runs": 2}, effort=20, seed=1)
    assert found.method is Method.SAMPLED
    assert (found.samples or 0) > 0
