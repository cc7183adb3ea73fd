"""Invariants of a loop: what holds at its head, on D and on D′, before every iteration.

A variable is equal on D and D′ (the two then share one symbol), or an invariant says more: a formula over placeholders
for the numbers of a state, an expression of the program on both runs, or a bound on the cost so far by what counters
have gained. Which of them are worth trying is not decided here.

How an expression is evaluated: on both runs at the head of a loop, where it must have a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from alignkit.errors import Undefined, Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Family, Where
from alignkit.language.program import Builtin, Expression, For, Name, Place, walk
from alignkit.proving.conditions.adaptive_queries import Theorem
from alignkit.proving.facts.path_facts import Indices
from alignkit.proving.runs.loop_states import Counter, Ghost, LoopState, of_alignment, only_of_states, placeholder, put
from alignkit.proving.runs.output_shapes import Held, Path, Shapes
from alignkit.proving.runs.returned_forms import Mark, ReturnedRange, ReturnForms
from alignkit.proving.symbolic_context import DefinedContext
from alignkit.proving.vectors.selections import Naming
from alignkit.proving.vectors.summing import body_of
from alignkit.running.alignment_program import PRIVACY_COST, ROUNDS_OVER
from alignkit.symbolic.summation import NotASum, sum_of_items
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom


class InvariantContext(DefinedContext):
    """Evaluates an invariant without a branch. It may speak of all answers, and of sums of them."""

    def __init__(self) -> None:
        super().__init__({})
        self.indices = Indices()

    def decide(self, condition: Any, place: Place) -> bool:
        if not isinstance(condition, bool):
            raise Unsupported("a branch inside an invariant", place)
        return condition

    def element(self, family: Family, index: Any, place: Place) -> Any:
        # An invariant is only a formula on the way to a proof: answers outside the list do no harm in it.
        return family.element(self.whole(index, place))

    def reduce(self, function: str, family: Family, node: Builtin, where: Where) -> Any:
        if function != "sum":
            raise self.unsupported(f"{function} over a sequence of symbolic length in an invariant", node.place)
        with self.indices.arbitrary() as index:
            body = body_of(family, index, node)
        try:
            return sum_of_items(body, Term.of(family.length))
        except NotASum:
            problem = "a sum in an invariant whose items depend on more than answers and public values"
            raise self.unsupported(problem, node.place) from None


@dataclass(frozen=True)
class Invariant:
    """What holds of every state of a loop, as a ``formula`` over placeholders; it may refer to the state before it.

    Whoever proposes one is not trusted. States are put into it here, and ``speaks_of_states`` refuses what would say
    something else of one iteration than of the next.
    """

    name: str
    formula: Any = field(default=True, repr=False)

    @property
    def about_cost(self) -> bool:
        """Whether it says something of the cost."""
        return False

    def holds(self, state: LoopState, start: LoopState) -> Any:
        """What it says of a state; KeyError where the state has no such variable."""
        return put(self.formula, state, start)

    def speaks_of_states(self, fixed: Iterable[Atom]) -> bool:
        """Whether it names states and inputs only, and what is ``fixed`` while the loop runs."""
        return only_of_states(self.formula, fixed)


@dataclass(frozen=True)
class CostBound(Invariant):
    """The cost is at most that before the loop and, for each counter, its rate times what the counter has gained."""

    rates: tuple[tuple[Counter, Term], ...] = field(default=(), repr=False)

    @property
    def about_cost(self) -> bool:
        return True

    def holds(self, state: LoopState, start: LoopState) -> Any:
        gains = (rate * (state.counted(counter) - start.counted(counter)) for counter, rate in self.rates)
        return (state.cost - start.cost).compare("<=", sum(gains, Term.of(0)))

    def speaks_of_states(self, fixed: Iterable[Atom]) -> bool:
        values = [counter.value for counter, _ in self.rates if isinstance(counter, Ghost)]
        known = set(fixed)
        return all(only_of_states(term, known) for term in (*values, *(rate for _, rate in self.rates)))


@dataclass(frozen=True)
class Alike(Invariant):
    """That what a loop of the alignment keeps in a variable is a number of the state of the mechanism's loop."""

    variable: str = field(kw_only=True)
    number: Term = field(kw_only=True, repr=False)

    @staticmethod
    def of(variable: str, number: Term, shown: str) -> Alike:
        """The invariant of a variable and a number over placeholders."""
        key = of_alignment(variable)
        return Alike(f"{key} == {shown}", placeholder(key).compare("==", number), variable=key, number=number)


@dataclass(frozen=True)
class ProgramCondition(Invariant):
    """An expression of the program that holds of D, in which ``x_`` is x on D′; ``on_both`` says it of D′ too.

    It need not hold where ``unless`` does, a formula over placeholders.
    """

    expression: Expression = field(kw_only=True, repr=False)
    on_both: bool = True
    unless: Any = field(default=False, repr=False)

    @property
    def about_cost(self) -> bool:
        return any(isinstance(node, Name) and node.name == PRIVACY_COST for node in walk(self.expression))

    def holds(self, state: LoopState, start: LoopState) -> Any:
        of_d = {**{f"{name}_": value for name, value in state.names_.items()}, **state.names, PRIVACY_COST: state.cost}
        of_d = {ROUNDS_OVER: state.rounds, **of_d}
        sides = [of_d, {**of_d, **state.names_}] if self.on_both else [of_d]
        result: Any = True
        otherwise = put(self.unless, state, start)
        for names in sides:
            try:
                result = result & (Evaluator(InvariantContext()).condition(self.expression, names) | otherwise)
            except Undefined as problem:
                raise Unsupported(
                    f"the invariant {self.name!r}, which is not shown to have a value everywhere: {problem.problem}"
                ) from problem
        return result

    def speaks_of_states(self, fixed: Iterable[Atom]) -> bool:
        return only_of_states(self.unless, fixed)


