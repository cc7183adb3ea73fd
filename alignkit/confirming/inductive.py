"""The opinion for every n: a loop over the answers is cut open, and one arbitrary iteration stands for all of them.

1. The part before the loop runs on D and, with its noise moved, on D′. What is claimed to hold at the loop's head (an
   invariant) is asked of the values that it leaves: the base.
2. What the body assigns becomes unknown, on D and on D′, and the invariants are assumed. The body runs once, on an
   element of each list about which nothing is known but adjacency: the step. Where both runs go on, the invariants are
   asked again; wherever they leave, or could leave since the list may end there, the claim is asked.
   An output that is returned is given by the iteration at hand, a later one, or at the end of the list: the alignment
   is run for each, and what holds at the loop's head is so whichever it is.
3. The same outputs, draws and scales, supports and lattices, and the same way of leaving are asked of every step, and
   with them of every run.

The outputs of a run fix the shifts up to the noise that they read, which comes earlier; decisions by noise are refused.
So two vectors of noise that are moved to the same one agree: D′ draws on that one what D draws on each of them, which
is then the same noise, and is moved alike. Each shift is a translation given the noise before it, and keeps volumes.

Of two loops, the second begins with what any way out of the first leaves; none of the first one's variables is handed
on.

Values of whole lists are refused: a list shows its element at the iteration at hand alone. Sums over the iterations so
far are unknown, and what one more iteration adds to them is known; of the sum of all changes it is known too that it is
within adjacency, with the change at hand. Nothing that lasts may be changed in place, since only what the body assigns
is made unknown.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from alignkit.confirming.cutting import (
    HERE,
    SUMMED,
    Before,
    Cut,
    CutNames,
    Elements,
    Here,
    Length,
    Loop,
    Summands,
    Whole,
)
from alignkit.confirming.normal_forms import (
    Comparison,
    NotExaminedError,
    Number,
    UndefinedError,
    Unknown,
    divided,
    made,
    plain,
    same,
    substituted,
    terms_of,
    unknowns_of,
)
from alignkit.confirming.small_inputs import Inputs
from alignkit.confirming.trials import (
    Coordinate,
    Fails,
    NoiseView,
    Opaque,
    Record,
    Setting,
    Source,
    Trial,
    decided,
    discrete_part,
    has_real_parts,
    is_whole,
    read_claim,
    seen,
    undefined_as_such,
)
from alignkit.confirming.worlds import (
    Clause,
    DeadError,
    Functions,
    Interface,
    Literal,
    OutOfWorkError,
    PathWorld,
    magnitude,
)


class _Splits(Exception):
    """What must be known of all answers before the runs begin: whether a condition holds of every one."""

    def __init__(self, key: Any) -> None:
        super().__init__()
        self.key = key


# The words of a bound on the cost so far, which holds after an iteration because it grows by what that costs.
COST = "a bound on the cost"
class _CutNames(CutNames):
    """What names stand for where the loop is cut open."""

    def __init__(self, functions: Functions, examination: _EveryIteration) -> None:
        super().__init__(functions, examination.listed)
        self.left: list[dict[str, Any]] = []
        self.own = {
            **self.own,
            "__counted": lambda values: [(HERE, None)] if values is HERE else enumerate(values),
            "__here": HERE,
            "__state": builtins.locals,
            "__leave": self.left.append,
            "__none": (),
            "all": examination.all_of,
            "any": _not_of_elements(any),
            "sum": examination.sum_of,
            "min": examination.least,
            "len": lambda values: Length(values) if isinstance(values, Cut) else len(values),
            "range": examination.places,
            "reversed": lambda values: list(reversed(values)),
        }


def _not_of_elements(function: Callable[..., Any]) -> Callable[..., Any]:
    def asked(values: Any) -> Any:
        if isinstance(values, Elements):
            raise NotExaminedError(f"`{function.__name__}` of all answers")
        return function(values)

    return asked


class _NoiseHere(NoiseView):
    """H, as an alignment sees it in the iteration at hand."""

    def __init__(self, alignment: Any, record: Record, index: Any, loops: Sequence[Loop]) -> None:
        super().__init__(alignment, record)
        self._index, self._loops = index, loops

    def __getattr__(self, name: str) -> Any:
        family = self._record.names.get(name, [])
        if all(where == () for where, _ in family) and family:
            return super().__getattr__(name)
        if len(family) > 1:
            raise NotExaminedError("a family of noise within an iteration")
        # What is drawn in some iterations only has no element for the others.
        nested = any(loop.outer is not None for loop in self._loops)
        loop = None if nested else next((place for place, loop in enumerate(self._loops) if name in loop.drawn), None)
        if not family:
            return Cut(self._index, [], in_turn=False, loop=loop)
        ((where, coordinate),) = family
        value = self._record.drawn[coordinate].value
        for place in reversed(where):
            value = Cut(place.index, [value], in_turn=False, loop=loop)
        return value


@dataclass
class _Iteration(Trial):
    """What is before a loop and one iteration of it, on D and on D′."""

    loops: Sequence[Loop] = ()
    # The loop that is reached, and those of which an iteration is at hand, the outer one first; the index of each.
    at: int = 0
    hand: Sequence[int] = ()
    places: Sequence[Here] = ()
    # Where an output of the iteration at hand stands among all of them, if that is known.
    position: Any = None
    values: dict[str, Any] = field(default_factory=dict)
    values_: dict[str, Any] = field(default_factory=dict)
    direction: Any = None
    # What the alignment sees of the output where it moves the noise from before the loop, and which iteration gives it.
    omega: Any = None
    at_hand: Callable[[Sequence[int]], None] = lambda loops: None
    # What the cost at the end of a loop within another one is at most, as was shown of it.
    at_most: dict[Unknown, list[Any]] = field(default_factory=dict)
    rounds: tuple[Any, ...] = ()
    given_by: str = ""
    forms: Collection[Any] = ()
    state: dict[str, Any] = field(default_factory=dict)
    state_: dict[str, Any] = field(default_factory=dict)
    shifts: Mapping[str, Any] = field(default_factory=dict)
    added: Any = 0
    goes_on: bool = False
    failure: str = ""

    @property
    def loop(self) -> Loop:
        """The loop that is reached."""
        return self.loops[self.at]

    def begin(self, at: int = 0) -> None:
        """Run what is before a loop on both."""
        if at == 0:
            self.state, self.state_ = self.values, self.values_
        self.at, self.hand = at, ()
        self._reach()

    def enter(self, at: int, head: Mapping[str, Any], head_: Mapping[str, Any]) -> None:
        """Run what is before a loop within the one that is reached, from the values at the head of that, on both."""
        self.hand = (*self.hand, self.at)
        self.at = at
        self.state, self.state_ = _own({**self.state, **head}), _own({**self.state_, **head_})
        with _defined_on_D(self.world):
            self._reach()

    def _reach(self) -> None:
        at, before = self.at, self.cost
        self.state = self.first_begun()
        shifts = self._aligned(self.omega)
        self._keep_shifts(shifts, self.shifts if at else shifts)
        self.shifts = shifts
        try:
            self.state_ = self._begun(self.state_, self._draw_second, self.second)
        except UndefinedError as problem:
            raise Fails(f"D' is not defined: {problem}") from None
        if self.first.drawn.keys() != self.second.drawn.keys() or self.state.keys() != self.state_.keys():
            raise Fails("D' does not begin as D does")
        self.added = self.cost - before

    def _keep_shifts(self, shifts: Mapping[str, Any], before: Mapping[str, Any]) -> None:
        """Move the noise, that which was moved before as it was then."""
        for name, family in self.first.names.items():
            for index, where in family:
                # What belongs to an iteration that has ended is not looked at again.
                if where not in self.moved or not all(any(p is self.places[h] for h in self.hand) for p in index):
                    continue
                shift, shift_ = shifts.get(name, 0), before.get(name, 0)
                for place in index:
                    shift = self._part(name, shift, place) if name in shifts else shift
                    shift_ = self._part(name, shift_, place) if name in before else shift_
                if not same(shift, shift_):
                    raise NotExaminedError(f"a shift of {name} that depends on an iteration")
        self._move(self.alignment, shifts, self.first)

    def _begun(self, state: Mapping[str, Any], draw: Callable[..., Any], record: Record) -> dict[str, Any]:
        assert self.world is not None
        self.world.step, self.record, self.rounds = len(self.hand), record, ()
        # Lists have their elements again in the loop that walks through them.
        before = state
        state = self._shown(state) if self.hand else state
        bound = {**state, self.alignment.mechanism.noise_name: Source(draw, record=record)}
        taken: dict[str, Any] = {}
        if self.loop.outer is not None:
            taken["__element"] = self.loop.outer.element(self.places[self.hand[-1]].index, state)
        after = _own(undefined_as_such(lambda: self.loop.begin(frozenset(bound))(**bound, **taken)))
        for name, value in before.items():
            value_ = after.get(name)
            if isinstance(value, Cut) and isinstance(value_, Cut) and value.name == value_.name:
                after[name] = value
        return after

    def forget(self, state: Mapping[str, Any], state_: Mapping[str, Any]) -> None:
        """Leave the loop with what was bound at its head, without what its body assigns."""
        self.state, self.state_ = (
            {name: value for name, value in each.items() if name not in self.loop.assigned} for each in (state, state_)
        )

    def _aligned(self, omega: Any) -> Mapping[str, Any]:
        self.at_hand(self.hand)
        given = [self._shown(values) if self.hand else values for values in (self.values, self.values_)]
        return self._shifts(self.alignment, given[0], given[1], omega, self.first, self.direction)

    def _shown(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values where the lists of other loops than that at hand have no element."""
        lists = {name for loop in self.hand for name in self.loops[loop].lists}
        return {
            name: value.without_values() if isinstance(value, Cut) and value.name not in lists else value
            for name, value in values.items()
        }

    def first_begun(self) -> dict[str, Any]:
        """What D's variables are at the head of the loop."""
        return self._begun(self.state or self.values, self._draw_first, self.first)

    def first_once(self, state: dict[str, Any]) -> None:
        """Run one iteration on D alone."""
        self.hand = (self.at,)
        self.output, _, self.goes_on = self._once(state, self._draw_first, self.first)

    def run_once(self, head: Mapping[str, Any], head_: Mapping[str, Any]) -> None:
        """Run one iteration from the values at its head; raise Fails, or leave requirements."""
        self.hand = (*self.hand, self.at)
        self._run_on(head, head_)

    def run_after(self, head: Mapping[str, Any], head_: Mapping[str, Any]) -> None:
        """Run what follows the loop that is reached, at the end of it, in the iteration around it."""
        self.at = self.hand[-1]
        self._run_on(head, head_)

    def _run_on(self, head: Mapping[str, Any], head_: Mapping[str, Any]) -> None:
        with _defined_on_D(self.world):
            self.output, after, self.goes_on = self._once({**self.state, **head}, self._draw_first, self.first)
        self.state = after
        try:
            self._keep_shifts(self._aligned(self._output_here()), self.shifts)
            outputs, after, goes_on = self._once({**self.state_, **head_}, self._draw_second, self.second)
        except UndefinedError as problem:
            raise Fails(f"the alignment or D' is not defined: {problem}") from None
        self.state_ = after
        if goes_on != self.goes_on:
            raise Fails("D' does not leave the loop where D does")
        self._require_same(self.output, outputs, "the outputs differ")
        if self.first.drawn.keys() != self.second.drawn.keys():
            raise Fails("D' does not draw the same noise")

    def _output_here(self) -> Any:
        """What the alignment sees of the output, if the run is one of those that are examined."""
        if self.loop.inner is not None or (self.loop.outer is not None and not self.loop.outer.yields_within_alone):
            return self.outputs([])
        if not self.loop.returns:
            if len(self.output) != 1:
                raise Fails("an iteration does not give one output")
            return self.outputs([seen(self.output[0])])
        self._check_given_by(_LATER_OR_END if self.goes_on else (_HERE,))
        return self.omega

    def outputs(self, here: list[Any]) -> Cut:
        """The outputs of iterations, of which only the one at hand can be looked at."""
        if len(self.loops) > 1 and self.loops[1].outer is not None:
            # They are not those of one loop: a walk through them would not be one through its iterations.
            shown = here if self.position is not None else []
            return Cut(self.position, shown, in_turn=False, name="omega")
        return Cut(self.places[self.at].index, here, in_turn=len(self.loops) == 1, name="omega", after=self.at)

    def _check_given_by(self, given_by: tuple[str, ...]) -> None:
        """Leave the paths on which another iteration than is assumed gives the output, or another output."""
        if not self.goes_on and _form_key(self.output) not in self.forms:
            raise NotExaminedError("an output that is not among those that are returned")
        if self.given_by not in given_by or (not self.goes_on and _form_key(self.output) != _form_key(self.omega)):
            raise DeadError

    def end(self, head: Mapping[str, Any], head_: Mapping[str, Any]) -> None:
        """Run what follows the loop, with the values at its head, where the list is exhausted."""
        with _defined_on_D(self.world):
            self.output = self.end_once({**self.state, **head})
        self._check_given_by((_END,))
        try:
            output = self.end_once({**self.state_, **head_})
        except UndefinedError as problem:
            raise Fails(f"D' is not defined: {problem}") from None
        self._require_same(self.output, output, "the outputs differ")

    def end_once(self, state: dict[str, Any]) -> Any:
        """The output of one run where the list is exhausted."""
        assert self.world is not None
        self.world.step, self.rounds = 1, ()
        return decided(undefined_as_such(lambda: self.loop.end(frozenset(state))(**state)))

    def _once(
        self, state: dict[str, Any], draw: Callable[..., Any], record: Record
    ) -> tuple[Any, dict[str, Any], bool]:
        assert self.world is not None
        # What was drawn before a loop within this one, which is at its end, was drawn at an earlier step.
        self.world.step = len(self.hand) + (self.loop.inner is not None)
        self.record, self.rounds = record, (HERE,)
        state = _own(self._shown(state)) | {self.alignment.mechanism.noise_name: Source(draw, record=record)}
        left = self.names.left  # type: ignore[attr-defined]
        left.clear()
        function = self.loop.round(frozenset(state))
        taken: dict[str, Any] = {}
        if self.loop.inner is None:
            taken["__element"] = self.loop.element(self.places[self.at].index, state)
        result = undefined_as_such(lambda: function(**state, **taken))
        if not self.loop.returns and not hasattr(result, "__next__"):
            # What follows a loop within this one need not give an output.
            return ([], left[0], True) if left else ([], {}, False)
        if self.loop.returns:
            return (None, left[0], True) if left else (decided(result), {}, False)
        outputs: list[Any] = []
        while True:
            try:
                outputs.append(decided(undefined_as_such(lambda: next(result))))
            except StopIteration:
                break
            self.world.step += 1
        return (outputs, left[0], True) if left else (outputs, {}, False)

    def _view(self, alignment: Any, record: Record) -> NoiseView:
        return _NoiseHere(alignment, record, self.places[0].index, self.loops)

    def _part(self, name: str, shift: Any, place: Any) -> Any:
        if isinstance(place, Here) and isinstance(shift, Cut):
            return shift[place]
        raise NotExaminedError(f"a shift of {name} that is no list over the iterations")

    def _where(self, source: Source) -> tuple[Coordinate, tuple[Any, ...]]:
        where, index = super()._where(source)
        if index != self.rounds:
            raise NotExaminedError("draws that are not one for each iteration")
        return where, tuple(self.places[loop] for loop in self.hand)

    def claim(self) -> Any:
        """The claim, which may name public numbers and the number of outputs alone."""
        names = {name: value for name, value in self.values.items() if not isinstance(value, Cut)}
        names = {name: value for name, value in names.items() if name not in self.alignment.mechanism.private}
        if self.loop.returns or len(self.loops) > 1:
            return read_claim(str(self.alignment.claim), names, self.functions)
        # Each iteration gives one output.
        names["omega"] = None
        return read_claim(
            str(self.alignment.claim), names, self.functions, length=lambda _: self.places[0].index + 1
        )


