"""What a way of running decides for the evaluator; the defaults are those of a concrete run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from alignkit.errors import Undefined, Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Coordinate, Environment, Family, Signal, Where, WholeNumbers
from alignkit.language.program import Builtin, Comprehension, Draw, For, MechanismCall, Place, ShiftExpression
from alignkit.noise import Distribution

# The most numbers of a range that are gone through where runs are tried out or proved, one iteration after the other.
MOST_COUNTED = 1_000_000

LOOP_NOT_COVERED = "a loop over a sequence of symbolic length"
BRANCH_NOT_COVERED = "a branch inside a sequence of symbolic length"


class Context:
    """A concrete run: conditions are already decided, and what is undefined ends the run."""

    # What an operation gives; a context may remember what it gave before.
    arithmetic: Callable[..., Any] = staticmethod(op.arithmetic)
    compare: Callable[..., Any] = staticmethod(op.compare)

    by_parts = False  # whether no branch may be taken at the moment, so that tuples are chosen part by part
    counts_on = True  # whether a range of more than MOST_COUNTED numbers is gone through

    def __init__(self, keys: Mapping[tuple[tuple[int, ...], int], str]) -> None:
        self.keys = keys
        self.tick: Callable[[], object] = lambda: None  # called at every iteration; it may end a run whose time is over
        self.close = False  # whether rounding may have decided a comparison of floats

    def key(self, path: tuple[int, ...], node: Draw) -> str:
        """The name of the draw at a place, reached by a path of calls."""
        return self.keys[path, node.site]

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        """The value of a noise coordinate."""
        raise Unsupported("this run has no noise", place)

    def noise_value(self, name: str, place: Place) -> Any:
        """The value of ``H.name``, to an alignment."""
        raise Unsupported("this run has no noise vector", place)

    def shift(self, node: ShiftExpression) -> None:
        """Called before an alignment returns these shifts."""

    def decide(self, condition: Any, place: Place) -> bool:
        """Which way a condition goes on this run."""
        assert isinstance(condition, bool)
        return condition

    def known(self, condition: Any) -> Any:
        """The bool that a condition must be, where the run knows it already; else the condition itself."""
        return condition

    def require(self, condition: Any, place: Place, words: str) -> None:
        """The run is defined only where the condition holds; ``words`` say what must hold, or what is wrong."""
        if not condition:
            raise Undefined(words, place)

    def demand(self, condition: Any, place: Place, words: str) -> bool:
        """Like ``require``; returns whether the evaluator has a value to go on with.

        It has none where the condition is plainly False. A concrete run has ended by then. A symbolic run may go on
        with any value: this stands under a condition that is not decided, and that the run must then prove false.
        """
        self.require(condition, place, words)
        return condition is not False

    @contextmanager
    def under(self, condition: Any) -> Iterator[None]:
        """What is evaluated inside matters only where the condition holds."""
        yield

    def emit(self, value: Any, place: Place) -> Any:
        """An output, as it is recorded."""
        return value

    def emit_all(self, values: Any, place: Place) -> tuple[Any, ...]:
        """The outputs of a mechanism that was called, put out one by one."""
        return tuple(self.emit(value, place) for value in values)

    def mechanism_call(self, evaluator: Any, node: MechanismCall, arguments: tuple[Any, ...]) -> Any:
        """The value of a mechanism that is called."""
        return evaluator.inlined(node, arguments)

    def special(self, function: str, value: Any) -> Any:
        """sqrt, exp, exp2, log, round, floor or ceil of a number."""
        return op.special(function, value)

    def number(self, value: Any) -> Any:
        """The plain number that a value must be equal to, where the run knows one; else the value itself."""
        return value

    def unsupported(self, problem: str, place: Place) -> Unsupported:
        return Unsupported(problem, place)

    # Sequences of symbolic length; a concrete run has none.

    def loop(self, evaluator: Any, node: For, items: Family, names: Environment) -> Signal:
        raise self.unsupported(LOOP_NOT_COVERED, node.place)

    def element(self, family: Family, index: Any, place: Place) -> Any:
        raise self.unsupported("an item of a sequence of symbolic length", place)

    def select(self, sequence: tuple[Any, ...], index: Any, place: Place) -> Any:
        """``sequence[index]`` where the index is not a plain integer."""
        raise place.error("an index that is not a whole number", "use indices from enumerate, range or largest")

    def joined(self, parts: list[tuple[Any, ...] | Family], place: Place) -> Family:
        """Sequences one after the other, where one of them is of symbolic length."""
        raise self.unsupported("a list of symbolic length", place)

    def member(self, value: Any, family: Family, place: Place) -> Any:
        """``value in family``."""
        raise self.unsupported("`in` for a sequence of symbolic length", place)

    def reduce(self, function: str, family: Family, node: Builtin, where: Where) -> Any:
        """max, min, sum, any or all of a family; ``where`` it is evaluated names its value."""
        raise self.unsupported(f"{function} over a sequence of symbolic length", node.place)

    def largest(self, family: Family, k: Any, node: Builtin) -> Any:
        raise self.unsupported("largest over a sequence of symbolic length", node.place)

    def range(self, start: Any, stop: Any, node: Builtin) -> Any:
        raise self.unsupported("a range of symbolic length", node.place)

    def counted(self, numbers: WholeNumbers, place: Place) -> WholeNumbers:
        """The numbers of a range whose limits are known; Unsupported where the run does not go through so many."""
        if not self.counts_on and op.count(numbers) > MOST_COUNTED:
            raise self.unsupported(f"a range of {op.count(numbers)} numbers, which are taken one by one", place)
        return numbers

    def length(self, value: Any, node: Builtin) -> Any:
        """The length of something that is neither a tuple nor a family."""
        raise node.place.error("len of something that has no length", "take len of a list or a query vector")

    def draw_family(
        self,
        where: Coordinate,
        distribution: Distribution,
        arguments: Callable[[Any], tuple[Any, ...]],
        length: Any,
        place: Place,
    ) -> Family:
        raise self.unsupported("a family of draws of symbolic length", place)

    def filtered(self, made: Family, node: Comprehension) -> Any:
        """A filtered list over a sequence of symbolic length."""
        raise self.unsupported("a filtered list over a sequence of symbolic length", node.place)

    def family(self, made: Family, node: Comprehension) -> Family:
        """A comprehension over a sequence of symbolic length, as the run keeps it."""
        return made
