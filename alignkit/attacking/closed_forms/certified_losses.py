"""Certified bounds on the probability of an event, and on the loss that it shows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from alignkit.arguments import shown
from alignkit.arithmetic.enclosures import float_above, float_below, log_below
from alignkit.arithmetic.exponential_sums import ExpSum
from alignkit.attacking.closed_forms import gumbel_orders
from alignkit.attacking.closed_forms.covering import all_gumbel, cover, opened, serving
from alignkit.attacking.closed_forms.covers import Cover, Region
from alignkit.attacking.closed_forms.densities import NoiseLaw
from alignkit.attacking.closed_forms.lattice_laws import LatticeLaw, on_lattice, window_of
from alignkit.attacking.closed_forms.regions import Linear, region_probability
from alignkit.errors import InputError, TooRare, Unsupported
from alignkit.limits import NEVER, Deadline
from alignkit.output_events import ANY_OUTPUT, Either, Event, Interval, apart, flattened
from alignkit.results import CertifiedLoss, Method, Witness
from alignkit.running.binding import read_inputs
from alignkit.running.enclosing import Enclosed
from alignkit.running.mechanism_decorator import Mechanism

# Irrational ends are rounded outward to multiples of 1/_GRID.
_GRID = 2**20

# A probability below e to this power is not computed.
_LEAST_EXPONENT = -4000


def certify(mechanism: Mechanism, /, *, event: Event, **arguments: Any) -> CertifiedLoss:
    """What an event shows of a mechanism on two inputs: ``q=…, q_=…`` for each private parameter, and public ones.

    The inputs need not be adjacent. Raises InputError for arguments that do not fit the mechanism, Unsupported where
    the probabilities have no closed form here.
    """
    if not isinstance(mechanism, Mechanism):
        raise InputError(f"certify takes a mechanism, not {shown(mechanism)}; decorate the function with @mechanism")
    mechanism.refuse_names(("event",), "certify")
    if not isinstance(event, Event):
        raise InputError(f"the event must be an Event, such as Event(0), not {shown(event)}")
    inputs = read_inputs(mechanism, arguments, of="certify", hint=": the answers on D'")
    values, values_ = inputs.values, inputs.values_
    for name, kind in mechanism.private.items():
        if kind.vector and len(values[name]) != len(values_[name]):
            raise InputError(
                f"{name} has {len(values[name])} answers and {name}_ has {len(values_[name])}; give the same number"
            )
    for interval in (part for part in flattened(event.patterns) if isinstance(part, Interval)):
        for number in (interval.low, interval.high):
            if isinstance(number, float):
                raise InputError(f"the event has an interval that ends at the float {number!r}; write it as a Fraction")
    return certified(mechanism, values, values_, event)


def certified(
    mechanism: Mechanism,
    values: Mapping[str, Any],
    values_: Mapping[str, Any],
    event: Event,
    deadline: Deadline = NEVER,
) -> CertifiedLoss:
    """ln P(M(D) in E) / P(M(D′) in E), rounded down; infinite where the event is possible on D only.

    Raises Unsupported where the probabilities cannot be bounded in this way, Undefined where a run is not defined,
    OutOfTime after the deadline. The patterns of an ``Either`` must be apart where noise is continuous.
    """
    if any(isinstance(part, Either) for part in flattened(event.patterns)):
        raise InputError("Either stands for whole outputs: write Event(Either((…, …))) over patterns without another")
    if on_lattice(mechanism):
        laws = [LatticeLaw.of(mechanism, v, window_of(event), deadline) for v in (values, values_)]
        (low, _), (_, high) = (law.enclosed(law.probability(event)) for law in laws)
        method, number_model = Method.EXACT, "lattice"
    else:
        if not all(itertools.starmap(apart, itertools.combinations(event.patterns, 2))):
            raise InputError("the patterns of Either may have common outputs; write patterns that are apart")
        none = isinstance(event.pattern, Either) and event.pattern.none
        regions, regions_ = _regions_of_both(mechanism, values, values_, event, deadline)
        total = _total_of_orders if all_gumbel(mechanism) else _total
        # Of what is left out, more is taken away on D and less on D'.
        (low, high_out), (low_out, high) = (
            total(some, deadline, inner=inner is not none).enclosure()
            for some, inner in ((regions, True), (regions_, False))
        )
        if none:
            for inputs in (values, values_):  # a run without an output would pass for one outside of the patterns
                cover(mechanism, inputs, ANY_OUTPUT, deadline).at(inputs, ANY_OUTPUT)
            low, high = max(Fraction(0), 1 - high_out), 1 - low_out
        exact = all(_is_exact(region) for region in (*regions, *regions_))
        method, number_model = Method.EXACT if exact else Method.INTERVALS, "ideal reals"
    return CertifiedLoss(
        loss=loss_at_least(low, high),
        method=method,
        event=event,
        witness=Witness.of(mechanism, values, values_),
        low=max(0.0, float_below(low)),
        high=min(1.0, float_above(high)),
        number_model=number_model,
    )


def _regions_of_both(
    mechanism: Mechanism, values: Mapping[str, Any], values_: Mapping[str, Any], event: Event, deadline: Deadline
) -> tuple[list[Region], list[Region]]:
    """The regions of noise on D and on D′ where the output fits one of the event's patterns, which are apart."""
    covers: dict[Any, list[Cover]] = {}
    both: tuple[list[Region], list[Region]] = ([], [])
    for pattern in event.patterns:
        one = Event(pattern, event.more)
        for regions, inputs in zip(both, (values, values_), strict=True):
            covered = serving(covers.setdefault(opened(pattern), []), mechanism, inputs, one, deadline)
            regions += covered.at(inputs, one)
    return both


