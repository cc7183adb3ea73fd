"""The two runs at the head of a loop, and what one iteration makes of them.

Placeholders: a formula over them speaks of any state of a loop, and says something of one when its numbers are put in.

What one iteration of D adds to the variables of a loop, on one path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family, is_condition
from alignkit.proving.runs.grown_lists import GrownList, name_of_length
from alignkit.symbolic.atoms import Element, Remainder, Symbol
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.substitution import Substitution
from alignkit.symbolic.summation import RunningSum, only_atom, running_sum
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role

# The index of the arbitrary iteration, which is public; that of the first loop.
ITERATION = Symbol("iteration", Role.INDEX, integer=True)


# What tells the loops of a program apart: those at the top level are counted from 0, one inside another has a text.
LoopNumber = int | str


def outer_iteration(number: LoopNumber) -> tuple[Atom, ...]:
    """The index of the iteration that a loop inside another stands in."""
    return () if isinstance(number, int) else tuple(iteration_of(int(number.split(".")[0]) - 1).atoms())


def inner_number(number: LoopNumber, statement: int) -> LoopNumber:
    """The number of a loop that is a statement of the body of another."""
    return f"{shown_number(number)}.{statement + 1}"


def shown_number(number: LoopNumber) -> str:
    """The number of a loop as a reader counts."""
    return str(number + 1) if isinstance(number, int) else number


def in_loop(name: str, number: LoopNumber) -> str:
    """The name of a symbol that the head of each loop has for itself."""
    return name if number == 0 else f"{name} in loop {shown_number(number)}"


def iteration_of(number: LoopNumber) -> Term:
    """The index of the arbitrary iteration of a loop."""
    return Term.of(Symbol(in_loop(ITERATION.name, number), Role.INDEX, integer=True))


def variable_at_head(name: str, *, integer: bool = False, truth: bool = False) -> Any:
    """A variable at the head of a loop that changes it: a number, or a condition where it holds a ``truth``."""
    number = Term.of(Symbol(name, Role.STATE, integer=integer or truth))
    return number.compare("==", 1) if truth else number


def number_of(value: Any) -> Term:
    """What a variable holds as a number: 1 and 0 stand for True and False."""
    return Term.of(op.choose(value, 1, 0) if is_condition(value) else value)


def list_at_head(name: str, start: Any, *, truths: bool = False) -> Any:
    """A list at the head of a loop that makes another list of as many items of it; ``start`` is what it was before.

    Both runs have it alike. The items are numbers, or conditions where it holds ``truths``.
    """
    if isinstance(start, tuple):
        return tuple(variable_at_head(f"{name}[{i}]", truth=truths) for i in range(len(start)))
    items = Family(start.length, lambda index: Term.of(Element(name, Term.of(index), Role.STATE, integer=truths)))
    return Family(start.length, lambda index: items.element(index).compare("==", 1)) if truths else items


def is_iteration(atom: Atom) -> bool:
    """Whether an atom is the index of some loop's arbitrary iteration."""
    if not isinstance(atom, Symbol) or atom.role is not Role.INDEX:
        return False
    return atom == ITERATION or atom.name.startswith(in_loop(ITERATION.name, ""))


def of_alignment(name: str) -> str:
    """The name, in a state, of what a loop of the alignment keeps in a variable."""
    return f"the alignment's {name}"


# What the cost may be counted against, besides the program's own variables.
CHANGE = "the change of the answers"
ROUNDS = "the iterations"
OUTPUTS = "the outputs"


@dataclass(frozen=True)
class LoopState:
    """The two runs at the loop's head: their names, the cost of the shifts so far, and the change so far.

    ``changed`` is what adjacency has spent up to here: the sum of |q_i - q'_i| under l1, the number of changed
    answers under one; None under the others. ``rounds`` is the number of iterations so far, ``outputs`` the number
    of outputs (counted where the claim depends on it). ``beside`` is what loops of the alignment keep.
    """

    names: Mapping[str, Any]
    names_: Mapping[str, Any]
    cost: Term
    changed: Term | None
    rounds: Term
    outputs: Term = field(default_factory=lambda: Term.of(0))
    beside: Mapping[str, Term] = field(default_factory=dict)

    def counted(self, counter: Counter) -> Term:
        """The value of a counter: a variable of D or of the alignment, one of those above, or a ghost."""
        if isinstance(counter, Ghost):
            return put(counter.value, self, self)  # type: ignore[no-any-return]
        if counter in (ROUNDS, OUTPUTS):
            return self.rounds if counter == ROUNDS else self.outputs
        if counter in self.beside:
            return self.beside[counter]
        for name, value in self.names.items():
            if isinstance(value, GrownList | tuple) and name_of_length(name) == counter:
                return Term.of(len(value) if isinstance(value, tuple) else value.length)
        return number_of(self.changed if counter == CHANGE else self.names[counter])


