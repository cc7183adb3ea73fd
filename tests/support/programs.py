"""Random programs of the language, as source text of a mechanism and the functions it calls.

A program is written statement by statement; what is known of its names (a number, a whole number, a list, ...)
decides what may be written next, so that nearly every program is accepted. Runs may still be undefined: a
division by zero, an index out of range, the maximum of nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

TAGS = ("ABOVE", "BELOW", "MIDDLE")
NUMBERS = ("0", "1", "2", "3", "0.5", "0.1", "2.5", "10")

HEADER = 'MIDDLE = Tag("MIDDLE")\n\n\n'

# Whether a helper draws, what it takes, its text.
HELPERS = {
    "scaled": (False, ("real", "real"), "def scaled(x, by):\n    y = x * by\n    y -= 1\n    return y\n"),
    "sign": (
        False,
        ("real",),
        "def sign(x):\n    if x > 0:\n        return 1\n    elif x < 0:\n        return -1\n    return 0\n",
    ),
    "first_above": (
        False,
        ("list", "real"),
        "def first_above(values, bound):\n    found = bound\n    for v in values:\n        if v > bound:\n"
        "            found = scaled(v, 0.5)\n            break\n    return found\n",
    ),
    "noisy": (True, ("real",), "def noisy(x, noise):\n    e = noise.laplace(2)\n    return x + e\n"),
    "both": (
        True,
        ("real",),
        "def both(x, noise):\n    a = noisy(x, noise)\n    b = [noise.exponential(i + 1) for i in range(2)]\n"
        "    return a, sum(b) / 3\n",
    ),
}


@dataclass
class Names:
    """The names in scope, by kind."""

    real: tuple[str, ...] = ()
    int: tuple[str, ...] = ()
    list: tuple[str, ...] = ()
    bool: tuple[str, ...] = ()
    set: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()

    def plus(self, kind: str, *names: str) -> Names:
        """These names and more; a name has one kind."""
        left = {k: tuple(n for n in v if n not in names) for k, v in vars(self).items()}
        return Names(**{**left, kind: (*left[kind], *names)})

    def common(self, other: Names) -> Names:
        """The names that have one kind in both."""
        return Names(**{k: tuple(n for n in v if n in vars(other)[k]) for k, v in vars(self).items()})


@dataclass
class Program:
    """A program's text, and which constructs occur in it."""

    text: str
    used: set[str] = field(default_factory=set)


