"""Invariants of a loop: what holds at its head, on D and on D′, before every iteration.

There are four kinds: a variable is equal on D and D′ (the two then share one symbol); a condition that the program
itself suggests (the way past a break, a counter that only grows); a bound on the cost so far by what a counter has
gained; and what the user states.

How an invariant is evaluated: an expression on both runs at the head of a loop, which must have a value there.

Which variables of a loop the scales of its draws are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Any

from alignkit.errors import Undefined, Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Family
from alignkit.language.kinds import Kind
from alignkit.language.program import (
    Assign,
    Break,
    Builtin,
    Compare,
    Draw,
    Expression,
    For,
    If,
    Name,
    Not,
    Place,
    Return,
    Statement,
    target_names,
    walk,
)
from alignkit.proving.conditions.adaptive_queries import Theorem
from alignkit.proving.facts.path_facts import Indices
from alignkit.proving.runs.loop_states import AnswerBlock, Counter, LoopState
from alignkit.proving.runs.output_shapes import Path, Shapes
from alignkit.proving.runs.returned_forms import Mark, ReturnForms
from alignkit.proving.symbolic_context import DefinedContext
from alignkit.proving.vectors.selections import Naming
from alignkit.proving.vectors.summing import body_of, sum_of_body
from alignkit.running.alignment_program import PRIVACY_COST, ROUNDS_OVER
from alignkit.symbolic.summation import NotASum
from alignkit.symbolic.terms import Term


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

    def reduce(self, function: str, family: Family, node: Builtin) -> Any:
        if function != "sum":
            raise self.unsupported(f"{function} over a sequence of symbolic length in an invariant", node.place)
        with self.indices.arbitrary() as index:
            body = body_of(family, index, node)
        try:
            return sum_of_body(body, Term.of(family.length))
        except NotASum:
            problem = "a sum in an invariant whose items depend on more than answers and public values"
            raise self.unsupported(problem, node.place) from None


def read_by_scales(loop: For, changed: Iterable[str]) -> tuple[str, ...]:
    """The changed variables that scales of draws in the loop read, in their arguments or by what these are made of."""
    nodes = list(walk(*loop.body))
    read = _names(argument for node in nodes if isinstance(node, Draw) for argument in node.arguments)
    assignments = [node for node in nodes if isinstance(node, Assign) and not isinstance(node.value, Draw)]
    while True:
        further = _names(node.value for node in assignments if read & set(target_names(node.target))) - read
        if not further:
            return tuple(name for name in changed if name in read)
        read |= further


def _names(expressions: Iterable[Expression]) -> set[str]:
    return {node.name for expression in expressions for node in walk(expression) if isinstance(node, Name)}


@dataclass(frozen=True)
class Invariant:
    """A condition on a state of the loop; it may refer to the state before the first iteration.

    ``block`` is the block of whose sum the condition speaks. ``rates`` are those of a bound on the cost, by counter;
    None where it is none.
    """

    name: str
    holds: Callable[[LoopState, LoopState], Any] = field(repr=False)
    about_cost: bool = False
    block: AnswerBlock | None = None
    rates: tuple[tuple[Counter, Term], ...] | None = field(default=None, repr=False)


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
    none is to give an output, and ``last`` whether nothing is to be put out when it is over. ``inner`` are the plans of
    the loops inside; ``alone`` is whether the program has no other loop of symbolic length. ``theorem`` is the
    one by which analysts may choose their queries. ``positions`` are the parts of every output that are to be a
    position in the first private list. ``returned`` are the forms of what a function may return.
    ``each`` is how many outputs every iteration is to give that goes on, None where their number varies and nothing
    rests on it; ``told`` are the places of outputs that name the iteration, with what is added to it;
    ``lists`` says the same of lists that the loop makes longer. ``kept`` are the variables that change only where the
    loop is left, ``marks`` those that hold the number of an iteration and are returned. The last six are for a loop
    that is ``alone``.
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
    last: bool = False
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

    @property
    def obliged(self) -> tuple[str, ...]:
        """The names of the equalities and of the invariants."""
        return (*(equality(v) for v in sorted(self.equal)), *(i.name for i in self.invariants))

    def apart(self) -> tuple[LoopPlan, tuple[Invariant, ...]]:
        """The plan without its bounds on the cost, and these."""
        others = tuple(i for i in self.invariants if i.rates is None)
        return replace(self, invariants=others), tuple(i for i in self.invariants if i.rates is not None)

    def without(self, names: frozenset[str]) -> LoopPlan:
        """The plan without the invariants (or equalities) of these names."""
        kept = tuple(i for i in self.invariants if i.name not in names)
        equal = frozenset(v for v in self.equal if equality(v) not in names)
        drawn = frozenset(key for key in self.drawn if drawn_always(key) not in names)
        alike, whole = self.alike and ALIKE not in names, self.whole and WHOLE not in names
        marks = self.marks if whole else ()
        return replace(self, equal=equal, invariants=kept, alike=alike, drawn=drawn, whole=whole, marks=marks)


ALIKE = "D' has selected what D has selected so far"
WHOLE = "no iteration leaves the loop"


def equality(variable: str) -> str:
    """The name of the invariant that a variable is equal on both sides."""
    return f"{variable} is equal on D and D'"


def drawn_always(key: str) -> str:
    """The name of the invariant that a draw is made in every iteration."""
    return f"every iteration draws {key}"


def loop_candidates(
    node: For, kinds: Mapping[str, Kind], changed: tuple[str, ...], limits: tuple[str, ...]
) -> LoopPlan:
    """The invariants worth trying for a loop; ``limits`` are public counts that may bound a counter."""
    suggested: list[Invariant] = []
    for guard in guards(node.body):
        if all(n.name in kinds for n in walk(guard) if isinstance(n, Name)):
            suggested += [guard_missed(guard), *_closed(guard)]
    if not suggested:
        suggested = [_at_most(name, limit) for name in changed for limit in limits]
    suggested += map(_at_least_before, changed)
    suggested += map(stays_above_zero, read_by_scales(node, changed))
    return LoopPlan(node, frozenset(changed), tuple(suggested))


def equal_gains(lists: tuple[str, ...], counters: tuple[str, ...]) -> tuple[Invariant, ...]:
    """That two lists have gained as many items, or a counter as much as a list: worth trying."""
    pairs = [*combinations(lists, 2), *((counter, grown) for counter in counters for grown in lists)]
    return tuple(Invariant(f"{one} gains as much as {other}", partial(_gain_alike, one, other)) for one, other in pairs)


def _gain_alike(one: str, other: str, state: LoopState, start: LoopState) -> Any:
    gains = (state.counted(counter) - start.counted(counter) for counter in (one, other))
    return next(gains).compare("==", next(gains))


def stated(text: str, expression: Expression) -> Invariant:
    """A user's invariant."""
    return _expression(text, expression, on_both=False)


