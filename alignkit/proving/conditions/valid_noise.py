"""Valid noise: the aligned noise stays in its distribution's support, and on its lattice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.language.program import LimitForm, Place
from alignkit.noise import Support
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.alignment_run import Limit
from alignkit.proving.runs.run_on_d import SymbolicDraw
from alignkit.proving.symbolic_inputs import Inputs, primed
from alignkit.symbolic.atoms import Conditional, Element, Symbol
from alignkit.symbolic.formulas import implies
from alignkit.symbolic.summation import RunningSum
from alignkit.symbolic.terms import Monomial, Term
from alignkit.symbolic.trees import Role


def stays_in_support(owed: Obligations, draw: SymbolicDraw, shift: Term, place: Place, given: Iterable[Any]) -> None:
    """Oblige the draw's value plus ``shift`` to be a possible noise value, where ``given`` holds."""
    inputs, support, bounds = owed.facts.inputs, draw.distribution.support, draw.distribution.bounds(*draw.arguments)
    if support.continuous and not bounds:
        owed.settled("valid_noise", place, f"any real number is a value of {draw.where}")
    for symbol, bound in bounds:
        words = f"the aligned {draw.where} is {_WORDS[symbol]} {bound}"
        owed.oblige("valid_noise", (draw.value + shift).compare(symbol, bound), place, words, given=given)
    if not support.continuous:
        spacing, declared, answers = Term.of(draw.arguments[-1]), declared_lattices(inputs), inputs.mechanism.private
        lattices = Lattices(declared, owed.facts.spacings)
        multiple = plainly_multiple(shift, spacing, lattices)
        words = f"the shift of {draw.where} is a whole number of lattice steps"
        owed.oblige("valid_noise", multiple, place, words)
        known = [name in declared and plainly_multiple(declared[name], spacing, lattices) for name in answers]
        if not multiple and not all(known):  # what helps where it is the answers by which the noise moves
            where = f"the lattice of {draw.where}; say so by Annotated[Queries, Lattice(…)]"
            owed.oblige("valid_noise", False, place, f"the answers are multiples of {where}")
        for _, bound in bounds if support is Support.CUT_LATTICE else ():
            words = f"the bound {bound} of {draw.where} is on its lattice"
            owed.oblige("valid_noise", plainly_multiple(Term.of(bound), spacing, lattices), place, words)


_WORDS = {">=": "at least", "<": "below", "<=": "at most"}


def kept_within(owed: Obligations, draw: SymbolicDraw, limit: Limit) -> Any:
    """That a draw keeps within a limit, where one is given.

    Two multiples of a lattice that differ are a step of it apart.
    """
    upper = limit.form is LimitForm.BELOW
    inside = draw.value.compare("<" if upper else ">", limit.value)
    if draw.distribution.support in (Support.LATTICE, Support.NONNEGATIVE_LATTICE, Support.CUT_LATTICE):
        spacing = Term.of(draw.arguments[-1])
        lattices = Lattices(declared_lattices(owed.facts.inputs), owed.facts.spacings)
        if plainly_multiple(limit.value, spacing, lattices):
            last = limit.value - spacing if upper else limit.value + spacing
            inside = draw.value.compare("<=" if upper else ">=", last)
    return implies(limit.given, inside)


def declared_lattices(inputs: Inputs) -> dict[str, Term]:
    """The lattice of each parameter that has one, under the parameter's names on D and D′."""
    declared = {name: Term.of(inputs.lattice(name)) for name in inputs.mechanism.domain.lattices}
    return declared | {primed(name): spacing for name, spacing in declared.items()}


@dataclass(frozen=True)
class Lattices:
    """Values on a lattice: declared parameters by name, and noise by the keys of its symbols and arrays."""

    declared: Mapping[str, Term]
    drawn: Mapping[str, Term]

    def of(self, atom: Any) -> Term | None:
        """The lattice that an atom's value is on."""
        if not isinstance(atom, Element | Symbol):
            return None
        if atom.role is Role.NOISE:
            array = self.drawn.get(f"{atom.array}[]") if isinstance(atom, Element) else None
            return self.drawn.get(atom.key, array)
        if atom.role not in (Role.PRIVATE, Role.PUBLIC):
            return None
        return self.declared.get(atom.name.split("[")[0])


def plainly_multiple(term: Term, spacing: Term, lattices: Lattices) -> bool:
    """Whether a term is visibly a whole multiple of ``spacing``: a whole-number combination of such multiples.

    ``spacing`` is a number, or a public symbol γ: then a multiple of γ is γ itself, or what is declared to be one.
    """
    return all(_product_is_multiple(monomial, factor, spacing, lattices) for monomial, factor in term.parts.items())


def _product_is_multiple(monomial: Monomial, factor: Fraction | int, spacing: Term, lattices: Lattices) -> bool:
    """The same for a product of a factor and atoms: all are whole numbers, except for one that carries the lattice."""
    carried: Term | None = None
    for atom, power in monomial:
        if isinstance(atom, Conditional):
            branches = (atom.then * factor, atom.other * factor)
            return len(monomial) == 1 and power == 1 and all(plainly_multiple(b, spacing, lattices) for b in branches)
        # γ itself is a multiple of γ, and so is a sum of multiples, however many there are.
        summed = isinstance(atom, RunningSum) and plainly_multiple(atom.body, spacing, lattices)
        lattice = spacing if summed or Term.of(atom) == spacing else lattices.of(atom)
        if power == 1 and lattice is not None and carried is None:
            carried = lattice
        elif not (atom.integer and power > 0):
            return False
    steps = (Term.of(1) if carried is None else carried) * factor / spacing
    return steps.constant is not None and steps.constant.denominator == 1
