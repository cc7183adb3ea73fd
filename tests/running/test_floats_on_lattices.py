"""A mechanism on a lattice that is no sum of halves, such as tenths: ties count, so floats may not decide them."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Epsilon,
    InputError,
    Lattice,
    Noise,
    Queries,
    Query,
    Real,
    Sensitivity,
    alignment,
    attack,
    mechanism,
)

Tenths = Annotated[Queries, Sensitivity("1/10"), Lattice("1/10")]


@mechanism
def first_at_least(q: Tenths, T: Annotated[Real, Lattice("1/10")], eps: Epsilon, noise: Noise):
    for x in q:
        e = noise.discrete_laplace(1 / (10 * eps), 1 / 10)
        if x + e >= T:
            yield ABOVE
        else:
            yield BELOW


@mechanism
def cubed(q: Tenths, T: Annotated[Real, Lattice("1/10")], eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / (10 * eps), 1 / 10)
    x = q[0] + e
    return (ABOVE if x >= T else BELOW, x * x * x)


@alignment(cubed, epsilon="eps")
def cubed_phi(q, q_, H):
    return H.shift(e=q[0] - q_[0])


@alignment(first_at_least, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(H.e))])


# P(e >= 1/10) of discrete Laplace noise at eps = 1; off by more than 0.05 with probability below 1e-6 (Hoeffding).
TRUE, RUNS = 1 / (2.718281828459045 + 1), 4000


def test_samples_reach_a_tie_as_often_as_the_noise_does() -> None:
    one_by_one = [first_at_least.sample([0.7], T=0.8, eps=1, seed=i)[0] for i in range(RUNS)]
    at_once = [run[0] for run in first_at_least.sample_many([0.7], T=0.8, eps=1, runs=RUNS, seed=1).outputs()]
    asked = [first_at_least.interactive(T=0.8, eps=1, seed=i).ask(0.7) for i in range(RUNS)]
    for outputs in (one_by_one, at_once, asked):
        assert outputs.count(ABOVE) / RUNS == pytest.approx(TRUE, abs=0.05)


def test_a_replay_on_floats_is_that_on_the_decimals() -> None:
    on_floats = first_at_least.replay([0.7], H={"e": [0.1]}, T=0.8, eps=1)
    assert on_floats == first_at_least.replay(["0.7"], H={"e": ["0.1"]}, T="0.8", eps=1) == [ABOVE]
    assert phi.replay([0.7], [0.6], H={"e": [0.1]}, T=0.8, eps=1).violation is None


def test_samples_show_no_violation_of_what_is_proved() -> None:
    found = attack(cubed_phi, parameters={"T": 0.8}, effort=60, seed=1)
    assert found.loss <= 1


@mechanism
def thirds(q: Annotated[Query, Sensitivity(1), Lattice("1/3")], eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps, 1 / 3)
    return q + e


def test_a_float_is_the_decimal_that_it_prints_as() -> None:
    assert thirds.replay(Fraction(2, 3), {"e": 0}, eps=1) == thirds.replay("2/3", {"e": 0}, eps=1) == Fraction(2, 3)
    for run in (thirds.sample, lambda q, eps: thirds.replay(q, {"e": 0}, eps=eps)):
        with pytest.raises(InputError, match="q must be a multiple of 1/3"):
            run(2 / 3, eps=1)
