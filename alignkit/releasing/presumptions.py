"""Checks that the public values of a release fulfil the presumptions of its proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError
from alignkit.results import Result
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.evaluation import holds
from alignkit.symbolic.trees import Role


def check_presumed(
    mechanism: Mechanism, result: Result, public: Mapping[str, Any], sizes: Callable[[], Mapping[str, int]]
) -> None:
    """Raise InputError unless the program is defined for these public values, wherever the proof presumes that it is.

    A mechanism that is undefined for some noise or on some databases only would show by that what they are. ``sizes()``
    are the numbers of private answers, which are public; it is asked where they matter.
    """

    def value(atom: Any) -> Fraction:
        if not isinstance(atom, Symbol | Element) or atom.role is not Role.PUBLIC:
            raise KeyError(atom)
        if isinstance(atom, Element):
            index = atom.index.constant
            return Fraction(public[atom.array][int(index)]) if index is not None else Fraction(public[atom.key])
        if not atom.name.startswith("len("):
            return Fraction(public[atom.name])
        vector = atom.name[len("len(") : -1]
        return Fraction(len(public[vector]) if vector in public else sizes()[vector])

    for presumption in result.presumed:
        try:
            defined = holds(presumption.formula, value)
        except (ArithmeticError, LookupError, TypeError):
            raise InputError(
                f"the proof {result.alignment} of {mechanism.name} presumes that the program is defined "
                f"({presumption.words}), which cannot be decided for these values; "
                "write the program so that it is always defined"
            ) from None
        if not defined:
            raise InputError(
                f"{mechanism.name} is not defined for these public values ({presumption.words}), and the proof "
                f"{result.alignment} presumes that it is"
            )
