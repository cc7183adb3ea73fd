"""Whether two mechanisms have the same law: compared case by case, exactly, for all values of what is left open."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from alignkit.arguments import check_callable, items, whole
from alignkit.errors import InputError, Unsupported
from alignkit.formatting import value_shown
from alignkit.laws.computing import (
    WINDOW,
    Law,
    check_mechanism,
    in_fine_bases,
    law_with,
    open_units,
    output_as_written,
    read_window,
    taken_together,
)
from alignkit.markup import bullet_list, division, heading, table_html
from alignkit.public_names import public
from alignkit.running.mechanism_decorator import Mechanism

# Bases at which a difference is shown: the first at which there is one.
_POINTS = tuple(Fraction(x) for x in ("1/2", "1/3", "2/3", "1/4", "3/4", "1/5", "4/5", "1/7", "6/7", "1/11", "10/11"))


@dataclass(frozen=True)
class Difference:
    """Inputs and an output that the two mechanisms give with different probabilities."""

    values: Mapping[str, Any]
    """The inputs, by parameter."""

    output: Any

    one: str
    """The first mechanism's probability of the output, as a rational function of the bases."""

    other: str

    bases: str
    """Which base is which: "B = 2^(-eta)"."""

    at: Mapping[str, Fraction]
    """A number for each base, by its symbol, at which the two differ."""

    one_at: Fraction
    """The first mechanism's probability there."""

    other_at: Fraction

    def __str__(self) -> str:
        inputs = ", ".join(f"{name}={value_shown(value)}" for name, value in self.values.items())
        lines = [f"at {inputs}, output {value_shown(self.output)}:", f"  {self.one}", f"  {self.other}"]
        if self.bases:
            point = ", ".join(f"{symbol} = {base}" for symbol, base in self.at.items())
            lines.append(f"  with {self.bases}; at {point}: {self.one_at} and {self.other_at}")
        return "\n".join(lines)

    def rows(self) -> list[tuple[str, str, str]]:
        """The inputs, and the probabilities that differ, each with its values for both mechanisms."""
        inputs = [(name, value_shown(value), value_shown(value)) for name, value in self.values.items()]
        probabilities = [(f"probability of {self.output!r}", self.one, self.other)]
        at = ", ".join(f"{name} = {value}" for name, value in self.at.items())
        if at:
            probabilities.append((f"where {at}", str(self.one_at), str(self.other_at)))
        return [*inputs, *probabilities]


@dataclass(frozen=True)
class SameLaw:
    """The result of `same_law`. It is true if there is no difference in any case of the scope, at any base."""

    one: str
    """The name of the first mechanism."""

    other: str

    cases: int
    """How many inputs were compared; where there is a difference, up to and with the first that has one."""

    outputs: int
    """How many probabilities of outputs were compared."""

    scope: str
    """Which inputs were compared, and what was left open."""

    difference: Difference | None = field(default=None)

    @property
    def same(self) -> bool:
        return self.difference is None

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        if self.difference is None:
            cases = f"{self.cases} input{'s' if self.cases > 1 else ''}, {self.outputs} outputs"
            return f"{self.one} and {self.other} have the same law ({cases})\n  scope: {self.scope}"
        return f"{self.one} and {self.other} have different laws\n{self.difference}\n  scope: {self.scope}"

    def _repr_html_(self) -> str:
        """Whether the laws are the same, and what was compared or where they differ, as HTML for a notebook.

        >>> from alignkit.mechanisms.discrete_sampling import drawn_threshold, lazy_threshold
        >>> result = same_law(drawn_threshold, lazy_threshold, q=[0], tau=[1], gamma=[1])
        >>> result._repr_html_().partition("<ul>")[0]
        '<div><p><strong>SAME LAW</strong> drawn_threshold and lazy_threshold</p>'
        """
        title = heading("SAME LAW" if self.same else "DIFFERENT LAWS", f"{self.one} and {self.other}")
        scope = f"scope: {self.scope}"
        difference = self.difference
        if difference is None:
            facts = [f"{self.cases} inputs and {self.outputs} outputs were compared", scope]
            return division([title, bullet_list(facts)])
        facts = [f"with {difference.bases}", scope] if difference.bases else [scope]
        table = table_html(("", self.one, self.other), difference.rows())
        return division([title, table, bullet_list(facts)])


