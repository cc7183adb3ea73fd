"""A mechanism's own source with other scales in its draws, and the mechanism that it defines."""

from __future__ import annotations

import ast
import re
import textwrap
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import alignkit.language.functions as functions
from alignkit.errors import Unsupported
from alignkit.finding.scales.products import Product, product_of
from alignkit.language.source_code import read_source
from alignkit.language.tags import ABOVE, BELOW
from alignkit.noise import DRAWS
from alignkit.noise.distribution_parameters import RATE
from alignkit.running.defined_functions import defined_function, names_known_to
from alignkit.running.draws import DrawSite
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.mechanism_decorator import mechanism as make_mechanism

# The longest line that is written.
_WIDTH = 100


@dataclass(frozen=True)
class DrawScale:
    """The scale of a draw: as it is written, and with the program's local names put in.

    Where the distribution takes a rate, the scale is one over it.
    """

    draw: DrawSite
    written: Product
    public: Product

    @property
    def is_rate(self) -> bool:
        """Whether the distribution takes the rate."""
        return self.draw.distribution.parameters[0] == RATE

    @property
    def has_mean(self) -> bool:
        """Whether the mean of the noise is not 0, and so goes with the scale."""
        distribution = self.draw.distribution
        return bool(distribution.mean(*(1.0 for _ in distribution.parameters)))

    def argument(self, scale: Product) -> str:
        """What is written for a scale."""
        return str(Product.number(1) / scale if self.is_rate else scale)


def draw_scales(mechanism: Mechanism) -> tuple[DrawScale, ...]:
    """The scale of every draw. Raises Unsupported where one cannot be read or does not stand in the program itself."""
    if any(draw.path for draw in mechanism.draws):
        raise Unsupported("noise is drawn in a function that the mechanism calls")
    definition = _definition(mechanism)
    known = _locals(mechanism, definition)
    scales = []
    for draw, call in zip(mechanism.draws, _calls(mechanism, definition), strict=True):
        written, public = (product_of(call.args[0], names) for names in ({}, known))
        if not public.names() <= {*mechanism.public, *_function_names()}:
            raise Unsupported(f"the scale of {draw.key} is no expression of public parameters")
        if draw.distribution.parameters[0] == RATE:
            written, public = written.to(-1), public.to(-1)
        scales.append(DrawScale(draw, written, public))
    return tuple(scales)


def mended_source(
    mechanism: Mechanism, name: str, arguments: Mapping[str, str], names: Mapping[str, str], docstring: str
) -> str:
    """The definition with other first arguments of its draws, and with names for expressions at its beginning.

    A parameter that is among the names is taken out.
    """
    definition = _definition(mechanism)
    lines = _lines(mechanism)
    edits = [
        _Edit.of(call.args[0], arguments[draw.key])
        for draw, call in zip(mechanism.draws, _calls(mechanism, definition), strict=True)
        if draw.key in arguments
    ]
    edits += [_Edit.of(argument, "") for argument in definition.args.args if argument.arg in names]
    first = definition.body[0]
    indent = "\n" + " " * first.col_offset
    opening = indent.join([f'"""{docstring}"""', *(f"{new} = {text}" for new, text in names.items())])
    if ast.get_docstring(definition) is None:
        edits.append(_Edit((first.lineno, first.col_offset), (first.lineno, first.col_offset), opening + indent))
    else:
        edits.append(_Edit.of(first, opening))
    text = _edited(lines, edits)
    text[0] = re.sub(rf"def\s+{mechanism.name}\b", f"def {name}", text[0], count=1)
    if len(text[0]) > _WIDTH and text[0].endswith("):"):
        head, _, parameters = text[0].partition("(")
        text[:1] = [f"{head}(", f"    {parameters.removesuffix('):')}", "):"]
    used = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return "@mechanism\n" + _without_unused("\n".join(text), used) + "\n"


def defined(mechanism: Mechanism, source: str, name: str) -> Mechanism:
    """The mechanism that a source defines, with the names that the original knows."""
    python = mechanism.python
    names: dict[str, Any] = {**names_known_to(mechanism.python), "__name__": "mended", "mechanism": make_mechanism}
    names |= {name: getattr(functions, name) for name in ("exp", "log") if name not in python.__globals__}
    made: Mechanism = defined_function(source, name, names, name)
    return made


def imports_for(mechanism: Mechanism, texts: Iterable[str]) -> tuple[str, ...]:
    """The imports that texts need, which use the names that the mechanism's module knows."""
    known = names_known_to(mechanism.python)
    shared, own, other = {"alignment", "mechanism"}, set(), set()
    for name in sorted({node.id for text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}):
        value = known.get(name)
        if name in ("exp", "log") and name not in known:
            shared.add(name)
        elif name in shared or name not in known or name == mechanism.name:
            continue
        elif isinstance(value, ModuleType):
            other.add(f"import {value.__name__}" + ("" if value.__name__ == name else f" as {name}"))
        elif _is_public(value):
            shared.add(name)
        elif getattr(typing, name, None) is value:
            other.add(f"from typing import {name}")
        else:
            own.add(name)
    ordered = sorted(shared, key=lambda name: (not name.isupper(), name[0].islower(), name))
    whole = f"from alignkit import {', '.join(ordered)}"
    if len(whole) > _WIDTH:
        whole = "from alignkit import (\n" + "".join(f"    {name},\n" for name in ordered) + ")"
    first = [*sorted(other), ""] if other else []
    ours = [f"from {mechanism.python.__module__} import {', '.join(sorted(own))}"] if own else []
    return (*first, whole, *ours)


