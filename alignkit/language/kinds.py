"""Kinds: which values are whole numbers, numbers, Booleans, tags and sequences, found before any run.

Python would let a Boolean be added and a number be a condition; the language refuses both, and refuses reading
a name that may have no value. What is learnt here also tells the prover which counters are whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
    Expression,
    For,
    Function,
    If,
    IndexSet,
    Item,
    Name,
    Negate,
    Node,
    Not,
    Pass,
    Place,
    Return,
    Sequence,
    Statement,
    Target,
    Yield,
    assigned,
)
from alignkit.language.tags import Tag

NUMBERS = ("int", "real")


@dataclass(frozen=True)
class Kind:
    """A kind by name; a vector has the kind of its elements, a tuple the kind of each."""

    name: str
    parts: tuple[Kind, ...] = ()

    def __str__(self) -> str:
        words = {"int": "a whole number", "real": "a number", "bool": "a Boolean", "tag": "a tag", "none": "nothing",
                 "set": "a set of indices", "noise": "the noise", "mixed": "a value of varying kind"}  # fmt: skip
        return words.get(self.name, "a sequence")


INT, REAL, BOOL, TAG = Kind("int"), Kind("real"), Kind("bool"), Kind("tag")
NONE, SET, NOISE, MIXED = Kind("none"), Kind("set"), Kind("noise"), Kind("mixed")
Names = dict[str, Kind]


def vector(of: Kind) -> Kind:
    """A list of elements of one kind."""
    return Kind("vector", (of,))


def join(one: Kind, other: Kind) -> Kind:
    """The kind of a value that is of one kind or the other."""
    if one == other:
        return one
    if one.name in NUMBERS and other.name in NUMBERS:
        return REAL
    if one.name == other.name and len(one.parts) == len(other.parts) and one.parts:
        return Kind(one.name, tuple(join(a, b) for a, b in zip(one.parts, other.parts, strict=True)))
    if {one.name, other.name} <= {"tuple", "vector"}:
        parts = (*one.parts, *other.parts)
        return vector(_joined(parts)) if parts else one
    return MIXED


def _joined(kinds: tuple[Kind, ...]) -> Kind:
    result = kinds[0]
    for kind in kinds[1:]:
        result = join(result, kind)
    return result


@dataclass
class Kinds:
    """What was learnt of a program: kinds at loop heads, and whether Python would leave exact arithmetic."""

    at_loop: dict[int, Names] = field(default_factory=dict)
    inexact: bool = False


def infer(function: Function, parameters: Mapping[str, Kind]) -> Kinds:
    """The kinds of a mechanism's program; LanguageError where an operation does not fit its operands."""
    found = Kinds()
    _Inference(found).function(function, tuple(parameters[name] for name in function.parameters))
    return found


