"""What a mechanism consists of: its program as it was read, its parameters, and its draws."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import FunctionType
from typing import Any

from alignkit.arguments import items, mapping
from alignkit.errors import InputError
from alignkit.language.callees import Callee
from alignkit.language.current import ensure_current
from alignkit.language.kinds import INT, REAL, Kind, Kinds, vector
from alignkit.language.parameters import ParameterType, Query, check_multiple
from alignkit.language.reader import Signature
from alignkit.running.annotations import read_anew, replaced
from alignkit.running.digests import digest
from alignkit.running.draws import DrawSite
from alignkit.running.read_functions import ReadFunction


@dataclass(frozen=True, eq=False)
class MechanismProgram(ReadFunction, Callee):
    """A mechanism as it was read from its source: what runs, proofs and attacks need to know of it."""

    parameters: Mapping[str, ParameterType] = field(repr=False)
    noise_name: str = field(repr=False)
    draws: tuple[DrawSite, ...] = field(repr=False)
    kinds: Kinds = field(repr=False)
    defaults: Mapping[str, Any] = field(repr=False)
    signature: Signature = field(repr=False)
    aliases: Mapping[str, Any] = field(repr=False)
    evaluated: Mapping[str, ParameterType] = field(repr=False)

    @property
    def private(self) -> dict[str, Query]:
        """The private parameters, in order."""
        return {name: kind for name, kind in self.parameters.items() if isinstance(kind, Query)}

    @property
    def public(self) -> dict[str, ParameterType]:
        """The public parameters, in order."""
        return {name: kind for name, kind in self.parameters.items() if not isinstance(kind, Query)}

    def ensure_current(self) -> None:
        """Raise LanguageError where the mechanism, or what it uses, is no longer what was read."""
        ensure_current(self.python, self.program)
        hint = f"define {self.name} and its alignments again (in a notebook, run their cells again)"
        name = replaced(self.python, self.aliases)
        if name:
            raise self.program.place.error(
                f"`{name}` has come to stand for another type since {self.name} was read", hint
            )
        for name, kind in read_anew(self.python, self.signature, self.evaluated).items():
            if kind != self.evaluated[name]:
                annotation = self.signature.annotations[name]
                raise self.signature.parameters[name].error(
                    f"`{annotation}` has come to stand for another type since {self.name} was read", hint
                )

    @property
    def is_named(self) -> bool:
        """Whether the mechanism's module knows it by its name; one that a function made is known by no such name."""
        return _globals(self.python).get(self.name) is self

    @property
    def is_redefined(self) -> bool:
        """Whether the mechanism's name now stands for another program, in its module or in that module imported anew.

        A notebook's cell that is run again may do that. The same program read again is no other one, nor is a name that
        is deleted or used for something else.
        """
        names = _globals(self.python)
        module = sys.modules.get(self.python.__module__)
        file = getattr(module, "__file__", None)
        imported_anew = vars(module) if file is not None and file == names.get("__file__") else {}
        return any(self._is_replaced_by(namespace.get(self.name)) for namespace in (names, imported_anew))

    def _is_replaced_by(self, holder: Any) -> bool:
        if isinstance(holder, MechanismProgram):
            return holder is not self and holder.digest != self.digest
        # A definition of this name whose decorator has gone.
        plain = isinstance(holder, FunctionType) and holder.__name__ == self.name
        return plain and holder is not self.python

    def __repr__(self) -> str:
        return f"<mechanism {self.name}>"

    def read(self, answers: tuple[Any, ...], parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All arguments but the noise, checked and exact; InputError says which is missing or wrong."""
        given = self.given(answers, parameters)
        # Public values come first, so that an error in them is reported before any private value is read.
        values = self.read_public(given)
        for name, kind in self.private.items():
            values[name] = kind.read(given[name], name)
            self.check_lattice(name, values)
        return {name: values[name] for name in self.parameters}

    def given(self, answers: tuple[Any, ...], parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All arguments but the noise by name, defaults filled in, as they were given; InputError if one is missing."""
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

    def read_public(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The public arguments, checked and exact; the private ones are not looked at."""
        values = {name: kind.read(given[name], name) for name, kind in self.public.items()}
        for name in self.public:
            self.check_lattice(name, values)
        return values

    def check_lattice(self, name: str, values: Mapping[str, Any]) -> None:
        """Raise InputError unless the value of a parameter is on the parameter's lattice."""
        lattice = self.lattice(name, values)
        if lattice is not None:
            check_multiple(values[name], lattice, name)

    def kind(self, name: str) -> Kind:
        """The kind of a parameter's values."""
        return kind_of(self.parameters[name])

    def sensitivity(self, name: str, values: Mapping[str, Any]) -> Any:
        """The sensitivity of a private parameter, as a number."""
        declared = self.private[name].sensitivity
        return values[declared] if isinstance(declared, str) else declared

    @functools.cached_property
    def keys(self) -> dict[tuple[tuple[int, ...], int], str]:
        """The name of each draw, by the path of calls that leads to it and by its place in the program."""
        return {(draw.path, draw.site): draw.key for draw in self.draws}

    @functools.cached_property
    def exact_at_once(self) -> Callable[..., Any]:
        """``exact`` for noise that gives many draws in one call."""
        self.ensure_current()
        return self.as_read.compiled(at_once=True)

    @functools.cached_property
    def digest(self) -> str:
        """A fingerprint of what runs: the program and what it calls, its parameters and their defaults."""
        return digest(self.program, self.parameters, self.defaults)

    @functools.cached_property
    def lattices(self) -> dict[str, int | Fraction | str]:
        """The lattice of each parameter that has one, as declared; a sensitivity is on that of its answers."""
        lattices = {n: kind.lattice for n, kind in self.parameters.items() if kind.lattice is not None}
        for kind in self.private.values():
            if kind.lattice is not None and isinstance(kind.sensitivity, str):
                lattices.setdefault(kind.sensitivity, kind.lattice)
        return lattices

    def lattice(self, name: str, values: Mapping[str, Any]) -> Fraction | None:
        """The lattice of a parameter, as a number; None where it has none."""
        declared = self.lattices.get(name)
        if declared is None:
            return None
        return Fraction(values[declared] if isinstance(declared, str) else declared)

    def on_lattices(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values, those of parameters that have a lattice moved to a multiple of it, above 0 where they must be."""
        moved = dict(values)
        for name in self.lattices:
            lattice = self.lattice(name, moved) if name in moved else None
            if lattice is not None:
                moved[name] = _rounded(moved[name], lattice, positive=self.parameters[name].positive)
        return moved


def _rounded(value: Any, lattice: Fraction, *, positive: bool) -> Any:
    if isinstance(value, tuple):
        return tuple(_rounded(x, lattice, positive=positive) for x in value)
    steps = round(Fraction(value) / lattice)
    return lattice * (max(steps, 1) if positive else steps)


def _globals(python: Callable[..., Any]) -> Mapping[str, Any]:
    return getattr(python, "__globals__", {})


def kind_of(kind: ParameterType) -> Kind:
    """The kind of the values that a parameter of a type has."""
    base = INT if kind.integer else REAL
    return vector(base) if kind.vector else base