def loss_at_least(low: Fraction, high: Fraction) -> float:
    """ln(low / high) rounded down, and at least 0: what it shows that p >= low and p′ <= high.

    >>> loss_at_least(Fraction(1), Fraction(0)), loss_at_least(Fraction(0), Fraction(0))
    (inf, 0.0)
    """
    if not low:
        return 0.0
    return max(0.0, log_below(low / high)) if high else math.inf


def estimated(covered: Cover, values: Mapping[str, Any], event: Event, deadline: Deadline = NEVER) -> float:
    """The probability of an event to some digits, for a search."""
    total = _total_of_orders if all_gumbel(covered.mechanism) else _total
    return float(total(covered.at(values, event), deadline, inner=True))


def _total_of_orders(regions: Sequence[Region], deadline: Deadline, *, inner: bool) -> gumbel_orders.Orders:
    total = gumbel_orders.Orders()
    for region in regions:
        deadline.check()
        orders = gumbel_orders.order_probability(region.noise, _constraints(region, inner=inner), deadline.check)
        if orders is None:
            raise Unsupported("the constraints on Gumbel noise split into too many cases")
        total = total + orders
    if total.largest_exponent > -_LEAST_EXPONENT:
        raise TooRare("a probability is too small to compute")
    return total


def _total(regions: Sequence[Region], deadline: Deadline, *, inner: bool) -> ExpSum:
    total = ExpSum()
    for region in regions:
        deadline.check()
        probability = _known_probability(tuple(region.noise.items()), tuple(_constraints(region, inner=inner)))
        if probability is None:
            wide = "a path to the event bounds a sum of three or more draws of noise, or ties its draws in a circle"
            raise Unsupported(wide)
        total = total + probability
    if total and total.exponents[-1] < _LEAST_EXPONENT * total.unit:
        exponent = shown(total.exponents[-1] // total.unit)
        raise TooRare(f"a probability of about exp({exponent}) is too small to compute")
    return total


@lru_cache(maxsize=4096)
def _known_probability(noise: tuple[tuple[str, NoiseLaw], ...], constraints: tuple[Linear, ...]) -> ExpSum | None:
    """The probability of a region; those of a search come again, since its steps change a few answers each."""
    return region_probability(dict(noise), constraints)


def _is_exact(region: Region) -> bool:
    ends = [end for bounds in region.bounds.values() for end in (bounds.low, bounds.high)]
    return all(end is None or end.low == end.high for end in ends)


def _constraints(region: Region, *, inner: bool) -> Iterator[Linear]:
    """The region's bounds; irrational ends are rounded so that it becomes smaller (``inner``) or larger."""
    for form, bounds in region.bounds.items():
        if bounds.low is not None:
            yield Linear(tuple((n, -f) for n, f in form), _end(bounds.low, up=inner))
        if bounds.high is not None:
            yield Linear(form, -_end(bounds.high, up=not inner))


def _end(end: Enclosed, *, up: bool) -> Fraction:
    """A rational end as it is; an irrational one rounded to few digits, which keeps the closed form short."""
    if end.low == end.high:
        return end.low
    return Fraction(math.ceil(end.high * _GRID) if up else math.floor(end.low * _GRID), _GRID)
