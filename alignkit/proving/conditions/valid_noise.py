"""Valid noise: the aligned noise stays in its distribution's support, and on its lattice."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.language.program import Place
from alignkit.noise import Distribution
from alignkit.proving.inputs import primed
from alignkit.symbolic.terms import Conditional, Element, Role, Symbol, Term

if TYPE_CHECKING:
    from alignkit.proving.ledger import Ledger


def stays_in_support(
    ledger: Ledger,
    key: str,
    distribution: Distribution,
    arguments: tuple[Any, ...],
    value: Term,
    shift: Term,
    place: Place,
    given: Iterable[Any] = (),
) -> None:
    """Oblige ``value + shift`` to be a possible noise value."""
    if distribution.support.one_sided:
        aligned = (value + shift).compare(">=", 0)
        ledger.oblige("valid_noise", aligned, place, f"the aligned {key} is at least 0", given=given)
    if not distribution.support.continuous:
        spacing = Term.of(arguments[-1]).constant
        on_lattice = spacing is not None and is_multiple(shift, spacing, lattices(ledger))
        words = f"the shift of {key} is a whole number of lattice steps"
        ledger.oblige("valid_noise", on_lattice, place, words)
        answers = ledger.inputs.mechanism.private.values()
        aligned = spacing is not None and all(k.lattice is not None and not k.lattice % spacing for k in answers)
        words = f"the answers are multiples of the lattice of {key}; say so by Queries(lattice=…)"
        ledger.oblige("valid_noise", aligned, place, words)


def lattices(ledger: Ledger) -> dict[str, Fraction]:
    """The lattice of each private parameter that has one, under its names on D and D′."""
    found = {}
    for name, kind in ledger.inputs.mechanism.private.items():
        if kind.lattice is not None:
            found[name] = found[primed(name)] = Fraction(kind.lattice)
    return found


def is_multiple(term: Term, spacing: Fraction, known: dict[str, Fraction]) -> bool:
    """Whether the term is plainly a whole multiple of ``spacing``: a whole-number combination of such multiples."""
    for monomial, coefficient in term.parts.items():
        if not monomial:
            if coefficient % spacing:
                return False
            continue
        scaled = coefficient
        inner: Term | None = None
        for atom, power in monomial:
            answer = isinstance(atom, Element | Symbol) and atom.role is Role.PRIVATE
            base = atom.array if isinstance(atom, Element) else atom.name if isinstance(atom, Symbol) else ""
            if power == 1 and answer and base.split("[")[0] in known and inner is None:
                inner = Term.of(known[base.split("[")[0]])
            elif power == 1 and isinstance(atom, Conditional) and inner is None:
                branches = (atom.then * coefficient, atom.other * coefficient)
                if len(monomial) != 1 or not all(is_multiple(b, spacing, known) for b in branches):
                    return False
                inner, scaled = Term.of(spacing), Fraction(1)
            elif not (atom.integer and power > 0):
                return False
        step = (inner if inner is not None else Term.of(1)).constant
        if step is None or (scaled * step) % spacing:
            return False
    return True