@dataclass(frozen=True)
class LoopRound:
    """A loop when it began, at its head, and after an iteration: None where that left the loop, or the loop is over."""

    start: LoopState
    head: LoopState
    after: LoopState | None


@dataclass(frozen=True)
class Ghost:
    """A counter that no variable holds: a name, and its value as a term over placeholders of one state."""

    name: str
    value: Term = field(repr=False)

    def __str__(self) -> str:
        return self.name


# What the cost of a loop may be counted against: a variable or one of the counters above, by name, or a ghost.
Counter = str | Ghost


@dataclass(frozen=True, eq=False, repr=False)
class Placeholder(Symbol):
    """Stands for a number of a state: of a counter on D, or with ``primed`` of a variable on D′.

    With ``before`` it is that of the state before the first iteration.
    """

    counter: str = ""
    primed: bool = False
    before: bool = False

    def of(self, state: LoopState) -> Term:
        """The number of a state that this stands for; KeyError where it has none."""
        number = number_of(state.names_[self.counter]) if self.primed else state.counted(self.counter)
        if self.integer and not number.integer:
            raise Unsupported(f"an invariant that takes {self.counter} for a whole number")
        return number


def placeholder(counter: str, *, primed: bool = False, before: bool = False) -> Term:
    """What stands for a counter on D, or for a variable on D′."""
    name = "@" + counter + "'" * primed + " before the loop" * before
    return Term.of(Placeholder(name, Role.STATE, counter == ROUNDS, counter=counter, primed=primed, before=before))


def put(value: Any, state: LoopState, start: LoopState) -> Any:
    """A term or formula with the numbers of a state, and of the one before the loop, in place of its placeholders."""
    if isinstance(value, bool):
        return value
    stand = (atom for atom in atoms_within(value) if isinstance(atom, Placeholder))
    try:
        return _Putting({atom: atom.of(start if atom.before else state) for atom in stand})(value)
    except ZeroDivisionError:
        raise Unsupported("an invariant that divides by 0 at some state of the loop") from None


class _Putting(Substitution):
    """Puts terms for atoms, and sums anew what is summed up to where they stand."""

    def element(self, element: Element) -> Term:
        moved = super().element(element)
        atom = only_atom(moved)
        return running_sum(atom.body, atom.index) if isinstance(atom, RunningSum) else moved


def only_of_states(value: Any, fixed: Iterable[Atom]) -> bool:
    """Whether a term or formula is made of placeholders, inputs, and what is ``fixed`` while the loop runs.

    What it says is then a property of states: nothing in it stands for the iteration at hand.
    """
    if isinstance(value, bool):
        return True
    known = {atom.key for atom in fixed}
    named = (atom for atom in atoms_within(value) if atom.role is not None)
    return not value.unknowns and all(
        isinstance(atom, Placeholder) or atom.role in (Role.PUBLIC, Role.PRIVATE) or atom.key in known for atom in named
    )


# What the items of a running total may depend on.
OF_ANSWERS = frozenset({Role.PUBLIC, Role.PRIVATE, Role.INDEX})


@dataclass(frozen=True)
class Gains:
    """What an iteration of D makes of each variable on one path, what it adds, and what private conditions lead there.

    ``divisors`` are the public numbers by which the path divides the number of the iteration, or a variable.
    """

    became: Mapping[str, Term] = field(default_factory=dict)
    gained: Mapping[str, Term] = field(default_factory=dict)
    when: Any = True
    divisors: frozenset[Term] = frozenset()

    @staticmethod
    def of(before: Mapping[str, Term], after: Mapping[str, Any], assumed: Iterable[Any]) -> Gains:
        """The gains of variables, on a path with these assumptions."""
        conditions = list(assumed)
        private = (f for f in conditions if Role.PRIVATE in roles(f) and roles(f) <= OF_ANSWERS)
        gained = {name: number_of(after[name]) - value for name, value in before.items()}
        divided = {atom.key: atom for f in conditions for atom in atoms_within(f) if isinstance(atom, Remainder)}
        divisors = frozenset(
            atom.divisor
            for atom in divided.values()
            if (ITERATION in atoms_within(atom.of) or Role.STATE in roles(atom.of))
            and roles(atom.divisor) <= {Role.PUBLIC}
        )
        became = {name: number_of(after[name]) for name in before}
        return Gains(became, gained, conjunction(tuple(private)), divisors)

    def gain(self, name: str) -> Term | None:
        """What the iteration adds to a variable."""
        return self.gained.get(name)

    def after(self, name: str) -> Term | None:
        """What a variable is after the iteration."""
        return self.became.get(name)

    def taken(self, name: str) -> str | None:
        """The variable whose value, at the head, another variable takes."""
        before = {became - self.gained[other]: other for other, became in self.became.items()}
        return before.get(self.became[name]) if name in self.became else None
