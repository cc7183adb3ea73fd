"""The dialect of the text that numba compiles.

A float is a float64, a whole number an int64, an exact number a pair of int64 (numerator and denominator), a tag its
code. A number or scalar whose kind varies is a tuple of four: what it is, its float, and its two whole numbers. A
sequence of a known length is a tuple, any other a list or an array, and so is a set.

Where an int64 does not suffice, or anything is undefined, the text raises an exception, and the runs are made by the
text that Python runs. Outputs are written into arrays: the number of its form for each, and the numbers in it.
"""

from __future__ import annotations

from collections.abc import Sequence as Listed
from fractions import Fraction
from typing import Any

from alignkit.language import program
from alignkit.language.program import Expression, Target
from alignkit.language.tags import Tag
from alignkit.noise import CHOICE, Distribution
from alignkit.sampling.packing import ConstantForm
from alignkit.sampling.text_of_programs import FunctionText, Module, Text, returns, shape_of_arithmetic
from alignkit.sampling.value_shapes import (
    ANY,
    BITS,
    EXACT,
    FLOAT,
    NOTHING,
    NUMBER,
    NUMBERS,
    SCALARS,
    TAG,
    TRUTH,
    WHOLE,
    Items,
    Shape,
    Tuple,
    common_shape,
    common_shape_of,
    item_of,
)

# The ends of the names of functions on numbers of each shape.
_ENDS = {FLOAT: "f", WHOLE: "w", EXACT: "x", NUMBER: "n", ANY: "n", TAG: "w", TRUTH: "w"}
_NAMES = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
_ZEROS = {
    FLOAT: "0.0", WHOLE: "0", EXACT: "(0, 1)", NUMBER: "n_of_f(0.0)", ANY: "n_of_f(0.0)", TAG: "0", TRUTH: "False",
}  # fmt: skip


class CompiledModule(Module):
    """The functions of a text for numba, with the codes of tags and the forms of outputs.

    ``several`` says that the items of what is returned are the outputs.
    """

    def __init__(self, tags: Listed[Tag], *, several: bool) -> None:
        super().__init__(CompiledText)
        self.tags = list(tags)
        self.several = several
        self.forms: list[Any] = []

    def form(self, form: Any) -> int:
        if form not in self.forms:
            self.forms.append(form)
        return self.forms.index(form)


