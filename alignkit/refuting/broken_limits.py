"""Limits that are broken with more probability than delta, at one pair of databases: they are refuted, not the claim.

The limits of a pair are fixed. D's program is run down all paths with noise that is not known, as symbols. A path is
within its limits with at most the product of the probabilities that each of its draws is; a run, whatever decides which
path it takes, with at most the largest of these products (docs/theory/delta.md, "What is refuted"). So a path may end
early, with the product so far. The probability of a draw is exact but for exponentials, which are rounded outwards.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from itertools import islice
from math import ceil, floor
from typing import Any

from alignkit.arithmetic.enclosures import float_above, float_below
from alignkit.errors import (
    Infeasible,
    InputError,
    LanguageError,
    OutOfTime,
    TooManyDigits,
    TooManyPaths,
    Undefined,
    Unsupported,
)
from alignkit.formatting import six_digits
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.exploring import Choices, explore
from alignkit.interpreting.values import Coordinate
from alignkit.language.program import LimitForm, Place, ShiftExpression, walk
from alignkit.limits import Deadline
from alignkit.noise import (
    CHOICE,
    CUT_DISCRETE_LAPLACE,
    CUT_LAPLACE,
    DISCRETE_LAPLACE,
    EXPONENTIAL,
    GEOMETRIC,
    LAPLACE,
    LOGISTIC,
    Distribution,
)
from alignkit.noise.lattice import is_multiple
from alignkit.proving.symbolic_context import TermContext
from alignkit.refuting.convicting import GuessingContext
from alignkit.refuting.counterexamples import counterexample_of, number_of_queries
from alignkit.refuting.shrinking import without_query
from alignkit.results import Counterexample, Witness
from alignkit.running.adjacency import check_adjacent
from alignkit.running.adjacent_pairs import random_pairs
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.alignment_runs import AlignmentContext, Returned, limits_at, returned_for
from alignkit.running.binding import exact_arguments
from alignkit.running.both_runs import Violation, run_both
from alignkit.running.enclosing import Enclosed, ExponentialsToo, Unsettled, enclosed_above
from alignkit.running.exact_confirmation import confirm_run
from alignkit.running.replaying import run_program
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.verdicts import LIMITS

# The upper tails of these are probabilities above 0, and the lower tails below 0: on a lattice, at its multiples.
EXACT_TAILS = (LAPLACE, DISCRETE_LAPLACE, CUT_LAPLACE, CUT_DISCRETE_LAPLACE, EXPONENTIAL, GEOMETRIC, LOGISTIC)

# So many pairs are tried, and a path ends after so many choices.
PAIRS, MOST_CHOICES = 120, 6

# What says of a pair that nothing is shown there.
NOTHING_SHOWN = (
    InputError, LanguageError, Undefined, Unsupported, Unsettled, TooManyDigits, TooManyPaths, OutOfTime, OverflowError,
)  # fmt: skip


def broken_too_often(alignment: AlignmentProgram, seed: int, deadline: Deadline) -> Counterexample | None:
    """A pair of databases at which the limits are broken with more probability than delta, with noise that does so."""
    if alignment.delta is None:
        return None
    pairs = random_pairs(alignment.mechanism, alignment.adjacency, random.Random(seed))
    for inputs in islice(pairs, PAIRS):
        found = _refuted_at(alignment, inputs, deadline)
        if found is not None:
            return _with_fewer_queries(alignment, found, deadline)
    return None


def _with_fewer_queries(alignment: AlignmentProgram, found: Counterexample, deadline: Deadline) -> Counterexample:
    vectors = [name for name, kind in alignment.mechanism.parameters.items() if kind.vector]
    positions = range(number_of_queries(alignment, found.witness) if vectors else 0)
    fewer = (without_query(found.witness, vectors, position) for position in reversed(positions))
    smaller = next(filter(None, (_refuted_at(alignment, inputs, deadline) for inputs in fewer)), None)
    if smaller is None:
        return found
    return replace(_with_fewer_queries(alignment, smaller, deadline), shrunk_from=found.shrunk_from)


def _refuted_at(alignment: AlignmentProgram, inputs: Witness, deadline: Deadline) -> Counterexample | None:
    try:
        check_adjacent(alignment.adjacency, alignment.mechanism, inputs.values, inputs.values_)
        return None if deadline.passed else _broken_at(alignment, inputs, deadline)
    except NOTHING_SHOWN:
        return None


def _broken_at(alignment: AlignmentProgram, inputs: Witness, deadline: Deadline) -> Counterexample | None:
    quiet = _ChosenNoise(alignment, (), deadline)
    run = run_program(alignment.mechanism, inputs.values, quiet)
    limits = returned_for(alignment, inputs, run, _EnclosingLimits(run.H)) if run.defined else ()
    arguments = exact_arguments(alignment.mechanism, inputs.values)
    delta = enclosed_above(lambda c: Evaluator(c).number(alignment.delta_expression, arguments), ExponentialsToo)
    if not limits or delta is None or delta >= 1:
        return None
    broken = 1 - most_within(alignment, inputs.values, limits, deadline)
    if broken <= delta:
        return None
    most_within(alignment, inputs.values_, (), deadline)  # raises where D' is not defined
    trial = run_both(alignment, inputs, _ChosenNoise(alignment, limits, deadline))
    if trial.outside is None:
        return None
    confirm_run(alignment, inputs, trial)
    probability = six_digits(float_below(broken), ROUND_FLOOR)
    most = six_digits(float_above(delta), ROUND_CEILING)
    words = (
        f"the limits are broken with probability at least {probability} for these answers, and delta is {most} here; "
        "this refutes the limits of the alignment, not the claim"
    )
    nodes = [node for node in walk(*alignment.program.body) if isinstance(node, ShiftExpression) and node.limits]
    violation = Violation(LIMITS, words, nodes[0].limits[0].place)
    return counterexample_of(alignment, inputs, trial, violation, number_of_queries(alignment, inputs))


def most_within(
    alignment: AlignmentProgram, values: Mapping[str, Any], limits: Returned, deadline: Deadline
) -> Fraction:
    """An upper bound on the probability that no draw of a run breaks its limit. Raises Undefined where one may be.

    ``limits`` are what the alignment returned on some run.
    """

    def within(choices: Choices) -> Fraction:
        context = _UnknownNoise(alignment, limits, choices)
        context.tick = deadline.check
        names = alignment.mechanism.environment(exact_arguments(alignment.mechanism, values))
        with suppress(Infeasible, Unsupported):  # what comes later is within its limits with probability 1 at most
            Evaluator(context).block(alignment.mechanism.program.body, names)
        return context.within

    return max(explore(within, tick=deadline.check))


class _UnknownNoise(TermContext):
    """A run whose noise is symbols; ``within`` bounds the probability that its draws so far are within their limits.

    The language has draws in statements of their own: what a run comes to, it draws, under no condition in between.
    """

    def __init__(self, alignment: AlignmentProgram, limits: Returned, choices: Choices) -> None:
        super().__init__(alignment.mechanism.keys)
        self.alignment = alignment
        self.limits = limits
        self.choices = choices
        self.within = Fraction(1)

    def decide(self, condition: Any, place: Place) -> bool:
        if isinstance(condition, bool):
            return condition
        if len(self.choices.made) == MOST_CHOICES:
            raise Infeasible
        return self.choices.choose(2) == 0

    def require(self, condition: Any, place: Place, words: str) -> None:
        if condition is not True:
            raise Undefined(words, place)

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        if distribution is CHOICE:
            raise Infeasible
        known = [Term.of(argument).constant for argument in arguments]
        stated = dict(limits_at(self.alignment, self.limits, where))
        numbers = [number for number in known if number is not None]
        # Ties would break limits more often: without them the bound is larger.
        if stated and len(numbers) == len(known):
            below, above = stated.get(LimitForm.BELOW), stated.get(LimitForm.ABOVE)
            self.within *= 1 - least_broken(distribution, numbers, below, above)
        return Term.of(Symbol(str(where), Role.NOISE))


def least_broken(distribution: Distribution, arguments: list[Fraction], below: Any, above: Any) -> Fraction:
    """A lower bound on the probability that noise is not below one limit, or not above another; None sets none."""
    parts = [Fraction(0)]
    if below is not None:
        parts.append(_tail(distribution, arguments, Enclosed.of(below).high, upper=True))
    if above is not None:
        parts.append(_tail(distribution, arguments, Enclosed.of(above).low, upper=False))
    apart = below is None or above is None or Enclosed.of(above).high < Enclosed.of(below).low
    return sum(parts, Fraction(0)) if apart else max(parts)


def _tail(distribution: Distribution, arguments: list[Fraction], limit: Fraction, *, upper: bool) -> Fraction:
    """A lower bound on the probability of noise that is at least, or at most, a limit."""
    if distribution not in EXACT_TAILS:
        return Fraction(0)
    bounds, step = distribution.bounds(*arguments), Fraction(0)
    if not distribution.support.continuous:
        step = arguments[-1]
        if not all(is_multiple(bound, step) for _, bound in bounds):
            return Fraction(0)
        limit = step * (ceil(limit / step) if upper else floor(limit / step))
    least = next((bound for symbol, bound in bounds if symbol == ">="), None)
    most = next((bound for symbol, bound in bounds if symbol != ">="), None)
    if (upper and most is not None and limit > most) or (not upper and least is not None and limit < least):
        return Fraction(0)
    if (upper and least is not None and limit <= least) or (not upper and most is not None and limit >= most):
        return Fraction(1)
    assert distribution.upper_tail is not None
    assert distribution.lower_tail is not None
    tails = distribution.upper_tail, distribution.lower_tail
    tail, other = tails if upper else tails[::-1]
    exact = [Enclosed.of(argument) for argument in arguments]
    if limit > 0 if upper else limit < 0:
        return max(Fraction(0), Fraction(tail(Enclosed.of(limit), *exact).low))
    return max(Fraction(0), 1 - Fraction(other(Enclosed.of(limit - step if upper else limit + step), *exact).high))


class _EnclosingLimits(AlignmentContext, ExponentialsToo):
    """An alignment's run for its limits, which are enclosed where they are not rational."""


class _ChosenNoise(GuessingContext):
    """A run whose noise is 0, or breaks its limit where it has one and can."""

    def __init__(self, alignment: AlignmentProgram, limits: Returned, deadline: Deadline) -> None:
        super().__init__(alignment, _nearest_to_0, set(), deadline)
        self.alignment = alignment
        self.limits = limits

    def noise_at(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...]) -> Any:
        for form, limit in limits_at(self.alignment, self.limits, where):
            if form is LimitForm.DISTINCT:
                continue
            upper = form is LimitForm.BELOW
            end = Enclosed.of(limit).high if upper else Enclosed.of(limit).low
            if not distribution.support.continuous:
                end = arguments[-1] * (ceil(end / arguments[-1]) if upper else floor(end / arguments[-1]))
            for value in (end + (1 if upper else -1), end) if distribution.support.continuous else (end,):
                if distribution.contains(value, *arguments):
                    return value
        return super().noise_at(where, distribution, arguments)


def _nearest_to_0(distribution: Distribution, arguments: tuple[Any, ...]) -> Any:
    if distribution is CHOICE:
        return next(i for i, weight in enumerate(arguments[0]) if weight > 0)
    return distribution.possible(Fraction(0), *arguments)
