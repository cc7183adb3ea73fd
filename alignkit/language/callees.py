"""A mechanism that another one calls: what the language needs to know of it, and the kind of what it gives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from alignkit.language import program
from alignkit.language.kinds import INT, Kind, Kinds

if TYPE_CHECKING:
    from alignkit.language.parameters import ParameterType


class Callee(ABC):
    """What the language needs to know of a mechanism that is called: mechanisms derive from it."""

    python: Any
    program: program.Function
    parameters: Mapping[str, ParameterType]
    noise_name: str
    kinds: Kinds

    @abstractmethod
    def ensure_current(self) -> None:
        """Raise LanguageError where the mechanism, or what it uses, is no longer what was read."""


def kind_of_call(node: program.MechanismCall, given: list[Kind]) -> Kind:
    """The kind of what a mechanism gives, a list where it yields; LanguageError where an argument does not fit."""
    called: Callee = node.mechanism
    for argument, kind, parameter in zip(node.arguments, given, called.program.parameters, strict=True):
        if parameter == called.noise_name:
            continue
        declared = called.parameters[parameter]
        fits = kind.is_number
        wanted = "a number"
        if declared.vector:
            wanted = "a list of numbers"
            fits = kind.is_sequence and all(part.is_number for part in kind.parts)
        elif declared.integer:
            wanted, fits = "a whole number", kind == INT
        if not fits:
            words = f"{called.program.name} takes {wanted} for `{parameter}`, and this is {kind}"
            raise argument.place.error(words, f"give {wanted}")
    return called.kinds.output

