"""Limits that are broken with more probability than delta are refuted, and no others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any

import pytest

from alignkit import (
    Count,
    Epsilon,
    Lattice,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    Tag,
    alignment,
    check,
    log,
    mechanism,
)
from alignkit.arithmetic.enclosures import ball, close_ends
from alignkit.limits import NEVER, Deadline
from alignkit.noise import (
    CUT_DISCRETE_LAPLACE,
    CUT_LAPLACE,
    DISCRETE_LAPLACE,
    EXPONENTIAL,
    GEOMETRIC,
    GUMBEL,
    LAPLACE,
    LOGISTIC,
    Distribution,
)
from alignkit.proofs import thresholded_keys
from alignkit.refuting.broken_limits import EXACT_TAILS, broken_too_often, least_broken, most_within
from alignkit.reporting.full_report import plain_text
from alignkit.reporting.html_report import result_html
from alignkit.results import Verdict, Witness
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_runs import AlignmentContext, returned_for
from alignkit.running.enclosing import Enclosed, Unsettled
from alignkit.running.replaying import ReplayContext, exact_noise, run_program

NOTHING = Tag("NOTHING")


@mechanism
def whole_count(q: Annotated[Query, Lattice(1)], tau: Count, eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@alignment(whole_count, epsilon="eps", delta="exp(-eps * (tau - 1)) / (1 + exp(-eps))")
def count_phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)


@alignment(whole_count, epsilon="eps", delta="exp(-eps * tau) / (1 + exp(-eps))")
def ties_phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)


@mechanism
def one_sided_count(q: Annotated[Query, Lattice(1)], tau: Count, eps: Epsilon, noise: Noise):
    x = noise.geometric(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@alignment(one_sided_count, epsilon="eps", delta="exp(-eps * (tau - 1)) / (1 + exp(-eps))")
def one_sided_phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else max(0, q - q_)).below(x=tau - max(q, q_) if new else None)


@mechanism
def exponential_answer(q: Query, eps: Epsilon, noise: Noise):
    x = noise.exponential(1 / eps)
    return q + x


@alignment(exponential_answer, epsilon="eps", delta="exp(-eps)")
def wrong_end_phi(q, q_, H):
    return H.shift(x=q - q_).above(x=q_ - q if q_ > q else None)


@alignment(exponential_answer, epsilon="eps", delta="1 - exp(-eps)")
def right_end_phi(q, q_, H):
    return H.shift(x=q - q_).above(x=q_ - q if q_ > q else None)


@mechanism
def cut_answer(q: Query, A: Positive, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps, within=A)
    return q + x


@alignment(cut_answer, epsilon="eps", delta="exp(-A * eps) / 2")
def without_the_cut_phi(q, q_, H, A):
    return H.shift(x=q - q_).below(x=A - (q - q_) if q > q_ else None).above(x=-A + (q_ - q) if q < q_ else None)


@alignment(cut_answer, epsilon="eps", delta="(exp(eps) - 1) / (2 * (exp(A * eps) - 1))")
def cut_phi(q, q_, H, A):
    return H.shift(x=q - q_).below(x=A - (q - q_) if q > q_ else None).above(x=-A + (q_ - q) if q < q_ else None)


@mechanism
def keys(q: Annotated[Queries, Lattice(1)], tau: Count, eps: Epsilon, noise: Noise):
    for q_i in q:
        x = noise.discrete_laplace(1 / eps)
        if q_i > 0 and q_i + x >= tau:
            yield q_i + x
        else:
            yield NOTHING


@alignment(keys, epsilon="len(q) * eps", delta="exp(-eps * (tau - 1)) / (1 + exp(-eps))", adjacency="each")
def one_tail_phi(q, q_, H, tau):
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@alignment(keys, epsilon="len(q) * eps", delta="len(q) * exp(-eps * (tau - 1)) / (1 + exp(-eps))", adjacency="each")
def every_tail_phi(q, q_, H, tau):
    new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
    return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
        x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
    )


@mechanism
def threshold_by_delta(q: Query, d: Positive, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    tau = 1 + log(1 / (2 * d)) / eps
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@alignment(threshold_by_delta, epsilon="eps", delta="d / 2")
def half_of_delta_phi(q, q_, H, d, eps):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=1 + log(1 / (2 * d)) / eps - max(q, q_) if new else None)


@alignment(threshold_by_delta, epsilon="eps", delta="d")
def by_delta_phi(q, q_, H, d, eps):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=1 + log(1 / (2 * d)) / eps - max(q, q_) if new else None)


@mechanism
def second_draw_of_some_runs(q: Query, T: Real, eps: Epsilon, noise: Noise):
    b = noise.laplace(1 / eps)
    if b > T:
        x = noise.exponential(1 / eps)
        return q + x
    return NOTHING


@alignment(second_draw_of_some_runs, epsilon="eps", delta="(1 - exp(-eps)) / 2")
def some_runs_phi(q, q_, H):
    """Where T is above 0, x is drawn in less than half of the runs; the charges are those of all runs."""
    return H.shift(x=q - q_).above(x=q_ - q if q_ > q else None)


@mechanism
def second_scale_of_some_runs(q: Query, eps: Epsilon, noise: Noise):
    b = noise.laplace(1 / eps)
    if b > 0:
        x = noise.exponential(1 / eps)
        return q + x
    y = noise.exponential(2 / eps)
    return q + y


@alignment(second_scale_of_some_runs, epsilon="eps", delta="1 - exp(-eps / 4)")
def either_draw_phi(q, q_, H):
    return H.shift(x=q - q_, y=q - q_).above(x=q_ - q if q_ > q else None, y=q_ - q if q_ > q else None)


E = math.exp
TAU = {"tau": 5, "eps": 1}
# What is too small a delta, inputs, and how often the limits are broken there.
REFUTED: list[tuple[Alignment, dict[str, Any], Any, Any, float]] = [
    (ties_phi, TAU, 1, 0, E(-4) / (1 + E(-1))),
    (one_sided_phi, TAU, 1, 0, E(-4)),
    (wrong_end_phi, {"eps": 1}, 0, 1, 1 - E(-1)),
    (without_the_cut_phi, {"A": 5, "eps": 1}, 1, 0, (E(1) - 1) / (2 * (E(5) - 1))),
    (one_tail_phi, TAU, (1,) * 10, (0,) * 10, 1 - (1 - E(-4) / (1 + E(-1))) ** 10),
    (half_of_delta_phi, {"d": Fraction(1, 100), "eps": 1}, 1, 0, 1 / 100),
    (either_draw_phi, {"eps": 1}, 0, 1, 1 - E(-1 / 2)),
]


CHECKED = [phi for phi, *_ in REFUTED if phi is not one_sided_phi]
# Where one run with noise 0 tells the limits as fractions, and one pair the whole probability.
EXACT = [row for row in REFUTED if row[0] not in (one_tail_phi, half_of_delta_phi)]


def test_a_tail_of_noise_on_two_sides_is_refuted_for_noise_on_one() -> None:
    """A check finds first that noise of 0 cannot be moved down."""
    found = broken_too_often(one_sided_phi, 0, NEVER)
    assert found is not None
    assert found.condition == "limits"


@pytest.mark.parametrize("phi", CHECKED, ids=lambda phi: phi.name)
def test_limits_that_are_broken_too_often_are_refuted(phi: Alignment) -> None:
    result = check(phi, effort=0)
    found = result.counterexample
    assert result.verdict is result.conditions["limits"].status is Verdict.REFUTED
    assert found is not None
    assert found.condition == "limits"
    assert "the limits are broken with probability at least" in found.words
    assert found.words.endswith("this refutes the limits of the alignment, not the claim")
    primed = {f"{name}_": value for name, value in found.witness.q_.items()}
    again = phi.replay(H=found.witness.H, **found.witness.values, **primed)
    assert again.outside is not None
    assert again.violation is None
    assert sum(isinstance(answers, tuple) and len(answers) for answers in found.witness.q.values()) <= 2
    for report in (plain_text(result), result_html(result)):
        assert "cost" not in report
        assert "not the claim" in report


def least(phi: Alignment, public: dict[str, Any], q: Any, q_: Any) -> float:
    """The bound on the probability that a limit is broken."""
    inputs = Witness(public, {"q": q}, {"q": q_})
    noise = {draw.key: ((0,) * len(q) if isinstance(q, tuple) else 0) for draw in phi.mechanism.draws}
    run = run_program(phi.mechanism, inputs.values, ReplayContext(phi.mechanism, exact_noise(noise)))
    returned = returned_for(phi, inputs, run, AlignmentContext(run.H))
    return float(1 - most_within(phi, inputs.values, returned, NEVER))


@pytest.mark.parametrize(("phi", "public", "q", "q_", "exact"), EXACT, ids=[row[0].name for row in EXACT])
def test_the_probability_is_exact(phi, public, q, q_, exact) -> None:
    assert least(phi, public, q, q_) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_independent_draws_are_not_added_up(n: int) -> None:
    one = E(-4) / (1 + E(-1))
    assert least(one_tail_phi, TAU, (1,) * n, (0,) * n) == pytest.approx(1 - (1 - one) ** n, rel=1e-12)


TRUE = [count_phi, right_end_phi, cut_phi, every_tail_phi, by_delta_phi, some_runs_phi]
ENTRIES = [value for value in vars(thresholded_keys).values() if isinstance(value, Alignment)]
PROVED = [phi for phi in ENTRIES if phi.expect == "proved"]


@pytest.mark.parametrize("phi", [*TRUE, *PROVED], ids=lambda phi: phi.name)
def test_limits_that_are_broken_with_probability_delta_are_not_refuted(phi: Alignment) -> None:
    """Most of these deltas are attained: the probability of the limits is delta itself."""
    assert all(broken_too_often(phi, seed, NEVER) is None for seed in range(2))


def test_without_time_nothing_is_refuted() -> None:
    assert broken_too_often(ties_phi, 0, Deadline.after(-1)) is None


def test_a_draw_that_not_every_run_makes_is_not_counted() -> None:
    assert least(some_runs_phi, {"T": 0, "eps": 1}, 0, 1) == 0


def test_draws_on_different_ways_count_for_the_least_of_them() -> None:
    assert least(either_draw_phi, {"eps": 1}, 0, 1) < 1 - E(-1)


# Probabilities


def _laplace(t: float) -> float:
    return E(-t) / 2 if t > 0 else 1 - E(t) / 2


def _cut(t: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (_laplace(t) - _laplace(high)) / (_laplace(low) - _laplace(high))))


CONTINUOUS = [
    (LAPLACE, [1], _laplace),
    (LOGISTIC, [1], lambda t: 1 / (1 + E(t))),
    (EXPONENTIAL, [1], lambda t: min(1.0, E(-t))),
    (CUT_LAPLACE, [-2, 3, 1], lambda t: _cut(t, -2, 3)),
]
LATTICES: list[tuple[Distribution, list[Any]]] = [
    (DISCRETE_LAPLACE, [2, Fraction(1, 2)]),
    (GEOMETRIC, [2, Fraction(1, 2)]),
    (CUT_DISCRETE_LAPLACE, [-1, Fraction(3, 2), 2, Fraction(1, 2)]),
]


def ends() -> Iterator[Fraction]:
    yield from (Fraction(i, 4) for i in range(-17, 18))


@pytest.mark.parametrize(("distribution", "arguments", "above"), CONTINUOUS, ids=lambda x: getattr(x, "name", ""))
def test_tails_of_continuous_noise(distribution, arguments, above) -> None:
    exact = [Fraction(argument) for argument in arguments]
    for end in ends():
        up, down = least_broken(distribution, exact, end, None), least_broken(distribution, exact, None, end)
        assert (float(up), float(down)) == (
            pytest.approx(above(float(end)), abs=1e-15), pytest.approx(1 - above(float(end)), abs=1e-15)
        )
        assert up + down <= 1


@pytest.mark.parametrize(("distribution", "arguments"), LATTICES, ids=lambda x: getattr(x, "name", ""))
def test_tails_on_a_lattice(distribution, arguments) -> None:
    exact = [Fraction(argument) for argument in arguments]
    values = [Fraction(i, 2) for i in range(-200, 201)]
    shares = {x: distribution.density(x, *exact) for x in values}
    for end in ends():
        up = math.fsum(p for x, p in shares.items() if x >= end)
        down = math.fsum(p for x, p in shares.items() if x <= end)
        assert float(least_broken(distribution, exact, end, None)) == pytest.approx(up, abs=1e-13)
        assert float(least_broken(distribution, exact, None, end)) == pytest.approx(down, abs=1e-13)


def test_both_limits_of_a_draw() -> None:
    one = [Fraction(1)]
    assert float(least_broken(LAPLACE, one, 1, -1)) == pytest.approx(E(-1))
    assert least_broken(LAPLACE, one, -1, 1) == least_broken(LAPLACE, one, -1, None)


def test_noise_whose_tails_are_bounds_breaks_no_limit() -> None:
    assert GUMBEL not in EXACT_TAILS
    assert least_broken(GUMBEL, [Fraction(1)], Fraction(0), None) == 0
    off_lattice = [Fraction(-1), Fraction(5, 4), Fraction(1), Fraction(1, 2)]
    assert least_broken(CUT_DISCRETE_LAPLACE, off_lattice, Fraction(1), None) == 0


@pytest.mark.parametrize("exponent", ["0", "1", "-1", "1/3", "-700", "700", "-3999/2", "1/1000000000000"])
def test_exponentials_are_enclosed(exponent: str) -> None:
    x = Fraction(exponent)
    one, other = Enclosed.of(x).exp(), Enclosed(x, x + 1).exp()
    low, high = close_ends(lambda: ball(x).exp(), 200)
    assert one.low <= high
    assert low <= one.high
    assert (one.high - one.low) * 2**80 <= one.low
    assert other.low == one.low
    assert other.high > 2 * one.high
    with pytest.raises(Unsettled):
        Enclosed.of(10**5).exp()
