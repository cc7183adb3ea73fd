"""Expressions that the worst case might be, fitted to the dearest runs. Nothing here is sound: a proof decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from flint import fmpq, fmpq_mat

from alignkit.errors import Unsupported
from alignkit.language.parameters import Proportion
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.symbolic.atoms import Conditional
from alignkit.symbolic.evaluation import evaluate
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom

Point = tuple[Mapping[str, Any], Fraction]

# Terms through some of the points only are sought in bases up to this size.
WIDEST = 3


@dataclass(frozen=True)
class PublicExpression:
    """A term over public parameters with its text, which is Python."""

    term: Term
    text: str

    def value(self, setting: Mapping[str, Any]) -> Fraction:
        """The number it is at a setting, where it has an exact one; lengths of vectors go by their symbols."""

        def lookup(atom: Atom) -> Fraction:
            if atom.key not in setting:
                raise Unsupported(f"{atom.key} has no exact value here")
            return Fraction(setting[atom.key])

        return evaluate(self.term, lookup)


def as_expression(term: Term) -> PublicExpression:
    """A term whose own text is Python."""
    return PublicExpression(term, term.key)


def shares(
    mechanism: Mechanism, values: Mapping[str, Any], claim: Term, points: Sequence[Point]
) -> list[PublicExpression]:
    """Claim times a share that no point exceeds: a setting and the share of the claim that was reached there.

    Shares are sums over 1, 1/k and theta and their products. One count may be an exception where it is 1: a loop
    whose first iteration is its last is often a case of its own.
    """
    expressions = [as_expression(claim * share) for share in _fits(mechanism, values, points)]
    for name, kind in mechanism.public.items():
        if not kind.integer:
            continue
        ones = [point for point in points if point[0][name] == 1]
        others = [point for point in points if point[0][name] != 1]
        if not ones or not others:
            continue
        for one, other in product(_fits(mechanism, values, ones), _fits(mechanism, values, others)):
            if one != other:
                expressions.append(at_one(name, values, claim * one, claim * other))
    return expressions


def at_one(name: str, values: Mapping[str, Any], one: Term, other: Term) -> PublicExpression:
    """``one`` where the count is 1, ``other`` where it is more."""
    term = Term.of(values[name]).compare("<=", 1).choose(one, other)
    return PublicExpression(term, f"{one.key} if {name} == 1 else {other.key}")


def slack_text(claim: Term, most: PublicExpression) -> str:
    """Claim minus worst case, as Python."""
    atoms = list(most.term.atoms())
    if len(most.term.parts) == 1 and len(atoms) == 1 and isinstance(atoms[0], Conditional):
        case = most.text.partition(" if ")[2].partition(" else ")[0]
        return f"{(claim - atoms[0].then).key} if {case} else {(claim - atoms[0].other).key}"
    return (claim - most.term).key


def _fits(mechanism: Mechanism, values: Mapping[str, Any], points: Sequence[Point]) -> Iterator[Term]:
    """The term that agrees with all points, from the smallest basis that has one; else terms that agree with as many
    as determine them and lie above the others: a run may have missed the worst case, and the worst case may jump."""
    bases = list(_bases(mechanism, values))
    tables = [[[as_expression(b).value(setting) for b in basis] for setting, _ in points] for basis in bases]
    right = [share for _, share in points]
    for basis, rows in zip(bases, tables, strict=True):
        factors = solve(rows, right)
        if factors is not None:
            yield _sum(basis, factors)
            return
    yield Term.of(max(right))
    for basis, rows in zip(bases, tables, strict=True):
        if not 1 < len(basis) <= WIDEST:
            continue
        for chosen in combinations(range(len(points)), len(basis)):
            factors = solve([rows[i] for i in chosen], [right[i] for i in chosen])
            if factors is None:
                continue
            fitted = [sum((x * y for x, y in zip(row, factors, strict=True)), Fraction(0)) for row in rows]
            if all(value >= share for value, share in zip(fitted, right, strict=True)):
                yield _sum(basis, factors)


def _sum(basis: Sequence[Term], factors: Sequence[Fraction]) -> Term:
    return sum((b * x for b, x in zip(basis, factors, strict=True)), Term.of(0))


def _bases(mechanism: Mechanism, values: Mapping[str, Any]) -> Iterator[list[Term]]:
    one = Term.of(1)
    counts = [one / Term.of(values[n]) for n, kind in mechanism.public.items() if kind.integer]
    parts = [Term.of(values[n]) for n, kind in mechanism.public.items() if isinstance(kind, Proportion)]
    yield [one]
    for x in (*counts, *parts):
        yield [one, x]
    for x, y in product(counts, parts):
        yield [one, x, y]
        yield [one, x, y, x * y]
    if len(counts) > 1:
        yield [one, *counts]


def solve(rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction] | None:
    """The one solution of a system of linear equations; None where there is none, or more than one.

    >>> solve([[Fraction(1), Fraction(1)], [Fraction(1), Fraction(2)]], [Fraction(3), Fraction(5)])
    [Fraction(1, 1), Fraction(2, 1)]
    """
    width = len(rows[0])
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    reduced, rank = fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in table]).rref()
    if rank != width or reduced[width - 1, width - 1] != 1:
        return None
    return [Fraction(int(reduced[i, width].p), int(reduced[i, width].q)) for i in range(width)]
