"""One-to-one, by an acyclic order: each shift depends on earlier noise only.

For a fixed output, noise that a shift reads must come earlier in one order for the whole run. Two orders are
tried: the single draws of a path sorted by what their shifts read (noise drawn before the loop first, then
iteration by iteration); and for families two ranks, where a shift that reads noise reads only coordinates whose
own shift reads none. Where neither will do, `injective` and `pieces` take over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alignkit.language.program import Place
from alignkit.proving.conditions.noise_used import ITERATION
from alignkit.proving.instances import PROBE
from alignkit.symbolic.formulas import conjunction, disjunction
from alignkit.symbolic.terms import Conditional, Element, Role, Symbol, Term, atoms_within

if TYPE_CHECKING:
    from alignkit.proving.events import FamilyDraw, SymbolicDraw
    from alignkit.proving.ledger import Ledger


@dataclass(frozen=True)
class Shifted:
    """A single draw with its shift; ``before`` is whether it is drawn before the loop."""

    draw: SymbolicDraw
    shift: Term
    before: bool


def reads(ledger: Ledger, value: Any) -> frozenset[str]:
    """The keys of the noise coordinates that a term or condition depends on."""
    return frozenset(a.key for a in ledger.atoms(value) if a.role is Role.NOISE)


def acyclic_order(
    ledger: Ledger, shifted: list[Shifted], conditions: list[Any], place: Place
) -> tuple[str, ...] | None:
    """Oblige the single draws to have an order; the order, where there is one."""
    chosen: frozenset[str] = frozenset().union(*(reads(ledger, c) for c in conditions))
    needs = {s.draw.value.key: reads(ledger, s.shift) | chosen for s in shifted}
    before = {s.draw.value.key for s in shifted if s.before}
    for key, read in needs.items():
        strange = read - needs.keys() if key not in before else read - before
        if strange:
            later = ", ".join(map(shown, sorted(strange)))
            words = f"the shift of {shown(key)} depends on {later}, which does not come before it"
            ledger.oblige("one_to_one", False, place, words)
            return None
    order: list[str] = []
    waiting = [*sorted(before, key=list(needs).index), *(k for k in needs if k not in before)]
    while waiting:
        ready = [k for k in waiting if needs[k] <= set(order)]
        if not ready:
            words = f"the shifts of {', '.join(map(shown, waiting))} depend on one another in a circle"
            ledger.oblige("one_to_one", False, place, words)
            return None
        order += ready
        waiting = [k for k in waiting if k not in ready]
    words = f"each shift depends on earlier noise only: {', '.join(map(shown, order))}"
    ledger.oblige("one_to_one", True, place, words)
    return tuple(order)


def shown(key: str) -> str:
    """A noise coordinate as the user knows it."""
    return key.removeprefix(Role.NOISE.prefix).replace(f"{Role.INDEX.prefix}{ITERATION}", "i")


@dataclass(frozen=True)
class Read:
    """Coordinates that a shift reads: of a family, every index where ``where`` holds; of a single draw, it."""

    key: str
    where: Any  # index -> condition; None for a single draw


def two_ranks(
    ledger: Ledger,
    families: dict[str, tuple[FamilyDraw, Any]],
    singles: dict[str, Term],
    conditions: list[Any],
    place: Place,
) -> None:
    """Oblige that a shift which reads noise reads only coordinates whose own shift reads none."""
    if any(_noise_reads(ledger, c) for c in conditions):
        ledger.oblige("one_to_one", False, place, "which shift is taken depends on the noise")
        return
    index = ledger.fresh("index that is shifted")
    other = ledger.fresh("index that is read")
    fixed: list[str] = []
    for key, (drawn, shift) in families.items():
        at = shift(index)
        when = reading_condition(ledger, at)
        if when is False:
            fixed.append(f"{key}[i]")
            continue
        inside = conjunction((index.compare(">=", 0), index.compare("<", drawn.length)))
        for read in _noise_reads(ledger, at):
            _free(ledger, families, singles, read, f"{key}[i]", (inside, when), other, place)
    for key, term in singles.items():
        for read in _noise_reads(ledger, term):
            _free(ledger, families, singles, read, key, (), other, place)
    fixed += [key for key, term in singles.items() if not any(_noise_reads(ledger, term))]
    partly = [f"{f}[i]" for f in families if f"{f}[i]" not in fixed]
    last = [f"{f} elsewhere" for f in partly] + [s for s in singles if s not in fixed]
    first = [*fixed, *(f"{f} where its shift reads no noise" for f in partly)]
    order = [", ".join(map(shown, part)) for part in (first, last) if part]
    words = f"each shift depends on earlier noise only: {'; then '.join(order)}"
    ledger.oblige("one_to_one", True, place, words)


def _free(
    ledger: Ledger,
    families: dict[str, tuple[FamilyDraw, Any]],
    singles: dict[str, Term],
    read: Read,
    reader: str,
    given: tuple[Any, ...],
    other: Term,
    place: Place,
) -> None:
    """The coordinates of ``read`` have shifts that read no noise."""
    words = f"the shift of {shown(reader)} reads {shown(read.key)}, whose own shift reads no noise"
    if read.where is None:
        free = not any(_noise_reads(ledger, singles.get(read.key, Term.of(0))))
        if not free:
            ledger.oblige("one_to_one", False, place, words, given=given)
        return
    if read.key not in families:
        ledger.oblige("one_to_one", False, place, words, given=given)
        return
    drawn, shift = families[read.key]
    inside = conjunction((other.compare(">=", 0), other.compare("<", drawn.length), read.where(other)))
    when = reading_condition(ledger, shift(other))
    goal = (not when) if isinstance(when, bool) else ~when
    if goal is not True:
        ledger.oblige("one_to_one", goal, place, words, given=(*given, inside))


def reading_condition(ledger: Ledger, term: Term) -> Any:
    """Where a shift reads noise: False, True, or a condition that itself mentions no noise."""
    found: list[Any] = []
    for atom in term.atoms():
        if isinstance(atom, Conditional):
            if any(_noise_reads(ledger, atom.condition)):
                return True
            found.append(conjunction((atom.condition, reading_condition(ledger, atom.then))))
            found.append(conjunction((~atom.condition, reading_condition(ledger, atom.other))))
        elif any(_noise_reads(ledger, Term.of(atom))):
            return True
    return disjunction(tuple(found))


def _noise_reads(ledger: Ledger, value: Any) -> Iterator[Read]:
    """What noise a term or condition reads; an index that was selected stands for all that decided the selection."""
    from alignkit.proving.selections import inside

    seen: set[str] = set()
    for atom in atoms_within(value):
        if isinstance(atom, Symbol) and atom.role is Role.NOISE:
            yield Read(atom.key, None)
        if isinstance(atom, Element) and atom.role is Role.NOISE:
            here = atom.index
            yield Read(atom.array, lambda i, here=here: i.compare("==", here))
        if not ledger.chosen(atom) or atom.key in seen:
            continue
        seen.add(atom.key)
        family = ledger.selected[atom.key]
        element, admits = ledger.contents(atom.key)
        by_noise = Role.NOISE in ledger.roles(admits)
        for inner in ledger.atoms(element, admits):
            if isinstance(inner, Element) and inner.role is Role.NOISE:
                narrow = inner.index == PROBE and not by_noise
                yield Read(inner.array, (lambda i, f=family: inside(f, i)) if narrow else _anywhere)
            elif isinstance(inner, Symbol) and inner.role is Role.NOISE:
                yield Read(inner.key, None)


def _anywhere(index: Term) -> bool:
    return True
