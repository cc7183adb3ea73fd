"""The evaluator: one walk over the program, on exact numbers, on floats and on symbolic terms.

What differs from one way of running to the next stands behind a Context: where noise comes from, which way a
condition goes, what becomes of a division by zero, and how sequences of symbolic length are handled. On
concrete values the walk gives what Python gives; tests hold the two against each other on random programs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alignkit.errors import TooLarge, Undefined
from alignkit.interpreting import comprehensions
from alignkit.interpreting import operations as op
from alignkit.interpreting.built_ins import builtin_value, numbers_of_range
from alignkit.interpreting.context import Context
from alignkit.interpreting.values import (
    NOISE,
    PLAIN,
    UNREACHED,
    Broke,
    Coordinate,
    Environment,
    Family,
    FilteredList,
    LimitOf,
    Members,
    MembersOf,
    Returned,
    Signal,
    is_condition,
    is_number,
)
from alignkit.language.program import (
    Arithmetic,
    Assign,
    Break,
    Builtin,
    Call,
    Choice,
    Compare,
    Comprehension,
    Connective,
    Constant,
    Draw,
    For,
    Function,
    If,
    IndexSet,
    Item,
    Joined,
    MechanismCall,
    Name,
    Negate,
    NoiseValue,
    Not,
    Place,
    Return,
    Sequence,
    ShiftExpression,
    Statement,
    Target,
    Yield,
    YieldFrom,
)
from alignkit.language.tags import Tag
from alignkit.noise import CHOICE

Iterable = tuple[Any, ...] | Family | range


class Evaluator:
    """Runs a function of the language in a context.

    ``path`` is the stack of calls and ``iteration`` the iteration vector: with the place of a draw they make
    its coordinate.
    """

    def __init__(self, context: Context, *, exact: bool = True) -> None:
        self.context = context
        self.exact = exact
        self.calculate, self.compare = context.arithmetic, context.compare
        self.path: tuple[int, ...] = ()
        self.iteration: tuple[Any, ...] = ()
        self.outputs: list[Any] = []
        self.called = 0  # how many calls of mechanisms are being evaluated, one inside another
        self.ended_at: Place | None = None

    def call(self, function: Function, arguments: tuple[Any, ...]) -> Any:
        """The value the function returns."""
        signal = self.block(function.body, dict(zip(function.parameters, arguments, strict=True)))
        return signal.value if isinstance(signal, Returned) else None

    # Statements

    def block(self, statements: tuple[Statement, ...], names: Environment) -> Signal:
        """Run statements; returns the jump that left them, or None where they reached their end."""
        for statement in statements:
            signal = self.statement(statement, names)
            if signal is not None:
                return signal
        return None

    def statement(self, node: Statement, names: Environment) -> Signal:
        # A chain of isinstance, since patterns take several times as long.
        if isinstance(node, Assign):
            self.bind(node.target, self.value(node.value, names), names, node.place)
        elif isinstance(node, If):
            return self.block(node.then if self.decide(node.test, names) else node.other, names)
        elif isinstance(node, For):
            return self.loop(node, names)
        elif isinstance(node, Yield):
            value = self.value(node.value, names)
            # What a mechanism yields that was called is a part of its value, and no output yet.
            self.outputs.append(value if self.called else self.context.emit(value, node.place))
        elif isinstance(node, YieldFrom):
            values = self.value(node.value, names)
            if self.called and not isinstance(values, tuple):
                raise self.context.unsupported("outputs of a call, yielded by a mechanism that is called", node.place)
            self.outputs.extend(values if self.called else self.context.emit_all(values, node.place))
        elif isinstance(node, Return):
            self.ended_at = node.place
            return Returned(None if node.value is None else self.value(node.value, names))
        elif isinstance(node, Break):
            self.ended_at = node.place
            return Broke(node)
        return None

    def loop(self, node: For, names: Environment) -> Signal:
        items = self.iterable(node.iterable, names)
        if isinstance(items, Family):
            return self.context.loop(self, node, items, names)
        for index, item in enumerate(items):
            self.context.tick()
            signal = self.iterate(node, index, item, names)
            if isinstance(signal, Broke):
                return None
            if signal is not None:
                return signal
        return None

    def iterate(self, node: For, index: Any, item: Any, names: Environment) -> Signal:
        """One iteration of a loop's body."""
        self.bind(node.target, item, names, node.place)
        outer = self.iteration
        self.iteration = (*outer, index)
        try:
            return self.block(node.body, names)
        finally:
            self.iteration = outer

    def bind(self, target: Target, value: Any, names: Environment, place: Place) -> None:
        if isinstance(target, str):
            names[target] = value
            return
        parts = None if type(value) is tuple else getattr(value, "parts", None)
        if callable(parts):
            value = parts(len(target))
        if not isinstance(value, tuple):
            problem = f"{op.kind(value)} cannot be unpacked"
            raise op.misfit((value,), place, problem, "unpack tuples of a known length")
        if len(value) != len(target):
            raise Undefined(f"cannot unpack {len(value)} values into {len(target)}", place)
        for part, item in zip(target, value, strict=True):
            self.bind(part, item, names, place)

    # Expressions

    def value(self, node: Any, names: Environment) -> Any:
        return _EXPRESSIONS[type(node)](self, node, names)

    def number(self, node: Any, names: Environment, *, in_set: bool = False) -> Any:
        value = _EXPRESSIONS[type(node)](self, node, names)
        if type(value) not in PLAIN and not is_number(value):
            problem = f"{op.kind(value)} is used as a number"
            raise op.misfit((value,), node.place, problem, "compute with numbers only", fatal=() if in_set else (Tag,))
        return value

    def condition(self, node: Any, names: Environment) -> Any:
        value = self.value(node, names)
        if not is_condition(value):
            problem = f"{op.kind(value)} is used as a condition"
            raise op.misfit((value,), node.place, problem, "write the comparison out, for example `x != 0`", fatal=())
        return value

    def decide(self, node: Any, names: Environment) -> bool:
        """Which way a condition goes on this run."""
        return self.context.decide(self.condition(node, names), node.place)

    def constant(self, node: Constant, names: Environment) -> Any:
        value = node.value
        return float(value) if node.decimal and not self.exact else value  # type: ignore[arg-type]

    def name(self, node: Name, names: Environment) -> Any:
        try:
            return names[node.name]
        except KeyError:
            raise Undefined(f"`{node.name}` has no value here", node.place) from None

    def arithmetic(self, node: Arithmetic, names: Environment) -> Any:
        one, other = node.left, node.right
        left, right = _EXPRESSIONS[type(one)](self, one, names), _EXPRESSIONS[type(other)](self, other, names)
        if node.operator in op.DIVISIONS and is_number(right):
            nonzero = self.compare("!=", right, 0, node.place)
            if not self.context.demand(nonzero, node.place, "division by zero"):
                return UNREACHED
        return self.calculate(node.operator, left, right, node.place, exact=self.exact)

    def negate(self, node: Negate, names: Environment) -> Any:
        return -self.number(node.operand, names)

    def negation(self, node: Not, names: Environment) -> Any:
        return op.negation(self.condition(node.operand, names))

    def connective(self, node: Connective, names: Environment) -> Any:
        """``and`` and ``or``: what stands to the right is evaluated only where the left leaves it open."""
        stop = node.operator == "or"
        result = self.condition(node.operands[0], names)
        for operand in node.operands[1:]:
            if isinstance(result, bool):
                if result is stop:
                    return result
                result = self.condition(operand, names)
                continue
            with self.context.under(op.negation(result) if stop else result):
                right = self.condition(operand, names)
            result = (result | right) if stop else (result & right)
        return result

    def comparison(self, node: Compare, names: Environment) -> Any:
        one, other = node.left, node.right
        left, right = _EXPRESSIONS[type(one)](self, one, names), _EXPRESSIONS[type(other)](self, other, names)
        if type(left) in PLAIN and type(right) in PLAIN:
            if (type(left) is float or type(right) is float) and op.nearly_equal(left, right):
                self.context.close = True
            return op.compare(node.operator, left, right, node.place)
        if isinstance(right, Family | MembersOf) and node.operator in ("in", "not in") and is_number(left):
            family = right.family if isinstance(right, MembersOf) else right
            member = self.context.member(left, family, node.place)
            return member if node.operator == "in" else op.negation(member)
        return self.compare(node.operator, left, right, node.place)

    def choice(self, node: Choice, names: Environment) -> Any:
        test = self.context.known(self.condition(node.test, names))
        if isinstance(test, bool):
            return self.value(node.then if test else node.other, names)
        with self.context.under(test):
            then = self.value(node.then, names)
        with self.context.under(op.negation(test)):
            other = self.value(node.other, names)
        if (is_number(then) and is_number(other)) or (is_condition(then) and is_condition(other)):
            try:
                return op.choose(test, then, other)
            except TooLarge as problem:
                raise problem.at(node.place) from None
        parts = op.chosen_by_parts(test, then, other) if self.context.by_parts else None
        if parts is not None:
            return parts
        return then if self.context.decide(test, node.place) else other

    def user_call(self, node: Call, names: Environment) -> Any:
        arguments = tuple(self.value(a, names) for a in node.arguments)
        outer, ended_at = self.path, self.ended_at
        self.path = (*self.path, node.site)
        try:
            return self.call(node.function, arguments)
        finally:
            self.path, self.ended_at = outer, ended_at

    def mechanism_call(self, node: MechanismCall, names: Environment) -> Any:
        arguments = tuple(self.value(a, names) for a in node.arguments)
        return self.context.mechanism_call(self, node, arguments)

    def inlined(self, node: MechanismCall, arguments: tuple[Any, ...]) -> Any:
        """The value of a mechanism that is called, by running it: a list of its outputs where it yields."""
        outer, ended_at, outputs = self.path, self.ended_at, self.outputs
        self.path, self.outputs = (*self.path, node.site), []
        self.called += 1
        try:
            returned = self.call(node.function, arguments)
            return tuple(self.outputs) if node.function.is_generator else returned
        finally:
            self.path, self.ended_at, self.outputs = outer, ended_at, outputs
            self.called -= 1

    def item(self, node: Item, names: Environment) -> Any:
        sequence, index = self.value(node.sequence, names), self.number(node.index, names)
        if not isinstance(sequence, tuple):
            if isinstance(sequence, Family):
                return self.context.element(sequence, index, node.place)
            if hasattr(sequence, "part"):
                return sequence.part(index)
            problem = f"{op.kind(sequence)} has no items"
            raise op.misfit((sequence,), node.place, problem, "index tuples, lists and query vectors")
        if not isinstance(index, int):
            return self.context.select(sequence, index, node.place)
        if not -len(sequence) <= index < len(sequence):
            of = f" of `{node.sequence.name}`" if isinstance(node.sequence, Name) else ""
            raise Undefined(f"index {index} is out of range for {len(sequence)} items{of}", node.place)
        return sequence[index]

    def sequence(self, node: Sequence, names: Environment) -> Any:
        return tuple([_EXPRESSIONS[type(item)](self, item, names) for item in node.items])

    def joined(self, node: Joined, names: Environment) -> Any:
        parts = [self.iterable(part, names) for part in node.parts]
        listed = [tuple(op.listable(p, node.place)) if isinstance(p, range) else p for p in parts]
        if any(isinstance(part, Family) for part in listed):
            return self.context.joined(listed, node.place)
        return tuple(item for part in listed for item in part)  # type: ignore[union-attr]

    def index_set(self, node: IndexSet, names: Environment) -> Any:
        return Members(tuple(self.number(item, names, in_set=True) for item in node.items))

    def iterable(self, node: Any, names: Environment) -> Iterable:
        value = self.gone_through(node, names)
        if isinstance(value, FilteredList):
            raise op.misfit((value,), node.place, f"{op.kind(value)} cannot be iterated", "loop over queries")
        return value

    def gone_through(self, node: Any, names: Environment) -> Iterable | FilteredList:
        """What is gone through: it may be a list that was filtered, where nothing asks for the places of its items."""
        ranges = type(node) is Builtin and node.function == "range"
        value = numbers_of_range(self, node, names) if ranges else self.value(node, names)
        if not isinstance(value, tuple | Family | range | FilteredList):
            problem = f"{op.kind(value)} cannot be iterated"
            raise op.misfit((value,), node.place, problem, "loop over queries, a list or range(…)")
        return value

    def draw(self, node: Draw, names: Environment) -> Any:
        return self.drawn(node, self.draw_arguments(node, names))

    def draw_arguments(self, node: Draw, names: Environment) -> tuple[Any, ...]:
        """The arguments of a draw's distribution, checked."""
        if names.get(node.source) is not NOISE:
            raise node.place.error(f"`{node.source}` is not the noise", "draw from the noise parameter")
        if node.distribution is CHOICE:
            arguments: tuple[Any, ...] = (self.weights(node, names),)
        else:
            arguments = tuple([self.number(a, names) for a in node.arguments])
        for number, symbol, bound, words in node.distribution.requirements(*arguments):
            required = self.compare(symbol, number, bound, node.place)
            self.context.require(required, node.place, words.format(node.name))
        return arguments

    def drawn(self, node: Draw, arguments: tuple[Any, ...]) -> Any:
        """The noise that a draw gives in this iteration."""
        where = Coordinate(self.context.key(self.path, node), self.iteration)
        return self.context.draw(where, node.distribution, arguments, node.place)

    def weights(self, node: Draw, names: Environment) -> tuple[Any, ...]:
        """The weights of a finite choice."""
        items = self.iterable(node.arguments[0], names)
        if isinstance(items, Family):
            raise self.context.unsupported("weights of symbolic length", node.place)
        for weight in items:
            if not is_number(weight):
                raise op.misfit((weight,), node.place, f"a weight is {op.kind(weight)}", "give a list of numbers")
        return tuple(items)

    def noise_value(self, node: NoiseValue, names: Environment) -> Any:
        return self.context.noise_value(node.name, node.place)

    def shift(self, node: ShiftExpression, names: Environment) -> Any:
        self.context.shift(node)
        shifts = [(shift.name, self.value(shift.value, names)) for shift in node.shifts]
        limits = (
            (LimitOf(limit.name, limit.form, given), self.value(expression, names))
            for limit in node.limits
            for given, expression in ((False, limit.value), (True, limit.given))
        )
        return (*shifts, *limits)


_EXPRESSIONS: dict[type, Callable[[Evaluator, Any, Environment], Any]] = {
    Constant: Evaluator.constant,
    Name: Evaluator.name,
    Arithmetic: Evaluator.arithmetic,
    Negate: Evaluator.negate,
    Not: Evaluator.negation,
    Connective: Evaluator.connective,
    Compare: Evaluator.comparison,
    Choice: Evaluator.choice,
    Builtin: builtin_value,
    Call: Evaluator.user_call,
    MechanismCall: Evaluator.mechanism_call,
    Item: Evaluator.item,
    Sequence: Evaluator.sequence,
    Joined: Evaluator.joined,
    IndexSet: Evaluator.index_set,
    Comprehension: comprehensions.comprehension_value,
    Draw: Evaluator.draw,
    NoiseValue: Evaluator.noise_value,
    ShiftExpression: Evaluator.shift,
}
