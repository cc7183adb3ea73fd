"""What a mechanism consists of: its program as it was read, its parameters, and its draws."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from alignkit.errors import InputError
from alignkit.interpreting.values import NOISE
from alignkit.language.current import ensure_current
from alignkit.language.kinds import INT, REAL, Callee, Kind, Kinds, vector
from alignkit.language.parameters import ParameterType, Query
from alignkit.language.program import Expression
from alignkit.language.reader import Signature
from alignkit.running.annotations import read_anew, replaced
from alignkit.running.digests import digest
from alignkit.running.domain import Admitted, Domain
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
    conditions: Mapping[str, Expression] = field(repr=False)

    @property
    def private(self) -> dict[str, Query]:
        """The private parameters, in order."""
        return self.domain.private

    @property
    def public(self) -> dict[str, ParameterType]:
        """The public parameters, in order."""
        return self.domain.public

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

    @functools.cached_property
    def domain(self) -> Domain:
        """What the mechanism's inputs may be."""
        return Domain(self.name, self.parameters, self.defaults, self.conditions)

    def read(self, answers: tuple[Any, ...], parameters: Mapping[str, Any]) -> Admitted:
        """All arguments but the noise, checked and exact; InputError says which is missing or wrong."""
        return self.domain.admit(self.domain.named(answers, parameters))

    def environment(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The names that the evaluator starts with, in the order of the program's parameters, the noise among them."""
        return {name: NOISE if name == self.noise_name else values[name] for name in self.program.parameters}

    def refuse_names(self, taken: Collection[str], by: str, instead: str = "") -> None:
        """Raise InputError where a parameter has the name of an argument of a function that takes parameters by name.

        The function is ``by``; ``instead`` says what may be done beside renaming the parameter.
        """
        for name in self.parameters:
            if name in taken:
                raise InputError(
                    f"the parameter {name} of {self.name} has the name of an argument of {by}; rename it{instead}"
                )

    def kind(self, name: str) -> Kind:
        """The kind of a parameter's values."""
        return kind_of(self.parameters[name])

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


def _globals(python: Callable[..., Any]) -> Mapping[str, Any]:
    return getattr(python, "__globals__", {})


def kind_of(kind: ParameterType) -> Kind:
    """The kind of the values that a parameter of a type has."""
    base = INT if kind.integer else REAL
    return vector(base) if kind.vector else base
