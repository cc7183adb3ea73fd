"""One-to-one, by an acyclic order: each shift depends on earlier noise only.

For a fixed output, noise that a shift reads must come earlier in one order for the whole run. Two orders are
tried: the single draws of a path sorted by what their shifts read (noise drawn before a loop first, then
iteration by iteration, then what is drawn after it); and for families two ranks, where a shift that reads noise reads
only coordinates whose own shift reads none. Where there is neither order, `by_pieces` and `by_pairs` take over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.language.program import Place
from alignkit.proving.conditions.finite_choices import (
    but_for_its_own,
    but_for_its_own_outcome,
    one_to_one_in_its_outcome,
    one_to_one_in_its_own,
)
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.facts.ranges import belongs, within
from alignkit.proving.facts.universals import PROBE
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.alignment_run import Shifts
from alignkit.proving.runs.lemma_calls import from_a_call
from alignkit.proving.runs.loop_states import ITERATION, is_iteration
from alignkit.proving.runs.run_on_d import FamilyDraw, RunContext, SymbolicDraw
from alignkit.symbolic.atoms import Conditional, Element, Symbol
from alignkit.symbolic.formulas import Formula, conjunction, disjunction
from alignkit.symbolic.substitution import Substitution
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role


@dataclass(frozen=True)
class Earlier:
    """Noise that comes before all that is put in order: the keys of single draws, and the names of whole arrays."""

    keys: frozenset[str] = frozenset()
    arrays: frozenset[str] = frozenset()

    def without(self, facts: Facts, value: Any) -> frozenset[str]:
        """The keys of the noise coordinates that a term or condition depends on, but for these."""
        atoms = facts.dependencies.atoms(value)
        noise = (a for a in atoms if isinstance(a, Symbol | Element) and a.role is Role.NOISE)
        later = (a for a in noise if not (isinstance(a, Element) and a.array in self.arrays))
        return frozenset(a.key for a in later) - self.keys

    @property
    def shown(self) -> frozenset[str]:
        """The names of this noise in reports."""
        return frozenset((*map(_shown, self.keys), *map(_vector, self.arrays)))


NOTHING = Earlier()

_AN_ITERATION = re.compile(re.escape(ITERATION.key) + r"( in loop [\d.]+)?")


def acyclic_order(
    owed: Obligations,
    drawn: Sequence[SymbolicDraw],
    shifts: Shifts,
    before: int,
    place: Place,
    earlier: Earlier = NOTHING,
) -> None:
    """Oblige single draws to have an order; the first ``before`` of them are drawn before the loop.

    All of them come after what is ``earlier``.
    """
    early = {d.value.key for d in drawn[:before]}
    if not shifts.context.reals.read:
        for draw in drawn:
            for goal, words in one_to_one_in_its_outcome(draw, shifts.of(draw)):
                owed.oblige("one_to_one", goal, place, words)
    order = _order(_needs(owed.facts, earlier, drawn, shifts, early), early)
    if isinstance(order, str):
        told = _ToldByDraws(owed.facts)
        by_draws = _order(_needs(owed.facts, earlier, drawn, shifts, early, told), early)
        if not isinstance(by_draws, str):
            order = by_draws
            owed.told_by_draws += told.taken.values()
    if isinstance(order, str):
        owed.exclude("one_to_one", place, order + _instead(shifts))
    else:
        _note(owed, place, tuple(map(_shown, order)), earlier)


def _needs(
    facts: Facts,
    earlier: Earlier,
    drawn: Sequence[SymbolicDraw],
    shifts: Shifts,
    early: Set[str],
    told: Callable[[Any], Any] = lambda value: value,
) -> dict[str, frozenset[str]]:
    """The noise that each draw must come after: what its shift reads, and what decides which shift is taken.

    ``told`` replaces what need not be read by the shifts of draws that are not ``early``.
    """

    def read(*values: Any) -> frozenset[str]:
        return frozenset().union(*(earlier.without(facts, value) for value in values))

    taken = shifts.context.conditions
    needs = {}
    for draw in drawn:
        own = shifts.of(draw)
        values = (own if shifts.context.reals.read else but_for_its_own_outcome(draw, own), *taken)
        needs[draw.value.key] = read(*(values if draw.value.key in early else map(told, values)))
    return needs


class _ToldByDraws(Substitution):
    """Answers the conditions on noise that this path decides; ``taken`` is what was answered, as it holds here.

    For one output, the noise that was drawn may tell how they go: that every path with these draws decides them alike
    is an obligation (docs/theory/loops.md, "What the draws tell"). They may mention only what has one meaning on all
    paths.
    """

    def __init__(self, facts: Facts) -> None:
        super().__init__({})
        self.facts = facts
        self.taken: dict[str, Formula] = {}

    def _touches(self, value: Term | Formula) -> bool:
        return Role.NOISE in roles(value)

    def formula(self, formula: Formula) -> Any:
        known = self.facts.path.known(formula)
        named = (a for a in atoms_within(formula) if isinstance(a, Symbol | Element))
        same = Role.NOISE in roles(formula) and all(
            (a.role in _ON_ALL_PATHS or is_iteration(a)) and not from_a_call(a) for a in named
        )
        if same and isinstance(known, bool):
            holds = formula if known else ~formula
            self.taken[holds.key] = holds
            return known
        return super().formula(formula)


_ON_ALL_PATHS = frozenset({Role.NOISE, Role.PRIVATE, Role.PUBLIC})


def _order(needs: Mapping[str, frozenset[str]], early: Set[str]) -> list[str] | str:
    """The draws in an order in which each comes after what it needs; in words, why there is none."""
    for key, read in needs.items():
        misplaced = read - (early if key in early else needs.keys())
        if misplaced:
            later = ", ".join(map(_shown, sorted(misplaced)))
            return f"the shift of {_shown(key)} depends on {later}, which does not come before it"
    order: list[str] = []
    waiting = list(needs)
    while waiting:
        ready = [k for k in waiting if needs[k] <= set(order)]
        if not ready:
            return f"the shifts of {', '.join(map(_shown, waiting))} depend on one another in a cycle"
        order += ready
        waiting = [k for k in waiting if k not in ready]
    return order


def _instead(shifts: Shifts) -> str:
    """What to write instead of shifts that have no order because one reads an output."""
    return "; put out a tag beside the number, and let the shift read the tag" if shifts.context.reals.read else ""


def _note(owed: Obligations, place: Place, order: tuple[str, ...], earlier: Earlier) -> None:
    """Note that noise has an order, and comes after what is ``earlier``."""
    owed.orders.append((earlier.shown, order))
    owed.oblige("one_to_one", True, place, in_order(order))


def in_order(order: Sequence[str]) -> str:
    """What is shown where noise has an order, in words."""
    return f"each shift depends on earlier noise only{': ' if order else ''}{', '.join(order)}"


def merged_order(orders: Iterable[tuple[frozenset[str], tuple[str, ...]]]) -> tuple[str, ...]:
    """One order of all noise in which that of every path is kept; empty where there is none.

    Each path gives what comes before, in any order, and its own noise in order.
    """
    after: dict[str, set[str]] = {name: set() for _, order in orders for name in order}
    for before, order in orders:
        precede = {name for name in after if any(_is_in(one, name) for one in before)}
        for number, name in enumerate(order):
            after[name] |= {*precede - {name}, *order[:number]}
    merged: list[str] = []
    while len(merged) < len(after):
        ready = next((name for name in after if name not in merged and after[name] <= {*merged}), None)
        if ready is None:
            return ()
        merged.append(ready)
    return tuple(merged)


def _is_in(one: str, ranks: str) -> bool:
    """Whether a coordinate is what a part of an order names, or one of the several that it names."""
    return any(part == one or part.startswith((f"{one} ", f"{one}[")) for part in re.split("; then |, ", ranks))


def after_all_else(
    owed: Obligations, families: Sequence[FamilyDraw], shifts: Shifts, earlier: Earlier, place: Place
) -> None:
    """Oblige shifts of vectors that are drawn last to read ``earlier`` noise only."""
    facts = owed.facts
    chosen: frozenset[str] = frozenset().union(*(earlier.without(facts, c) for c in shifts.context.conditions))
    for drawn in families:
        with facts.indices.arbitrary() as index:
            read = earlier.without(facts, shifts.of_family(drawn, index)) | chosen
        depends = f"the shift of {_vector(drawn.key)} depends on"
        if read:
            owed.exclude("one_to_one", place, f"{depends} {', '.join(map(_shown, sorted(read)))}")
        else:
            owed.oblige("one_to_one", True, place, f"{depends} earlier noise only")
    owed.orders.append((earlier.shown, tuple(_vector(drawn.key) for drawn in families)))


@dataclass(frozen=True)
class _Read:
    """Coordinates that a shift reads: a single draw, or of a vector every index where ``where`` holds."""

    key: str
    where: Any  # index -> condition; None for a single draw
    name: str = ""  # which of the vector, in words; empty for a single draw and for all of them

    @property
    def words(self) -> str:
        """What is read, as the user knows it."""
        return self.name or _shown(self.key)


def two_ranks(owed: Obligations, run: RunContext, shifts: Shifts, place: Place) -> None:
    """Oblige vectors, and the single draws beside them, to have two ranks.

    A shift that reads noise may read only coordinates whose own shift reads none.
    """
    facts = owed.facts
    singles = {d.value.key: shifts.of(d) for d in run.drawn}
    if any(_noise_reads(facts, c) for c in shifts.context.conditions):
        owed.exclude("one_to_one", place, "which shift is taken depends on the noise")
        return
    index, other = facts.indices.fresh("index that is shifted"), facts.indices.fresh("index that is read")
    readers: list[tuple[str, Term, tuple[Any, ...]]] = []
    fixed: list[str] = []
    for drawn in run.families:
        own = shifts.of_family(drawn, index)
        shift, inside = but_for_its_own(drawn, own, index), within(index, drawn.length)
        for goal, words in one_to_one_in_its_own(drawn, own, index):
            owed.oblige("one_to_one", goal, place, words, given=[inside])
        name = _vector(drawn.key) + ("" if shift == own else " (its own outcome apart)")
        when = _reading_condition(facts, shift)
        if when is False:
            fixed.append(name)
        else:
            readers.append((name, shift, (inside, when)))
    partly = [reader for reader, _, _ in readers]
    readers += [(key, shift, ()) for key, shift in singles.items()]
    for reader, shift, given in readers:
        for read in _noise_reads(facts, shift):
            goal, inside = _unread(facts, run, shifts, read, other)
            if goal is not True:
                words = f"the shift of {_shown(reader)} reads {read.words}, whose own shift reads no noise"
                owed.oblige("one_to_one", goal, place, words, given=(*given, *inside))
    fixed += [key for key, shift in singles.items() if not any(_noise_reads(facts, shift))]
    last = [f"{f} elsewhere" for f in partly] + [s for s in singles if s not in fixed]
    first = [*fixed, *(f"{f} where its shift reads no noise" for f in partly)]
    ranks = [", ".join(map(_shown, part)) for part in (first, last) if part]
    # Vectors that are in both ranks stand together: what comes after them comes after both.
    order = ("; then ".join(ranks),) if partly else tuple(map(_shown, (*first, *last)))
    _note(owed, place, order, NOTHING)


def _unread(facts: Facts, run: RunContext, shifts: Shifts, read: _Read, other: Term) -> tuple[Any, tuple[Any, ...]]:
    """That the coordinates of ``read`` have shifts that read no noise, and where that must be so."""
    if read.where is None:
        shift = next((shifts.of(d) for d in run.drawn if d.value.key == read.key), None)
        return shift is not None and not any(_noise_reads(facts, shift)), ()
    drawn = next((f for f in run.families if f.key == read.key), None)
    if drawn is None:
        return False, ()
    inside = conjunction((within(other, drawn.length), read.where(other)))
    shift = but_for_its_own(drawn, shifts.of_family(drawn, other), other)
    return op.negation(_reading_condition(facts, shift)), (inside,)


def _reading_condition(facts: Facts, term: Term) -> Any:
    """Where a shift reads noise: False, True, or a condition that itself mentions no noise."""
    conditions: list[Any] = []
    for atom in term.atoms():
        if isinstance(atom, Conditional):
            if any(_noise_reads(facts, atom.condition)):
                return True
            conditions.append(conjunction((atom.condition, _reading_condition(facts, atom.then))))
            conditions.append(conjunction((~atom.condition, _reading_condition(facts, atom.other))))
        elif any(_noise_reads(facts, Term.of(atom))):
            return True
    return disjunction(tuple(conditions))


def _noise_reads(facts: Facts, value: Any) -> Iterator[_Read]:
    """The noise that a term or condition reads; an index that was selected reads all that decided the selection."""
    seen: set[str] = set()
    for atom in atoms_within(value):
        if isinstance(atom, Symbol) and atom.role is Role.NOISE:
            yield _Read(atom.key, None)
        if isinstance(atom, Element) and atom.role is Role.NOISE:
            here = atom.index
            yield _Read(atom.array, lambda i, here=here: i.compare("==", here), _shown(atom.key))
        if not facts.dependencies.decided_by_noise(atom) or atom.key in seen:
            continue
        seen.add(atom.key)
        family = facts.dependencies.families[atom.key]
        element, admits = facts.dependencies.contents(atom.key)
        by_noise = Role.NOISE in facts.dependencies.roles(admits)
        for inner in facts.dependencies.atoms(element, admits):
            if isinstance(inner, Element) and inner.role is Role.NOISE:
                if inner.index == PROBE and not by_noise:
                    among = f"each {_shown(inner.array)} among which it chooses"
                    yield _Read(inner.array, lambda i, f=family: belongs(f, i), among)
                else:
                    yield _Read(inner.array, lambda i: True)
            elif isinstance(inner, Symbol) and inner.role is Role.NOISE:
                yield _Read(inner.key, None)


def _vector(array: str) -> str:
    """Any coordinate of a vector as the user knows it, the vector of an iteration or one of its own."""
    shown = _shown(array)
    return f"{shown}[{'j' if shown.endswith('[i]') else 'i'}]"


def _shown(key: str) -> str:
    """A noise coordinate as the user knows it; an iteration of whichever loop is ``i``, or ``j`` of one inside."""
    return _AN_ITERATION.sub(lambda m: "ijlm"[min((m[1] or "").count("."), 3)], key.removeprefix(Role.NOISE.prefix))