def _is_public(value: Any) -> bool:
    """Whether alignkit itself gives a value its name: a type, a function, or a tag that mechanisms share."""
    if isinstance(value, type | FunctionType):
        return value.__module__ == "alignkit"
    return value is ABOVE or value is BELOW


def free_name(mechanism: Mechanism, wanted: str) -> str:
    """The name, or one like it, that the mechanism does not use."""
    taken = {node.id for node in ast.walk(_definition(mechanism)) if isinstance(node, ast.Name)}
    taken |= {*mechanism.parameters}
    while wanted in taken:
        wanted += "_"
    return wanted


def _function_names() -> frozenset[str]:
    return frozenset({"exp", "log", "sqrt", "max", "min", "abs"})


def _lines(mechanism: Mechanism) -> list[str]:
    """The lines of the definition, without its decorators, beginning at the margin."""
    definition, source = read_source(mechanism.python)
    block = "".join(source.lines[definition.lineno - 1 : definition.end_lineno])
    return textwrap.dedent(block).splitlines()


def _definition(mechanism: Mechanism) -> ast.FunctionDef:
    (definition,) = ast.parse("\n".join(_lines(mechanism))).body
    assert isinstance(definition, ast.FunctionDef)
    return definition


def _calls(mechanism: Mechanism, definition: ast.FunctionDef) -> list[ast.Call]:
    """The calls that draw noise, in the order of the mechanism's draws."""
    found = [
        node
        for node in ast.walk(definition)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == mechanism.noise_name
        and node.func.attr in DRAWS
    ]
    if len(found) != len(mechanism.draws) or not all(call.args for call in found):
        raise Unsupported("the draws cannot be told apart in the source")
    placed = sorted(range(len(found)), key=lambda i: (mechanism.draws[i].place.line, mechanism.draws[i].place.column))
    found.sort(key=lambda call: (call.lineno, call.col_offset))
    calls = dict(zip(placed, found, strict=True))
    return [calls[i] for i in range(len(found))]


def _locals(mechanism: Mechanism, definition: ast.FunctionDef) -> dict[str, Product]:
    """Local names that stand for one public expression from the beginning to the end."""
    stored = [n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    known: dict[str, Product] = {}
    for target, value in _assigned(definition.body):
        if stored.count(target) != 1:
            continue
        try:
            product = product_of(value, known)
        except Unsupported:
            continue
        if product.names() <= {*mechanism.public, *_function_names()}:
            known[target] = product
    return known


def _assigned(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """The names that the statements of a block assign, with their values."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                yield from ((t.id, v) for t, v in zip(targets, values, strict=False) if isinstance(t, ast.Name))


@dataclass(frozen=True)
class _Edit:
    """A place, from a line and a column in bytes to others, and what it is filled with."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str

    @staticmethod
    def of(node: ast.expr | ast.stmt | ast.arg, text: str) -> _Edit:
        """An edit that replaces a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return _Edit((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset), text)


def _edited(lines: Sequence[str], edits: Sequence[_Edit]) -> list[str]:
    """The lines with their edits. A parameter that is replaced by nothing goes with its comma."""
    text = "\n".join(lines).encode()
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()) + 1)
    for edit in sorted(edits, key=lambda each: each.start, reverse=True):
        start, end = (starts[line - 1] + column for line, column in (edit.start, edit.end))
        after = text[end:] if edit.text else re.sub(rb"^\s*,?\s*", b"", text[end:])
        text = text[:start] + edit.text.encode() + after
    return text.decode().splitlines()


def _without_unused(text: str, used_before: set[str]) -> str:
    """The definition without its assignments to names that were read before and are not read any more."""
    while True:
        (definition,) = ast.parse(text).body
        assert isinstance(definition, ast.FunctionDef)
        read = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        for statement in definition.body:
            kept = [(name, value) for name, value in _assigned([statement]) if name in read or name not in used_before]
            if len(kept) == len([*_assigned([statement])]):
                continue
            lines = text.splitlines()
            new = []
            if kept:
                left, right = (", ".join(part) for part in zip(*((n, ast.unparse(v)) for n, v in kept), strict=True))
                new = [f"{' ' * statement.col_offset}{left} = {right}"]
            lines[statement.lineno - 1 : statement.end_lineno] = new
            text = "\n".join(lines)
            break
        else:
            return text
