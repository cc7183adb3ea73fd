"""Invariants worth trying, by the text of a loop: conditions that the program itself suggests, and counters that grow.

The way past a break, a counter that only grows, lists that gain as much as one another, the number of outputs beside
what the program counts, and variables that the scales of draws are made of. What users state is tried too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

from alignkit.language.kinds import Kind
from alignkit.language.program import (
    Assign,
    Break,
    Compare,
    Draw,
    Expression,
    For,
    If,
    Name,
    Not,
    Return,
    Statement,
    Yield,
    assigned,
    target_names,
    walk,
)
from alignkit.proving.loops.invariants import Alike, Invariant, LoopPlan, ProgramCondition
from alignkit.proving.runs.grown_lists import grown_in
from alignkit.proving.runs.loop_states import OUTPUTS, ROUNDS, Gains, placeholder
from alignkit.proving.runs.output_shapes import Held
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.symbolic.atoms import Remainder
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.terms import Term


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


def loop_candidates(
    node: For, kinds: Mapping[str, Kind], changed: tuple[str, ...], limits: tuple[str, ...]
) -> LoopPlan:
    """The invariants worth trying for a loop; ``limits`` are public counts that may bound a counter."""
    suggested: list[Invariant] = []
    for guard in guards(node.body):
        if all(n.name in kinds for n in walk(guard) if isinstance(n, Name)):
            suggested += [guard_missed(guard), *_closed(guard), *_not_begun(guard, kinds, changed)]
    if not suggested:
        suggested = [_at_most(name, limit) for name in changed for limit in limits]
    suggested += map(_at_least_before, changed)
    suggested += map(stays_above_zero, read_by_scales(node, changed))
    suggested += _budgets(node, kinds, changed)
    return LoopPlan(node, frozenset(changed), tuple({each.name: each for each in suggested}.values()))


def _budgets(loop: For, kinds: Mapping[str, Kind], changed: tuple[str, ...]) -> Iterator[Invariant]:
    """That what is spent stays within what a condition holds it against, and what is left at least 0.

    So `spent <= eps` is tried where the loop asks `spent + price > eps` before it spends, and `left >= 0` where it asks
    `left < price`.
    """
    numbers = _not_whole(kinds, changed)
    tests = [part for node in walk(*loop.body) if isinstance(node, If) for part in walk(node.test)]
    for test in (test for test in tests if isinstance(test, Compare) and test.operator in ("<", "<=", ">", ">=")):
        for side, limit in ((test.left, test.right), (test.right, test.left)):
            fixed = all(node.name in kinds for node in walk(limit) if isinstance(node, Name))
            below = test.operator.startswith("<" if side is test.left else ">")
            for name in sorted(_names([side]) & numbers):
                alone = isinstance(side, Name)  # then a limit from above is what the condition itself says
                if below or not alone:
                    yield Invariant(f"{name} >= 0", placeholder(name).compare(">=", 0))
                if fixed and not alone and not _names([limit]) & {*changed}:
                    at_most = Compare(test.place, "<=", Name(side.place, name), limit)
                    yield ProgramCondition(f"{name} <= {as_written(limit)}", expression=at_most)


def equal_gains(lists: tuple[str, ...], counters: tuple[str, ...]) -> tuple[Invariant, ...]:
    """That two lists have gained as many items, or a counter as much as a list: worth trying."""
    pairs = [*combinations(lists, 2), *((counter, grown) for counter in counters for grown in lists)]
    return tuple(Invariant(f"{one} gains as much as {other}", _gain_alike(one, other)) for one, other in pairs)


def _gain_alike(one: str, other: str) -> Any:
    return gained(one).compare("==", gained(other))


def gained(counter: str) -> Term:
    """What a counter has gained since the loop began, over placeholders."""
    return placeholder(counter) - placeholder(counter, before=True)


def relations_of_counters(paths: Iterable[Gains]) -> Iterator[Invariant]:
    """How variables hang together that each path changes by a number or sets to a remainder: worth trying.

    Two ends that close in on one another, ``lo += 1`` or ``hi -= 1``, have come as much closer as there were
    iterations; where they are set to what lies between them, they keep their order. A counter ``c = (c + 1) % k`` that
    begins with 0 is the number of the iteration modulo k.
    """
    listed = list(paths)
    if not listed:
        return
    common = [name for name in listed[0].gained if all(name in path.gained for path in listed)]
    by_name = {name: [path.gained[name].constant for path in listed] for name in common}
    steps = {name: [step for step in by if step is not None] for name, by in by_name.items() if None not in by}
    whole = [name for name in common if all(name in path.became and path.became[name].integer for path in listed)]
    jumping = [name for name in whole if name not in steps]
    for name in (*jumping, *(name for name, by in steps.items() if max(by) <= 0 and min(by) < 0)):
        yield Invariant(f"{name} <= {name} before the loop", gained(name).compare("<=", 0))
    for one, other in permutations(jumping, 2):
        yield Invariant(f"{one} <= {other}", placeholder(one).compare("<=", placeholder(other)))
    counters = (*steps, ROUNDS)
    for factors in _kernel([*zip(*steps.values(), [Fraction(1)] * len(listed), strict=True)]):
        some = {counter: factor for counter, factor in zip(counters, factors, strict=True) if factor}
        shown = " + ".join(f"{factor} * {counter}" for counter, factor in some.items())
        total = sum((gained(counter) * factor for counter, factor in some.items()), Term.of(0))
        yield Invariant(f"{shown} stays as before the loop", total.compare("==", 0))
    for name in (name for name in listed[0].became if all(name in path.became for path in listed)):
        (became, *others) = dict.fromkeys(path.became[name] for path in listed)
        atom = next(became.atoms(), None)
        if not others and isinstance(atom, Remainder) and became == Term.of(atom) and atom.divisor.sign == 1:
            holds = placeholder(name).compare("==", placeholder(ROUNDS).remainder(atom.divisor))
            yield Invariant(f"{name} == {ROUNDS} % {atom.divisor}", holds)


def _kernel(rows: list[tuple[Fraction, ...]]) -> Iterator[tuple[Fraction, ...]]:
    """Factors by which the columns of a matrix add up to 0 in each row: a basis of all such factors."""
    width, solved = len(rows[0]), dict[int, list[Fraction]]()
    for row in dict.fromkeys(rows):
        left = list(row)
        for column, other in solved.items():
            left = [a - left[column] * b for a, b in zip(left, other, strict=True)]
        lead = next((column for column, number in enumerate(left) if number), None)
        if lead is not None:
            left = [number / left[lead] for number in left]
            for column, other in solved.items():
                solved[column] = [a - other[lead] * b for a, b in zip(other, left, strict=True)]
            solved[lead] = left
    for free in range(width):
        if free not in solved:
            yield tuple(-solved[c][free] if c in solved else Fraction(int(c == free)) for c in range(width))


def stated_invariant(text: str, expression: Expression) -> Invariant:
    """A user's invariant."""
    return ProgramCondition(text, expression=expression, on_both=False)


