"""The output as the alignment sees it while the run that makes it is still symbolic.

Tags, whole numbers and public values are seen as they are. A real part is a symbol of its own: an alignment that
lets it into a shift is found out. In an arbitrary iteration of a loop only that iteration's output is known; every
question about another one is an unknown, the same for the whole run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alignkit.language.tags import Tag
from alignkit.proving.contexts import is_discrete
from alignkit.proving.rankings import Ranking
from alignkit.running.values import Family, Unsupported
from alignkit.symbolic.formulas import Unknown
from alignkit.symbolic.terms import Element, Role, Symbol, Term


def seen(value: Any, name: str = "omega") -> Any:
    """An output as the alignment may see it: real parts become symbols of their own."""
    if isinstance(value, tuple):
        return tuple(seen(part, f"{name}[{i}]") for i, part in enumerate(value))
    if isinstance(value, Family):
        return Family(value.length, lambda i: _seen_item(value, Term.of(i), name))
    if is_discrete(value):
        return value
    return Term.of(Symbol(name, Role.OUTPUT))


def _seen_item(family: Family, index: Term, name: str) -> Any:
    return _seen_part(family.element(index), index, name)


def _seen_part(item: Any, index: Term, name: str) -> Any:
    if isinstance(item, tuple):
        return tuple(_seen_part(part, index, f"{name}[.][{i}]") for i, part in enumerate(item))
    if isinstance(item, Family):
        raise Unsupported("the alignment reads a list of lists of symbolic length")
    return item if is_discrete(item) else Term.of(Element(name, index, Role.OUTPUT))


class OtherOutput:
    """The output of an iteration that is not the one at hand."""

    def __init__(self, name: str, known: Mapping[int | None, Term] | None = None) -> None:
        self.name = name
        self.known = known or {}

    def is_tag(self, tag: Tag) -> Unknown:
        return Unknown(f"{self.name} is {tag}")

    def part(self, index: Any) -> OtherOutput | Term:
        """One part of it, where it is a tuple."""
        if isinstance(index, int) and index in self.known:
            return self.known[index]
        return OtherOutput(f"{self.name}[{index}]")

    def as_term(self) -> Term:
        """Its real part, as a number."""
        return Term.of(Symbol(self.name, Role.OUTPUT))

    def compare(self, relation: str, other: Any) -> Any:
        return self.as_term().compare(relation, other)

    def __add__(self, other: Any) -> Term:
        return Term.of(self.as_term() + other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Term:
        return Term.of(self.as_term() - other)

    def __rsub__(self, other: Any) -> Term:
        return Term.of(other - self.as_term())

    def __mul__(self, other: Any) -> Term:
        return Term.of(self.as_term() * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Term:
        return Term.of(self.as_term() / other)

    def __rtruediv__(self, other: Any) -> Term:
        return Term.of(other / self.as_term())

    def __neg__(self) -> Term:
        return -self.as_term()

    def __abs__(self) -> Term:
        return abs(self.as_term())


class OutputStream:
    """The outputs of a run through a loop: those before it, the one of the iteration at hand, and unknown others."""

    def __init__(self) -> None:
        self.length = Term.of(Symbol("len(omega)", Role.UNKNOWN, integer=True))
        self.before: tuple[Any, ...] = ()
        self.position: Term | None = None
        self.current: Any = None
        self.named: dict[int | None, Ranking] = {}

    @property
    def family(self) -> Family:
        """The outputs as a sequence."""
        return Family(self.length, self.at)

    def now(self, before: tuple[Any, ...], iteration: Term, current: Any) -> None:
        """The iteration at hand gives ``current``, after ``before`` came ahead of the loop."""
        self.before = tuple(seen(value, f"omega[{i}]") for i, value in enumerate(before))
        self.position = iteration + len(before)
        self.current = seen(current, "omega[i]")

    def at(self, index: Any) -> Any:
        at = Term.of(index)
        constant = at.constant
        if constant is not None and 0 <= constant < len(self.before):
            return self.before[int(constant)]
        if self.position is not None and at == self.position:
            return self.current
        known = {part: ranking.at(at) for part, ranking in self.named.items()}
        return known[None] if None in known else OtherOutput(f"omega[{at.key}]", known)