class Writer:
    """Writes one program; ``choose(n)`` picks a number below n."""

    def __init__(self, choose: Callable[[int], int]) -> None:
        self.choose = choose
        self.used: set[str] = set()
        self.lines: list[str] = []
        self.fresh = 0
        self.generator = True
        self.loops = 0
        self.left = 12  # statements

    def pick(self, *options):
        return options[self.choose(len(options))]

    def use(self, construct: str) -> None:
        self.used.add(construct)

    def name(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}{self.fresh}"

    # Expressions; depth says how deep they may still nest.

    def leaf(self, names: Names) -> str:
        known = (*names.real, *names.int)
        if known and self.choose(4):
            return self.pick(*known)
        return self.pick(*NUMBERS)

    def real(self, names: Names, depth: int = 2) -> str:
        if depth == 0 or self.choose(3) == 0:
            return self.leaf(names)
        what = self.choose(13)
        x = self.real(names, depth - 1)
        if what < 4:
            operator = ("+", "-", "*", "/")[what]
            self.use(operator)
            # Factors stay small, so that numbers do not grow without bound in loops.
            y = self.pick(*NUMBERS) if operator == "*" else self.real(names, depth - 1)
            return f"({x} {operator} {y})"
        if what == 4:
            self.use("negate")
            return f"-{x}"
        if what == 5:
            self.use("conditional")
            return f"({x} if {self.condition(names, depth - 1)} else {self.real(names, depth - 1)})"
        if what == 6:
            function = self.pick("min", "max")
            self.use(function)
            return f"{function}({x}, {self.real(names, depth - 1)})"
        if what == 7:
            self.use("abs")
            return f"abs({x})"
        if what == 8:
            self.use("clamp")
            return f"clamp({x}, {self.pick('-1', '0', '3')}, {self.pick('1', '2', 'T')})"
        if what == 9:
            function = self.pick("sum", "min", "max")
            self.use(f"{function} of a list")
            return f"{function}({self.list(names, depth - 1)})"
        if what == 10:
            function = self.pick("sum", "min", "max")
            self.use("generator expression")
            return f"{function}({self.comprehended(names, depth - 1, self.real)})"
        if what == 11:
            self.use("item")
            return f"{self.list(names, depth - 1)}[{self.index(names)}]"
        helper = self.pick("scaled", "sign", "first_above")
        self.use("helper")
        arguments = [x if kind == "real" else self.list(names, depth - 1) for kind in HELPERS[helper][1]]
        return f"{helper}({', '.join(arguments)})"

    def index(self, names: Names) -> str:
        return self.pick("0", "1", "-1", "2", *names.int)

    def integer(self, names: Names) -> str:
        what = self.choose(5)
        if what == 0:
            self.use("len")
            return f"len({self.list(names, 1)})"
        if what == 1 and names.int:
            return f"({self.pick(*names.int)} {self.pick('+', '-', '*')} {self.pick('1', '2')})"
        if what == 2:
            self.use("largest")
            return f"largest({self.list(names, 1)}, {self.pick('1', '2', 'k')})[0]"
        return self.pick("0", "1", "2", *names.int)

    def condition(self, names: Names, depth: int = 2) -> str:
        what = self.choose(13) if depth else self.choose(3)
        if what < 3:
            operator = self.pick("<", "<=", ">", ">=", "==", "!=")
            self.use("comparison")
            return f"{self.real(names, max(depth - 1, 0))} {operator} {self.leaf(names)}"
        if what == 3:
            self.use("chained comparison")
            return f"({self.leaf(names)} <= {self.real(names, depth - 1)} < {self.leaf(names)})"
        if what == 4:
            word = self.pick("and", "or")
            self.use(word)
            return f"({self.condition(names, depth - 1)} {word} {self.condition(names, depth - 1)})"
        if what == 5:
            self.use("not")
            return f"(not {self.condition(names, depth - 1)})"
        if what == 6:
            function = self.pick("any", "all")
            self.use(function)
            body = self.comprehended(names, depth - 1, self.condition)
            return f"{function}([{body}])" if self.choose(3) == 0 else f"{function}({body})"
        if what in (7, 11) and names.set:
            self.use("in a set")
            return f"({self.integer(names)} {self.pick('in', 'not in')} {self.pick(*names.set)})"
        if what == 8:
            self.use("in a list")
            return f"({self.leaf(names)} in {self.list(names, depth - 1)})"
        if what in (9, 12) and names.tag:
            self.use("is")
            return f"({self.pick(*names.tag)} {self.pick('is', 'is not', '==', '!=')} {self.pick(*TAGS)})"
        if what == 10 and names.bool:
            if self.choose(2) == 0:
                return self.pick(*names.bool)
            self.use("is on a Boolean")
            return f"({self.pick(*names.bool)} {self.pick('is', 'is not', '==')} {self.pick('True', 'False')})"
        return self.pick("True", "False")

    def list(self, names: Names, depth: int = 1) -> str:
        if depth <= 0 or self.choose(3) == 0:
            return self.pick(*names.list)
        if self.choose(3) == 0:
            self.use("list display")
            items = ", ".join(self.real(names, depth - 1) for _ in range(1 + self.choose(3)))
            return f"[{items}]"
        self.use("list comprehension")
        return f"[{self.comprehended(names, depth - 1, self.real)}]"

    def iterated(self, names: Names, depth: int) -> tuple[str, str, Names]:
        """A target, what it runs over, and the names inside."""
        what = self.choose(6)
        over = self.list(names, depth)
        x = self.name("x")
        if what == 0:
            self.use("range")
            count = self.pick("2", "3", "k", f"len({over})")
            text = f"range({count})" if self.choose(2) else f"range({self.pick('-1', '1')}, {count})"
            return x, text, names.plus("int", x)
        if what == 1:
            self.use("enumerate")
            i = self.name("i")
            return f"{i}, {x}", f"enumerate({over})", names.plus("int", i).plus("real", x)
        if what == 2:
            self.use("zip")
            y = self.name("y")
            return f"{x}, {y}", f"zip({over}, {self.list(names, depth)})", names.plus("real", x, y)
        if what == 3:
            self.use("nested target")
            i, y = self.name("i"), self.name("y")
            text = f"enumerate(zip({over}, {self.pick(*names.list)}))"
            return f"{i}, ({x}, {y})", text, names.plus("int", i).plus("real", x, y)
        return x, over, names.plus("real", x)

    def comprehended(self, names: Names, depth: int, element: Callable[[Names, int], str]) -> str:
        target, over, inside = self.iterated(names, depth)
        filters = ""
        for _ in range((0, 0, 1, 2)[self.choose(4)]):
            self.use("filter")
            filters += f" if {self.condition(inside, depth)}"
        return f"{element(inside, depth)} for {target} in {over}{filters}"

    def output(self, names: Names) -> str:
        what = self.choose(6)
        if what == 0:
            self.use("tuple")
            return f"({self.pick(*TAGS)}, {self.real(names, 1)})"
        if what == 1:
            return self.list(names)
        if what == 2:
            return self.condition(names)
        if what == 3:
            self.use("tag")
            return self.pick(*TAGS, *names.tag)
        return self.real(names)

    # Statements

    def write(self, indent: int, line: str) -> None:
        self.lines.append("    " * indent + line)

    def block(self, indent: int, names: Names, size: int) -> Names | None:
        """Statements; the names after them, or None where their end is not reached."""
        written = False
        for _ in range(1 + self.choose(size)):
            if self.left <= 0 and written:
                break
            self.left -= 1
            after = self.statement(indent, names)
            written = True
            if after is None:
                return None
            names = after
        return names

    def statement(self, indent: int, names: Names) -> Names | None:
        what = self.choose(22)
        if what < 4 or (what >= 16 and self.left <= 0):
            return self.assignment(indent, names)
        if what < 7:
            return self.drawing(indent, names)
        if what < 9:
            known = tuple(n for n in names.real if n not in ("T", "eps"))
            if not known:
                return self.assignment(indent, names)
            self.use("augmented assignment")
            operator = self.pick("+=", "-=", "*=", "/=")
            value = self.pick(*NUMBERS) if operator == "*=" else self.real(names, 1)
            self.write(indent, f"{self.pick(*known)} {operator} {value}")
            return names
        if what < 12:
            if self.generator:
                self.use("yield")
                self.write(indent, f"yield {self.output(names)}")
                return names
            return self.assignment(indent, names)
        if what == 12 and self.loops:
            self.use("break")
            self.write(indent, f"if {self.condition(names)}:")
            self.write(indent + 1, "break")
            return names
        if what == 13 and self.choose(2):
            self.use("return")
            self.write(indent, f"if {self.condition(names)}:")
            self.write(indent + 1, "return" if self.generator else f"return {self.output(names)}")
            return names
        if what < 18:
            return self.branch(indent, names)
        return self.loop(indent, names)

    def branch(self, indent: int, names: Names) -> Names | None:
        self.write(indent, f"if {self.condition(names)}:")
        self.use("if")
        ways = [self.block(indent + 1, names, 3)]
        if self.choose(3) == 0:
            self.use("elif")
            self.write(indent, f"elif {self.condition(names)}:")
            ways.append(self.block(indent + 1, names, 2))
        if self.choose(2):
            self.use("else")
            self.write(indent, "else:")
            ways.append(self.block(indent + 1, names, 3))
        else:
            ways.append(names)
        reached = [way for way in ways if way is not None]
        if not reached:
            return None
        after = reached[0]
        for way in reached[1:]:
            after = after.common(way)
        return after

    def loop(self, indent: int, names: Names) -> Names:
        self.use("nested loop" if self.loops else "for")
        target, over, inside = self.iterated(names, 1)
        self.write(indent, f"for {target} in {over}:")
        self.loops += 1
        after = self.block(indent + 1, inside, 4 if self.loops == 1 else 2)
        self.loops -= 1
        # Whole numbers may have become numbers, and lists other lists: a name keeps its kind only if the body does.
        kept = names if after is None else names.common(after)
        return kept

    def assignment(self, indent: int, names: Names) -> Names:
        what = self.choose(11)
        if what == 0:
            self.use("unpacking")
            a, b = self.name("a"), self.name("b")
            self.write(indent, f"{a}, {b} = {self.real(names)}, {self.real(names, 1)}")
            return names.plus("real", a, b)
        if what == 1:
            self.use("unpacking a list")
            a, b = self.name("a"), self.name("b")
            self.write(indent, f"({a}, {b}) = {self.list(names)}")
            return names.plus("real", a, b)
        if what == 2:
            name = self.name("v")
            self.write(indent, f"{name} = {self.list(names, 2)}")
            return names.plus("list", name)
        if what == 3:
            name = self.name("t")
            self.write(indent, f"{name} = {self.condition(names)}")
            return names.plus("bool", name)
        if what == 4:
            self.use("set")
            name = self.name("s")
            text = f"{{{self.integer(names)}, {self.integer(names)}}}"
            if self.choose(2):
                self.use("set comprehension")
                text = f"{{{self.comprehended(names, 1, lambda inside, depth: self.integer(inside))}}}"
            self.write(indent, f"{name} = {text}")
            return names.plus("set", name)
        if what == 5:
            name = self.name("w")
            self.write(indent, f"{name} = {self.pick(*TAGS)}")
            return names.plus("tag", name)
        if what == 6:
            name = self.name("n")
            self.write(indent, f"{name} = {self.integer(names)}")
            return names.plus("int", name)
        if what == 7:
            self.use("largest")
            a, b = self.name("n"), self.name("n")
            self.write(indent, f"{a}, {b} = largest({self.list(names)}, 2)")
            return names.plus("int", a, b)
        if what == 8:
            self.use("sqrt")
            name = self.name("a")
            self.write(indent, f"{name} = {self.pick('sqrt', 'exp', 'log')}({self.pick('k', 'eps', 'T')})")
            return names.plus("real", name)
        name = self.pick(*(n for n in names.real if n not in ("T", "eps")), self.name("a"))
        self.write(indent, f"{name} = {self.real(names)}")
        return names.plus("real", name)

    def scale(self, names: Names) -> str:
        return self.pick("1", "2 / eps", "k / eps", "1 / (3 * k)", self.leaf(names), "abs(T) + 1")

    def drawing(self, indent: int, names: Names) -> Names:
        what = self.choose(8)
        inside = "draw in a loop" if self.loops else "draw"
        name = self.pick(self.name("e"), "e")
        if what < 3:
            self.use(inside)
            distribution = self.pick("laplace", "laplace", "exponential")
            self.write(indent, f"{name} = noise.{distribution}({self.scale(names)})")
            return names.plus("real", name)
        if what == 3:
            self.use("draw on a lattice")
            text = self.pick("geometric({})", "discrete_laplace({}, 0.5)", "geometric(scale={}, lattice=2)")
            self.write(indent, f"{name} = noise.{text.format(self.scale(names))}")
            return names.plus("real", name)
        if what == 4:
            self.use("draws in a list")
            target, over, within = self.iterated(names, 1)
            filters = f" if {self.condition(within, 1)}" if self.choose(3) == 0 else ""
            self.write(indent, f"{name} = [noise.laplace({self.scale(within)}) for {target} in {over}{filters}]")
            return names.plus("list", name)
        if what == 5:
            self.use("helper that draws")
            self.write(indent, f"{name} = noisy({self.real(names, 1)}, noise)")
            return names.plus("real", name)
        if what == 6:
            self.use("helper that draws in a list")
            target, over, within = self.iterated(names, 1)
            self.write(indent, f"{name} = [noisy({self.leaf(within)}, noise) for {target} in {over}]")
            return names.plus("list", name)
        self.use("helper that draws twice")
        a, b = self.name("a"), self.name("b")
        self.write(indent, f"{a}, {b} = both({self.real(names, 1)}, noise)")
        return names.plus("real", a, b)


def write_program(choose: Callable[[int], int]) -> Program:
    """A random program; ``choose(n)`` picks a number below n, 0 leading to the simplest."""
    writer = Writer(choose)
    writer.generator = choose(3) > 0
    names = Names(real=("T", "eps"), int=("k",), list=("q", "r"))
    signature = "q: Queries, r: Reals, T: Real, k: Count, eps: Epsilon, noise: Noise"
    writer.write(0, "@mechanism")
    writer.write(0, f"def m({signature}):")
    after = writer.block(1, names, 8)
    if after is not None:
        if writer.generator:
            writer.write(1, f"yield {writer.output(after)}")
        else:
            writer.write(1, f"return {writer.output(after)}")
    elif writer.generator and not any("yield" in line for line in writer.lines):
        writer.generator = False
    helpers = "\n\n".join(text for _, _, text in HELPERS.values())
    return Program(f"{HEADER}{helpers}\n\n" + "\n".join(writer.lines) + "\n", writer.used)