class _Inference:
    def __init__(self, found: Kinds) -> None:
        self.found = found
        self.returned: list[Kind] = []

    def function(self, function: Function, arguments: tuple[Kind, ...]) -> Kind:
        outer, self.returned = self.returned, []
        names = dict(zip(function.parameters, arguments, strict=True))
        reaches_end = self.block(function.body, names) is not None
        if reaches_end:
            self.returned.append(NONE)
        result, self.returned = _joined(tuple(self.returned)), outer
        return result

    def block(self, statements: tuple[Statement, ...], names: Names) -> Names | None:
        """The names after the block; None where its end is never reached."""
        current: Names | None = names
        for statement in statements:
            if current is None:
                raise statement.place.error("this is never reached", "remove it, or move it before the jump")
            current = self.statement(statement, current)
        return current

    def statement(self, node: Statement, names: Names) -> Names | None:
        match node:
            case Assign(target=target, value=value):
                after = dict(names)
                self.bind(target, self.kind(value, names), after, node)
                return after
            case If(test=test, then=then, other=other):
                self.condition(test, names)
                return _merge(self.block(then, dict(names)), self.block(other, dict(names)))
            case For():
                return self.loop(node, names)
            case Yield(value=value):
                self.kind(value, names)
            case Return(value=value):
                self.returned.append(NONE if value is None else self.kind(value, names))
                return None
            case Break():
                return None
            case Pass():
                pass
        return names

    def loop(self, node: For, names: Names) -> Names:
        element = self.elements(node.iterable, names)
        head = dict(names)
        changed = assigned((node,)) & names.keys()
        while True:
            inside = dict(head)
            self.bind(node.target, element, inside, node)
            after = self.block(node.body, inside)
            wider = dict(head)
            for ended in (after, *_breaks(node, self, head, element)):
                for name in changed:
                    if ended is not None and name in ended:
                        wider[name] = join(wider[name], ended[name])
            if wider == head:
                break
            head = wider
        self.found.at_loop[node.site] = head
        # A loop variable, or a name first given inside, has no value that can be relied on afterwards.
        return {name: kind for name, kind in head.items() if name not in _bound(node.target)}

    def bind(self, target: Target, kind: Kind, names: Names, node: Node) -> None:
        if isinstance(target, str):
            if kind.name in ("none", "noise"):
                raise node.place.error(f"`{target}` is assigned {kind}", "assign a value")
            names[target] = kind
            return
        if kind.name == "vector":
            parts = (kind.parts[0],) * len(target)
        elif kind.name == "tuple" and len(kind.parts) == len(target):
            parts = kind.parts
        else:
            raise node.place.error(f"{kind} cannot be unpacked into {len(target)} names", "match the parts")
        for part, each in zip(target, parts, strict=True):
            self.bind(part, each, names, node)

    # Expressions

    def number(self, node: Expression, names: Names) -> Kind:
        kind = self.kind(node, names)
        if kind.name not in NUMBERS:
            raise node.place.error(f"{kind} is used as a number", "compute with numbers only")
        return kind

    def condition(self, node: Expression, names: Names) -> Kind:
        kind = self.kind(node, names)
        if kind != BOOL:
            raise node.place.error(f"{kind} is used as a condition", "write the comparison out: `x != 0`")
        return BOOL

    def elements(self, node: Expression, names: Names) -> Kind:
        kind = self.kind(node, names)
        if kind.name == "vector":
            return kind.parts[0]
        if kind.name == "tuple":
            return _joined(kind.parts) if kind.parts else MIXED
        raise node.place.error(f"{kind} cannot be iterated", "loop over queries, a list or range(…)")

    def kind(self, node: Expression, names: Names) -> Kind:
        match node:
            case Constant(value=value, decimal=decimal):
                self.found.inexact |= decimal
                return _constant(value)
            case Name(name=name):
                if name not in names:
                    raise node.place.error(
                        f"`{name}` may have no value here",
                        "give it a value before, on every way; loop variables are not read after their loop",
                    )
                return names[name]
            case Arithmetic(operator=operator, left=left, right=right):
                kind = join(self.number(left, names), self.number(right, names))
                if operator == "/":
                    self.found.inexact |= kind == INT
                    return REAL
                return kind
            case Negate(operand=operand):
                return self.number(operand, names)
            case Not(operand=operand):
                return self.condition(operand, names)
            case Connective(operands=operands):
                for operand in operands:
                    self.condition(operand, names)
                return BOOL
            case Compare():
                return self.comparison(node, names)
            case Choice(test=test, then=then, other=other):
                self.condition(test, names)
                return join(self.kind(then, names), self.kind(other, names))
            case Sequence(items=items):
                return Kind("tuple", tuple(self.kind(item, names) for item in items))
            case IndexSet(items=items):
                for item in items:
                    self.number(item, names)
                return SET
            case Comprehension():
                return self.comprehension(node, names)
            case Item(sequence=sequence, index=index):
                return self.item(node, sequence, index, names)
            case Draw(arguments=arguments):
                for argument in arguments:
                    self.number(argument, names)
                return REAL
            case Builtin():
                return self.builtin(node, names)
            case Call(function=function, arguments=arguments):
                return self.function(function, tuple(self.kind(a, names) for a in arguments))
        raise node.place.error("this belongs in an alignment, not in a mechanism", "use parameters and locals")

    def comparison(self, node: Compare, names: Names) -> Kind:
        left, right = self.kind(node.left, names), self.kind(node.right, names)
        if node.operator in ("in", "not in"):
            if right.name not in ("set", "tuple", "vector"):
                raise node.place.error(f"`in` looks into {right}", "use a tuple or a set of indices")
            return BOOL
        if node.operator in ("is", "is not"):
            if TAG not in (left, right):
                raise node.place.error("`is` compares with something that is not a tag", "use == for numbers")
            return BOOL
        numbers = left.name in NUMBERS and right.name in NUMBERS
        if not numbers and (node.operator not in ("==", "!=") or left != right):
            raise node.place.error(f"`{node.operator}` compares {left} with {right}", "compare values of one kind")
        return BOOL

    def comprehension(self, node: Comprehension, names: Names) -> Kind:
        inside = dict(names)
        self.bind(node.target, self.elements(node.iterable, names), inside, node)
        for test in node.filters:
            self.condition(test, inside)
        element = self.kind(node.element, inside)
        return SET if node.form == "set" else vector(element)

    def item(self, node: Item, sequence: Expression, index: Expression, names: Names) -> Kind:
        of, at = self.kind(sequence, names), self.kind(index, names)
        if at != INT:
            raise node.place.error(f"the index is {at}", "index with a whole number")
        if of.name == "vector":
            return of.parts[0]
        if of.name == "tuple" and of.parts:
            if isinstance(index, Constant) and -len(of.parts) <= int(index.value) < len(of.parts):  # type: ignore[arg-type]
                return of.parts[int(index.value)]  # type: ignore[arg-type]
            return _joined(of.parts)
        raise node.place.error(f"{of} has no items", "index tuples, lists and query vectors")

    def builtin(self, node: Builtin, names: Names) -> Kind:
        name, arguments = node.function, node.arguments
        if name in ("sqrt", "exp"):
            self.number(arguments[0], names)
            self.found.inexact = True
            return REAL
        if name in ("abs", "clamp") or (name in ("min", "max") and len(arguments) > 1):
            return _joined(tuple(self.number(a, names) for a in arguments))
        if name == "range":
            for a in arguments:
                if self.kind(a, names) != INT:
                    raise a.place.error("range of a number that is not whole", "give range whole numbers")
            return vector(INT)
        if name == "zip":
            return vector(Kind("tuple", tuple(self.elements(a, names) for a in arguments)))
        if name == "len":
            if self.kind(arguments[0], names) != SET:
                self.elements(arguments[0], names)
            return INT
        element = self.elements(arguments[0], names)
        if name == "enumerate":
            return vector(Kind("tuple", (INT, element)))
        if name in ("any", "all"):
            if element != BOOL:
                raise node.place.error(f"{name} of {element}", "write the comparison out")
            return BOOL
        if element.name not in NUMBERS:
            raise node.place.error(f"{name} of {element}", "give it numbers")
        if name != "largest":
            return element
        if self.kind(arguments[1], names) != INT:
            raise node.place.error("largest(values, k) takes a whole number k", "give it a whole number")
        k = arguments[1]
        if isinstance(k, Constant) and isinstance(k.value, int):
            return Kind("tuple", (INT,) * k.value)
        return vector(INT)


def _constant(value: Any) -> Kind:
    if isinstance(value, Tag):
        return TAG
    if isinstance(value, bool):
        return BOOL
    return INT if isinstance(value, int) else REAL


def _bound(target: Target) -> set[str]:
    return {target} if isinstance(target, str) else {name for part in target for name in _bound(part)}


def _merge(one: Names | None, other: Names | None) -> Names | None:
    if one is None or other is None:
        return one if other is None else other
    return {name: join(one[name], other[name]) for name in one if name in other}


def _breaks(node: For, inference: _Inference, head: Names, element: Kind) -> list[Names | None]:
    """The names wherever an assignment stands in the body, so that values taken along a break count too."""
    found: list[Names | None] = []
    inside = dict(head)
    inference.bind(node.target, element, inside, node)
    waiting: list[tuple[tuple[Statement, ...], Names]] = [(node.body, inside)]
    while waiting:
        statements, names = waiting.pop()
        current: Names | None = names
        for statement in statements:
            if isinstance(statement, If):
                waiting += [(statement.then, dict(current or {})), (statement.other, dict(current or {}))]
            if isinstance(statement, Break | Return) or current is None:
                break
            current = inference.statement(statement, current)
            found.append(current)
    return found


