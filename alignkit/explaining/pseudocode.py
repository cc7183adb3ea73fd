"""A mechanism as pseudocode, and an alignment as formulas, from their Python source."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field

from alignkit.language.calls import LIMITS
from alignkit.language.program import Break, For, If, LimitForm, Place, Return, walk
from alignkit.noise import DRAWS
from alignkit.running.mechanism_program import MechanismProgram

# What an index is called for which the program has no name.
_INDICES = (*"jlmnr", "position")

_SYMBOLS = ((" >= ", " ≥ "), (" <= ", " ≤ "), (" != ", " ≠ "), (" == ", " = "), (" * ", " · "))


@dataclass(frozen=True)
class Case:
    """What a shift is, and where; ``where`` is empty if it is that everywhere."""

    shift: str
    where: str = ""


@dataclass(frozen=True)
class ShiftOfDraw:
    """How one draw moves: its name with its index, its cases, and over what the index goes."""

    draw: str
    cases: tuple[Case, ...]
    over: str = ""


@dataclass(frozen=True)
class AlignmentFormulas:
    """How each draw moves, after some definitions, and what limits it has: whether it is below them, and these."""

    definitions: tuple[str, ...]
    shifts: tuple[ShiftOfDraw, ...]
    limits: tuple[tuple[LimitForm, ShiftOfDraw], ...] = ()


@dataclass(frozen=True)
class Notation:
    """How a program calls its source of noise, which of its parameters are private, and which draws are vectors.

    ``depths`` says of each draw how many indices its coordinates have, ``sometimes`` which are made in some iterations
    only, or on some paths, and ``until_left`` which in the iterations of a loop that may be left early.
    """

    noise: str = "noise"
    private: tuple[str, ...] = ()
    depths: Mapping[str, int] = field(default_factory=dict)
    sometimes: frozenset[str] = frozenset()
    until_left: frozenset[str] = frozenset()

    @classmethod
    def of(cls, mechanism: MechanismProgram) -> Notation:
        """The notation of a mechanism and of its alignments."""
        branches = [node for node in walk(*mechanism.program.body) if isinstance(node, If)]
        places = [s.place for node in branches for s in (*node.then, *node.other)]
        inside = {d.key for d in mechanism.draws if any(_is_within(d.place, place) for place in places)}
        depths = {draw.key: draw.depth for draw in mechanism.draws}
        loops = [node for node in walk(*mechanism.program.body) if isinstance(node, For)]
        left = [loop.place for loop in loops if any(isinstance(n, Break | Return) for n in walk(*loop.body))]
        until_left = {d.key for d in mechanism.draws if any(_is_within(d.place, place) for place in left)}
        return cls(mechanism.noise_name, tuple(mechanism.private), depths, frozenset(inside), frozenset(until_left))


def _is_within(one: Place, other: Place) -> bool:
    return one.source == other.source and other.line <= one.line and one.end_line <= other.end_line


_USUAL = Notation()
_NOTATION: ContextVar[Notation] = ContextVar("notation", default=_USUAL)


def as_pseudocode(function: Callable[..., object], notation: Notation, *, heading: bool = False) -> str | None:
    """The statements of a function, one on a line; None where its source is not at hand.

    With ``heading`` a line with its name and its parameters stands above them.
    """
    tree = _function(function)
    if tree is None:
        return None
    token = _NOTATION.set(notation)
    try:
        lines = _statements(tree.body, 1 if heading else 0)
        parameters = _primed(", ".join(parameter.arg for parameter in tree.args.args))
        return "\n".join((*([f"{tree.name}({parameters}):"] if heading else []), *lines))
    finally:
        _NOTATION.reset(token)


def alignment_formulas(function: Callable[..., object], notation: Notation) -> AlignmentFormulas | None:
    """The shifts of an alignment; None where its source is not at hand or it returns them in several places."""
    token = _NOTATION.set(notation)
    try:
        return _formulas(function)
    finally:
        _NOTATION.reset(token)


def _formulas(function: Callable[..., object]) -> AlignmentFormulas | None:
    tree = _function(function)
    if tree is None:
        return None
    returned = [node for node in ast.walk(tree) if isinstance(node, ast.Return)]
    if len(returned) != 1 or not isinstance(returned[0].value, ast.Call) or returned[0] is not tree.body[-1]:
        return None
    call = returned[0].value
    limits: list[tuple[LimitForm, ShiftOfDraw]] = []
    while isinstance(call.func, ast.Attribute) and call.func.attr in LIMITS and isinstance(call.func.value, ast.Call):
        form = LimitForm(call.func.attr)
        limits = [*((form, _shift(keyword.arg or "", keyword.value)) for keyword in call.keywords), *limits]
        call = call.func.value
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        return None
    shifts = tuple(_shift(keyword.arg or "", keyword.value) for keyword in call.keywords)
    return AlignmentFormulas(tuple(_statements(tree.body[:-1], 0)), shifts, tuple(limits))


def _function(function: Callable[..., object]) -> ast.FunctionDef | None:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return None
    found = tree.body[0]
    return found if isinstance(found, ast.FunctionDef) else None


def _shift(draw: str, value: ast.expr) -> ShiftOfDraw:
    indices, over = [], []
    used = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    while isinstance(value, ast.ListComp) and len(value.generators) == 1 and not value.generators[0].ifs:
        generator, value = value.generators[0], value.elt
        index, words = _indexed(generator, used)
        match generator.target, generator.iter:
            case ast.Name(name), ast.Attribute(value=ast.Name("H"), attr=noise) if name != index:
                # The noise of the iteration is what it is called elsewhere.
                value, words = _Renaming(name, _subscript(noise, index)).visit(value), f"each {index}"
        inside = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
        if words.startswith("each ") and inside.isdisjoint(_names_in(generator.target)):
            words = f"each {index}"
        used.add(index)
        indices.append(f"[{index}]")
        over.append(words)
    while len(indices) < _NOTATION.get().depths.get(draw, 0):
        index = next(name for name in ("i", *_INDICES) if name not in used)
        used.add(index)
        indices.append(f"[{index}]")
        over.append(f"each {index}")
        value = _item(value, index)
    beyond = " in range(" in "".join(over) and "omega" not in "".join(over)
    if indices and (draw in _NOTATION.get().sometimes or (beyond and draw in _NOTATION.get().until_left)):
        over.append("where it is drawn")
    return ShiftOfDraw(f"{draw}{''.join(indices)}", tuple(_cases(value)), ", ".join(over))


def _names_in(target: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def _subscript(name: str, index: str) -> ast.expr:
    return ast.Subscript(ast.Name(name), ast.Name(index))


class _Renaming(ast.NodeTransformer):
    """Puts an expression in the place of a name."""

    def __init__(self, name: str, other: ast.expr) -> None:
        self.name, self.other = name, other

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.other if node.id == self.name else node


def _item(value: ast.expr, index: str) -> ast.expr:
    """An item of a list that is not written item by item, case by case as the list is."""
    if isinstance(value, ast.IfExp):
        return ast.IfExp(value.test, _item(value.body, index), _item(value.orelse, index))
    return ast.Subscript(value, ast.Name(index))


def _indexed(generator: ast.comprehension, used: set[str]) -> tuple[str, str]:
    """The index of the items of a list, and over what it goes; a new one where the program has none."""
    target, iterable = generator.target, generator.iter
    match target, iterable:
        case ast.Name(name), ast.Call(ast.Name("range"), [_], []):
            return name, f"{name} in {_text(iterable)}"
        case ast.Tuple([ast.Name(name), *_]), ast.Call(ast.Name("enumerate"), [_], []):
            return name, f"{_text(target).strip('()')} in {_text(iterable)}"
    index = next(name for name in _INDICES if name not in used)
    match iterable:
        case ast.Call(ast.Name("zip"), parts, []):
            items = ", ".join(f"{_text(part)}[{index}]" for part in parts)
            return index, f"each {index}, where {_text(target)} = ({items})"
        case ast.Name() | ast.Subscript() | ast.Attribute():
            item = f"{_text(iterable)}[{index}]"
        case _:
            item = f"({_text(iterable)})[{index}]"
    return index, f"each {index}, where {_text(target)} = {item}"


def _cases(value: ast.expr) -> Iterator[Case]:
    if isinstance(value, ast.IfExp):
        yield Case(_text(value.body), f"if {_text(value.test)}")
        for case in _cases(value.orelse):
            yield Case(case.shift, case.where or "otherwise")
    else:
        yield Case(_text(value))


def _statements(body: list[ast.stmt], depth: int) -> Iterator[str]:
    indent = "    " * depth
    for node in body:
        match node:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.Assign(targets=[target], value=value):
                yield f"{indent}{_text(target)} {_assigned(value)}"
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield f"{indent}{_text(target)} {_assigned(value)}"
            case ast.AugAssign(target=target, op=op, value=value):
                sum_ = ast.BinOp(ast.Name(ast.unparse(target)), op, value)
                yield f"{indent}{_text(target)} ← {_text(sum_)}"
            case ast.If():
                yield from _branches(node, depth)
            case ast.For(target=target, iter=iterable, body=inner):
                yield f"{indent}for each {_text(target).strip('()')} in {_text(iterable)}:"
                yield from _statements(inner, depth + 1)
            case ast.Expr(value=ast.Yield(value=ast.expr() as value)):
                yield f"{indent}output {_text(value)}"
            case ast.Expr(value=ast.YieldFrom(value=value)):
                yield f"{indent}output each of {_text(value)}"
            case ast.Return(value=ast.expr() as value):
                yield f"{indent}return {_text(value)}"
            case ast.Break():
                yield f"{indent}leave the loop"
            case _:
                yield f"{indent}{_text(node)}"


def _branches(node: ast.If, depth: int, word: str = "if") -> Iterator[str]:
    indent = "    " * depth
    yield f"{indent}{word} {_text(node.test)}:"
    yield from _statements(node.body, depth + 1)
    if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        yield from _branches(node.orelse[0], depth, "else if")
    elif node.orelse:
        yield f"{indent}else:"
        yield from _statements(node.orelse, depth + 1)


def _assigned(value: ast.expr) -> str:
    return f"← {_text(value)}"


def _text(node: ast.AST) -> str:
    text = ast.unparse(_Drawing().visit(node) if isinstance(node, ast.expr) else node)
    for written, shown in _SYMBOLS:
        text = text.replace(written, shown)
    return _primed(text)


class _Drawing(ast.NodeTransformer):
    """Writes `noise.laplace(b)` as Laplace(b)."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node.func:
            case ast.Attribute(value=ast.Name(source), attr=name) if source == _NOTATION.get().noise and name in DRAWS:
                drawn = f"a draw from {DRAWS[name].title}"
                return ast.Name(f"{drawn}({', '.join(ast.unparse(argument) for argument in node.args)})")
        return node


def _primed(text: str) -> str:
    """The answers of D′, `q_`, as q′."""
    for name in _NOTATION.get().private:
        text = re.sub(rf"\b{re.escape(name)}_(?!\w)", f"{name}′", text)
    return text
