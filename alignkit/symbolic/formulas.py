"""Symbolic conditions: comparisons of terms, and what ``and``, ``or`` and ``not`` make of them.

Formulas are kept in negation normal form. A condition that can be read off is a plain bool, never a Formula, and
a Formula refuses to be used as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import lcm
from typing import Any

from alignkit.symbolic.lazy import lazy
from alignkit.symbolic.monomials import common
from alignkit.symbolic.terms import Atom, Conditional, Inverse, Role, Term, roles_within, union


class Formula:
    """A condition that is not decided yet."""

    key: str

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
        """Where the condition does not hold."""
        raise NotImplementedError  # every subclass defines it

    def __bool__(self) -> bool:
        raise TypeError(f"undecided: {self.key}")

    def choose(self, then: Any, other: Any) -> Term:
        """The number ``then`` where this holds, ``other`` where not."""
        one, two = Term.of(then), Term.of(other)
        return one if one == two else Term.of(Conditional(self, one, two))

    def terms(self) -> Iterator[Term]:
        """The terms the formula compares."""
        return iter(())

    @lazy
    def mentions(self) -> dict[str, Atom]:
        """Every atom the formula mentions, by its identity, those inside its terms included."""
        found: dict[str, Atom] = {}
        for term in self.terms():
            found.update(term.mentions)
        return found

    @lazy
    def within(self) -> tuple[Atom, ...]:
        """Every atom the formula mentions, once, those inside its terms included."""
        return tuple(self.mentions.values())

    @lazy
    def keys_within(self) -> frozenset[str]:
        """The keys of those atoms."""
        return frozenset().union(*(term.keys_within for term in self.terms()))

    @lazy
    def unknowns(self) -> frozenset[str]:
        """The names of the unknown Booleans the formula mentions."""
        return union(term.unknowns for term in self.terms())

    @lazy
    def roles(self) -> frozenset[Role]:
        """What the symbols of the formula stand for; unknown Booleans count as discrete output."""
        return roles_within(self)

    def __repr__(self) -> str:
        return self.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.key == other.key


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Formula):
    """``term relation 0`` with relation one of < <= == !=."""

    term: Term
    relation: str

    @lazy
    def key(self) -> str:
        return f"{self.term.key} {self.relation} 0"

    @lazy
    def negated(self) -> Any:
        if self.relation in ("==", "!="):
            return comparison(self.term, "!=" if self.relation == "==" else "==")
        return comparison(-self.term, "<=" if self.relation == "<" else "<")

    def terms(self) -> Iterator[Term]:
        yield self.term


@dataclass(frozen=True, eq=False, repr=False)
class Unknown(Formula):
    """A Boolean that is not known: a question about the discrete output, or the direction of a change."""

    name: str
    holds: bool = True

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
class And(Formula):
    parts: tuple[Formula, ...]

    @lazy
    def key(self) -> str:
        return "(" + " and ".join(p.key for p in self.parts) + ")"

    @lazy
    def negated(self) -> Any:
        return disjunction(tuple(~p for p in self.parts))

    def terms(self) -> Iterator[Term]:
        for part in self.parts:
            yield from part.terms()

    @lazy
    def unknowns(self) -> frozenset[str]:
        return union(part.unknowns for part in self.parts)


@dataclass(frozen=True, eq=False, repr=False)
class Or(Formula):
    parts: tuple[Formula, ...]

    @lazy
    def key(self) -> str:
        return "(" + " or ".join(p.key for p in self.parts) + ")"

    @lazy
    def negated(self) -> Any:
        return conjunction(tuple(~p for p in self.parts))

    def terms(self) -> Iterator[Term]:
        for part in self.parts:
            yield from part.terms()

    @lazy
    def unknowns(self) -> frozenset[str]:
        return union(part.unknowns for part in self.parts)


def conjunction(parts: tuple[Any, ...]) -> Any:
    """All of the parts: a bool where that is settled, else a Formula."""
    flat: dict[str, Formula] = {}
    for part in parts:
        if part is False:
            return False
        if part is True:
            continue
        for each in part.parts if isinstance(part, And) else (part,):
            flat[each.key] = each
    if any((~f).key in flat for f in flat.values() if isinstance(f, Unknown)):
        return False
    return True if not flat else next(iter(flat.values())) if len(flat) == 1 else And(tuple(flat.values()))


def disjunction(parts: tuple[Any, ...]) -> Any:
    """One of the parts at least: a bool where that is settled, else a Formula."""
    flat: dict[str, Formula] = {}
    for part in parts:
        if part is True:
            return True
        if part is False:
            continue
        for each in part.parts if isinstance(part, Or) else (part,):
            flat[each.key] = each
    if any((~f).key in flat for f in flat.values() if isinstance(f, Unknown)):
        return True
    return False if not flat else next(iter(flat.values())) if len(flat) == 1 else Or(tuple(flat.values()))


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
    if all(atom.integer and n > 0 for monomial in term.parts for atom, n in monomial):
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
    factor = []
    for atom, n in common(term):
        if atom.positive:
            factor.append((atom, -n))
        elif n < 0:
            factor.append((atom, -n + (-n) % 2))
    if factor:
        monomial = tuple(sorted(factor, key=lambda power: power[0].key))
        term = term * Term({monomial: 1})
    return _without_inverses(term)


def _without_inverses(term: Term) -> Term:
    """An Inverse of known sign multiplied out; others stay, with their defining equation for the solver."""
    for atom in dict.fromkeys(a for a in term.atoms() if isinstance(a, Inverse)):
        if atom.of.sign in (1, -1):
            power = max(n for m in term.parts for a, n in m if a == atom)
            term = term * Term({((atom, -power),): 1}) * (atom.of.sign**power)
    return term
