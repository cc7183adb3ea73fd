"""What is known on one path through D, the alignment and D′, and where it was established.

How elements of a sequence are evaluated: once in full, for an arbitrary index, and quietly everywhere else.

What values depend on: the symbols that they mention, and what decided the selections that they mention.

The indices of one path: names for new ones, and which of them stand for any index.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from alignkit.errors import Clash
from alignkit.interpreting.values import Family
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.hypotheses import Caches, Hypotheses, Premise
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.facts.universals import PROBE, Quantifier, Universal, UniversalFacts, arrays_looked_at
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import conjunction, implies
from alignkit.symbolic.paths import Path
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role


@dataclass(frozen=True)
class _State:
    looking: bool = False
    within: bool = False
    quiet: bool = False
    in_full: bool = False


class Elements:
    """What holds for the evaluation of elements at this moment; each state lasts as long as its context manager.

    A sequence of symbolic length is evaluated in full at one arbitrary index, where it is made: what an element needs
    to be defined is obliged there. At every other index it is evaluated quietly, and must be one term for all indices.
    """

    def __init__(self) -> None:
        self._now = _State()

    @property
    def revisiting(self) -> bool:
        """Whether an element is evaluated again that was evaluated in full where its sequence was made."""
        return self._now.looking or self._now.quiet

    @property
    def uniform(self) -> bool:
        """Whether what is evaluated must be one term for all indices, so that no branch may be taken."""
        return self._now.looking or self._now.within

    def looking(self) -> AbstractContextManager[None]:
        """Elements are looked at; what they need to be defined was required when their sequence was made."""
        return self._with(looking=True)

    def in_full(self) -> AbstractContextManager[None]:
        """The element that is evaluated next is evaluated in full; those that it looks at in its turn are not."""
        return self._with(in_full=True)

    def inside_one(self) -> AbstractContextManager[None]:
        """An element is evaluated: quietly, unless it is the one to be evaluated in full."""
        return self._with(within=True, quiet=not self._now.in_full, in_full=False)

    def unbranched(self) -> AbstractContextManager[None]:
        """What is evaluated must be one term for all indices."""
        return self._with(within=True)

    @contextmanager
    def _with(self, **changes: bool) -> Iterator[None]:
        outer, self._now = self._now, replace(self._now, **changes)
        try:
            yield
        finally:
            self._now = outer


class Dependencies:
    """What the values of one path depend on; ``families`` are what indices were selected from, by their keys."""

    def __init__(self, elements: Elements) -> None:
        self.elements = elements
        self.families: dict[str, Family] = {}
        self.arrays: dict[str, frozenset[str]] = {}
        self._given: set[str] = set()

    def note(self, index: Term, family: Family, *, on_d: bool) -> None:
        """Note that an index was selected from a family.

        The alignment knows D's own selections only as part of the output, and for a given output they are given.
        """
        self.families[index.key] = family
        self.arrays[index.key] = arrays_looked_at(*self.contents(index.key))
        if on_d:
            self._given.add(index.key)

    def clear(self) -> None:
        """Let go of the sequences, which refer to the whole path."""
        self.families.clear()

    def decided_by_noise(self, atom: object) -> bool:
        """Whether a symbol is an index that was selected and is not given by the output."""
        return isinstance(atom, Symbol) and atom.key in self.families and atom.key not in self._given

    def contents(self, key: str) -> tuple[Any, ...]:
        """What decides a selection: an arbitrary element of its family, and whether the element belongs to it."""
        family = self.families[key]
        with self.elements.looking():
            admits = True if family.admits is None else family.admits(PROBE)
            return (family.element(PROBE), admits)

    def atoms(self, *values: Any) -> Iterator[Atom]:
        """Every atom that values mention, or depend on through indices that were selected."""
        seen: set[str] = set()
        waiting = list(values)
        while waiting:
            value = waiting.pop()
            if isinstance(value, tuple):
                waiting.extend(value)
                continue
            for atom in atoms_within(value):
                yield atom
                if self.decided_by_noise(atom) and atom.key not in seen:
                    seen.add(atom.key)
                    waiting.extend(self.contents(atom.key))

    def selects_by(self, index: Term, value: Term) -> bool:
        """Whether a value mentions a position in a sequence that is another one at another index."""
        seen: set[str] = set()
        waiting: list[Any] = [value]
        while waiting:
            for atom in atoms_within(waiting.pop()):
                if atom.key in self.families and atom.key not in seen:
                    seen.add(atom.key)
                    contents = (self.families[atom.key].length, *self.contents(atom.key))
                    known = [each for each in contents if not isinstance(each, bool | int)]
                    if any(index.key in each.keys_within for each in known):
                        return True
                    waiting.extend(known)
        return False

    def roles(self, *values: Any) -> frozenset[Role]:
        """The roles of all symbols that values depend on."""
        mentioned = {a.role for a in self.atoms(*values) if isinstance(a, Symbol | Element)}
        return frozenset(mentioned).union(*(roles(v) for v in values))


_ANY_INDEX = "any index "


def of_any_index(name: str) -> bool:
    """Whether a name has an index in it that stands for any: what has this name is another thing at another index."""
    return Role.INDEX.prefix + _ANY_INDEX in name


def of_own_index(name: str, index: Term) -> str:
    """A name in which the index that a sequence is looked at goes by one name, however deep that is nested."""
    return re.sub(re.escape(index.key) + r"(?!\d)", "#own index", name)


class Indices:
    """Makes indices. What is known of an index that stands for any says nothing of other indices."""

    def __init__(self) -> None:
        self.selected: list[Term] = []
        self._names: dict[str, int] = {}
        self._depth = 0
        self._arbitrary: set[str] = set()
        self._brought: dict[str, str] = {}

    def fresh(self, name: str) -> Term:
        """A whole number with a name of its own, for an index that may be any."""
        symbol = self._new(name)
        self._arbitrary.add(symbol.key)
        return Term.of(symbol)

    def select(self, name: str) -> Term:
        """A new index that was selected: universal facts are always instantiated at it."""
        index = Term.of(self._new(name))
        self.selected.append(index)
        return index

    def _new(self, name: str) -> Symbol:
        number = self._names[name] = self._names.get(name, 0) + 1
        return Symbol(name if number == 1 else f"{name}.{number}", Role.INDEX, integer=True)

    @contextmanager
    def arbitrary(self) -> Iterator[Term]:
        """An index that stands for any; nested ones differ, so that none is taken for another."""
        symbol = Symbol(f"{_ANY_INDEX}{self._depth}", Role.INDEX, integer=True)
        self._arbitrary.add(symbol.key)
        self._depth += 1
        try:
            yield Term.of(symbol)
        finally:
            self._depth -= 1

    def bring(self, symbol: Symbol, index: Term) -> None:
        """Note that what is known of an arbitrary index matters wherever ``symbol`` is mentioned."""
        self._brought[symbol.key] = index.key

    def arbitrary_in(self, *formulas: Any) -> frozenset[str]:
        """The keys of the indices in formulas that stand for any."""
        keys: set[str] = set()
        for formula in formulas:
            if not isinstance(formula, bool):
                mentioned = formula.keys_within
                keys |= mentioned & self._arbitrary
                keys |= {self._brought[symbol] for symbol in mentioned & self._brought.keys()} & self._arbitrary
        return frozenset(keys)


class Facts:
    """The facts of one path.

    Ground facts are assumed on ``path``, under its guards; ``universals`` hold at every index. ``dependencies`` knows
    what indices were selected from, ``rankings`` are the orders in which values were ranked. ``spacings`` are the
    lattice steps of noise, by the key of its symbol, or of a vector's array; ``rates`` are by how much what is summed
    may change for each unit by which its answer changes, by the key of what is summed. ``tick`` is called before each
    question and raises OutOfTime where the time is used up. ``at_end`` calls what is to be called when the path
    is over.
    """

    def __init__(
        self, path: Path, inputs: Inputs, tick: Callable[[], object], caches: Caches | None = None
    ) -> None:
        self.path = path
        self.inputs = inputs
        self.tick = tick
        self.caches = caches or Caches()
        self.elements = Elements()
        self.indices = Indices()
        self.universals: list[Universal] = []
        self.dependencies = Dependencies(self.elements)
        self.rankings: list[Ranking] = []
        self.spacings: dict[str, Term] = {}
        self.rates: dict[str, Term] = {}
        self.origins: dict[Any, tuple[FactOrigin, str]] = {}  # of formulas by their keys, and of universal facts
        # The obligations whose goals are known: their words or invariant, and the goal where that counts.
        self.relied_on: set[tuple[str, Any]] = set()
        self.at_end = ExitStack()
        self._of_pairs = True  # whether facts about two positions are stated

    def over(self) -> None:
        """End the path: its sequences, which refer to it, must not keep alive what was known on it."""
        self.at_end.close()
        self.dependencies.clear()
        self.rankings.clear()
        self.universals.clear()
        self.origins.clear()
        self.caches = Caches()

    def assume(self, formula: Any, origin: FactOrigin, words: str = "") -> None:
        """Take a formula as known from here on; under a guard, only where the guard holds.

        ``words`` say what is assumed, for the reader of a report; of what is obliged they are those of the obligation,
        or its invariant. Clash where the formula is plainly false although nothing but the prover says that it holds.
        """
        self._rely(origin, words)
        guarded = self.path.guarded(formula)
        if guarded is False and origin.assumed:
            raise Clash(words)
        new = guarded is not True and guarded is not False and guarded.key not in self.path.keys
        self.path.assume(formula)
        if new or (not isinstance(guarded, bool) and origin.of_runs):
            self.origins[guarded.key] = origin, words

    def decide(self, condition: Any, origin: FactOrigin) -> bool:
        """Which way an undecided condition goes on this path; it is known from here on."""
        known = len(self.path.assumed)
        way = self.path.decide(condition)
        for formula in self.path.assumed[known:]:
            self.origins[formula.key] = origin, ""
        return way

    def universal(
        self,
        holds: Callable[..., Any],
        origin: FactOrigin,
        words: str = "",
        over: Quantifier = Quantifier.POSITION,
        about: frozenset[str] = frozenset(),
    ) -> None:
        """Take as known what ``holds`` says at every index, under the guards of this moment."""
        self._rely(origin, words)
        guard = conjunction(tuple(self.path.guards))
        with self.elements.looking():  # at once, so that what the path comes to know later does not matter
            fact = Universal.of(over, lambda *indices: implies(guard, holds(*indices)), about)
        self.universals.append(fact)
        self.origins[fact] = origin, words

    def _rely(self, origin: FactOrigin, words: str) -> None:
        if origin is FactOrigin.OBLIGED:
            self.relied_on.add((words, None))

    @contextmanager
    def without_pairs(self) -> Iterator[None]:
        """Leave facts about two positions out for a while."""
        outer, self._of_pairs = self._of_pairs, False
        try:
            yield
        finally:
            self._of_pairs = outer

    def about(self, goal: Any) -> Hypotheses:
        """The part of what is known here that mentions no hidden value but those of the goal, and adjacency.

        Paths that differ elsewhere have this part in common.
        """
        hidden = self.caches.hidden(goal)
        stated = self._stated(goal, of=lambda formula: self.caches.hidden(formula) <= hidden)
        return Hypotheses(stated, goal, inputs=self.inputs, caches=self.caches)

    def _stated(self, *formulas: Any, of: Callable[[Any], bool] | None = None) -> tuple[Any, ...]:
        """The domain, and what is assumed of all indices or of those that some formulas mention.

        With ``of``, only formulas for which it is true.
        """
        arbitrary = self.indices.arbitrary_in
        local = arbitrary(*formulas)
        domain, assumed = (x if of is None else filter(of, x) for x in (self.inputs.domain, self.path.assumed))
        return (*domain, *(f for f in assumed if arbitrary(f) <= local))

    def premise(self, goal: Any = True) -> Premise:
        """What is known here, which must be possible; ``goal`` mentions the indices that matter."""
        stated = {f.key: words for f in self.path.assumed for origin, words in [self._origin(f)] if origin.assumed}
        everywhere = [words for fact in self.universals for origin, words in [self._origin(fact)] if origin.assumed]
        return Premise(
            self.hypotheses(goal),
            self.hypotheses(goal, of=lambda origin: origin.of_runs or origin.assumed),
            self.of_runs(goal),
            tuple(stated.items()),
            tuple(dict.fromkeys(everywhere)),
        )

    def of_runs(self, goal: Any, given: Iterable[Any] = ()) -> Hypotheses:
        """What says which runs are spoken of here, and nothing that a prover assumes of them or has obliged."""
        return replace(self.hypotheses(goal, given, of=lambda origin: origin.of_runs), inputs=None)

    def _origin(self, fact: Any) -> tuple[FactOrigin, str]:
        """Where a fact comes from, with its words; what an expression of a trial decides is a branch of D."""
        return self.origins.get(fact if isinstance(fact, Universal) else fact.key, (FactOrigin.BRANCH, ""))

    def hypotheses(
        self, goal: Any = True, given: Iterable[Any] = (), of: Callable[[FactOrigin], bool] = lambda origin: True
    ) -> Hypotheses:
        """What is known here; universal facts and adjacency are stated at the indices that matter to the goal.

        ``of`` says of an origin whether facts from there count.
        """
        self.tick()
        asked = tuple(g for g in given if g is not True)
        if any(g is False for g in asked):
            return Hypotheses.of((False,))
        stated = tuple(f for f in self._stated(goal, *asked) if of(self._origin(f)[0]))
        universals = tuple(
            f
            for f in self.universals
            if (self._of_pairs or f.over is not Quantifier.PAIR) and of(self._origin(f)[0])
        )
        selected = tuple((index, self.dependencies.arrays.get(index.key)) for index in self.indices.selected)
        facts = UniversalFacts(universals, selected, self.caches.instances)
        rates = tuple(self.rates.items())
        hypotheses = Hypotheses(stated, goal, asked, facts, self.inputs, rates, caches=self.caches)
        if not all(fact.uniform for fact in self.universals):
            with self.elements.looking():
                list(hypotheses.steps())  # now: a fact that is not uniform is evaluated where it is stated
        return hypotheses