def _own(state: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of a state, without those of the rewritten code."""
    return {name: value for name, value in state.items() if not name.startswith("__")}


@contextlib.contextmanager
def _defined_on_D(world: PathWorld | None) -> Iterator[None]:
    try:
        yield
    except UndefinedError as problem:
        # What public values alone make undefined is outside the domain.
        if world is not None and world.is_public(problem):
            raise DeadError from None
        raise NotExaminedError(f"D is not defined in an iteration: {problem}") from None


# Which iteration gives an output that is returned: the one at hand, a later one, or what follows the loop.
_HERE, _LATER, _END = "here", "later", "end"
_LATER_OR_END = (_LATER, _END)


def _form_key(output: Any) -> Any:
    """What tells the forms of returned outputs apart, as an alignment sees them."""
    output = seen(output)
    if isinstance(output, tuple | list):
        return type(output), *map(_form_key, output)
    if isinstance(output, Opaque):
        return "real"
    return output.key if isinstance(output, Number) else (type(output), output)


def _form_at(form: Any, values: Mapping[Unknown, Any]) -> Any:
    if isinstance(form, tuple | list):
        return type(form)(_form_at(part, values) for part in form)
    return substituted(form, values)


@dataclass(frozen=True, eq=False)
class Invariant:
    """What may hold at the loop's head: a comparison about the unknowns that stand for its values there."""

    words: str
    number: Any
    relation: str
    truth: bool = True

    def at(self, values: Mapping[Unknown, Any]) -> Literal | bool:
        """What it says where the values at the head are others: a literal, or whether it holds."""
        number = substituted(self.number, values)
        if isinstance(number, Number):
            return Comparison(number, self.relation), self.truth
        return {">": number > 0, ">=": number >= 0, "==": number == 0}[self.relation] is self.truth


@dataclass(eq=False)
class _Head:
    """The head of a loop: the values there, as unknowns, and what may be assumed of them."""

    loop: Loop
    # Its place among the loops, and its index.
    at: int
    index: Any
    spent: Any
    # What is counted or added up over the iterations so far, and what it is after one more; it begins at 0.
    sums: dict[Unknown, Any]
    outer: _Head | None = None
    inner: _Head | None = None
    start: dict[str, Any] = field(default_factory=dict)
    offsets: dict[str, Any] = field(default_factory=dict)
    no_offset: set[str] = field(default_factory=set)
    no_integer: set[str] = field(default_factory=set)
    heads: dict[str, Any] = field(default_factory=dict)
    heads_: dict[str, Any] = field(default_factory=dict)
    invariants: list[Invariant] = field(default_factory=list)
    after_before: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    added: Any = 0
    first_costs: list[Any] = field(default_factory=list)
    # The states after an iteration, with what it costs and its path.
    seen_steps: list[tuple[dict[str, Any], Any, list[Any]]] = field(default_factory=list)
    # Whether what is before it must be run again to know with what it begins.
    unread: bool = True

    @property
    def depth(self) -> int:
        """How many loops are around it."""
        return 0 if self.outer is None else 1 + self.outer.depth

    @property
    def own(self) -> set[Unknown]:
        """The unknowns that stand for other values each time that the loop is run."""
        values = [*self.heads.values(), *self.heads_.values(), self.index, self.spent]
        return unknowns_of(values) | self.sums.keys()


class _EveryIteration:
    """One way of change examined for every n: candidates for invariants, and what is asked with those that hold."""

    def __init__(
        self,
        alignment: Any,
        changes: str,
        effort: int,
        texts: tuple[str, ...],
        known: Mapping[Any, bool],
        interface: Interface,
    ) -> None:
        self.alignment, self.known, self.texts = alignment, known, texts
        self.world = world = PathWorld(effort, interface)
        world.apart = True
        # Only noise of the iteration at hand makes a value impossible: what is unknown at the head may know the rest.
        world.adaptive = True
        self.functions = Functions(world)
        self.names = _CutNames(self.functions, self)
        mechanism = alignment.mechanism
        self.loops = Whole(mechanism, self.names).loops
        # The loops that are examined, with the values at their heads and what was shown of them; and the next one.
        self.passed: list[_Head] = []
        self.hand: Sequence[int] = ()
        self.index = self._place("index", 0)
        kinds = mechanism.parameters.items()
        self.counts = {
            name: world.unknown(
                ("input", name), lambda k: [[(Comparison(k - 1, ">="), True)]], positive=True, whole=True
            )
            for name, kind in kinds if kind.integer and not kind.vector
        }  # fmt: skip
        lengths = {name: 1 for name, kind in kinds if kind.vector}
        self.ranges = [None if loop.count is None else self._value_of_count(loop.count) for loop in self.loops]
        self.indices = [self.index if count is None else self._place_in_range(count) for count in self.ranges]
        self.places_of = [Here(index) for index in self.indices]
        self.nested = any(loop.inner is not None for loop in self.loops)
        self.setting = Setting(lengths, self.counts, changes, step=1)
        values = Inputs(alignment, self.setting, world).values
        listed = [name for name in lengths if name in mechanism.private]
        self.own_elements = {u for name in lengths for u in unknowns_of(values[name])}
        self.own_elements |= {u for name in listed for u in unknowns_of(values[f"{name}_"])}
        self.changes = {name: values[f"{name}_"][0] - values[name][0] for name in listed}
        self.at_once = [values[f"{name}_"] - values[name] for name in mechanism.private if name not in lengths]
        self.own_elements -= {
            u for name in mechanism.parameters if name not in lengths for u in unknowns_of(values[name])
        }
        self.direction = values["direction"]
        cut = {n: self._cut(n, v) for n, v in values.items()}
        self.values = {name: cut[name] for name in mechanism.parameters}
        self.values_ = self.values | {name: cut[f"{name}_"] for name in mechanism.private}
        self.real_outputs = False
        self.online = ""
        self.of_all: list[Clause] = []
        self.inside = 0
        # What is counted or added up over the iterations so far, and what it is after one more; it begins at 0.
        self.sums: dict[Unknown, Any] = {_one(self.index): self.index + 1}
        self.changed: Any = None
        if str(alignment.adjacency) in ("one", "l1"):
            self._add_up_changes(values)
        self._come_to_loop()
        # What the alignment may see of the output, and which iteration gives it: up to the loop, and beyond.
        self.at_first: list[tuple[str, Any]] = [("", self._iteration().outputs([]))]
        self.later: list[tuple[str, Any]] = self.at_first
        self.forms: set[Any] = set()
        self.other_places: set[Unknown] = set()

    def _come_to_loop(self) -> None:
        """Make the head of the loop that is examined next, and of one within it."""
        self.head = self._head_of(len(self.passed))
        if self.head.loop.inner is not None:
            self.head.inner = self._head_of(1, self.head)

    def _head_of(self, at: int, outer: _Head | None = None) -> _Head:
        index = self.indices[at]
        sums = self.sums if self.ranges[at] is None else {_one(index): index + 1}
        spent = self._unknown_at_head("privacy_cost", whole=False, depth=0 if outer is None else 1)
        return _Head(self.loops[at], at, index, spent, sums, outer)

    @property
    def loop(self) -> Loop:
        """The loop that is examined."""
        return self.head.loop

    def _value_of_count(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                return self.counts[name]
            case ast.BinOp(left=left, op=op, right=right):
                one, other = self._value_of_count(left), self._value_of_count(right)
                return one + other if isinstance(op, ast.Add) else one * other
            case ast.Constant(value=value):
                return value
        raise NotExaminedError("a loop over other things than the answers")

    def _place_in_range(self, count: Any) -> Any:
        # Where the loop has ended, its index is replaced by the count.
        return self.world.unknown(
            ("place in a range",),
            lambda i: [[(Comparison(i, ">="), True)], [(Comparison(count - 1 - i, ">="), True)]],
            whole=True, private=True,
        )  # fmt: skip

    def close(self) -> None:
        """Let go of the formulas and functions of all paths."""
        self.names.close()
        self.world.close()

    def _place(self, name: str, least: Any) -> Any:
        # A place is no parameter: what is undefined at one is undefined for every list that has it.
        return self.world.unknown((name,), lambda i: [[(Comparison(i - least, ">="), True)]], whole=True, private=True)

    def _cut(self, name: str, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        of = name if name in self.alignment.mechanism.parameters else name.removesuffix("_")
        loops = [loop.lists for loop in self.loops if of in loop.lists]
        in_turn = all(len(lists) == 1 for lists in loops or [loop.lists for loop in self.loops if loop.lists])
        if not loops:
            return Cut(self.index, [], in_turn=in_turn, name=of)
        summed = lambda: substituted(value[0], self._summands())  # noqa: E731
        return Cut(self.index, value, in_turn=in_turn, summed=summed, name=of)

    # Sums over iterations

    def _add_up_changes(self, values: Mapping[str, Any]) -> None:
        """How much the answers of the iterations so far change together, and what adjacency says of it."""
        world, kinds = self.world, self.alignment.mechanism.parameters.values()
        bounds = {kind.sensitivity for kind in kinds if kind.private}
        if len(bounds) != 1:
            raise NotExaminedError("answers of different sensitivities")
        (bound,) = bounds
        self.bound = values[bound] if isinstance(bound, str) else plain(bound)
        now = sum(magnitude(world, change) for change in self.changes.values())
        changed = self.changed = world.unknown(("changed so far",), private=True)
        parts = [changed, *self.changes.values(), *self.at_once]
        left = self.bound - changed - now - sum(magnitude(world, change) for change in self.at_once)
        facts: list[Clause] = [[(Comparison(changed, ">="), True)], [(Comparison(left, ">="), True)]]
        if str(self.alignment.adjacency) == "one":
            pairs = itertools.combinations(parts, 2)
            facts += [[(Comparison(one, "=="), True), (Comparison(other, "=="), True)] for one, other in pairs]
        for unknown in {u for part in parts for u in part.unknowns if u.private}:
            world.facts[unknown] += facts
        self.sums[_one(changed)] = changed + now

    def _summands(self) -> dict[Unknown, Any]:
        """What stands for the elements of every iteration, in place of those of the one at hand."""
        return {u: self.world.unknown(("summed", u.name), private=True) for u in self.own_elements}

    def _so_far(self, unknown: Unknown) -> Any:
        """The sum over the iterations so far of what is unknown of an element."""
        world, name = self.world, ("so far", unknown.name)
        if name not in world.named:
            so_far = world.unknown(name, whole=unknown.whole, private=True)
            self.sums[_one(so_far)] = so_far + _number(unknown)
            # No sum of changes is larger than what they change together.
            for change in self.changes.values() if self.changed is not None else ():
                if unknown in change.unknowns:
                    both = substituted(change, {unknown: so_far})
                    ends = (Comparison(self.changed - both, ">="), Comparison(self.changed + both, ">="))
                    world.facts[_one(so_far)] += [[(end, True)] for end in ends]
        return world.unknown(name)

    def sum_of(self, values: Any, *start: Any) -> Any:
        """``sum``: of what is linear in the elements, the sum of those of the iterations so far."""
        if isinstance(values, Elements):
            raise NotExaminedError("`sum` of all answers")
        if not isinstance(values, Summands):
            return sum(values, *start)
        with self._still():
            summand = values.of()
        elements = {_one(summed): own for own, summed in self._summands().items()}
        total = sum(start)
        for product, factor in (terms_of(summand) or {}).items():
            own = [u for u, exponent in product if u in elements and exponent == 1]
            rest = made({tuple((u, e) for u, e in product if u not in own): factor})
            # What is multiplied is the same for all of them.
            if len(own) != 1 or any(u.noise or u.private for u in unknowns_of(rest)):
                raise NotExaminedError("a sum of other things than answers")
            (element,) = (elements[u] for u in own)
            total = total + rest * (self._so_far(element) + (_number(element) if values.places.here_too else 0))
        return total

    def places(self, *ends: Any) -> Any:
        """``range``: of a length, the place at hand; of the place at hand, those before it."""
        if len(ends) == 1 and isinstance(ends[0], Length):
            cut = ends[0].of
            if cut.loop is not None:
                return Cut(cut.index, [cut.index] if cut.loop in self.hand else [])
            return Cut(cut.index, [cut.index] if cut.in_turn() else [])
        for at, count in enumerate(self.ranges):
            if len(ends) == 1 and self.world.step == -1 and isinstance(count, Number) and same(ends[0], count):
                return Cut(self.indices[at], [self.indices[at]] if at in self.hand else [])
        if len(ends) == 1 and isinstance(ends[0], Number):
            for here_too in (False, True):
                if same(ends[0], self.index + here_too):
                    return Before(here_too)
        return range(*ends)

    def least(self, *values: Any) -> Any:
        """``min``: a loop has no more iterations than a list that it walks through has elements."""
        lengths = [value.of for value in values if isinstance(value, Length)]
        of_loops = [cut for cut in lengths if cut.loop is not None]
        if not lengths:
            return min(*values)
        if len(of_loops) == 1 and len(values) == len(lengths):
            (loop,) = of_loops
            lists = [one.lists for place, one in enumerate(self.loops) if place == loop.loop]
            if lists and all(cut is loop or cut.name in lists[0] for cut in lengths):
                return Length(loop)
        raise NotExaminedError("the smaller one of two lengths")

    @contextlib.contextmanager
    def _still(self) -> Iterator[None]:
        self.world.still = True
        try:
            yield
        finally:
            self.world.still = False

    def _unknown_at_head(self, name: str, *, whole: bool, depth: int = 0) -> Any:
        # It may depend on noise, and be any real number: nothing may be concluded from its being one.
        within = ("within",) * depth
        return self.world.unknown(
            ("head", name, whole, *within), whole=whole, noise=True, private=True, continuous=True, step=-2
        )

    # What the rewritten functions call

    def listed(self, build: Callable[[Any], Any], values: Any, kind: str, filtered: bool) -> Any:
        """A comprehension: over a list of one element for each iteration, such a list itself."""
        kind_ = "" if filtered else kind
        if isinstance(values, Before) and kind_ == "GeneratorExp" and self.world.step == -1:
            return Summands(lambda: next(iter(build([SUMMED]))), values)
        if not isinstance(values, Cut):
            return set(build(values)) if kind == "SetComp" else build(values)
        if kind_ == "GeneratorExp" and values.in_turn():
            return Elements(lambda: next(iter(build(values.values))))
        if kind_ != "ListComp" or self.world.step != -1:
            raise NotExaminedError("a comprehension over a whole list")
        self.inside += 1
        try:
            return Cut(values.index, build(values.in_turn()))
        finally:
            self.inside -= 1

    def all_of(self, values: Any) -> bool:
        """``all``: of a condition on every answer, what is known of it from the start."""
        if not isinstance(values, Elements):
            return all(values)
        # Within a comprehension, the element that is asked about would be taken for the one that is listed.
        if self.world.step != -1 or self.inside:
            raise NotExaminedError("`all` of a whole list")
        with self._still():
            condition = values.of()
        if not isinstance(condition, Comparison) or any(u.noise for u in condition.number.unknowns):
            raise NotExaminedError("`all` of other things than comparisons of answers")
        if self.world.ask([[(condition, False)]], path=False) == "no":
            return True
        self.online = "a direction that is read off all answers"
        key = (str(condition.number), condition.relation)
        if key not in self.known:
            raise _Splits(key)
        if self.known[key]:
            self.of_all = [[(condition, True)]]
            self.world.path += self.of_all
        return self.known[key]

    # The runs

    def _iteration(self) -> _Iteration:
        return _Iteration(
            self.alignment, self.names, self.functions, self.world, loops=self.loops, places=self.places_of,
            position=self.position, values=self.values, values_=self.values_, direction=self.direction,
            at_hand=self._take_in_hand,
        )  # fmt: skip

    def _take_in_hand(self, loops: Sequence[int]) -> None:
        self.hand = loops

    @property
    def position(self) -> Any:
        """Where an output of a loop over a range stands, within a loop over the answers; each iteration gives one."""
        if not self.nested or self.ranges[1] is None or not self.loops[0].yields_within_alone:
            return None
        return self.indices[0] * self.ranges[1] + self.indices[1]

    def _runs(self, stage: Callable[[_Iteration], None]) -> Iterator[_Iteration]:
        """Every path of a stage, while the world is on it."""
        world = self.world
        world.untried = [()]
        while world.untried:
            world.begin(world.untried.pop())
            iteration = self._iteration()
            try:
                try:
                    stage(iteration)
                except UndefinedError as problem:
                    if not world.is_public(problem):
                        raise NotExaminedError(f"D is not defined on a path: {problem}") from None
                    continue
            except DeadError:
                continue
            except Fails as problem:
                iteration.failure = str(problem)
            yield iteration

    def _to_head(self, iteration: _Iteration) -> None:
        if self.head.outer is None:
            self._begin(iteration, self.at_first, by_exits=True)
        else:
            self._reach(iteration, self.head)

    def _reach(self, iteration: _Iteration, head: _Head) -> None:
        """Reach the head of a loop, from an arbitrary iteration of the one around it."""
        if head.outer is None:
            self._begin(iteration, self.later)
        else:
            self._reach(iteration, head.outer)
            iteration.enter(head.at, *self._assume(iteration, head.outer))

    def _through(self, iteration: _Iteration) -> None:
        inner = self.head.inner
        if inner is None:
            self._reach(iteration, self.head)
            iteration.run_once(*self._assume(iteration, self.head))
        else:
            self._reach(iteration, inner)
            iteration.run_after(*self._assume(iteration, inner, ended=True))

    def _to_end(self, iteration: _Iteration) -> None:
        self._begin(iteration, self.later)
        iteration.end(*self._assume(iteration, self.head))

    def _begin(self, iteration: _Iteration, outputs: list[tuple[str, Any]], *, by_exits: bool = False) -> None:
        """Reach the head of the loop, from the loop before it by every way out of that, or by none in particular."""
        iteration.given_by, iteration.omega = outputs[self.world.choose(len(outputs))]
        iteration.forms = self.forms
        iteration.begin()
        for place, shown in enumerate(self.passed):
            state, state_ = iteration.state, iteration.state_
            if by_exits and place == len(self.passed) - 1:
                head = self._assume(iteration, shown)
                if self.world.choose(2):
                    iteration.run_once(*head)
                    if iteration.goes_on:
                        raise DeadError
            iteration.forget(state, state_)
            iteration.begin(place + 1)

    def _find_outputs(self) -> None:
        """The forms of what is returned: by an iteration, whichever values it begins with, and at the end."""
        here: dict[Any, Any] = {}
        end: dict[Any, Any] = {}

        def stage(iteration: _Iteration) -> None:
            at_end = self.world.choose(2)
            try:
                state = iteration.first_begun()
                for name in sorted(self.loop.assigned & state.keys()):
                    _check_number(name, state[name])
                    state[name] = self._unknown_at_head(name, whole=False)
                if at_end:
                    iteration.output = iteration.end_once(state)
                else:
                    iteration.first_once(state)
            except UndefinedError:
                raise DeadError from None
            if not iteration.goes_on:
                discrete_part(iteration.output)  # which refuses what is no number, tag or tuple
                (end if at_end else here)[_form_key(iteration.output)] = self._form(iteration.output)

        for _ in self._runs(stage):
            pass
        self.forms = {*here, *end}
        index = _one(self.index)
        some, later = self._place("some index", 0), self._place("later index", self.index + 1)
        self.other_places = {_one(some), _one(later)}
        at_end = [(_END, form) for form in end.values()]
        self.at_first = [(_HERE, _form_at(form, {index: some})) for form in here.values()] + at_end
        self.later = [(_HERE, form) for form in here.values()] + at_end
        self.later += [(_LATER, _form_at(form, {index: later})) for form in here.values()]

    def _form(self, output: Any) -> Any:
        """A returned output as the alignment sees it, which depends on the index of its iteration alone."""
        output = seen(output)
        if isinstance(output, tuple | list):
            return type(output)(map(self._form, output))
        others = unknowns_of(output) - {_one(self.index)}
        if any(u.noise or u.private or u in self.own_elements for u in others):
            raise NotExaminedError("an output that depends on values of its iteration")
        return output

    def _assume(
        self, iteration: _Iteration, at: _Head, *, ended: bool = False
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Make unknown what the body assigns, and assume the invariants, at the end of the loop if it has ended."""
        head: dict[str, Any] = {}
        head_: dict[str, Any] = {}
        for name in sorted(iteration.loop.assigned & iteration.state.keys()):
            if name not in at.heads:
                raise NotExaminedError(f"`{name}`, which not every path to the loop assigns")
            head[name], head_[name] = at.heads[name], at.heads_[name]
        iteration.cost = at.spent
        iteration.requirements = []
        values = {_one(at.index): self.ranges[at.at]} if ended and self.ranges[at.at] is not None else {}
        for invariant in at.invariants:
            literal = invariant.at(values)
            if literal is False:
                raise DeadError
            if not isinstance(literal, bool):
                self.world.path.append([literal])
            if ended and invariant.words == COST:
                most = substituted(invariant.number + at.spent, values)
                iteration.at_most.setdefault(_one(at.spent), []).append(most)
        return head, head_

    @staticmethod
    def _costs(iteration: _Iteration) -> list[Any]:
        """What the cost of an iteration is at most: the cost itself, and that by what was shown of a loop within it."""
        found = [iteration.cost]
        for spent, most in iteration.at_most.items():
            if isinstance(iteration.cost, Number) and iteration.cost.terms.get(((spent, 1),)) == 1:
                rest = iteration.cost - _number(spent)
                if spent not in unknowns_of(rest):
                    found = [*(rest + value for value in most), *found]
        return found

    # The examination

    def run(self) -> None:
        """Raise NotExaminedError unless everything is shown for every n."""
        if self.alignment.adaptive and (self.loop.returns or len(self.loops) > 1 or self.loop.count):
            raise NotExaminedError("adaptive queries, for other than one output for each of them")
        if self.loop.returns:
            self._find_outputs()
        costs: list[Any] = [0]
        for _ in self.loops if not self.nested else self.loops[:1]:
            self._examine_loop(costs)
            costs = self._costs_at_most(self.head)
            self.passed.append(self.head)
            if len(self.passed) < len(self.loops) and not self.nested:
                self._come_to_loop()
        if self.online and self.alignment.adaptive and self.real_outputs:
            raise NotExaminedError(f"for adaptive queries: {self.online}")

    @contextlib.contextmanager
    def _at(self, head: _Head) -> Iterator[None]:
        """Ask about the head of another loop."""
        before, self.head = self.head, head
        try:
            yield
        finally:
            self.head = before

    def _examine_loop(self, costs: list[Any]) -> None:
        last = self.nested or len(self.passed) == len(self.loops) - 1
        head, inner = self.head, self.head.inner
        self._read_base()
        head.first_costs = [cost + head.added for cost in costs]
        self._read_texts()
        self._settle()
        if inner is not None:
            with self._at(inner):
                self._propose()
            self._settle()
        self._propose()
        for _ in range(40):
            problem = self._pass(claimed=last)
            if problem is None:
                continue
            if problem:
                raise NotExaminedError(problem)
            return
        raise NotExaminedError("no set of invariants that is kept")

    def _settle(self) -> None:
        """Drop candidates until those that are left are kept by an iteration."""
        for _ in range(20):
            if self._pass(claimed=None) is not None:
                break

    def _read_inner(self, inner: _Head) -> None:
        """With what a loop within the one at hand begins, from an arbitrary iteration of that."""
        with self._at(inner):
            inner.start, inner.offsets, inner.heads, inner.heads_, inner.invariants = {}, {}, {}, {}, []
            self._read_base()
            assert inner.outer is not None
            inner.first_costs = [inner.outer.spent + inner.added]
            self._read_texts()
            inner.unread = False

    def _costs_at_most(self, head: _Head) -> list[Any]:
        """What may bound the cost after the loop: its bounds, where counts are what they may be at most."""
        found: dict[Any, Any] = {}
        count = self.ranges[head.at]
        for bound in (one.number + head.spent for one in head.invariants if one.words == COST):
            grown = {_one(self.changed): self.bound} if self.changed is not None and head.loop.lists else {}
            grown |= {_one(head.index): count} if count is not None else {}
            for most in self.counts.values() if head.heads else [0]:
                ends = grown | {_one(value): most for value in head.heads.values()}
                with contextlib.suppress(NotExaminedError):
                    total = substituted(bound, ends)
                    found[_key(total)] = total
        return list(found.values())

    def _read_base(self) -> None:
        """What the loop's variables are before it, and how they differ between D and D′."""
        reached = False
        for iteration in self._runs(self._to_head):
            if iteration.failure:
                raise NotExaminedError(iteration.failure)
            reached, self.head.added = True, iteration.added
            for name in sorted(self.loop.assigned & iteration.state.keys()):
                value, value_ = iteration.state[name], iteration.state_[name]
                _check_number(name, value, value_)
                self.head.start[name] = value
                difference = value_ - value
                if any(u.noise or self._is_passing(u) for u in unknowns_of(difference)):
                    self.head.no_offset.add(name)
                self.head.offsets[name] = difference
            self.head.after_before = dict(iteration.state), dict(iteration.state_)
        if not reached:
            raise NotExaminedError("no run reaches the loop")
        self._make_heads()

    def _make_heads(self) -> None:
        for name, value in self.head.start.items():
            whole = type(value) is int and name not in self.head.no_integer
            self.head.heads[name] = self._unknown_at_head(name, whole=whole, depth=self.head.depth)
            if name in self.head.no_offset:
                self.head.heads_[name] = self._unknown_at_head(f"{name}_", whole=False, depth=self.head.depth)
            else:
                self.head.heads_[name] = self.head.heads[name] + self.head.offsets[name]

    def _read_texts(self) -> None:
        """The invariants that the alignment states, as far as they are comparisons of numbers."""
        state, state_ = self.head.after_before
        names = {name: value for name, value in {**state, **self.head.heads}.items() if _is_number(value)}
        others = {f"{n}_": v for n, v in {**state_, **self.head.heads_}.items() if _is_number(v)}
        names = others | names
        names["privacy_cost"] = self.head.spent
        for text in self.texts:
            with contextlib.suppress(NotExaminedError, UndefinedError, SyntaxError, TypeError), self._still():
                self.head.invariants += _read_invariant(text, names, self.functions)

    def _pass(self, *, claimed: bool | None) -> str | None:
        """Ask everything once: "" where all holds, the words of what does not, or None where candidates fell.

        With ``claimed`` None, only what candidates need is asked; else it says whether the claim is owed.
        """
        inner = self.head.inner
        if inner is not None and inner.unread:
            self._read_inner(inner)
        problem, fell = self._ask_base()
        if fell:
            return None
        if inner is not None:
            with self._at(inner):
                within, fell = self._ask_base()
                reached = ""
                if not fell:
                    reached, fell = self._ask_step(claimed=None if claimed is None else False)
            if fell:
                return None
            problem = problem or within or reached
        through, fell = self._ask_step(claimed=claimed)
        if fell:
            return None
        for iteration in self._runs(self._to_end) if self.loop.returns and claimed else ():
            through = through or self._owed(iteration, claimed=True)
            self.real_outputs |= has_real_parts(iteration.output)
        return problem or through

    def _ask_base(self) -> tuple[str, bool]:
        """What is not shown where the loop begins, and whether candidates fell there."""
        problem, fell = "", False
        for iteration in self._runs(self._to_head):
            problem = problem or self._owed(iteration, claimed=False)
            sums: dict[Unknown, Any] = dict.fromkeys(self.head.sums, 0)
            if iteration.failure and self.head.outer is not None:
                continue
            fell |= self._drop(self._values_at(iteration.state, iteration.state_, iteration.cost) | sums)
            fell |= self._check_offsets(iteration.state, iteration.state_, sums)
        return problem, fell

    def _ask_step(self, *, claimed: bool | None) -> tuple[str, bool]:
        """What is not shown of an iteration, and whether candidates fell after it."""
        world = self.world
        self.head.seen_steps = []
        problem, fell, reached = "", False, False
        for iteration in self._runs(self._through):
            problem = problem or (self._owed(iteration, claimed=claimed) if claimed is not None else "")
            self.real_outputs |= has_real_parts(iteration.output)
            if iteration.goes_on:
                after, after_ = iteration.state, iteration.state_
                if not iteration.failure:
                    for cost in self._costs(iteration):
                        self.head.seen_steps.append((after, cost - self.head.spent, list(world.path)))
                    costs = self._costs(iteration)
                    fell |= self._check_offsets(after, after_, self.head.sums)
                    fell |= self._drop(self._values_at(after, after_, iteration.cost) | self.head.sums, costs)
            reached = reached or (not iteration.failure and not isinstance(world.ask([]), str))
        return problem or ("" if reached else "no run through an iteration was found"), fell

    def _owed(self, iteration: _Iteration, *, claimed: bool) -> str:
        """What is not shown on a path; "" where everything is."""
        if iteration.failure:
            return f"it is not excluded that {iteration.failure}"
        self._check_map(iteration)
        owed = list(iteration.requirements)
        if claimed:
            claim, costs = iteration.claim(), self._costs(iteration)
            if not any(self._is_at_least(claim, cost) for cost in costs[:-1]):
                slack = claim - costs[-1]
                if isinstance(slack, Number):
                    owed.append((Comparison(slack, ">="), "the shifts cost more than the claim"))
                elif slack < 0:
                    return "the shifts cost more than the claim"
        for comparison, words in owed:
            if self.world.ask([[(comparison, False)]]) != "no":
                return f"it is not excluded that {words}"
        return ""

    def _is_at_least(self, one: Any, other: Any) -> bool:
        more = one - other
        if not isinstance(more, Number):
            return bool(more >= 0)
        return bool(self.world.ask([[(Comparison(more, ">="), False)]]) == "no")

    def _check_map(self, iteration: _Iteration) -> None:
        """The shifts are translations, each by noise that comes earlier; see the head of this file."""
        reads = [read for a, b in iteration.decided_by_alignment for read in self.world.reads[a:b]]
        decided = {u for read in reads for u in read}
        if any(u.noise for u in decided):
            raise NotExaminedError("an alignment that decides by noise")
        if any(u.step > 0 for u in decided):
            self.online = "an alignment that decides by later answers"
        drawn = [(d.unknown, iteration.moved[c] - d.value, d) for c, d in iteration.first.drawn.items()]
        later = {u for u, _, _ in drawn if u is not None}
        for unknown, shift, draw in drawn:
            if unknown is None:
                raise NotExaminedError(f"noise.{draw.kind} in a loop that is cut open")
            if unknowns_of(shift) & later:
                raise NotExaminedError("a shift that reads noise which is not drawn earlier")
            later.discard(unknown)
            if any(u.step > unknown.step for u in unknowns_of(shift)):
                self.online = "a shift that reads what comes later"

    def _values_at(self, state: Mapping[str, Any], state_: Mapping[str, Any], cost: Any) -> dict[Unknown, Any]:
        """The values that the unknowns of the head have somewhere else."""
        values = {_one(self.head.spent): cost}
        for name, head in self.head.heads.items():
            if name not in state or name not in state_:
                raise NotExaminedError(f"`{name}`, which not every path to the loop assigns")
            values[_one(head)] = state[name]
            if name in self.head.no_offset:
                values[_one(self.head.heads_[name])] = state_[name]
        return values

    def _drop(self, values: Mapping[Unknown, Any], costs: Sequence[Any] = ()) -> bool:
        """Drop the candidates that are not shown for these values; after an iteration, that costs at most each of some.

        A bound on the cost holds of what is less than another cost for which it holds.
        """
        step = bool(costs)
        spent = _one(self.head.spent)
        kept = []
        for invariant in self.head.invariants:
            try:
                literal = invariant.at(values)
            except NotExaminedError:
                continue
            tried = costs if invariant.words == COST else costs[-1:]
            if literal is True or any(self._grows(invariant, {**values, spent: cost}) for cost in tried):
                kept.append(invariant)
            elif literal is not False and not (step and invariant.words == COST):
                comparison, truth = literal
                if self.world.ask([[(comparison, not truth)]]) == "no":
                    kept.append(invariant)
        fell = len(kept) < len(self.head.invariants)
        self.head.invariants = kept
        return fell

    def _grows(self, invariant: Invariant, values: Mapping[Unknown, Any]) -> bool:
        """Whether a number that is at least 0 at the head, as is assumed, is not less after the iteration."""
        if invariant.relation != ">=" or not invariant.truth:
            return False
        more = substituted(invariant.number, values) - invariant.number
        if not isinstance(more, Number):
            return bool(more >= 0)
        return bool(self.world.ask([[(Comparison(more, ">="), False)], *self.of_all], path=False) == "no")

    def _check_offsets(self, state: Mapping[str, Any], state_: Mapping[str, Any], sums: Mapping[Unknown, Any]) -> bool:
        """What was taken for the type of a variable, and for how it differs on D′, holds here too."""
        fell = False
        for name in list(self.head.heads):
            value: Any = state.get(name)
            value_: Any = state_.get(name)
            _check_number(name, value, value_)
            whole = type(self.head.start[name]) is int and name not in self.head.no_integer
            if whole and not is_whole(value):
                self.head.no_integer.add(name)
                fell = True
            if name not in self.head.no_offset:
                difference = value_ - value - substituted(self.head.offsets[name], sums)
                if isinstance(difference, Number):
                    holds = self.world.ask([[(Comparison(difference, "=="), False)]]) == "no"
                else:
                    holds = difference == 0
                if not holds:
                    self._offset_falls(name)
                    fell = True
        if fell:
            self.head.invariants = []
            self._make_heads()
            self._read_texts()
            if self.head.inner is not None:
                self.head.inner.unread = True
        return fell

    def _offset_falls(self, name: str) -> None:
        """A difference that changes may be that of a sum of answers, else it is unknown."""
        if self.changed is None or not self.loop.lists or unknowns_of(self.head.offsets[name]) & self.head.sums.keys():
            self.head.no_offset.add(name)
            return
        for change in self.changes.values():
            parts = {u: self._so_far(u) for u in unknowns_of(change) & self.own_elements}
            self.head.offsets[name] = self.head.offsets[name] + substituted(change, parts)

    # Candidates

    def _propose(self) -> None:
        """Candidates of our own, all of them obliged: conditions under which a run goes on, and bounds on the cost."""
        mine = {_one(head): name for name, head in self.head.heads.items()}
        found: dict[Any, Invariant] = {}
        # What a cost may be bounded by: what the loop's variables, or sums over its iterations, have changed by.
        grown = {name: head - self.head.start[name] for name, head in self.head.heads.items()}
        if "omega" in str(self.alignment.claim):
            grown["iterations"] = self.head.index
        if self.loop.count is not None:
            grown["iterations"] = self.head.index
        rates: dict[str, dict[str, Any]] = {name: {} for name in grown}
        for after, cost, path in self.head.seen_steps:
            changes = {name: after[name] - head for name, head in self.head.heads.items()}
            for clause in path:
                if len(clause) == 1:
                    self._condition(clause[0], mine, changes, found)
            changes["iterations"] = 1
            for name in grown:
                change = changes[name]
                if isinstance(change, Number) and any(u.noise or u.private for u in change.unknowns):
                    continue
                if isinstance(change, Number) or change != 0:
                    self._add_rates(rates[name], cost, change)
            if self.changed is not None and self.loop.lists:
                self._add_rates(rates.setdefault("changes", {}), cost, self.bound)
        grown["changes"] = self.changed
        self.head.invariants += found.values()
        for name, values in rates.items():
            shares = {_key(rate): rate for rate in [1, *self._shares()]} if values else {}
            for rate in (values | shares).values():
                for first in self.head.first_costs:
                    self.head.invariants.append(Invariant(COST, first + rate * grown[name] - self.head.spent, ">="))
        self.head.invariants += [Invariant(COST, first - self.head.spent, ">=") for first in self.head.first_costs]
        self.head.invariants = [
            one for one in self.head.invariants if not any(map(self._is_passing, unknowns_of(one.number)))
        ]

    def _is_passing(self, unknown: Unknown) -> bool:
        """Whether an unknown is another one in each iteration, so that nothing that is kept may be about it."""
        if unknown in self.other_places or (unknown.noise and unknown.step > self.head.depth):
            return True
        if self.head.inner is not None and unknown in self.head.inner.own:
            return True
        # The answer of an iteration is the same in all of those of a loop within it.
        is_fixed = self.head.outer is not None and self.head.outer.loop.lists
        return unknown in self.own_elements and not is_fixed

    def _add_rates(self, rates: dict[Any, Any], cost: Any, change: Any) -> None:
        for rate in self._rates(cost):
            value = self._quotient(rate, change)
            if value is not None:
                rates[_key(value)] = value

    def _condition(
        self, literal: Literal, mine: Mapping[Unknown, str], changes: Mapping[str, Any], found: dict[Any, Invariant]
    ) -> None:
        comparison, truth = literal
        number = comparison.number
        about = number.unknowns & mine.keys()
        if len(about) != 1 or any(u.noise or u.private for u in number.unknowns - about):
            return
        (unknown,) = about
        change, head = changes[mine[unknown]], self.head.heads[mine[unknown]]
        try:
            moved = substituted(number, {unknown: head - change})
        except NotExaminedError:
            return
        for one in (number, moved):
            if isinstance(one, Number):
                found[one.key, comparison.relation, truth] = Invariant(
                    "a condition of going on", one, comparison.relation, truth
                )

    def _rates(self, cost: Any) -> list[Any]:
        """What an iteration costs at most, tried at the ends of what answers may change by."""
        others = {u for product in cost.terms for u, _ in product} if isinstance(cost, Number) else set()
        others -= {_one(index) for index in self.indices}
        private = [u for u in others if u.private or u.name.startswith("('magnitude'")]
        if not private:
            return [cost]
        bounds: list[Any] = []
        # Of what changes from one iteration to the next, it is not kept.
        fixed = [cost] if self.head.outer is not None else []
        for kind in self.alignment.mechanism.parameters.values():
            if kind.private:
                bounds.append(self.values[kind.sensitivity] if isinstance(kind.sensitivity, str) else kind.sensitivity)
        tried = fixed
        for bound in bounds[:1]:
            for size, change in ((2, -1), (1, -1), (1, 1), (2, 1), (1, 0)):
                ends = {u: bound * (change if u.private else size) for u in private}
                try:
                    tried.append(substituted(cost, ends))
                except NotExaminedError:
                    continue
        return tried

    def _shares(self) -> list[Any]:
        claim = self._iteration().claim()
        shares = []
        for count in self.counts.values():
            shares += [divided(part, count) for part in (claim, *(claim - first for first in self.head.first_costs))]
        return shares

    def _quotient(self, rate: Any, change: Any) -> Any:
        try:
            with self._still():
                return divided(rate, change)
        except (NotExaminedError, UndefinedError):
            return None


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool | Comparison) and terms_of(value) is not None


def _check_number(name: str, *values: Any) -> None:
    if not all(map(_is_number, values)):
        raise NotExaminedError(f"`{name}`, which is no number at the loop's head")


def _number(unknown: Unknown) -> Any:
    return Number({((unknown, 1),): 1})


def _key(value: Any) -> Any:
    return value.key if isinstance(value, Number) else value


def _one(number: Any) -> Unknown:
    ((unknown, _),) = next(iter(number.terms))
    return unknown  # type: ignore[no-any-return]


def _read_invariant(text: str, names: Mapping[str, Any], functions: Functions) -> list[Invariant]:
    """A comparison as text, or several in a row."""
    node = ast.parse(text.strip(), mode="eval").body
    if not isinstance(node, ast.Compare):
        raise NotExaminedError(f"the invariant {text}")
    sides = [read_claim(ast.unparse(side), names, functions) for side in (node.left, *node.comparators)]
    found = []
    for left, operator, right in zip(sides[:-1], node.ops, sides[1:], strict=True):
        difference = left - right
        match operator:
            case ast.Lt():
                found.append(Invariant(text, -difference, ">"))
            case ast.LtE():
                found.append(Invariant(text, -difference, ">="))
            case ast.Gt():
                found.append(Invariant(text, difference, ">"))
            case ast.GtE():
                found.append(Invariant(text, difference, ">="))
            case ast.Eq():
                found.append(Invariant(text, difference, "=="))
            case _:
                raise NotExaminedError(f"the invariant {text}")
    return found


def examine_loop(alignment: Any, texts: tuple[str, ...], effort: int, solver: str = "z3") -> tuple[str, int]:
    """Why an alignment is not confirmed for every n, or "" where it is; and the questions."""
    questions = 0
    adjacency = str(alignment.adjacency)
    if adjacency not in ("each", "monotone", "one", "l1"):
        return f"for every n: adjacency {adjacency}", 0
    if alignment.lemmas:
        return "for every n: lemmas", 0
    interface = Interface(solver)
    for changes in ["up", "down"] if adjacency == "monotone" else ["all"]:
        waiting: list[dict[Any, bool]] = [{}]
        while waiting:
            known = waiting.pop()
            examination: _EveryIteration | None = None
            try:
                examination = _EveryIteration(alignment, changes, effort - questions, texts, known, interface)
                examination.run()
            except _Splits as split:
                waiting += [known | {split.key: True}, known | {split.key: False}]
            except NotExaminedError as problem:
                return f"for every n: {problem}", questions + (examination.world.questions if examination else 0)
            except OutOfWorkError:
                return "for every n: the work that it may take was used up", effort
            finally:
                if examination is not None:
                    questions += examination.world.questions
                    examination.close()
    return "", questions