def cost_potential(rates: tuple[tuple[Counter, Term], ...]) -> CostBound:
    """The bound cost <= cost at the start + the sum over counters of rate * (counter - counter at the start)."""
    shown = " + ".join(f"({rate}) * gain of {counter}" for counter, rate in rates)
    return CostBound(f"{COST}{f' + {shown}' if shown else ''}", rates=rates)


# As invariants that users state name it: `cost` is often a variable of the program.
COST = "privacy_cost <= privacy_cost before the loop"


@dataclass(frozen=True)
class ListPlan:
    """How a list that the loop makes longer may be read; see ``LoopPlan``."""

    each: int | None
    told: Mapping[Path, int]
    shapes: Shapes
    names: tuple[Naming, ...] = ()


@dataclass(frozen=True, eq=False)
class LoopPlan:
    """The invariants under which a loop is to be proved: variables equal on both sides, and further conditions.

    ``names`` is what the outputs name; ``alike`` is whether D′ is to have selected so far what D has selected;
    ``steady`` is whether every iteration is to give an output, the last one included; ``by_pieces`` is whether the
    vectors drawn before the loop are one-to-one by the general theorem; ``still`` is whether no iteration is to draw.
    ``shapes`` are those that outputs are to have, where ``shapes_of_rest`` those after the loop too; ``drawn`` are the
    draws that every iteration is to make; ``whole`` is whether no iteration is to leave the loop, ``silent`` whether
    none is to give an output, and ``after`` how many are to be put out when it is over (None: not known). ``inner`` are
    the plans of the loops inside; ``alone`` is whether the program has no other loop of symbolic length. ``theorem`` is
    the one by which analysts may choose their queries. ``positions`` are the parts of every output that are to be a
    position in the first private list. ``returned`` are the forms of what a function may return.
    ``each`` is how many outputs every iteration is to give that goes on, None where their number varies and nothing
    rests on it; ``told`` are the places of outputs that name the iteration, with what is added to it;
    ``lists`` says the same of lists that the loop makes longer. ``kept`` are the variables that change only where the
    loop is left, ``marks`` those that hold the number of an iteration and are returned, ``ranges`` where returned
    variables stay. The last seven are for a loop that is ``alone``. So is ``held``: the variables that are to be a
    number of the last output, each with its place.
    """

    loop: For
    equal: frozenset[str]
    invariants: tuple[Invariant, ...]
    names: tuple[Naming, ...] = ()
    alike: bool = True
    steady: bool = False
    by_pieces: bool = False
    still: bool = False
    shapes: Shapes = field(default_factory=lambda: Shapes(None))
    shapes_of_rest: bool = False
    drawn: frozenset[str] = frozenset()
    whole: bool = False
    silent: bool = False
    after: int | None = None
    theorem: Theorem | None = None
    inner: tuple[LoopPlan, ...] = ()
    alone: bool = False
    positions: frozenset[int | None] = frozenset()
    returned: ReturnForms = field(default_factory=ReturnForms)
    each: int | None = 1
    told: Mapping[Path, int] = field(default_factory=dict)
    lists: Mapping[str, ListPlan] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    marks: tuple[Mark, ...] = ()
    ranges: tuple[ReturnedRange, ...] = ()
    held: frozenset[Held] = frozenset()

    @property
    def obliged(self) -> tuple[str, ...]:
        """The names of the equalities and of the invariants."""
        equal = (equality(v) for v in sorted(self.equal))
        return (*equal, *(i.name for i in self.invariants), *(each.words for each in self.ranges))

    def apart(self) -> tuple[LoopPlan, tuple[CostBound, ...]]:
        """The plan without its bounds on the cost, and these."""
        others = tuple(i for i in self.invariants if not isinstance(i, CostBound))
        return replace(self, invariants=others), self.bounds

    @property
    def alike_in_alignment(self) -> tuple[Alike, ...]:
        """What is said of the variables of the alignment's loops."""
        return tuple(i for i in self.invariants if isinstance(i, Alike))

    @property
    def bounds(self) -> tuple[CostBound, ...]:
        """The bounds on the cost."""
        return tuple(i for i in self.invariants if isinstance(i, CostBound))

    def without(self, names: frozenset[str]) -> LoopPlan:
        """The plan without the invariants (or equalities) of these names."""
        kept = tuple(i for i in self.invariants if i.name not in names)
        equal = frozenset(v for v in self.equal if equality(v) not in names)
        drawn = frozenset(key for key in self.drawn if drawn_always(key) not in names)
        alike, whole = self.alike and ALIKE not in names, self.whole and WHOLE not in names
        marks = self.marks if whole else ()
        ranges = tuple(each for each in self.ranges if each.words not in names)
        return replace(
            self, equal=equal, invariants=kept, alike=alike, drawn=drawn, whole=whole, marks=marks, ranges=ranges
        )


ALIKE = "D' has selected what D has selected so far"
WHOLE = "no iteration leaves the loop"


def equality(variable: str) -> str:
    """The name of the invariant that a variable is equal on both sides."""
    return f"{variable} is equal on D and D'"


def drawn_always(key: str) -> str:
    """The name of the invariant that a draw is made in every iteration."""
    return f"every iteration draws {key}"
