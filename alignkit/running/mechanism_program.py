"""What a mechanism consists of: its program as it was read, its parameters, and its draws."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.arguments import items, mapping
from alignkit.errors import InputError
from alignkit.language.current import ensure_current
from alignkit.language.kinds import INT, REAL, Kind, Kinds, vector
from alignkit.language.parameters import ParameterType, Query, check_multiple
from alignkit.language.program import Function
from alignkit.language.reader import Signature
from alignkit.running.annotations import read_anew, replaced
from alignkit.running.digests import digest
from alignkit.running.draws import DrawSite
from alignkit.running.exact_functions import exact_function
from alignkit.running.references import Reference, by_reference


@dataclass(frozen=True, eq=False)
class MechanismProgram:
    """A mechanism as it was read from its source: what runs, proofs and attacks need to know of it.

    ``python`` is the user's function and ``exact`` the same with exact arithmetic; ``program`` is what the evaluator
    runs. ``keys`` says by which name the draw at a place in the program is known.
    """

    python: Callable[..., Any] = field(repr=False)
    program: Function = field(repr=False)
    parameters: Mapping[str, ParameterType] = field(repr=False)
    noise_name: str = field(repr=False)
    draws: tuple[DrawSite, ...] = field(repr=False)
    kinds: Kinds = field(repr=False)
    exact: Callable[..., Any] = field(repr=False)
    keys: Mapping[tuple[tuple[int, ...], int], str] = field(repr=False)
    defaults: Mapping[str, Any] = field(repr=False)
    signature: Signature = field(repr=False)
    aliases: Mapping[str, Any] = field(repr=False)
    evaluated: Mapping[str, ParameterType] = field(repr=False)

    def __post_init__(self) -> None:
        for name in functools.WRAPPER_ASSIGNMENTS:
            if hasattr(self.python, name):
                object.__setattr__(self, name, getattr(self.python, name))
        object.__setattr__(self, "__wrapped__", self.python)

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def file(self) -> str:
        return self.program.place.source.file

    @property
    def line(self) -> int:
        return self.program.place.line

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
                f"`{name}` has come to stand for another type since {self.name} was read",
                hint,
            )
        now = read_anew(self.python, self.signature, self.evaluated)
        for name, kind in now.items():
            if kind != self.evaluated[name]:
                annotation = self.signature.annotations[name]
                raise self.signature.parameters[name].error(
                    f"`{annotation}` has come to stand for another type since {self.name} was read", hint
                )

    def __repr__(self) -> str:
        return f"<mechanism {self.name}>"

    def __reduce__(self) -> Reference:
        return by_reference(self.python, self.file)

    def read(self, answers: tuple[Any, ...], parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All arguments but the noise, checked and exact; InputError says which is missing or wrong."""
        given = self.given(answers, parameters)
        # Public values first: what is wrong with them is said before any private value is looked at.
        found = self.read_public(given)
        for name, kind in self.private.items():
            found[name] = kind.read(given[name], name)
            self.check_lattice(name, found)
        return {name: found[name] for name in self.parameters}

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
        found = {name: kind.read(given[name], name) for name, kind in self.public.items()}
        for name in self.public:
            self.check_lattice(name, found)
        return found

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
    def exact_at_once(self) -> Callable[..., Any]:
        """``exact`` for noise that gives many draws in one call."""
        self.ensure_current()  # names are looked up again
        return exact_function(self.python, at_once=True)

    @functools.cached_property
    def digest(self) -> str:
        """A fingerprint of what runs: the program and what it calls, its parameters and their defaults."""
        return digest(self.program, self.parameters, self.defaults)

    @functools.cached_property
    def lattices(self) -> dict[str, int | Fraction | str]:
        """The lattice of each parameter that has one, as declared; a sensitivity is on that of its answers."""
        found = {n: kind.lattice for n, kind in self.parameters.items() if kind.lattice is not None}
        for kind in self.private.values():
            if kind.lattice is not None and isinstance(kind.sensitivity, str):
                found.setdefault(kind.sensitivity, kind.lattice)
        return found

    def lattice(self, name: str, values: Mapping[str, Any]) -> Fraction | None:
        """The lattice of a parameter, as a number; None where it has none."""
        declared = self.lattices.get(name)
        if declared is None:
            return None
        return Fraction(values[declared] if isinstance(declared, str) else declared)

    def on_lattices(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values, those of parameters that have a lattice moved to a multiple of it, above 0 where they must be."""
        found = dict(values)
        for name in self.lattices:
            lattice = self.lattice(name, found) if name in found else None
            if lattice is not None:
                found[name] = _rounded(found[name], lattice, positive=self.parameters[name].positive)
        return found


def _rounded(value: Any, lattice: Fraction, *, positive: bool) -> Any:
    if isinstance(value, tuple):
        return tuple(_rounded(x, lattice, positive=positive) for x in value)
    steps = round(Fraction(value) / lattice)
    return lattice * (max(steps, 1) if positive else steps)


def kind_of(kind: ParameterType) -> Kind:
    """The kind of the values that a parameter of a type has."""
    base = INT if kind.integer else REAL
    return vector(base) if kind.vector else base
