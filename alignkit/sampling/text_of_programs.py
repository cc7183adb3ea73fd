"""The text of a sampler: a program of the language as Python text, for the arguments of one shape.

What the text computes is what the evaluator computes, to the last bit. Wherever it cannot, it raises an exception, and
the run is made again by the evaluator, which says what is wrong and where. So the text may compute in front of a loop
what the loop does not change, though the loop might not have come to it.

A `Text` has a level: 0 is known in front of the run, 1 in the body of the function, and each loop and each
comprehension is a level of its own. An expression of a lower level than where it stands is settled: computed in front
of the loop, once.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Listed
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from alignkit.language import program
from alignkit.language.program import Expression, Function, Name, Statement, Target, assigned, target_names
from alignkit.noise import CHOICE, Distribution
from alignkit.sampling.fronts import LAZY, Front
from alignkit.sampling.value_shapes import (
    ANY,
    BITS,
    EXACT,
    FLOAT,
    MIXED,
    NOISE,
    NONE,
    NOTHING,
    NUMBER,
    NUMBERS,
    TAG,
    TRUTH,
    WHOLE,
    Items,
    Shape,
    Tuple,
    common_shape,
    common_shape_of,
    is_filled,
    item_of,
    shape_of,
)


class Unwritable(Exception):
    """A program, or a part of it, has no text in a dialect."""


class Text(NamedTuple):
    """An expression of the text, the shape of its value, and the level on which it depends."""

    code: str
    shape: Shape
    level: int = 0

    @property
    def is_atom(self) -> bool:
        return self.code.isidentifier() or self.code.isdecimal()


@dataclass
class Loop:
    """A loop or a comprehension around what is being written: the names that it changes, and what stands in front.

    A comprehension inside another one has nothing in front. ``each_time`` has the names that every iteration changes.
    """

    changes: frozenset[str]
    front: list[str] | None
    each_time: frozenset[str] | None = None
    settled: dict[str, str] = field(default_factory=dict)


@dataclass
class Made:
    """A function of the text, and the shape of its value."""

    name: str
    shape: Shape


class Module:
    """The functions of one text, and the values that they name."""

    def __init__(self, writer: type[FunctionText]) -> None:
        self.writer = writer
        self.texts: list[str] = []
        self.values: dict[str, Any] = {}
        self.made: dict[Any, Made] = {}
        self.numbers = 0

    def new(self, prefix: str) -> str:
        self.numbers += 1
        return f"{prefix}{self.numbers}"

    def named(self, value: Any) -> str:
        """A name for a value in the text."""
        for name, known in self.values.items():
            if known is value:
                return name
        name = f"k{len(self.values)}"
        self.values[name] = value
        return name

    def called(self, function: Function, shapes: tuple[Shape, ...]) -> Made:
        """The function for arguments of these shapes, written where it is first called."""
        key = function, shapes
        if key not in self.made:
            name = self.new("f")
            given = dict(zip(function.parameters, shapes, strict=True))
            self.made[key] = Made(name, write_function(self, name, function, given, Front(), (), whole=False))
        return self.made[key]


def write_function(
    module: Module,
    name: str,
    function: Function,
    shapes: dict[str, Shape],
    front: Front,
    known: Listed[Shape],
    *,
    whole: bool,
) -> Shape:
    """Write a function into the module until the shapes of its names settle; the shape of its value.

    ``known`` has the shapes of what is known in front. ``whole`` says that its outputs are given out, and not handed to
    another function.
    """
    names: dict[str, Shape] = {}
    returned: Shape = NOTHING
    while True:
        writer = module.writer(module, function, shapes, front, known, dict(names), returned, whole)
        text = writer.written(name)
        if writer.names == names and writer.returned == returned:
            module.texts.append(text)
            return returned
        names, returned = writer.names, writer.returned


class FunctionText:
    """Writes one function. This is the dialect that Python runs; `CompiledText` is that of numba."""

    def __init__(
        self, module: Module, function: Function, parameters: dict[str, Shape], front: Front, known: Listed[Shape],
        names: dict[str, Shape], returned: Shape, whole: bool,
    ) -> None:  # fmt: skip
        self.module, self.function, self.parameters = module, function, parameters
        self.front, self.known = front, known
        self.names, self.returned, self.whole = names, returned, whole
        self.scope: dict[str, Text] = {}
        self.loops: list[Loop] = []
        self.lines: list[str] = []
        self.start: list[str] = []
        self.drawing: dict[str, str] = {}
        self.indent = 1
        self.reached = len(front.nodes)

    # The whole function

    def written_front(self) -> str:
        """The text of a function that gives all that is known in front of a run."""
        for parameter, shape in self.parameters.items():
            self.scope[parameter] = Text(self.ident(parameter), shape, 1)
        known = list(self.known)
        self.known = known
        for place, node in enumerate(self.front.nodes):
            self.reached = place  # two expressions may share one that is in front too
            value = getattr(self, f"of_{type(node).__name__}")(node)
            known[place] = value.shape
            self.line(f"c{place} = {value.code}")
            for name, at in self.front.names.items():
                if at == place:
                    self.scope[name] = Text(f"c{place}", value.shape, 1)
        self.line(f"return [{', '.join(f'c{i}' for i in range(len(known)))}]")
        given = ", ".join(self.ident(p) for p, shape in self.parameters.items() if shape != NOISE)
        body = "".join(f"    {line}\n" for line in self.lines)
        return f"def front({given}):\n{body}"

    def written(self, name: str) -> str:
        changed = assigned(self.function.body)
        for parameter, shape in self.parameters.items():
            if shape == NOISE:
                continue
            self.scope[parameter] = Text(self.ident(parameter), shape, 1 if parameter in changed else self.base_level)
            if parameter in changed:
                self.names[parameter] = common_shape(self.names.get(parameter, NOTHING), shape)
        for known, place in self.front.names.items():
            self.scope[known] = Text(f"c{place}", self.known[place], 0)
        self.block(self.function.body)
        self.finish()
        given = [self.ident(p) for p, shape in self.parameters.items() if shape != NOISE]
        given = [*self.source, *given, *(f"c{i}" for i in range(len(self.front.nodes)))]
        body = "".join(f"    {line}\n" for line in [*self.start, *self.lines_of_drawing(), *self.lines])
        return f"{self.decorator}def {name}({', '.join(given)}):\n{body}"

    decorator = ""
    source: tuple[str, ...] = ("noise",)
    bounded_shapes: tuple[str, ...] = (EXACT, NUMBER)

    @property
    def base_level(self) -> int:
        return 1

    @property
    def is_generator(self) -> bool:
        return self.function.is_generator

    def lines_of_drawing(self) -> list[str]:
        return [f"{name} = noise.standard({of})" for of, name in self.drawing.items()]

    def finish(self) -> None:
        if self.is_generator:
            self.start += ["out = []", "emit = out.append"]
            self.line("return out")
        elif not returns(self.function.body):
            self.returned = common_shape(self.returned, NONE)
            self.line("return None")

    def ident(self, name: str) -> str:
        """The name in the text of a name in the program: no name of the text's own begins so."""
        return f"v_{name}"

    @property
    def level(self) -> int:
        return len(self.loops) + 1

    def line(self, text: str) -> None:
        self.lines.append("    " * (self.indent - 1) + text)

    def unwritable(self, problem: str) -> NoReturn:
        raise Unwritable(problem)

    # Statements

    def block(self, statements: tuple[Statement, ...]) -> None:
        if not statements or all(isinstance(s, program.Pass) for s in statements):
            self.line("pass")
        for statement in statements:
            getattr(self, f"do_{type(statement).__name__}")(statement)

    def do_Pass(self, node: program.Pass) -> None:
        pass

    def do_Assign(self, node: program.Assign) -> None:
        if set(target_names(node.target)) <= self.front.names.keys():
            return
        self.assign(node.target, self.settled(self.value(node.value)))

    def assign(self, target: Target, value: Text) -> None:
        self.line(f"{self.bound(target, value.shape)} = {value.code}")

    def bound(self, target: Target, shape: Shape) -> str:
        """The target in the text; its names have the shapes of the parts."""
        if isinstance(target, str):
            self.names[target] = common_shape(self.names.get(target, NOTHING), shape)
            name = self.ident(target)
            self.scope[target] = Text(name, self.names[target], 1)
            return name
        parts = self.parts_of(shape, len(target))
        return f"({' '.join(f'{self.bound(t, p)},' for t, p in zip(target, parts, strict=True))})"

    def parts_of(self, shape: Shape, count: int) -> tuple[Shape, ...]:
        if isinstance(shape, Tuple):
            if len(shape.parts) != count:
                self.unwritable("a sequence of another length is unpacked")
            return shape.parts
        return (item_of(shape),) * count

    def do_If(self, node: program.If) -> None:
        test = self.settled(self.value(node.test)).code
        self.branch(test, lambda: self.block(node.then), lambda: self.block(node.other), both=bool(node.other))

    def branch(self, test: str, then: Callable[[], None], other: Callable[[], None], *, both: bool = True) -> None:
        self.line(f"if {test}:")
        self.inside(then)
        if both:
            self.line("else:")
            self.inside(other)

    def inside(self, write: Callable[[], None]) -> None:
        self.indent += 1
        write()
        self.indent -= 1

    def do_For(self, node: program.For) -> None:
        over = self.iterated(node.iterable)
        outer, self.lines = self.lines, []
        front: list[str] = []
        each_time = frozenset(_each_time(node))
        self.loops.append(Loop(assigned((node,)), front, each_time))
        self.indent += 1
        target = self.loop_target(node.target, item_of(over.shape))
        self.block(node.body)
        self.indent -= 1
        self.loops.pop()
        body, self.lines = self.lines, outer
        for text in front:
            self.line(text)
        self.line(f"for {target} in {over.code}:")
        self.lines += body

    def loop_target(self, target: Target, shape: Shape) -> str:
        return self.bound(target, shape)

    def do_Break(self, node: program.Break) -> None:
        self.line("break")

    def do_Return(self, node: program.Return) -> None:
        if self.is_generator:
            self.line("return out")
            return
        value = Text("None", NONE) if node.value is None else self.settled(self.value(node.value))
        self.returned = common_shape(self.returned, value.shape)
        self.line(f"return {value.code}")

    def do_Yield(self, node: program.Yield) -> None:
        if self.whole:
            self.line(f"emit({self.given_out(node.value)})")
            return
        value = self.settled(self.value(node.value))
        self.returned = common_shape(self.returned, Items(value.shape))
        self.line(f"emit({value.code})")

    def do_YieldFrom(self, node: program.YieldFrom) -> None:
        value = self.settled(self.value(node.value))
        self.returned = common_shape(self.returned, value.shape)
        each = self.finished(Text("x", item_of(value.shape), self.level)) if self.whole else "x"
        self.line(f"out.extend({value.code if each == 'x' else f'[{each} for x in {value.code}]'})")

    def given_out(self, node: Expression) -> str:
        """An output in its one form: sequences are tuples, and whole numbers ints."""
        if isinstance(node, program.Sequence):
            return f"({' '.join(f'{self.given_out(item)},' for item in node.items)})"
        if isinstance(node, program.Choice):
            test = self.settled(self.value(node.test)).code
            return f"({self.given_out(node.then)} if {test} else {self.given_out(node.other)})"
        return self.finished(self.settled(self.value(node)))

    def finished(self, value: Text) -> str:
        if value.shape in (FLOAT, WHOLE, TRUTH, TAG):
            return value.code
        return f"{'whole' if value.shape in (EXACT, NUMBER, ANY) else 'formed'}({value.code})"

    # Expressions

    def value(self, node: Expression) -> Text:
        place = self.front.places.get(id(node))
        if place is not None and place < self.reached:
            return Text(f"c{place}", self.known[place], 0)
        return getattr(self, f"of_{type(node).__name__}")(node)  # type: ignore[no-any-return]

    def settled(self, value: Text) -> Text:
        """The value as a part of what depends on the level where it stands."""
        level = max(value.level, 1)
        if level >= self.level or value.is_atom:
            return value
        loop = self.loops[level - 1]
        if loop.front is None or value.shape == NOTHING:
            return value
        if value.code not in loop.settled:
            loop.settled[value.code] = self.module.new("s")
            loop.front.append(f"{loop.settled[value.code]} = {value.code}")
        return Text(loop.settled[value.code], value.shape, value.level)

    def made(self, shape: Shape, pattern: str, *parts: Text, level: int = 0) -> Text:
        """An expression of parts, each of them settled where it is known earlier than the whole."""
        level = max([level, *(part.level for part in parts)])
        codes = [self.settled(part).code if part.level < level else part.code for part in parts]
        return Text(pattern.format(*codes), shape, level)

    def of_Constant(self, node: program.Constant) -> Text:
        value = node.value
        if type(value) is int and value >= 0:
            return Text(str(value), WHOLE)
        return Text(str(value) if type(value) is bool else self.module.named(value), shape_of(value))

    def of_Name(self, node: Name) -> Text:
        known = self.scope[node.name]
        if known.level == 0 or known.code.startswith("i"):
            return known
        shape = self.names.get(node.name, known.shape)
        for level, loop in reversed(list(enumerate(self.loops, 2))):
            if node.name in loop.changes:
                return Text(known.code, shape, level)
        return Text(known.code, shape, known.level)

    def of_Arithmetic(self, node: program.Arithmetic) -> Text:
        return self.arithmetic(node.operator, self.value(node.left), self.value(node.right))

    def arithmetic(self, operator: str, left: Text, right: Text) -> Text:
        shape = shape_of_arithmetic(operator, left.shape, right.shape)
        if operator in ("//", "%"):
            return self.made(shape, f"whole_{'quotient' if operator == '//' else 'remainder'}({{}}, {{}})", left, right)
        if FLOAT in (left.shape, right.shape):
            level = max(left.level, right.level)
            sides = [self.as_float(side) if side.level < level else side for side in (left, right)]
            # What is multiplied again and again may grow until infinity less infinity is no number.
            grows = operator in "*/" and (level > 1 or min(left.level, right.level) > 0)
            return self.made(shape, f"finite({{}} {operator} {{}})" if grows else f"({{}} {operator} {{}})", *sides)
        if operator == "/":
            return self.made(shape, "divide({}, {})", left, right)
        return self.made(shape, f"({{}} {operator} {{}})", left, right)

    def as_float(self, value: Text) -> Text:
        if value.shape == FLOAT or (value.shape == WHOLE and value.is_atom):
            return value
        return self.made(FLOAT, "as_float({})", value)

    def of_Negate(self, node: program.Negate) -> Text:
        value = self.value(node.operand)
        return self.made(value.shape, "(-{})", value)

    def of_Not(self, node: program.Not) -> Text:
        return self.made(TRUTH, "(not {})", self.value(node.operand))

    def of_Connective(self, node: program.Connective) -> Text:
        operands = [self.value(operand) for operand in node.operands]
        return self.made(TRUTH, f"({f' {node.operator} '.join('{}' for _ in operands)})", *operands)

    def of_Compare(self, node: program.Compare) -> Text:
        left, right = self.value(node.left), self.value(node.right)
        if node.operator in ("in", "not in"):
            return self.membership(node, left, right)
        if TAG in (left.shape, right.shape) or {left.shape, right.shape} == {TRUTH}:
            return self.identity(node.operator, left, right)
        if left.shape in NUMBERS and right.shape in NUMBERS:
            return self.comparison(node, left, right)
        return self.other_comparison(node, left, right)

    def other_comparison(self, node: program.Compare, left: Text, right: Text) -> Text:
        place = self.module.named(node.place)
        return self.made(TRUTH, f"compare('{node.operator}', {{}}, {{}}, {place})", left, right)

    def identity(self, operator: str, left: Text, right: Text) -> Text:
        """Whether two Booleans, or a tag and anything, are the same."""
        sign = {"==": "is", "!=": "is not"}.get(operator, operator)
        return self.made(TRUTH, f"({{}} {sign} {{}})", left, right)

    def membership(self, node: program.Compare, left: Text, right: Text) -> Text:
        item = item_of(right.shape)
        if (left.shape in NUMBERS and item in (*NUMBERS, NOTHING)) or (left.shape == TAG and item in (TAG, NOTHING)):
            return self.made(TRUTH, f"({{}} {node.operator} {{}})", left, right)
        return self.other_comparison(node, left, right)

    def comparison(self, node: program.Compare, left: Text, right: Text) -> Text:
        """A float decides as an exact number does where the number is the next float above or below."""
        sides = self.bounded(node.operator, left, right) or (left, right)
        level = max(left.level, right.level)
        text = self.made(TRUTH, f"({{}} {node.operator} {{}})", *sides, level=level)
        remembered = self.remembered(node, *sides) if FLOAT not in (left.shape, right.shape) else None
        return text if remembered is None else remembered

    def bounded(self, operator: str, left: Text, right: Text) -> tuple[Text, Text] | None:
        """A float and, in the place of an exact number, the float that decides as it does."""
        if operator not in _BOUNDS:
            return None
        below, above = _BOUNDS[operator]
        if left.shape == FLOAT and right.shape in self.bounded_shapes and right.level < self.level:
            return left, self.made(FLOAT, f"{below}({{}})", right)
        if right.shape == FLOAT and left.shape in self.bounded_shapes and left.level < self.level:
            return self.made(FLOAT, f"{above}({{}})", left), right
        return None

    def remembered(self, node: program.Compare, left: Text, right: Text) -> Text | None:
        """A comparison with its last outcome, which holds while a name stands for the same value."""
        loop = self.loops[-1] if self.loops else None
        if loop is None or loop.each_time is None or {left.shape, right.shape} == {WHOLE} or loop.front is None:
            return None
        changing = [side for side in (left, right) if side.level == self.level]
        if len(changing) != 1 or not changing[0].code.startswith("v_") or changing[0].code[2:] in loop.each_time:
            return None
        last, outcome = self.module.new("m"), self.module.new("m")
        loop.front += [f"{last}, {outcome} = NEVER, False"]
        codes = [
            f"({last} := {side.code})" if side is changing[0] else self.settled(side).code for side in (left, right)
        ]
        anew = f"({outcome} := {codes[0]} {node.operator} {codes[1]})"
        return Text(f"({outcome} if {changing[0].code} is {last} else {anew})", TRUTH, self.level)

    def of_Choice(self, node: program.Choice) -> Text:
        test, then, other = map(self.value, (node.test, node.then, node.other))
        return self.made(common_shape(then.shape, other.shape), "({1} if {0} else {2})", test, then, other)

    def of_Item(self, node: program.Item) -> Text:
        sequence, index = self.value(node.sequence), self.value(node.index)
        shape = item_of(sequence.shape)
        if isinstance(sequence.shape, Tuple) and isinstance(node.index, program.Constant):
            place = node.index.value
            if type(place) is int and 0 <= place < len(sequence.shape.parts):
                shape = sequence.shape.parts[place]
        return self.item(sequence, index, shape)

    def item(self, sequence: Text, index: Text, shape: Shape) -> Text:
        return self.made(shape, "{}[{}]", sequence, index)

    def of_Sequence(self, node: program.Sequence) -> Text:
        items = [self.value(item) for item in node.items]
        shape = Tuple(tuple(item.shape for item in items))
        return self.made(shape, f"({' '.join('{},' for _ in items)})", *items)

    def of_Joined(self, node: program.Joined) -> Text:
        parts = [self.iterated(part) for part in node.parts]
        item = common_shape_of(item_of(part.shape) for part in parts)
        return self.joining(Items(item, any(is_filled(part.shape) for part in parts)), parts)

    def joining(self, shape: Items, parts: list[Text]) -> Text:
        return self.made(shape, f"[{', '.join('*{}' for _ in parts)}]", *parts)

    def of_IndexSet(self, node: program.IndexSet) -> Text:
        items = [self.value(item) for item in node.items]
        shape = Items(common_shape_of(item.shape for item in items), bool(items), True)
        return self.set_of(shape, items)

    def set_of(self, shape: Items, items: list[Text]) -> Text:
        return self.made(shape, f"{{{{{', '.join('{}' for _ in items)}}}}}", *items)

    def of_Call(self, node: program.Call) -> Text:
        arguments = {
            parameter: Text("", NOISE, 0) if self.is_noise(argument) else self.value(argument)
            for parameter, argument in zip(node.function.parameters, node.arguments, strict=True)
        }
        made = self.module.called(node.function, tuple(a.shape for a in arguments.values()))
        given = [a for a in arguments.values() if a.shape != NOISE]
        draws = len(given) < len(arguments)
        source = self.source if draws else ["None" for _ in self.source]
        return self.made(
            made.shape, f"{made.name}({', '.join([*source, *('{}' for _ in given)])})", *given,
            level=self.level if draws else 0,
        )  # fmt: skip

    of_MechanismCall = of_Call

    def is_noise(self, node: Expression) -> bool:
        return isinstance(node, Name) and self.parameters.get(node.name) == NOISE

    def iterated(self, node: Expression) -> Text:
        """What a loop or a comprehension goes through."""
        if not isinstance(node, program.Builtin) or node.function not in LAZY or id(node) in self.front.places:
            return self.settled(self.value(node))
        if node.function == "range":
            limits = [self.settled(self.value(argument)) for argument in node.arguments]
            return self.made(Items(WHOLE), f"range({', '.join('{}' for _ in limits)})", *limits, level=self.level)
        parts = [self.iterated(argument) for argument in node.arguments]
        items = [item_of(part.shape) for part in parts]
        shape = Tuple((WHOLE, *items) if node.function == "enumerate" else tuple(items))
        filled = all(is_filled(part.shape) for part in parts)
        codes = ", ".join("{}" for _ in parts)
        return self.made(Items(shape, filled), f"{node.function}({codes})", *parts, level=self.level)

    def of_Comprehension(self, node: program.Comprehension) -> Text:
        steady = node.steady_draw
        if steady is not None and not node.filters and node.form == "list" and isinstance(node.iterable, Name):
            many = self.draws_at_once(steady, self.iterated(node.iterable))
            if many is not None:
                return many
        over = self.iterated(node.iterable)
        outer = self.scope
        self.scope = dict(outer)
        front = self.front_of_statement() if not any(loop.each_time is None for loop in self.loops) else None
        names: list[str] = []
        target = self.bound_within(node.target, item_of(over.shape), names)
        self.loops.append(Loop(frozenset(names), front))
        tests = [self.settled(self.value(test)).code for test in node.filters]
        element = self.settled(self.value(node.element))
        self.loops.pop()
        self.scope = outer
        level = max(over.level, self.lowest(element, tests, node))
        filled = is_filled(over.shape) and not tests
        return self.comprehended(node.form, target, over, tests, element, filled, level)

    def lowest(self, element: Text, tests: list[str], node: program.Comprehension) -> int:
        """The level of a comprehension: that of the names around it which it reads."""
        inner = set(target_names(node.target))
        level = 0
        for each in program.walk(node.element, *node.filters):
            if isinstance(each, program.Draw | program.Call):
                return self.level
            if isinstance(each, program.Comprehension):
                inner |= set(target_names(each.target))
            if isinstance(each, Name) and each.name not in inner and each.name in self.scope:
                level = max(level, self.of_Name(each).level)
        return level

    def comprehended(
        self, form: str, target: str, over: Text, tests: list[str], element: Text, filled: bool, level: int
    ) -> Text:
        inside = f"{element.code} for {target} in {over.code}{''.join(f' if {test}' for test in tests)}"
        code = f"{{{inside}}}" if form == "set" else f"({inside})" if form == "generator" else f"[{inside}]"
        return Text(code, Items(element.shape, filled, form == "set"), level)

    def front_of_statement(self) -> list[str]:
        """The lines in front of the statement that is being written."""
        return _Here(self)

    def bound_within(self, target: Target, shape: Shape, names: list[str]) -> str:
        """The target of a comprehension, under names that nothing else has."""
        if isinstance(target, str):
            name = self.module.new("i")
            self.scope[target] = Text(name, shape, self.level + 1)
            names.append(target)
            return name
        parts = self.parts_of(shape, len(target))
        return f"({' '.join(f'{self.bound_within(t, p, names)},' for t, p in zip(target, parts, strict=True))})"

    # Draws

    def of_Draw(self, node: program.Draw) -> Text:
        if node.distribution is CHOICE:
            weights = self.iterated(node.arguments[0])
            return self.made(WHOLE, f"noise.draw({self.module.named(CHOICE)}, {{}})", weights, level=self.level)
        arguments = [self.value(argument) for argument in node.arguments]
        distribution = self.module.named(node.distribution)
        given = ", ".join("{}" for _ in arguments)
        if node.distribution.by_scale:
            scale = self.made(FLOAT, f"noise.scale({distribution}, {given})", *arguments)
            drawing = self.drawing.setdefault(distribution, f"d{len(self.drawing)}")
            return Text(f"({self.settled(scale).code} * {drawing}())", FLOAT, self.level)
        drawing_ = self.settled(self.made(MIXED, f"noise.on_lattice({distribution}, {given})", *arguments))
        return Text(f"{drawing_.code}()", self.shape_of_draw(node.distribution, arguments), self.level)

    def shape_of_draw(self, distribution: Distribution, arguments: list[Text]) -> Shape:
        return FLOAT if distribution.support.continuous else arguments[-1].shape

    def draws_at_once(self, node: program.Draw, over: Text) -> Text | None:
        if node.distribution is CHOICE:
            return None
        arguments = [self.value(argument) for argument in node.arguments]
        pattern = f"draw_many(noise, '{node.distribution.name}', {', '.join('{}' for _ in (over, *arguments))})"
        shape = Items(self.shape_of_draw(node.distribution, arguments), is_filled(over.shape))
        return self.made(shape, pattern, over, *arguments, level=self.level)

    # Functions of the language

    def of_Builtin(self, node: program.Builtin) -> Text:
        name = node.function
        if name in LAZY:
            return self.made(self.iterated(node).shape, "list({})", self.iterated(node))
        values = [self.iterated(argument) for argument in node.arguments]
        return self.builtin(name, values, shape_of_builtin(name, [value.shape for value in values]))

    def builtin(self, name: str, values: list[Text], shape: Shape) -> Text:
        return self.made(shape, f"{name}({', '.join('{}' for _ in values)})", *values)