@public
def same_law(
    one: Mechanism,
    other: Mechanism,
    /,
    *,
    where: Callable[..., bool] | None = None,
    window: int | Fraction = WINDOW,
    **inputs: Iterable[Any],
) -> SameLaw:
    """Compare the output distributions of two mechanisms, exactly, on all of the given inputs.

    Each keyword is a parameter of either mechanism and the values to try for it, of a vector the vectors
    (see `vectors`); all combinations are compared, or those for which ``where``, a function of all of them by name,
    is true. Parameters of the same name have the same value. Privacy parameters (`Epsilon`, `Eta`) that are not given
    are left open: equality is decided for all their values at once, exactly. Released numbers with noise are told
    apart one by one from -window to window, and taken together beyond. Outputs where a mechanism is not defined
    count as one output.

    Raises Unsupported where a law is not summed (see `law`), and InputError for inputs that a mechanism does not take.

    >>> from alignkit.mechanisms.discrete_sampling import drawn_threshold, lazy_threshold
    >>> result = same_law(drawn_threshold, lazy_threshold, q=[0], tau=range(-2, 3), gamma=[1])
    >>> print(result)
    drawn_threshold and lazy_threshold have the same law (5 inputs, 10 outputs)
      scope: q in [0], tau in range(-2, 3), gamma in [1]; all eta > 0
    """
    for mechanism in (one, other):
        check_mechanism(mechanism)
        mechanism.refuse_names(("where", "window"), "same_law")
    values = {name: items(given, name, "a list of the values to try, such as [0, 1]") for name, given in inputs.items()}
    reach = read_window(window)
    check_callable(where, "where", "a function of all the inputs by name")
    for name, candidates in values.items():
        if not candidates:
            raise InputError(f"{name} has no values to try; give a list of at least one")
        if name not in one.parameters and name not in other.parameters:
            raise InputError(f"neither mechanism has a parameter {name!r}")
    units = _units(one, other, values)

    def both_laws(case: Mapping[str, Any]) -> list[Law]:
        return in_fine_bases(units, lambda bases: [law_with(m, _of(m, case), bases, reach) for m in (one, other)])

    scope = _scope(inputs, values, units, where)
    outputs, cases, coarse = 0, 0, False
    for case in _cases(values, where):
        cases += 1
        first, second = both_laws(case)
        if first.coarse or second.coarse:
            first, second, coarse = first.coarsened(reach), second.coarsened(reach), True
        for output in sorted(dict.fromkeys([*first, *second]), key=taken_together):  # those of one value come first
            outputs += 1
            if first[output] != second[output]:
                difference = _difference(case, output, first, second)
                return SameLaw(one.name, other.name, cases, outputs, _seen(scope, window, coarse), difference)
    if not cases:
        raise InputError("`where` is True for none of the inputs, so nothing was compared")
    return SameLaw(one.name, other.name, cases, outputs, _seen(scope, window, coarse))


def vectors(values: Iterable[Any], lengths: Iterable[int]) -> list[tuple[Any, ...]]:
    """All vectors of these values, of each of these lengths.

    >>> vectors([0, 1], [1, 2])
    [(0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1)]
    """
    numbers = items(values, "values", "a list of numbers")
    listed = items(lengths, "lengths", "a list of whole numbers, such as [1, 2]")
    sizes = [whole(length, "a length") for length in listed]
    return [vector for size in sizes for vector in itertools.product(numbers, repeat=size)]


def _units(one: Mechanism, other: Mechanism, values: Mapping[str, Any]) -> dict[str, Any]:
    first, second = (open_units(m, _of(m, values)) for m in (one, other))
    for name in first.keys() & second.keys():
        if first[name] != second[name]:
            raise InputError(f"{name} is in different units in the two mechanisms; give it the same type in both")
    for name in (first.keys() ^ second.keys()) - values.keys():
        if name in one.parameters and name in other.parameters:
            raise InputError(f"{name} is left open in one mechanism and has a default in the other; give {name}=[…]")
    return {**first, **second}


def _of(mechanism: Mechanism, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in mechanism.parameters}


def _cases(values: Mapping[str, tuple[Any, ...]], where: Callable[..., bool] | None) -> Iterator[dict[str, Any]]:
    for combination in itertools.product(*values.values()):
        case = dict(zip(values, combination, strict=True))
        if where is None or _holds(where, case):
            yield case


def _holds(where: Callable[..., bool], case: Mapping[str, Any]) -> bool:
    try:
        inspect.signature(where).bind(**case)
    except TypeError:
        raise InputError(f"`where` must take the inputs by name: lambda {', '.join(case)}: …") from None
    except ValueError:
        pass  # some built-in functions have no signature
    return bool(where(**case))


def _difference(case: Mapping[str, Any], output: Any, first: Law, second: Law) -> Difference:
    symbols = [first.bases.symbol(name) for name in first.bases.units]
    for point in itertools.product(_POINTS, repeat=len(symbols)):
        one_at, other_at = (law[output].at(point) for law in (first, second))
        if one_at != other_at:
            return Difference(
                values=MappingProxyType(dict(case)),
                output=output_as_written(output),
                one=first.bases.show(first[output]),
                other=first.bases.show(second[output]),
                bases=first.bases.words(),
                at=MappingProxyType(dict(zip(symbols, point, strict=True))),
                one_at=one_at,
                other_at=other_at,
            )
    raise Unsupported("two probabilities differ, but not at any base that was tried")


def _scope(
    inputs: Mapping[str, Iterable[Any]],
    values: Mapping[str, tuple[Any, ...]],
    units: Mapping[str, Any],
    where: Callable[..., bool] | None,
) -> str:
    parts = [f"{name} in {_several(inputs[name], candidates)}" for name, candidates in values.items()]
    if where is not None:
        doc = " ".join((where.__doc__ or "").split())
        parts.append(f"where {doc or getattr(where, '__name__', 'a condition')}")
    return "; ".join([", ".join(parts), *([f"all {', '.join(units)} > 0"] if units else [])])


def _seen(scope: str, window: int | Fraction, coarse: bool) -> str:
    return f"{scope}; numbers in the output are taken together below {-window}, and above {window}" if coarse else scope


def _several(given: Iterable[Any], values: tuple[Any, ...]) -> str:
    if isinstance(given, range):
        return repr(given)
    if len(values) <= 6:
        return value_shown(values)
    if all(isinstance(v, list | tuple) for v in values):
        numbers = sorted({x for v in values for x in v})
        lengths = sorted({len(v) for v in values})
        if len(values) == sum(len(numbers) ** n for n in lengths):
            several = f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"
            return f"all vectors of length {several} over {value_shown(numbers)}"
    return f"{len(values)} values from {value_shown(values[0])} to {value_shown(values[-1])}"