class CompiledText(FunctionText):
    module: CompiledModule
    decorator = "@njit\n"
    source: tuple[str, ...] = ("A", "B")
    bounded_shapes: tuple[str, ...] = (EXACT,)

    # Values of one shape in the place of another

    def convert(self, value: Text, shape: Shape) -> Text:
        """The value in the representation of a shape that its own may become."""
        here = value.shape
        if here == shape or NOTHING in (here, shape) or {here, shape} <= {NUMBER, ANY}:
            return Text(value.code, shape, value.level)
        if isinstance(here, str) and isinstance(shape, str):
            if here in SCALARS and shape in (FLOAT, EXACT, NUMBER, ANY):
                end = {TAG: "t", TRUTH: "b"}.get(here, _ENDS[here])
                return self.made(shape, f"{_ENDS[shape]}_of_{end}({{}})", value)
            return self.unwritable(f"{here} as {shape}")
        if isinstance(here, Tuple) and isinstance(shape, Tuple | Items):
            if isinstance(shape, Items) and not here.parts:
                return Text(f"[{self.zero(shape.item)} for _ in range(0)]", shape, value.level)
            parts = self.parts(value)
            wanted = shape.parts if isinstance(shape, Tuple) else (shape.item,) * len(parts)
            codes = [self.convert(part, to).code for part, to in zip(parts, wanted, strict=True)]
            inside = " ".join(f"{code}," for code in codes)
            return Text(f"({inside})" if isinstance(shape, Tuple) else f"[{inside}]", shape, value.level)
        if isinstance(here, Items) and isinstance(shape, Items):
            if here.item == shape.item:
                return Text(value.code, shape, value.level)
            name = self.module.new("i")
            item = self.convert(Text(name, here.item, self.level + 1), shape.item)
            return Text(f"[{item.code} for {name} in {value.code}]", shape, value.level)
        return self.unwritable(f"{here} as {shape}")

    def parts(self, value: Text) -> list[Text]:
        """The parts of a tuple, which gets a name if it has none."""
        value = self.with_name(value)
        assert isinstance(value.shape, Tuple)
        return [Text(f"{value.code}[{i}]", part, value.level) for i, part in enumerate(value.shape.parts)]

    def with_name(self, value: Text) -> Text:
        if value.code.isidentifier():
            return value
        if any(loop.each_time is None for loop in self.loops):
            self.unwritable("a tuple in a comprehension")
        name = self.module.new("x")
        self.line(f"{name} = {self.settled(value).code}")
        return Text(name, value.shape, self.level)

    def zero(self, shape: Shape) -> str:
        """Any value of the shape, which tells numba the type of the items of an empty list."""
        if isinstance(shape, Tuple):
            return f"({' '.join(f'{self.zero(part)},' for part in shape.parts)})"
        if isinstance(shape, Items):
            return f"[{self.zero(shape.item)}]"
        return _ZEROS.get(shape, "0.0") if shape in SCALARS or shape == NOTHING else self.unwritable(f"{shape}")

    def as_list(self, value: Text) -> Text:
        """A sequence whose items are of one shape."""
        if not isinstance(value.shape, Tuple):
            return value
        return self.convert(value, Items(item_of(value.shape), bool(value.shape.parts)))

    # Statements

    def lines_of_drawing(self) -> list[str]:
        return []

    def written(self, name: str) -> str:
        text = super().written(name)
        if self.whole:
            text = text.replace("):\n", ", forms, ints, floats, nf, ni, nd):\n", 1)
        return text

    def finish(self) -> None:
        if self.whole:
            self.line("return nf, ni, nd")
        elif self.is_generator:
            self.start.append(f"out = [{self.zero(item_of(self.returned))} for _ in range(0)]")
            self.line("return out")
        elif not returns(self.function.body):
            self.unwritable("a function without a value")

    def assign(self, target: Target, value: Text) -> None:
        if isinstance(target, str):
            shape = self.names[target] = common_shape(self.names.get(target, NOTHING), value.shape)
            self.scope[target] = Text(self.ident(target), shape, 1)
            self.line(f"{self.ident(target)} = {self.convert(value, shape).code}")
            return
        if isinstance(value.shape, Tuple):
            self.parts_of(value.shape, len(target))
            parts = self.parts(value)
        else:
            name = self.module.new("x")
            self.line(f"{name} = of_length({value.code}, {len(target)})")
            parts = [Text(f"{name}[{i}]", item_of(value.shape), self.level) for i in range(len(target))]
        for each, part in zip(target, parts, strict=True):
            self.assign(each, part)

    def loop_target(self, target: Target, shape: Shape) -> str:
        name = self.module.new("x")
        self.assign(target, Text(name, shape, self.level))
        return name

    def do_Return(self, node: program.Return) -> None:
        if self.whole:
            if not self.is_generator:
                self.give_returned(node.value)
            self.line("return nf, ni, nd")
            return
        if self.is_generator:
            self.line("return out")
            return
        if node.value is None:
            self.unwritable("a function without a value")
        value = self.settled(self.value(node.value))
        self.returned = common_shape(self.returned, value.shape)
        self.line(f"return {self.convert(value, self.returned).code}")

    def do_Yield(self, node: program.Yield) -> None:
        if self.whole:
            self.give(node.value)
            return
        value = self.settled(self.value(node.value))
        self.returned = common_shape(self.returned, Items(value.shape))
        self.line(f"out.append({self.convert(value, item_of(self.returned)).code})")

    def do_YieldFrom(self, node: program.YieldFrom) -> None:
        value = self.settled(self.value(node.value))
        self.returned = common_shape(self.returned, value.shape)
        name = self.module.new("x")
        item = Text(name, item_of(value.shape), self.level)
        self.line(f"for {name} in {value.code}:")
        if self.whole:
            self.inside(lambda: self.give_value(item))
        else:
            self.inside(lambda: self.line(f"out.append({self.convert(item, item_of(self.returned)).code})"))

    # Outputs

    def give_returned(self, node: Expression | None) -> None:
        if node is None:
            self.unwritable("no value is returned")
        if not self.module.several:
            self.give(node)
            return
        value = self.settled(self.value(node))
        if isinstance(value.shape, Tuple):
            for part in self.parts(value):
                self.give_value(part)
            return
        name = self.module.new("x")
        self.line(f"for {name} in {value.code}:")
        self.inside(lambda: self.give_value(Text(name, item_of(value.shape), self.level)))

    def give(self, node: Expression) -> None:
        """Write an output into the arrays."""
        if isinstance(node, program.Choice) and id(node) not in self.front.places:
            test = self.settled(self.value(node.test)).code
            self.branch(test, lambda: self.give(node.then), lambda: self.give(node.other))
            return
        leaves: list[Text] = []
        self.write_out(self.form_of(node, leaves), leaves)

    def give_value(self, value: Text) -> None:
        leaves: list[Text] = []
        self.write_out(self.form_of_value(value, leaves), leaves)

    def form_of(self, node: Expression, leaves: list[Text]) -> Any:
        if isinstance(node, program.Constant) and isinstance(node.value, Tag | int):
            return ConstantForm(type(node.value), node.value)
        if isinstance(node, program.Sequence) and id(node) not in self.front.places:
            return Tuple(tuple(self.form_of(item, leaves) for item in node.items))
        return self.form_of_value(self.settled(self.value(node)), leaves)

    def form_of_value(self, value: Text, leaves: list[Text]) -> Any:
        if isinstance(value.shape, Tuple):
            return Tuple(tuple(self.form_of_value(part, leaves) for part in self.parts(value)))
        if value.shape not in SCALARS and value.shape != NOTHING:
            self.unwritable(f"{value.shape} is given out")
        name = self.module.new("x")
        self.line(f"{name} = {value.code}")
        leaves.append(Text(name, value.shape))
        return value.shape

    def write_out(self, form: Any, leaves: list[Text]) -> None:
        kept: dict[str, list[str]] = {"i": [], "d": []}
        for leaf in leaves:
            if leaf.shape == FLOAT:
                kept["d"].append(leaf.code)
            elif leaf.shape in (EXACT, NUMBER, ANY):
                whole = (0, 1) if leaf.shape == EXACT else (0, 2, 3)
                kept["i"] += [f"{leaf.code}[{i}]" for i in whole]
                kept["d"] += [] if leaf.shape == EXACT else [f"{leaf.code}[1]"]
            else:
                kept["i"].append(leaf.code)
        self.line("if nf >= len(forms): raise Full")
        self.line(f"forms[nf] = {self.module.form(form)}")
        self.line("nf += 1")
        for end, array in (("i", "ints"), ("d", "floats")):
            if kept[end]:
                self.line(f"if n{end} + {len(kept[end])} > len({array}): raise Full")
                for i, code in enumerate(kept[end]):
                    self.line(f"{array}[n{end} + {i}] = {code}")
                self.line(f"n{end} += {len(kept[end])}")

    # Expressions

    def of_Constant(self, node: program.Constant) -> Text:
        value = node.value
        if isinstance(value, Tag):
            return Text(str(self.module.tags.index(value)), TAG)
        if isinstance(value, bool):
            return Text(str(value), TRUTH)
        if isinstance(value, Fraction):
            return Text(f"({value.numerator}, {value.denominator})", EXACT)
        return Text(str(value) if value >= 0 else f"({value})", WHOLE)

    def arithmetic(self, operator: str, left: Text, right: Text) -> Text:
        shape = shape_of_arithmetic(operator, left.shape, right.shape)
        if shape == NOTHING:
            return Text("0.0", NOTHING, max(left.level, right.level))
        if shape not in NUMBERS:
            self.unwritable("arithmetic")
        level = max(left.level, right.level)
        if operator in ("//", "%"):
            return self.made(shape, f"{'floor_divide' if operator == '//' else 'remainder'}_w({{}}, {{}})", left, right)
        sides = [self.convert(side, shape) for side in (left, right)]
        if shape == FLOAT:
            if operator == "/":
                return self.made(shape, "divide_f({}, {})", *sides, level=level)
            grows = operator == "*" and (level > 1 or min(left.level, right.level) > 0)
            return self.made(shape, f"finite({{}} {operator} {{}})" if grows else f"({{}} {operator} {{}})", *sides)
        if operator == "-" and shape == NUMBER:
            operator, sides = "+", [sides[0], self.on_number("negate", sides[1])]
        return self.made(shape, f"{_NAMES[operator]}_{_ENDS[str(shape)]}({{}}, {{}})", *sides)

    def as_float(self, value: Text) -> Text:
        return self.convert(value, FLOAT)

    def of_Negate(self, node: program.Negate) -> Text:
        value = self.value(node.operand)
        if value.shape in (EXACT, NUMBER):
            return self.on_number("negate", value)
        return self.made(value.shape, "(-{})", value)

    def on_number(self, name: str, *values: Text, shape: Shape | None = None) -> Text:
        """A function on numbers of one shape; of the same shape, unless it is given."""
        common = common_shape_of(value.shape for value in values)
        if common == NOTHING:
            return Text("0.0", shape or NOTHING)
        if common not in NUMBERS:
            self.unwritable(name)
        sides = [self.convert(value, common) for value in values]
        return self.made(shape or common, f"{name}_{_ENDS[str(common)]}({', '.join('{}' for _ in sides)})", *sides)

    def comparison(self, node: program.Compare, left: Text, right: Text) -> Text:
        shapes = {left.shape, right.shape}
        if shapes <= {FLOAT, WHOLE}:
            common = FLOAT if FLOAT in shapes else WHOLE
            sides = [self.convert(side, common) for side in (left, right)]
            return self.made(TRUTH, f"({{}} {node.operator} {{}})", *sides)
        bounded = self.bounded(node.operator, left, right)
        if bounded is not None:
            return self.made(TRUTH, f"({{}} {node.operator} {{}})", *bounded)
        compared = self.on_number("compare", left, right, shape=WHOLE)
        return self.made(TRUTH, f"({{}} {node.operator} 0)", compared)

    def identity(self, operator: str, left: Text, right: Text) -> Text:
        same = operator in ("is", "==")
        if left.shape == right.shape and left.shape in (TAG, TRUTH):
            return self.made(TRUTH, f"({{}} {'==' if same else '!='} {{}})", left, right)
        tag, other = (left, right) if left.shape == TAG else (right, left)
        if tag.shape != TAG or other.shape not in SCALARS:
            self.unwritable("a comparison of two kinds")
        if other.shape != ANY:
            return Text(str(not same), TRUTH, 0)
        return self.made(TRUTH, f"({'' if same else 'not '}is_the_tag({{}}, {{}}))", other, tag)

    def other_comparison(self, node: program.Compare, left: Text, right: Text) -> Text:
        if NOTHING in (left.shape, right.shape):
            return Text("True", TRUTH, 0)
        return self.unwritable("a comparison of two kinds")

    def membership(self, node: program.Compare, left: Text, right: Text) -> Text:
        shape = common_shape(left.shape, item_of(right.shape))
        if shape not in SCALARS:
            self.unwritable("a membership")
        values = self.convert(right, Items(shape)) if item_of(right.shape) != shape else self.as_list(right)
        found = self.made(TRUTH, f"in_{_ENDS[str(shape)]}({{}}, {{}})", self.convert(left, shape), values)
        return found if node.operator == "in" else self.made(TRUTH, "(not {})", found)

    def of_Choice(self, node: program.Choice) -> Text:
        test, then, other = map(self.value, (node.test, node.then, node.other))
        shape = common_shape(then.shape, other.shape)
        return self.made(shape, "({1} if {0} else {2})", test, self.convert(then, shape), self.convert(other, shape))

    def item(self, sequence: Text, index: Text, shape: Shape) -> Text:
        if isinstance(sequence.shape, Tuple) and index.code.isdecimal():
            return self.made(shape, "{}[{}]", sequence, index)
        if index.shape != WHOLE:
            self.unwritable("an index")
        return self.made(shape, "item({}, {})", self.as_list(sequence), index)

    def joining(self, shape: Items, parts: list[Text]) -> Text:
        listed = [self.convert(part, Items(shape.item)) for part in parts]
        codes = " + ".join("list_of({})" for _ in listed)
        return self.made(shape, f"({codes})", *listed)

    def set_of(self, shape: Items, items: list[Text]) -> Text:
        listed = [self.convert(item, shape.item) for item in items]
        return self.made(shape, f"[{', '.join('{}' for _ in items)}]", *listed)

    def iterated(self, node: Expression) -> Text:
        value = super().iterated(node)
        return self.as_list(value) if isinstance(value.shape, Tuple) else value

    def comprehended(
        self, form: str, target: str, over: Text, tests: list[str], element: Text, filled: bool, level: int
    ) -> Text:
        made = super().comprehended("list", target, over, tests, element, filled, level)
        return Text(made.code, Items(element.shape, filled, form == "set"), level)

    # Draws

    def of_Draw(self, node: program.Draw) -> Text:
        if node.distribution is CHOICE:
            weights = self.iterated(node.arguments[0])
            return self.made(WHOLE, "draw_choice(B, {})", self.convert(weights, Items(FLOAT)), level=self.level)
        arguments = [self.value(argument) for argument in node.arguments]
        if node.distribution.support.continuous:
            if node.distribution.name not in _DRAWN:
                return self.unwritable(node.distribution.name)
            scale = self.settled(self.made(FLOAT, "scale_of({})", self.convert(arguments[0], FLOAT))).code
            return Text(f"({scale} * {_DRAWN[node.distribution.name]})", FLOAT, self.level)
        if not node.distribution.geometric_steps:
            return self.unwritable(node.distribution.name)
        return self.on_lattice(node.distribution, *arguments)

    def on_lattice(self, distribution: Distribution, first: Text, lattice: Text) -> Text:
        if distribution.base == 2:
            rate = Text(first.code, FLOAT, first.level) if first.shape == BITS else self.convert(first, FLOAT)
            first = self.made(FLOAT, "scale_of_rate({})", rate)
        step = self.convert(self.arithmetic("/", lattice, first), FLOAT)
        step = self.settled(self.made(FLOAT, "step_of({}, {})", step, self.convert(lattice, FLOAT)))
        count = Text(f"draw_{distribution.name.removesuffix('_base2')}(A, {step.code})", WHOLE, self.level)
        return self.arithmetic("*", count, lattice)

    def draws_at_once(self, node: program.Draw, over: Text) -> Text | None:
        return None

    # Functions of the language

    def builtin(self, name: str, values: list[Text], shape: Shape) -> Text:
        first = values[0]
        if name in ("max", "min") and len(values) > 1:
            found = values[0]
            for value in values[1:]:
                found = self.on_number(f"{name}_of_two", found, value)
            return found
        if name in ("abs", "clamp"):
            return self.on_number(name, *values)
        if name in ("any", "all"):
            return self.made(TRUTH, f"{name}_true({{}})", self.as_list(first))
        if name == "len":
            if isinstance(first.shape, Items) and first.shape.distinct:
                return self.made(WHOLE, f"distinct_{_ENDS[str(first.shape.item)]}({{}})", first)
            return self.made(WHOLE, "len({})", first)
        if name in ("max", "min", "sum", "largest"):
            item = item_of(first.shape)
            if item == NOTHING:
                return Text("0.0" if name != "largest" else "[0]", shape, first.level)
            if item not in NUMBERS:
                self.unwritable(name)
            empty = "_or_0" if name == "sum" and item == FLOAT and shape == NUMBER else ""
            return self.made(shape, f"{name}_{_ENDS[str(item)]}{empty}({', '.join('{}' for _ in values)})", *values)
        if name in ("exp", "log", "sqrt") and (name != "sqrt" or first.shape == FLOAT):
            return self.made(shape, f"{name}_f({{}})", self.convert(first, FLOAT))
        if name in ("round", "floor", "ceil") and first.shape in (FLOAT, EXACT, WHOLE):
            name = {"floor": "rounded_down", "ceil": "rounded_up"}.get(name, name)
            return self.on_number(name, first, shape=WHOLE)
        if name == "power" and first.shape in (WHOLE, EXACT) and values[1].shape == WHOLE:
            return self.made(EXACT, "power_x({}, {})", self.convert(first, EXACT), values[1])
        return self.unwritable(name)


_DRAWN = {
    "laplace": "copysign(A.standard_exponential(), B.random() - 0.5)",
    "exponential": "A.standard_exponential()",
    "gumbel": "draw_gumbel(A)",
    "logistic": "draw_logistic(A)",
}