def _at_most(name: str, limit: str) -> Invariant:
    return Invariant(f"{name} <= {limit}", placeholder(name).compare("<=", placeholder(limit)))


def _at_least_before(name: str) -> Invariant:
    return Invariant(f"{name} >= {name} before the loop", gained(name).compare(">=", 0))


@dataclass(frozen=True)
class AsFarApart(Invariant):
    """That a variable lies as far from what it is on D as before the loop: a threshold is drawn again and moved alike.

    Where the variable is equal on D and D′ before the loop, this says that it is equal. With ``to_come`` it is said
    only while further outputs are to come, which ``length`` counts: the last draw of a threshold need not be moved.
    """

    variable: str = field(kw_only=True)
    to_come: bool = field(default=False, kw_only=True)

    @staticmethod
    def of(variable: str, length: Term | None = None) -> AsFarApart:
        """The invariant of a variable, or where the number of outputs is given, that of it while some are to come."""
        apart = f"{variable}_ - {variable}"
        name = f"{apart} == {apart} before the loop"
        formula = (_apart(variable) - _apart(variable, before=True)).compare("==", 0)
        if length is None:
            return AsFarApart(name, formula, variable=variable)
        over = placeholder(ROUNDS).compare(">=", length)
        return AsFarApart(f"{name}, while outputs are to come", formula | over, variable=variable, to_come=True)


def before_any(held: Held) -> Invariant:
    """That a variable is what it was before the loop until an iteration is over."""
    _, name = held
    same = placeholder(name).compare("==", placeholder(name, before=True))
    over = placeholder(ROUNDS).compare(">=", 1)
    return Invariant(f"{name} == {name} before the loop, or an iteration is over", same | over)


def _apart(name: str, *, before: bool = False) -> Term:
    return placeholder(name, primed=True, before=before) - placeholder(name, before=before)


def kept_by_alignment(body: tuple[Statement, ...], changed: Iterable[str]) -> Iterator[Alike]:
    """That what a loop of the alignment keeps is what the mechanism's loop keeps on D, on D′, or the difference."""
    loops = [node for node in walk(*body) if isinstance(node, For)]
    inside = {node for loop in loops for node in walk(*loop.body)}
    outside = [node for node in walk(*body) if isinstance(node, Assign) and node not in inside]
    before = {name for node in outside for name in target_names(node.target)}
    for name in sorted({name for loop in loops for name in assigned(loop.body) - grown_in(loop)} & before):
        for other in changed:
            on_d, on_d_prime = placeholder(other), placeholder(other, primed=True)
            yield Alike.of(name, on_d, other)
            yield Alike.of(name, on_d_prime, f"{other}_")
            yield Alike.of(name, on_d - on_d_prime, f"{other} - {other}_")
        yield Alike.of(name, placeholder(ROUNDS), ROUNDS)


