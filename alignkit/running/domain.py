"""The domain of a mechanism: what its inputs may be.

This is the one definition of it. What runs a mechanism for a user takes ``Admitted`` arguments, which only a domain
makes; searches hold what they have found against it; and the prover's hypotheses on inputs are read off it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from alignkit.arguments import items, mapping
from alignkit.errors import InputError, InternalError
from alignkit.interpreting import operations as op
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.language.parameters import ParameterType, Query, check_multiple, exact
from alignkit.language.program import Expression


@dataclass(frozen=True)
class Admitted(Mapping[str, Any]):
    """Arguments that a domain has admitted, by name: exact numbers and tuples; answers without a lattice may be floats.
    """

    by_name: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name)

    def __len__(self) -> int:
        return len(self.by_name)


# Turns a private argument into numbers on its lattice, or refuses it; takes its name, its type, it, and the lattice.
Conversion = Callable[[str, Query, Any, Fraction | None], Any]

# Raises InputError for public values that it does not allow. The second argument counts the private answers.
Condition = Callable[[Mapping[str, Any], Callable[[], Mapping[str, int]]], None]


@dataclass(frozen=True)
class Domain:
    """What the inputs of the mechanism ``name`` may be: the type of each parameter, with bounds, length and lattice.

    ``where`` has the condition on each sensitivity that does not always hold. ``conditions`` are what else is demanded
    of public values, such as what a proof presumes of them.
    """

    name: str
    parameters: Mapping[str, ParameterType]
    defaults: Mapping[str, Any]
    where: Mapping[str, Expression]
    conditions: tuple[Condition, ...] = ()

    @functools.cached_property
    def private(self) -> dict[str, Query]:
        """The private parameters, in order."""
        return {name: kind for name, kind in self.parameters.items() if isinstance(kind, Query)}

    @functools.cached_property
    def public(self) -> dict[str, ParameterType]:
        """The public parameters, in order."""
        return {name: kind for name, kind in self.parameters.items() if not isinstance(kind, Query)}

    def under(self, *conditions: Condition) -> Domain:
        """The part of the domain in which further conditions hold."""
        return replace(self, conditions=(*self.conditions, *conditions))

    # Arguments

    def named(self, answers: tuple[Any, ...], parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All arguments but the noise by name, as they were given, with the defaults; InputError if one is missing."""
        given = mapping(parameters, "the parameters", "a dict from names to values")
        answers = items(answers, "the private answers", f"a tuple, one of each of {', '.join(self.private)}")
        names = list(self.private)
        if len(answers) > len(names):
            raise InputError(
                f"{self.name} takes its private parameters by position ({', '.join(names)}), all others by name"
            )
        for name, value in zip(names, answers, strict=False):
            if name in given:
                raise InputError(f"{name} is given twice, by position and by name")
            given[name] = value
        unknown = [name for name in given if name not in self.parameters]
        if unknown:
            raise InputError(f"{self.name} has no parameter {unknown[0]!r}; it takes {', '.join(self.parameters)}")
        missing = [name for name in self.parameters if name not in given and name not in self.defaults]
        if missing:
            raise InputError(f"{self.name} needs {', '.join(f'{name}=…' for name in missing)}")
        return {**self.defaults, **given}

    def admit(self, given: Mapping[str, Any], convert: Conversion | None = None) -> Admitted:
        """The arguments of a run, one for each parameter; InputError says which is wrong.

        Public values come first: what is wrong with them, or with a condition, is reported before any private value
        is read. ``convert`` reads private values in a way of its own; what it gives is held against the domain too.
        """
        values = self._public(given, self.public)
        counts = functools.cache(lambda: {name: _count(given[name], kind) for name, kind in self.private.items()})
        self._check_conditions(values, counts)
        counted = counts() if counts.cache_info().misses else {}
        for name, kind in self.private.items():
            values[name] = self._private(name, kind, given[name], values, convert)
            if kind.vector and counted.get(name, len(values[name])) != len(values[name]):
                raise InputError(f"{name} says that it has {counted[name]} answers, and gives another number of them")
        return Admitted({name: values[name] for name in self.parameters})

    def admit_on_other(self, values: Admitted, given: Mapping[str, Any]) -> Admitted:
        """The arguments on D′ beside those on D, from the private ones; they are called ``q_`` in messages."""
        answers = {n: self._private(n, kind, given[n], values, None, f"{n}_") for n, kind in self.private.items()}
        return Admitted({**values, **answers})

    def admit_at_start(self, given: Mapping[str, Any], later: Collection[str]) -> Admitted:
        """The public values of a run whose answers, and the public lists ``later``, come item by item."""
        values = self._public(given, [name for name in self.public if name not in later])
        self._check_conditions(values, dict)  # how many answers will come is not known
        return Admitted(values)

    def admit_item(self, name: str, item: Any, start: Admitted, convert: Conversion | None = None) -> Any:
        """One item of a list, in a run that was started with these public values."""
        kind = self.parameters[name]
        if isinstance(kind, Query):
            (number,) = self._private(name, kind, [item], start, convert)
        else:
            (number,) = self._read(name, kind, [item], start, name)
        return number

    def admit_some(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the arguments that are given, where others are still to be chosen.

        They are held to their lattices as far as these are known. All must be admitted together before a run.
        """
        values = {name: kind.read(given[name], name) for name, kind in self.parameters.items() if name in given}
        for name in values:
            declared = self.lattices.get(name)
            if not isinstance(declared, str) or declared in values:
                values[name] = self._on_lattice(values[name], self.lattice(name, values), name)
        return values

    def check(self, values: Mapping[str, Any], values_: Mapping[str, Any]) -> None:
        """Raise InputError unless the arguments on D and those on D′ are of the domain."""
        self.admit_on_other(self.admit(values), values_)

    def _public(self, given: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
        values = {name: self.public[name].read(given[name], name) for name in names}
        for name in names:
            values[name] = self._on_lattice(values[name], self.lattice(name, values), name)
        return values

    def _check_conditions(self, public: Mapping[str, Any], counts: Callable[[], Mapping[str, int]]) -> None:
        for condition in self.conditions:
            condition(public, counts)

    def _private(
        self, name: str, kind: Query, value: Any, public: Mapping[str, Any], convert: Conversion | None, shown: str = ""
    ) -> Any:
        if convert is None:
            return self._read(name, kind, value, public, shown or name)
        converted = convert(name, kind, value, self.lattice(name, public))
        with suppress(InputError):
            return self._read(name, kind, converted, public, name)
        # Without the problem as a context: its words show the value.
        raise InternalError(f"an answer of {name} was read as one that {self.name} does not admit")

    def _read(self, name: str, kind: ParameterType, value: Any, public: Mapping[str, Any], shown: str) -> Any:
        return self._on_lattice(kind.read(value, shown), self.lattice(name, public), shown)

    # Lattices and sensitivities

    def sensitivity(self, name: str, values: Mapping[str, Any]) -> Any:
        """The sensitivity of a private parameter; InputError where it holds under a condition only."""
        return self.private[name].bound(values)

    def bounded(self, name: str, values: Mapping[str, Any], values_: Mapping[str, Any]) -> Any:
        """Whether the sensitivity of a private parameter holds between these inputs, which may be numbers or terms."""
        condition = self.where.get(name)
        if condition is None:
            return True
        sides = ({n: exact(x, n) if type(x) is float else x for n, x in side.items()} for side in (values, values_))
        return op.any_of([Evaluator(Context({})).condition(condition, side) for side in sides])

    @property
    def local_sensitivities(self) -> tuple[str, ...]:
        """What a claim takes for granted of adjacent databases, in words, beside sensitivities that always hold."""
        return tuple(
            f"{name} changes by at most {kind.local.value} where {kind.local.where} on D or on D', and elsewhere by "
            "anything"
            for name, kind in self.private.items()
            if kind.local is not None
        )

    @functools.cached_property
    def lattices(self) -> dict[str, int | Fraction | str]:
        """The lattice of each parameter that has one, as declared; a sensitivity is on that of its answers."""
        lattices = {n: kind.lattice for n, kind in self.parameters.items() if kind.lattice is not None}
        for kind in self.private.values():
            if kind.lattice is not None and isinstance(kind.declared_bound, str):
                lattices.setdefault(kind.declared_bound, kind.lattice)
        return lattices

    @property
    def lattices_of_sensitivities(self) -> tuple[str, ...]:
        """What the inputs must fulfil though no annotation says it, in words: a named sensitivity is on a lattice."""
        kinds = [kind for kind in self.private.values() if kind.lattice is not None]
        named = {str(kind.declared_bound): kind.lattice for kind in kinds if isinstance(kind.declared_bound, str)}
        return tuple(
            f"the sensitivity {name} is a multiple of {lattice}, as the answers are"
            for name, lattice in named.items()
            if name != lattice
        )

    def lattice(self, name: str, values: Mapping[str, Any]) -> Fraction | None:
        """The lattice of a parameter, as a number; None where it has none."""
        declared = self.lattices.get(name)
        if declared is None:
            return None
        return Fraction(values[declared] if isinstance(declared, str) else declared)

    @staticmethod
    def _on_lattice(value: Any, lattice: Fraction | None, shown: str) -> Any:
        """The value, which must be a multiple of the lattice; a float means the decimal that it prints as."""
        if lattice is None:
            return value
        check_multiple(value, lattice, shown)  # with the value as it was given, so that the message shows it
        number = _without_floats(value, shown)
        check_multiple(number, lattice, shown)
        return number

    def on_lattices(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values, those of parameters that have a lattice moved to a multiple of it, above 0 where they must be."""
        moved = dict(values)
        for name in self.lattices:
            lattice = self.lattice(name, moved) if name in moved else None
            if lattice is not None:
                moved[name] = _rounded(moved[name], lattice, positive=self.parameters[name].positive)
        return moved


def _count(value: Any, kind: Query) -> int:
    with suppress(Exception):
        return len(value) if kind.vector else 1
    # Not while a problem is handled: it may hold an answer.
    raise InputError("give private answers as lists, so that their number is known")


def _without_floats(value: Any, shown: str) -> Any:
    if isinstance(value, tuple):
        floats = float in set(map(type, value))
        return tuple(_without_floats(x, f"{shown}[{i}]") for i, x in enumerate(value)) if floats else value
    return exact(value, shown) if type(value) is float else value


def _rounded(value: Any, lattice: Fraction, *, positive: bool) -> Any:
    if isinstance(value, tuple):
        return tuple(_rounded(x, lattice, positive=positive) for x in value)
    steps = round(Fraction(value) / lattice)
    return lattice * (max(steps, 1) if positive else steps)
