"""Values of the public parameters for lower bounds: counts are numbers, everything else a symbol or a number."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.errors import Unsupported
from alignkit.finding.bounds.parametric_numbers import Number, ParameterRegion, PublicNumber, Range, sign_of
from alignkit.finding.bounds.public_runs import Special
from alignkit.language.parameters import ParameterType, Proportion, Real, Reals
from alignkit.running.adjacent_pairs import large_constants, largest_change
from alignkit.running.mechanism_decorator import Mechanism

# Values of counts: all of them for one count, the first and one other for each of several.
_COUNTS = (1, 2, 3)

# Values of other parameters in runs on numbers: unlike one another, so that few expressions are equal by accident.
_POSITIVE = tuple(map(Fraction, ("1", "3/2", "4/5", "5/4", "2/3")))
_SHARES = tuple(map(Fraction, ("1/3", "2/5", "3/7")))

# Symbols for irrational numbers.
_SPARE_POSITIVE, _SPARE_SHARES = ("root 1", "root 2", "root 3"), ("power 1", "power 2", "power 3")


@dataclass(frozen=True)
class PublicSetting:
    """The public parameters, what sqrt, exp and log are of them, and how many answers each vector has."""

    values: Mapping[str, Any]
    special: Special
    size: int

    def level(self, mechanism: Mechanism, name: str, position: int | None) -> Number:
        """An answer of D: at the public number that answers are compared with, where that is plain."""
        lattice = mechanism.domain.lattices.get(name)
        reals = [n for n, kind in mechanism.public.items() if type(kind) in (Real, Reals)]
        if len(reals) == 1 and (lattice is None or mechanism.domain.lattices.get(reals[0]) == lattice):
            threshold = self.values[reals[0]]
            return threshold[position or 0] if isinstance(threshold, tuple) else threshold
        constants = large_constants(mechanism)
        return constants[0] if constants else Fraction(0)



def sensitivity(mechanism: Mechanism, name: str, values: Mapping[str, Any]) -> Number:
    """How far an answer may change; on a lattice the largest multiple of it that the sensitivity allows."""
    declared = mechanism.private[name].sensitivity
    lattice = mechanism.domain.lattices.get(name)
    if isinstance(declared, str):
        return values[declared]  # a multiple of the lattice, where there is one
    if isinstance(lattice, str):
        raise Unsupported("a sensitivity that is a number, on a lattice that is none")
    return largest_change(mechanism, name, {})


def count_settings(mechanism: Mechanism) -> Iterator[dict[str, int]]:
    """Values of the counts."""
    names = [name for name, kind in mechanism.public.items() if kind.integer]
    if len(names) < 2:
        for value in _COUNTS[: 3 if names else 1]:
            yield dict.fromkeys(names, value)
        return
    for name in (None, *names):
        yield {n: 2 if n == name else 1 for n in names}


def number_of_answers(counts: Mapping[str, int]) -> int:
    """One answer more than a program can name."""
    return max(counts.values(), default=1) + 1


def numbers(mechanism: Mechanism, counts: Mapping[str, int]) -> dict[str, Any]:
    """A number for each public parameter."""
    size = number_of_answers(counts)
    positive, shares = itertools.cycle(_POSITIVE), itertools.cycle(_SHARES)
    values: dict[str, Any] = {}
    for name, kind in mechanism.public.items():
        if kind.integer:
            values[name] = counts[name]
        else:
            chosen = {Range.POSITIVE: positive, Range.SHARE: shares}.get(range_of(kind))
            value = Fraction(0) if chosen is None else next(chosen)
            values[name] = (value,) * size if kind.vector else value
    return mechanism.domain.on_lattices(values)


def range_of(kind: ParameterType) -> Range:
    """What a parameter that is no count may be."""
    if isinstance(kind, Proportion):
        return Range.SHARE
    return Range.POSITIVE if kind.positive else Range.REAL


def in_symbols(mechanism: Mechanism, counts: Mapping[str, int]) -> PublicSetting:
    """A setting in which every parameter but the counts is a symbol.

    A parameter on a lattice is a whole number of its steps. Raises Unsupported where a lattice is none of the
    parameters, and no whole number.
    """
    size = number_of_answers(counts)
    ranges: dict[str, Range] = {}
    whole: set[str] = set()
    for name, kind in mechanism.public.items():
        if kind.integer:
            continue
        symbol = _symbol(mechanism, name)
        for each in [f"{symbol}[{i}]" for i in range(size)] if kind.vector else [symbol]:
            ranges[each] = range_of(kind)
            if _lattice(mechanism, name) is not None:
                whole.add(each)
    region = _with_spares(ranges, whole)

    def value(name: str, kind: ParameterType) -> Any:
        if kind.integer:
            return counts[name]
        symbol = _symbol(mechanism, name)
        if kind.vector:
            return tuple(region.symbol(f"{symbol}[{i}]") * _step(mechanism, name, region) for i in range(size))
        return region.symbol(symbol) * _step(mechanism, name, region)

    values = {name: value(name, kind) for name, kind in mechanism.public.items()}
    return PublicSetting(values, _Specials(region), size)


def _lattice(mechanism: Mechanism, name: str) -> int | Fraction | str | None:
    """The lattice of a parameter; None for one that is itself the step of its lattice, and may have any value."""
    lattice = mechanism.domain.lattices.get(name)
    return None if lattice == name else lattice


def _symbol(mechanism: Mechanism, name: str) -> str:
    lattice = _lattice(mechanism, name)
    if lattice in (None, 1):
        return name
    return f"({name} / {lattice})" if isinstance(lattice, int | str) else f"({name} / ({lattice}))"


def _step(mechanism: Mechanism, name: str, region: ParameterRegion) -> Number:
    lattice = _lattice(mechanism, name)
    if isinstance(lattice, str):
        return region.symbol(lattice)
    return Fraction(1) if lattice is None else Fraction(lattice)


def in_numbers(mechanism: Mechanism, counts: Mapping[str, int]) -> PublicSetting:
    """A setting of numbers, where sqrt, exp and log are symbols for what is known of them."""
    return PublicSetting(numbers(mechanism, counts), _Specials(_with_spares({}, set())), number_of_answers(counts))


def _with_spares(ranges: Mapping[str, Range], whole: set[str]) -> ParameterRegion:
    spare = {**dict.fromkeys(_SPARE_POSITIVE, Range.POSITIVE), **dict.fromkeys(_SPARE_SHARES, Range.SHARE)}
    return ParameterRegion({**ranges, **spare}, frozenset(whole))


def is_irrational(number: Number) -> bool:
    """Whether symbols for sqrt, exp or log are in a number."""
    return isinstance(number, PublicNumber) and not number.parameters.isdisjoint({*_SPARE_POSITIVE, *_SPARE_SHARES})


@dataclass
class _Specials:
    """sqrt, exp and log as symbols: of these is used only that they are above 0, or below 1 too."""

    region: ParameterRegion
    known: list[tuple[str, Number, Number]] = field(default_factory=list)
    used: dict[tuple[str, ...], int] = field(default_factory=dict)

    def __call__(self, function: str, value: Any) -> Number:
        for name, argument, result in self.known:
            if name == function and not argument - value:
                return result
        result = self._fresh(function, sign_of(value), sign_of(value - 1) if function == "log" else 0)
        self.known.append((function, value, result))
        return result

    def _fresh(self, function: str, sign: int, above_one: int) -> Number:
        if function == "round":
            raise Unsupported("round of a number that is not known")
        if function == "sqrt":
            return Fraction(0) if sign == 0 else self._spare(_SPARE_POSITIVE)
        if function == "log":
            size = self._spare(_SPARE_POSITIVE) if above_one else Fraction(0)
            return above_one * size
        if sign == 0:
            return Fraction(1)
        # A power above 1 is 1 over one below 1.
        power = self._spare(_SPARE_SHARES)
        return power if sign < 0 else 1 / power

    def _spare(self, names: tuple[str, ...]) -> Number:
        used = self.used.get(names, 0)
        if used == len(names):
            raise Unsupported("too many irrational numbers")
        self.used[names] = used + 1
        return self.region.symbol(names[used])