def flags(paths: Iterable[Gains]) -> dict[str, list[Fraction]]:
    """The variables that every iteration keeps or sets to a fixed number, with these numbers in order."""
    listed, found = list(paths), {}
    for name in listed[0].gained if listed else ():
        made = [path.after(name) for path in listed if path.gain(name) != Term.of(0)]
        values = [Fraction(value.constant) for value in made if value is not None and value.constant is not None]
        if values and len(values) == len(made):
            found[name] = sorted(set(values))
    return found


def about_flags(some: Mapping[str, list[Fraction]], numbers: Iterable[str], inputs: Inputs) -> Iterator[Invariant]:
    """Bounds on flags, and that a variable differs by a sensitivity on D′ except where a flag asks for a new draw."""
    sizes = [inputs.sensitivity(name) for name in inputs.vectors]
    moves = {by.key: by for size in sizes for by in (size, -size)}
    others = [name for name in numbers if name not in some]
    for flag, values in some.items():
        yield Invariant(f"{flag} <= {values[-1]}", placeholder(flag).compare("<=", values[-1]))
        yield Invariant(f"{flag} >= {values[0]}", placeholder(flag).compare(">=", values[0]))
        for value, name, by in product(values, others, moves.values()):
            raised = placeholder(flag).compare("==", value)
            yield Invariant(f"{flag} == {value} or {name}_ - {name} == {by}", raised | _apart(name).compare("==", by))


def stays_above_zero(name: str) -> Invariant:
    """The invariant that a variable stays above 0, as scales that divide by it must."""
    return Invariant(f"{name} > 0", placeholder(name).compare(">", 0))


def guard_missed(guard: Expression) -> Invariant:
    """The invariant that the condition of a break did not hold."""
    if isinstance(guard, Not):
        return ProgramCondition(as_written(guard.operand), expression=guard.operand)
    return ProgramCondition(f"not ({as_written(guard)})", expression=Not(guard.place, guard))


def _not_begun(guard: Expression, kinds: Mapping[str, Kind], changed: tuple[str, ...]) -> Iterator[Invariant]:
    """The same, unless nothing has been spent: a loop that asks at its end has not asked about its first iteration."""
    spent = sorted(_names([guard]) & _not_whole(kinds, changed))
    sides = (guard.left, guard.right) if isinstance(guard, Compare) else ()
    if spent and not any(isinstance(side, Name) and side.name in spent for side in sides):
        nothing = conjunction(tuple(gained(name).compare("==", 0) for name in spent))
        missed = Not(guard.place, guard)
        words = f"not ({as_written(guard)}), or {' and '.join(spent)} as before the loop"
        yield ProgramCondition(words, expression=missed, unless=nothing)


def _not_whole(kinds: Mapping[str, Kind], changed: Iterable[str]) -> set[str]:
    """The changed variables that hold numbers which need not be whole."""
    return {name for name in changed if kinds[name].is_number and kinds[name].name != "int"}


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
_OPPOSITE = {"<": ">=", ">": "<=", "!=": "=="}


def _closed(guard: Expression) -> list[Invariant]:
    """What may hold until a guard does, with equality let in: a loop may begin where its guard holds already."""
    ends = guard.operand if isinstance(guard, Not) else guard
    if not isinstance(ends, Compare):
        return []
    operator = ends.operator if ends is guard else _OPPOSITE.get(ends.operator, "")
    return [
        ProgramCondition(
            f"{as_written(ends.left)} {relation} {as_written(ends.right)}",
            expression=Compare(ends.place, relation, ends.left, ends.right),
        )
        for relation in _CLOSED.get(operator, ())
    ]


def as_written(expression: Expression) -> str:
    """The text of an expression in its program."""
    place = expression.place
    return place.source.text(place.line)[place.column : place.end_column]


def length_invariants(loop: For, changed: tuple[str, ...], kinds: Mapping[str, Kind]) -> tuple[Invariant, ...]:
    """Comparisons of the number of outputs with the iterations and with the loop's counters, worth trying."""
    counters = (ROUNDS, *(name for name in changed if kinds[name].name == "int"))
    times = max(1, _most_outputs(loop.body))
    much = "as much" if times == 1 else f"{times} times as much"
    return tuple(
        Invariant(f"{OUTPUTS} gain {words} {much} as {counter}", _gain(counter, relation, times))
        for counter in counters
        for relation, words in (("<=", "at most"), (">=", "at least"))
    )


def _most_outputs(body: tuple[Statement, ...]) -> int:
    """The most outputs that one run of the statements gives, inner loops counted once."""
    most = 0
    for statement in body:
        match statement:
            case Yield():
                most += 1
            case If(then=then, other=other):
                most += max(_most_outputs(then), _most_outputs(other))
            case For(body=inner):
                most += _most_outputs(inner)
    return most


def _gain(counter: str, relation: str, times: int) -> Any:
    return gained(OUTPUTS).compare(relation, gained(counter) * times)
