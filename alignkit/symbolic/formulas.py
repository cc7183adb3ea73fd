"""Symbolic conditions: comparisons of terms, and what ``and``, ``or`` and ``not`` make of them.

Formulas are kept in negation normal form. A condition that can be read off is a plain bool, never a Formula, and
a Formula refuses to be used as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import lcm
from typing import Any, ClassVar

from alignkit.symbolic.atoms import Conditional, Inverse, common, ordered
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import SymbolicTree, lazy, not_too_long


class Formula(SymbolicTree):
    """A condition that is not decided yet."""

    def __and__(self, other: Any) -> Any:
        return conjunction((self, other))

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return disjunction((self, other))

    __ror__ = __or__

    def __invert__(self) -> Any:
        return self.negated

    @lazy
    def negated(self) -> Any:
        """The condition that holds where this one does not."""
        raise NotImplementedError  # every subclass defines it

    def __bool__(self) -> bool:
        raise TypeError(f"undecided: {self.key}")

    def choose(self, then: Any, other: Any) -> Term:
        """The number ``then`` where this holds, ``other`` where not."""
        one, two = Term.of(then), Term.of(other)
        return one if one == two else Term.of(Conditional(self, one, two))

    def comparisons(self) -> Iterator[Comparison]:
        """The comparisons of which the formula is made, in order; those inside terms are not among them."""
        for part in self.children:
            if isinstance(part, Formula):
                yield from part.comparisons()

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.key == other.key


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Formula):
    """``term relation 0`` with relation one of < <= == !=."""

    term: Term
    relation: str

    kind = "comparison"

    @property
    def children(self) -> Iterable[Any]:
        return (self.term,)

    @lazy
    def key(self) -> str:
        return f"{self.term.key} {self.relation} 0"

    @lazy
    def negated(self) -> Any:
        if self.relation in ("==", "!="):
            return comparison(self.term, "!=" if self.relation == "==" else "==")
        return comparison(-self.term, "<=" if self.relation == "<" else "<")

    def comparisons(self) -> Iterator[Comparison]:
        yield self


@dataclass(frozen=True, eq=False, repr=False)
class Unknown(Formula):
    """A Boolean that is not known: a question about the discrete output, or the direction of a change."""

    name: str
    holds: bool = True

    kind = "unknown"

    @lazy
    def key(self) -> str:
        return self.name if self.holds else f"not {self.name}"

    @lazy
    def unknowns(self) -> frozenset[str]:
        return frozenset({self.name})

    @lazy
    def negated(self) -> Any:
        return Unknown(self.name, not self.holds)


@dataclass(frozen=True, eq=False, repr=False)
class Junction(Formula):
    """Two formulas or more, joined by ``word``; a part that is the bool ``settled`` would settle the whole."""

    parts: tuple[Formula, ...]

    word: ClassVar[str]
    settled: ClassVar[bool]

    @property
    def children(self) -> Iterable[Any]:
        return self.parts

    @lazy
    def key(self) -> str:
        return not_too_long("(" + f" {self.word} ".join(p.key for p in self.parts) + ")")

    @lazy
    def negated(self) -> Any:
        return _joined(tuple(~p for p in self.parts), And if self.settled else Or)


class And(Junction):
    """All of the parts."""

    kind = "conjunction"
    word = "and"
    settled = False


class Or(Junction):
    """At least one of the parts."""

    kind = "disjunction"
    word = "or"
    settled = True


def conjunction(parts: tuple[Any, ...]) -> Any:
    """All of the parts: a bool where that can be told, else a Formula."""
    return _joined(parts, And)


def disjunction(parts: tuple[Any, ...]) -> Any:
    """At least one of the parts: a bool where that can be told, else a Formula."""
    return _joined(parts, Or)


def _joined(parts: tuple[Any, ...], kind: type[Junction]) -> Any:
    """The parts in one And or Or, each once."""
    settled = kind.settled
    flat: dict[str, Formula] = {}
    for part in parts:
        if part is settled:
            return settled
        if isinstance(part, bool):
            continue
        for inner in part.parts if isinstance(part, kind) else (part,):
            flat[inner.key] = inner
    if any(isinstance(f, Unknown) and (~f).key in flat for f in flat.values()):
        return settled
    if not flat:
        return not settled
    return next(iter(flat.values())) if len(flat) == 1 else kind(tuple(flat.values()))


def implies(condition: Any, consequence: Any) -> Any:
    """``consequence`` wherever ``condition``."""
    negated = (not condition) if isinstance(condition, bool) else ~condition
    return disjunction((negated, consequence))


def comparison(term: Term, relation: str) -> Any:
    """The condition ``term relation 0``, one of < <= == !=, in normal form; a bool where it can be read off."""
    if not term.linear:
        term = _without_denominators(term)
    sign = term.sign
    if sign is None and term.constant is not None:
        sign = (term.constant > 0) - (term.constant < 0)
    if sign is not None:
        return {"<": sign < 0, "<=": sign <= 0, "==": sign == 0, "!=": sign != 0}[relation]
    if relation in ("==", "!=") and next(iter(term.parts.values())) < 0:
        term = -term
    term = _without_fractions(term)
    if term.integer:
        if relation == "<":
            # Whole numbers: a < b is a + 1 <= b.
            term, relation = term + 1, "<="
        elif relation in ("==", "!=") and _never_zero(term):
            return relation == "!="
    return Comparison(term, relation)


def _without_fractions(term: Term) -> Term:
    """A term of whole numbers multiplied by the common denominator of its coefficients; others stay."""
    if all(type(c) is int for c in term.parts.values()):
        return term
    if term.integer_atoms:
        return term * lcm(*(c.denominator for c in term.parts.values()))
    return term


def _never_zero(term: Term) -> bool:
    """Whether a whole-number term differs from 0 by its constant part alone (2 m + 1)."""
    rest = [c for m, c in term.parts.items() if m]
    constant = term.parts.get((), 0)
    return bool(rest) and all(c.denominator == 1 for c in rest) and any(
        constant % p and all(c % p == 0 for c in rest) for p in (2, 3, 5)
    )  # fmt: skip


def _without_denominators(term: Term) -> Term:
    """A term of the same sign everywhere, with no negative exponents and no common positive factor."""
    # What has no known sign is multiplied out by an even power of it, and not divided by.
    factor = ((atom, -n if atom.positive else max(0, -n + n % 2)) for atom, n in common(term.parts))
    return _without_inverses(term * Term({ordered(factor): 1}))


def _without_inverses(term: Term) -> Term:
    """An Inverse of known sign multiplied out; others stay, with their defining equation for the solver."""
    for atom in dict.fromkeys(a for a in term.atoms() if isinstance(a, Inverse)):
        if atom.of.sign in (1, -1):
            power = max(n for m in term.parts for a, n in m if a == atom)
            term = term * Term({((atom, -power),): 1}) * (atom.of.sign**power)
    return term