class _Here(list[str]):
    """Lines that go in front of the statement that a writer is at."""

    def __init__(self, writer: FunctionText) -> None:
        super().__init__()
        self.writer = writer

    def append(self, text: str) -> None:
        self.writer.line(text)


# What decides as an exact number does: where a float stands on its left, and on its right.
_UP, _DOWN = "least_above", "greatest_below"
_BOUNDS = {">=": (_UP, _DOWN), "<": (_UP, _DOWN), "<=": (_DOWN, _UP), ">": (_DOWN, _UP)}


def shape_of_arithmetic(operator: str, left: Shape, right: Shape) -> Shape:
    """The shape of a result."""
    if operator in ("//", "%"):
        return WHOLE
    if NOTHING in (left, right):
        return NOTHING
    if left not in NUMBERS or right not in NUMBERS:
        return BITS if BITS in (left, right) else MIXED
    if FLOAT in (left, right):
        return FLOAT
    return EXACT if operator == "/" and {left, right} <= {WHOLE, EXACT} else common_shape(left, right)


def shape_of_builtin(name: str, shapes: list[Shape]) -> Shape:
    """The shape of what a function of the language gives."""
    first = shapes[0]
    if name in ("any", "all"):
        return TRUTH
    if name in ("len", "round", "floor", "ceil"):
        return WHOLE
    if name in ("max", "min") and len(shapes) == 1:
        return item_of(first)
    if name == "sum":
        item = item_of(first)
        return item if is_filled(first) or item != FLOAT else NUMBER
    if name == "largest":
        return Items(WHOLE, True)
    if name == "lattice_points":
        return Items(common_shape_of(shapes))
    if name in ("exp", "log", "exp2", "sqrt"):
        if first == NOTHING:
            return NOTHING
        return FLOAT if first == FLOAT and name in ("exp2", "sqrt") else NUMBER
    if name == "power":
        return {FLOAT: FLOAT, WHOLE: EXACT, EXACT: EXACT, NOTHING: NOTHING}.get(first, NUMBER)  # type: ignore[arg-type]
    return common_shape_of(shapes)  # abs, clamp, max and min of several numbers


def returns(statements: tuple[Statement, ...]) -> bool:
    """Whether every way through the statements ends with ``return``."""
    return any(
        returns(node.then) and returns(node.other) if isinstance(node, program.If) else isinstance(node, program.Return)
        for node in statements
    )


def _each_time(loop: program.For) -> set[str]:
    """The names that an iteration of the loop, or of one in it, assigns whichever way it goes."""
    found: set[str] = set()
    for inner in program.walk(loop):
        if isinstance(inner, program.For):
            found |= set(target_names(inner.target))
            for statement in inner.body:
                if isinstance(statement, program.Assign):
                    found |= set(target_names(statement.target))
    return found
