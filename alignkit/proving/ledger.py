"""The ledger of one path: what is known on it, and the obligations it gives rise to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from alignkit.interpreting.values import Family
from alignkit.language.program import Place
from alignkit.proving.hypotheses import Hypotheses
from alignkit.proving.inputs import Inputs
from alignkit.proving.instances import PROBE, Instances
from alignkit.proving.obligation import Obligation
from alignkit.proving.universals import Kind, Universals, arrays_looked_at
from alignkit.symbolic.formulas import conjunction, implies
from alignkit.symbolic.paths import Path
from alignkit.symbolic.terms import Atom, Role, Symbol, Term, atoms_within, roles

if TYPE_CHECKING:
    from alignkit.proving.contexts import SymbolicContext
    from alignkit.proving.rankings import Ranking


@dataclass(frozen=True)
class Presumption:
    """Something public that the program needs to be defined, such as n >= 2."""

    formula: Any
    words: str
    place: Place


@dataclass
class Shared:
    """What the paths of one check have in common.

    ``gathered`` are hypotheses that were found out, by what they were found out from.
    ``adjacent`` is what adjacency says of an answer, by inputs, the vector's name and the index.
    """

    gathered: dict[Hashable, tuple[Any, ...]] = field(default_factory=dict)
    instances: Instances = field(default_factory=Instances)
    adjacent: dict[tuple[Inputs, str, str], list[Any]] = field(default_factory=dict)

    def adjacency(self, inputs: Inputs, formulas: list[Any]) -> list[Any]:
        """What adjacency says of the answers that formulas look at."""
        if inputs.bounded:
            return []
        names = {n for n, kind in inputs.mechanism.private.items() if kind.vector}
        pairs: dict[tuple[str, str], Term] = {}
        for formula in formulas:
            for element in self.instances.elements(formula):
                if element.role is Role.PRIVATE:
                    base = element.array if element.array in names else element.array.removesuffix("'")
                    pairs[base, element.index.key] = element.index
        facts = []
        for (name, key), index in pairs.items():
            about = (inputs, name, key)
            if about not in self.adjacent:
                self.adjacent[about] = inputs.adjacent(name, index, *inputs.element_pair(name, index))
            facts += self.adjacent[about]
        return [f for f in facts if f is not True]


class Ledger:
    """Facts and obligations of one path through D, the alignment and D′."""

    def __init__(self, path: Path, inputs: Inputs, tick: Callable[[], object], shared: Shared | None = None) -> None:
        self.path = path
        self.tick = tick
        self.shared = shared or Shared()
        self._uniform = True  # whether all universal facts are
        self.inputs = inputs
        self.obligations: list[Obligation] = []
        self.presumed: list[Presumption] = []
        self.universals = Universals(self.shared.instances)
        self.runs: list[SymbolicContext] = []
        self.rankings: list[Ranking] = []
        self.indices: list[Term] = []
        self.selected: dict[str, Family] = {}
        self.selected_over: dict[str, frozenset[str]] = {}
        self.spacings: dict[str, Term] = {}  # of noise on a lattice, by the key of its symbol, or of a vector's array
        self.given: set[str] = set()
        self.instantiating = False
        self._depth = 0
        self.in_element = False
        self.quiet = False
        self.whole = False
        self._names: dict[str, int] = {}
        self._local: set[str] = set()
        self._locals_of: dict[str, frozenset[str]] = {}
        self._brings: dict[str, str] = {}

    @property
    def revisiting(self) -> bool:
        """Whether an element is looked at again, after what it needs and selects was settled where it was made."""
        return self.instantiating or self.quiet

    def over(self) -> None:
        """The path is over, and its sequences, which refer to this ledger, are not to keep alive what it found."""
        for run in self.runs:
            run.over()
        self.runs.clear()
        self.selected.clear()
        self.rankings.clear()
        self.obligations, self.presumed = [], []
        self.shared, self.universals, self.tick = Shared(), Universals(), _nothing

    # Facts

    def assume(self, formula: Any) -> None:
        """A fact, from here on."""
        self.path.assume(formula)

    def universal(
        self, holds: Callable[..., Any], kind: Kind = Kind.POSITION, about: frozenset[str] = frozenset()
    ) -> None:
        """A fact that holds at every index of its family, under the guards of this moment."""
        guard = conjunction(tuple(self.path.guards))
        with self.looking():  # at once: what the path comes to know later must be of no matter to it
            fact = self.universals.add(kind, lambda *indices: implies(guard, holds(*indices)), about)
        self._uniform = fact.uniform and self._uniform

    def fresh(self, name: str) -> Term:
        """A whole number of its own, for an index that may be any."""
        self._names[name] = self._names.get(name, 0) + 1
        number = self._names[name]
        symbol = Symbol(name if number == 1 else f"{name}.{number}", Role.INDEX, integer=True)
        self._local.add(symbol.key)
        return Term.of(symbol)

    def bring(self, symbol: Symbol, index: Term) -> None:
        """What is known of an index that stands for any matters wherever the symbol is mentioned."""
        self._brings[symbol.key] = index.key

    def index(self, name: str) -> Term:
        """A fresh index that was selected: universal facts are always instantiated at it."""
        symbol = self.fresh(name)
        self._local.discard(symbol.key)
        self.indices.append(symbol)
        return symbol

    # What an index was selected from

    def select(self, index: Term, family: Family, *, on_d: bool) -> None:
        """Note that an index was selected from a family: it depends on all that decides the selection.

        The alignment knows D's own selections only as part of the output, and for a given output they are given.
        """
        self.selected[index.key] = family
        with self.looking():
            self.selected_over[index.key] = arrays_looked_at(*self.contents(index.key))
        if on_d:
            self.given.add(index.key)

    def chosen(self, atom: object) -> bool:
        """Whether a symbol is an index that was selected and is not given by the output."""
        return isinstance(atom, Symbol) and atom.key in self.selected and atom.key not in self.given

    def contents(self, key: str) -> tuple[Any, ...]:
        """What decides a selection: an arbitrary element of its family, and whether it belongs."""
        family = self.selected[key]
        with self.looking():
            admits = True if family.admits is None else family.admits(PROBE)
            return (family.element(PROBE), admits)

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Elements are looked at; what they need to be defined was required when their family was made."""
        outer, self.instantiating = self.instantiating, True
        try:
            yield
        finally:
            self.instantiating = outer

    def atoms(self, *values: Any) -> Iterator[Atom]:
        """Every atom that values mention or depend on through what they selected."""
        seen: set[str] = set()
        waiting = list(values)
        while waiting:
            value = waiting.pop()
            if isinstance(value, tuple):
                waiting.extend(value)
                continue
            for atom in atoms_within(value):
                yield atom
                if self.chosen(atom) and atom.key not in seen:
                    seen.add(atom.key)
                    waiting.extend(self.contents(atom.key))

    def roles(self, *values: Any) -> frozenset[Role]:
        """What kinds of symbols values depend on."""
        found = {a.role for a in self.atoms(*values) if a.role is not None}
        return frozenset(found).union(*(roles(v) for v in values))

    @contextmanager
    def arbitrary(self) -> Iterator[Term]:
        """An index that stands for every one; each nesting gets another, so that none is taken for another."""
        symbol = Symbol(f"any index {self._depth}", Role.INDEX, integer=True)
        self._local.add(symbol.key)
        self._depth += 1
        try:
            yield Term.of(symbol)
        finally:
            self._depth -= 1

    def require(self, condition: str, formula: Any, place: Place, words: str, *, known: bool = True) -> None:
        """A run is defined only where the formula holds; it is ``known`` from here on, unless something better is.

        Where D's run needs something of public values alone, that narrows the inputs: a program makes no claim for
        inputs on which it is undefined. The alignment and D′ get no such allowance.
        """
        goal = implies(conjunction(tuple(self.path.guards)), formula) if self.path.guards else formula
        if goal is True:
            return
        narrows = condition == "termination" and not isinstance(goal, bool)
        if narrows and roles(goal) <= {Role.PUBLIC}:
            self.presumed.append(Presumption(goal, words, place))
            self.assume(formula)
            return
        self.oblige(condition, goal, place, words)
        if known:
            self.path.assume(formula)

    # Obligations

    def oblige(
        self,
        condition: str,
        goal: Any,
        place: Place | None,
        words: str,
        *,
        given: Iterable[Any] = (),
        invariant: str | None = None,
    ) -> None:
        """The goal must follow from what is known now, and from ``given``."""
        if goal is True:
            hypotheses = Hypotheses.of(())
        elif not isinstance(goal, bool) and goal.key in self.path.keys:
            hypotheses = Hypotheses.of((goal,))
        else:
            hypotheses = self.hypotheses(goal, given)
        self.obligations.append(Obligation(condition, hypotheses, goal, words, place, invariant))

    def hypotheses(self, goal: Any = True, given: Iterable[Any] = ()) -> Hypotheses:
        """What is known here: universal facts and adjacency are told for the goal at the indices that occur."""
        self.tick()
        asked = tuple(g for g in given if g is not True)
        if any(g is False for g in asked):
            return Hypotheses.of((False,))
        local = self._locals(goal, *asked)
        stated = (*self.inputs.domain, *(f for f in self.path.assumed if self._locals(f) <= local))
        facts = self.universals.now(self.indices, self.selected_over)
        completing = partial(self.shared.adjacency, self.inputs)
        known = Hypotheses(stated, goal, asked, facts, completing, self.inputs, told=self.shared.gathered)
        if not self._uniform:
            with self.looking():
                list(known.steps())  # now: a fact that is not uniform is evaluated where it is told
        return known

    def _locals(self, *formulas: Any) -> frozenset[str]:
        """The indices that formulas mention and that stand for any: what is known of one says nothing elsewhere."""
        found: set[str] = set()
        for formula in formulas:
            if isinstance(formula, bool):
                continue
            if formula.key not in self._locals_of:
                keys = {a.key for a in atoms_within(formula) if isinstance(a, Symbol)}
                self._locals_of[formula.key] = frozenset(keys | {self._brings[k] for k in keys if k in self._brings})
            found |= self._locals_of[formula.key] & self._local
        return frozenset(found)


def _nothing() -> None:
    """What is done between steps where there is no time to watch."""