def cost_potential(rates: tuple[tuple[Counter, Term], ...]) -> Invariant:
    """The bound cost <= cost at the start + the sum over counters of rate * (counter - counter at the start)."""
    shown = " + ".join(f"({rate}) * gain of {counter}" for counter, rate in rates)

    def holds(state: LoopState, start: LoopState) -> Any:
        gains = (rate * (state.counted(counter) - start.counted(counter)) for counter, rate in rates)
        return (state.cost - start.cost).compare("<=", sum(gains, Term.of(0)))

    return Invariant(f"{COST}{f' + {shown}' if shown else ''}", holds, about_cost=True, rates=rates)


# As invariants that users state name it: `cost` is often a variable of the program.
COST = "privacy_cost <= privacy_cost before the loop"


def _at_most(name: str, limit: str) -> Invariant:
    return Invariant(f"{name} <= {limit}", lambda state, start: _compare(state, name, "<=", state.names[limit]))


def _at_least_before(name: str) -> Invariant:
    text = f"{name} >= {name} before the loop"
    return Invariant(text, lambda state, start: _compare(state, name, ">=", start.names[name]))


def stays_above_zero(name: str) -> Invariant:
    """The invariant that a variable stays above 0, as scales that divide by it must."""
    return Invariant(f"{name} > 0", lambda state, start: _compare(state, name, ">", Term.of(0)))


def _compare(state: LoopState, name: str, relation: str, other: Any) -> Any:
    return Term.of(state.names[name]).compare(relation, other)


def _expression(text: str, expression: Expression, *, on_both: bool = True) -> Invariant:
    """The invariant that an expression holds of D, in which ``x_`` is x on D′; ``on_both`` says it of D′ too."""

    def holds(state: LoopState, start: LoopState) -> Any:
        of_d = {**{f"{name}_": value for name, value in state.names_.items()}, **state.names, PRIVACY_COST: state.cost}
        of_d = {ROUNDS_OVER: state.rounds, **of_d}
        sides = [of_d, {**of_d, **state.names_}] if on_both else [of_d]
        result: Any = True
        for names in sides:
            try:
                result = result & Evaluator(InvariantContext()).condition(expression, names)
            except Undefined as problem:
                raise Unsupported(
                    f"the invariant {text!r}, which is not shown to have a value everywhere: {problem.problem}"
                ) from problem
        return result

    about_cost = any(isinstance(node, Name) and node.name == PRIVACY_COST for node in walk(expression))
    return Invariant(text, holds, about_cost)


def guard_missed(guard: Expression) -> Invariant:
    """The invariant that the condition of a break did not hold."""
    return _expression(f"not ({as_written(guard)})", Not(guard.place, guard))


def guards(body: tuple[Statement, ...]) -> list[Expression]:
    """The condition of every `if` that ends in a break or a return: the loop is left where it holds."""
    tests: list[Expression] = []
    for statement in body:
        if isinstance(statement, If):
            if statement.then and isinstance(statement.then[-1], Break | Return):
                tests.append(statement.test)
            tests += guards(statement.then) + guards(statement.other)
    return tests


# What may hold until a comparison does: its opposite, with equality let in; and for an equality either side of it.
_CLOSED = {">=": ("<=",), "<=": (">=",), "==": ("<=", ">=")}


def _closed(guard: Expression) -> list[Invariant]:
    """What may hold until a guard does, with equality let in: a loop may begin where its guard holds already."""
    if not isinstance(guard, Compare):
        return []
    return [
        _expression(
            f"{as_written(guard.left)} {relation} {as_written(guard.right)}",
            Compare(guard.place, relation, guard.left, guard.right),
        )
        for relation in _CLOSED.get(guard.operator, ())
    ]


def as_written(expression: Expression) -> str:
    """The text of an expression in its program."""
    place = expression.place
    return place.source.text(place.line)[place.column : place.end_column]
