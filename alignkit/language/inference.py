"""Inference of kinds: a program is refused where an operation does not fit its operands.

Python would let a Boolean be added and a number be a condition; the language refuses both, and refuses reading
a name that may have no value. What is learnt here also tells the prover which counters are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from alignkit.language import program
from alignkit.language.expression_kinds import ExpressionKinds
from alignkit.language.kinds import MIXED, NONE, Kind, Kinds, Names, join, joined, vector
from alignkit.language.program import Expression, Function, Statement, assigned, target_names

# The kinds at a loop's head settle within a few rounds; a name whose kind does not is nested deeper in each.
ROUNDS = 8


def infer(function: Function, parameters: Mapping[str, Kind]) -> Kinds:
    """The kinds of a mechanism's program; LanguageError where an operation does not fit its operands."""
    inference = _Inference()
    returned = inference.function(function, tuple(parameters[name] for name in function.parameters))
    output = vector(joined(inference.yielded)) if function.is_generator else returned
    return Kinds(inference.at_loop, output)


def check_alignment(function: Function, parameters: Mapping[str, Kind], noise: Mapping[str, int]) -> None:
    """Refuse an alignment in which an operation cannot fit its operands.

    ``noise`` is the number of loops around each draw. The kind of an output may vary from run to run, and with it the
    kind of what is computed from it: only what can never fit is refused here.
    """
    _Inference(noise).function(function, tuple(parameters[name] for name in function.parameters))


def check_text(expression: Expression, names: Names, *, condition: bool) -> None:
    """Refuse a claim that is not a number, or an invariant that is not a condition."""
    inference = _Inference({})
    (inference.condition if condition else inference.number)(expression, names)


class _Inference(ExpressionKinds):
    """One walk over a program."""

    def __init__(self, noise: Mapping[str, int] | None = None) -> None:
        super().__init__(noise)
        self.at_loop: dict[int, Names] = {}
        self.returned: list[Kind] = []
        self.yielded: list[Kind] = []
        self.broke: list[Names] = []

    def function(self, function: Function, arguments: tuple[Kind, ...]) -> Kind:
        outer, self.returned = self.returned, []
        broke, self.broke = self.broke, []
        names = dict(zip(function.parameters, arguments, strict=True))
        if self.block(function.body, names) is not None:
            self.returned.append(NONE)
        result = joined(self.returned)
        self.returned, self.broke = outer, broke
        return result

    def block(self, statements: tuple[Statement, ...], names: Names) -> Names | None:
        """The names after the block; None where its end is never reached."""
        current: Names | None = names
        for statement in statements:
            if current is None:
                raise statement.place.error("this statement is never reached", "remove it, or move it before the jump")
            current = self.statement(statement, current)
        return current

    def statement(self, node: Statement, names: Names) -> Names | None:
        match node:
            case program.Assign(target=target, value=value):
                after = dict(names)
                self.bind(target, self.kind(value, names), after, node)
                return after
            case program.If(test=test, then=then, other=other):
                self.condition(test, names)
                return _merge(self.block(then, dict(names)), self.block(other, dict(names)))
            case program.For():
                return self.loop(node, names)
            case program.Yield(value=value):
                self.yielded.append(self.output(value, names))
            case program.YieldFrom(value=value):
                self.yielded.extend(self.kind(value, names).parts)
            case program.Return(value=value):
                self.returned.append(NONE if value is None else self.kind(value, names))
                if value is not None and not self.lenient:
                    self.output(value, names)
                return None
            case program.Break():
                self.broke.append(dict(names))
                return None
            case program.Pass():
                pass
        return names

    def loop(self, node: program.For, names: Names) -> Names:
        element = self.elements(node.iterable, names)
        head = dict(names)
        changed = assigned((node,)) & names.keys()
        for rounds in count(1):
            inside = dict(head)
            self.bind(node.target, element, inside, node)
            outer, self.broke = self.broke, []
            after = self.block(node.body, inside)
            ways = [way for way in (after, *self.broke) if way is not None]
            self.broke = outer
            wider = head | {name: joined([head[name], *(way[name] for way in ways)]) for name in changed}
            if wider == head:
                break
            if rounds > ROUNDS:
                wider = {name: kind if kind == head[name] else MIXED for name, kind in wider.items()}
            head = wider
        before = self.at_loop.get(node.site, head)
        self.at_loop[node.site] = {n: join(before[n], head[n]) for n in head if n in before}
        # After the loop its variable, and names that are first assigned inside it, need not have a value.
        bound = set(target_names(node.target))
        return {name: kind for name, kind in head.items() if name not in bound}


def _merge(one: Names | None, other: Names | None) -> Names | None:
    if one is None or other is None:
        return one if other is None else other
    return {name: join(one[name], other[name]) for name in one if name in other}
