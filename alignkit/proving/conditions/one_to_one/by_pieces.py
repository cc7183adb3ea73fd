"""One-to-one by pieces: where the alignment makes the same choices, it is smooth and has a known determinant.

A piece is where D and the alignment take one path, every condition inside the shifts goes one way, and every
selection names one index. There a shift depends on noise through values only, never on what a condition asks or on
which index was selected. Injectivity over all pieces together is shown elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.errors import NotSmooth, TooManyPieces, Unsupported
from alignkit.interpreting import operations as op
from alignkit.language.program import Place
from alignkit.noise import CHOICE, Distribution
from alignkit.proving.facts.ranges import within
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.alignment_run import Shifts
from alignkit.proving.runs.run_on_d import RunContext
from alignkit.symbolic.atoms import Element, Special
from alignkit.symbolic.calculus import derivative, determinant, pieces, values_read
from alignkit.symbolic.formulas import conjunction, disjunction, implies
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom, Role

# What is obliged of the determinant on each piece.
NONZERO = "the determinant is nonzero on every piece"

# Beyond this many single draws the determinant is not written out.
MOST_DRAWS = 6

UNIT = "on every piece |det J| = 1"
PAID = "on every piece |det J| is known, and -log |det J| is part of the cost"
NO_VOLUME = "discrete noise has no volume to change"
# What is said of a proof is what the first of these says of one of its paths.
VOLUMES = (PAID, UNIT, NO_VOLUME)


@dataclass(frozen=True)
class Volume:
    """On a piece, what a small volume of noise is multiplied by."""

    conditions: tuple[Any, ...]
    determinant: Term

    @property
    def extra_cost(self) -> Term:
        """-log |det J|, what a piece that is made smaller costs beside its shifts."""
        return -abs(self.determinant).log()


def volumes(owed: Obligations, run: RunContext, shifts: Shifts, place: Place) -> list[Volume]:
    """Oblige every piece to have a determinant other than 0; the pieces whose determinant is not 1 or -1."""
    distributions = _distributions(run)
    if CHOICE in distributions:
        raise Unsupported("noise.choice where the alignment is one-to-one by pieces", place)
    atoms = {distribution.has_atoms for distribution in distributions}
    if unchanged(run) == NO_VOLUME:
        owed.oblige("one_to_one", True, place, NO_VOLUME)
        return []
    try:
        if atoms != {False}:
            raise NotSmooth("noise that has atoms together with continuous noise")
        if run.families:
            _two_ranks(owed, run, shifts, place)
            return []
        return _determinants(owed, run, shifts, place)
    except (NotSmooth, TooManyPieces) as problem:
        owed.exclude("one_to_one", place, f"the determinant is known on every piece: {problem}")
        return []


def _distributions(run: RunContext) -> list[Distribution]:
    return [*(draw.distribution for draw in run.drawn), *(family.distribution for family in run.families)]


def unchanged(run: RunContext) -> str:
    """Why nothing is paid for volumes, in words, where no piece changes them."""
    return UNIT if any(distribution.support.continuous for distribution in _distributions(run)) else NO_VOLUME


def _determinants(owed: Obligations, run: RunContext, shifts: Shifts, place: Place) -> list[Volume]:
    """The pieces whose determinant is not 1 or -1, where all draws are single ones."""
    if len(run.drawn) > MOST_DRAWS:
        raise NotSmooth(f"more than {MOST_DRAWS} draws")
    noise = [_only(draw.value) for draw in run.drawn]
    changed = []
    for piece in pieces([shifts.of(draw) for draw in run.drawn]):
        for shift in piece.terms:
            if not set(_noise_read(shift)) <= set(noise):
                raise NotSmooth("a shift reads noise that is not among the draws")
        rows = [
            [derivative(shift, by) + (1 if one == by else 0) for by in noise]
            for one, shift in zip(noise, piece.terms, strict=True)
        ]
        det = determinant(rows)
        if det.constant in (1, -1):
            continue
        owed.oblige("one_to_one", det.compare("!=", 0), place, NONZERO, given=piece.conditions)
        changed.append(Volume(piece.conditions, det))
    owed.oblige("one_to_one", True, place, PAID if changed else UNIT)
    return changed


def _two_ranks(owed: Obligations, run: RunContext, shifts: Shifts, place: Place) -> None:
    """On every piece, a shift that reads noise by value reads only noise whose own shift reads none there.

    What is shown at every noise vector for an arbitrary pair of coordinates holds on every piece: all points of a
    piece make the same choices at all indices. The Jacobian is then triangular with 1 on its diagonal.
    """
    families = {family.key: family for family in run.families}
    singles = {_only(draw.value).key: shifts.of(draw) for draw in run.drawn}
    readers: list[tuple[str, Any, Term]] = [(str(draw.where), True, shifts.of(draw)) for draw in run.drawn]
    for family in run.families:
        index = owed.facts.indices.fresh(f"index of {family.key} whose shift reads noise")
        inside = within(index, family.length)
        readers.append((f"{family.key}[i]", inside, shifts.of_family(family, index)))
    for name, inside, shift in readers:
        for atom, when in _reading(shift).items():
            if isinstance(atom, Element) and atom.array in families:
                read = shifts.of_family(families[atom.array], atom.index)
            elif atom.key in singles:
                read = singles[atom.key]
            else:
                raise NotSmooth("a shift reads noise that is not among the draws")
            fixed = op.negation(disjunction(tuple(_reading(read).values())))
            words = f"where the shift of {name} reads {atom.key}, the shift of {atom.key} reads no noise"
            if fixed is not True:
                owed.oblige("one_to_one", fixed, place, words, given=(inside, when))
    owed.oblige("one_to_one", True, place, UNIT)


def _reading(shift: Term) -> dict[Atom, Any]:
    """The noise that a shift reads by value, with the condition of the pieces on which it does."""
    ways: dict[Atom, list[Any]] = {}
    for piece in pieces([shift]):
        for atom in dict.fromkeys(_noise_read(piece.terms[0])):
            ways.setdefault(atom, []).append(conjunction(piece.conditions))
    return {atom: disjunction(tuple(conditions)) for atom, conditions in ways.items()}


def _noise_read(shift: Term) -> list[Atom]:
    """The noise that a term without cases reads by value."""
    return [atom for atom in values_read(shift) if atom.role is Role.NOISE]


def _only(value: Term) -> Atom:
    """The symbol that a draw's value is."""
    (atom,) = value.atoms()
    return atom


def log_facts(term: Term) -> list[Any]:
    """What adding up logarithms gives: log a + log b and so on is of the sign of log (a · b · …).

    For every sum of logarithms with whole coefficients in the term, of numbers above 0.
    """
    product, total, positive = Term.of(1), Term.of(0), []
    for monomial, coefficient in term.parts.items():
        if len(monomial) != 1 or monomial[0][1] != 1 or coefficient.denominator != 1 or not -8 <= coefficient <= 8:
            continue
        atom = monomial[0][0]
        if not isinstance(atom, Special) or atom.function != "log" or not atom.of.parts:
            continue
        positive.append(atom.of.compare(">", 0))
        total = total + Term({monomial: Fraction(coefficient)})
        for _ in range(abs(int(coefficient))):
            product = product * (atom.of if coefficient > 0 else atom.of.inverse())
    defined = conjunction(tuple(positive))
    if not positive:
        return []
    return [
        implies(conjunction((defined, product.compare(">=", 1))), total.compare(">=", 0)),
        implies(conjunction((defined, product.compare("<=", 1))), total.compare("<=", 0)),
    ]
