"""What both halves of the translation share: places that it declines, names and calls, and lists by their items.

An expression over lists stays one expression over their items, until it is given a name or put out.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn


class DeclinedError(Exception):
    """A place of a function that is not translated, and what to write by hand."""

    def __init__(self, node: ast.AST, problem: str, hint: str) -> None:
        self.node, self.problem, self.hint = node, problem, hint
        super().__init__(problem)


def declined(node: ast.AST, problem: str, hint: str = "write the mechanism's line for it by hand") -> NoReturn:
    """Raise that a place is not translated."""
    raise DeclinedError(node, problem, hint)


def name(text: str) -> ast.Name:
    """A name as an expression."""
    return ast.Name(text, ast.Load())


def call(function: str, *arguments: ast.expr) -> ast.Call:
    """A call of a function of the language."""
    return ast.Call(name(function), list(arguments), [])


def last_name(node: ast.AST) -> str:
    """The last part of a dotted name; empty for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


@dataclass
class ItemList:
    """A list as what each of its items is: of the items of other lists, by the name that stands for one.

    ``condition`` says which are kept. ``index`` is the name of the position, where it is ``numbered``; without lists
    there are ``length`` items.
    """

    item: ast.expr
    over: dict[str, str] = field(default_factory=dict)
    condition: ast.expr | None = None
    index: str = "i"
    numbered: bool = False
    length: ast.expr | None = None

    @property
    def whole(self) -> str:
        """The name of the list that it is, unchanged; else empty."""
        if self.condition is None and isinstance(self.item, ast.Name) and list(self.over) == [self.item.id]:
            return self.over[self.item.id]
        return ""

    def head(self) -> tuple[ast.expr, ast.expr]:
        """What a loop over the items assigns to, and what it goes over."""
        if not self.over:
            return name(self.index), call("range", self.length or ast.Constant(0))
        items: list[ast.expr] = [name(item) for item in self.over]
        lists = [name(one) for one in self.over.values()]
        target, source = (items[0], lists[0]) if len(items) == 1 else (pair(items), call("zip", *lists))
        if self.numbered:
            return pair([name(self.index), target]), call("enumerate", source)
        return target, source

    def listed(self, item: ast.expr | None = None) -> ast.expr:
        """The list as a comprehension, or by its name."""
        if item is None and self.whole:
            return name(self.whole)
        return ast.ListComp(item or self.item, [self._clause()])

    def generated(self) -> ast.expr:
        """The items for a function that takes them one by one."""
        return name(self.whole) if self.whole else ast.GeneratorExp(self.item, [self._clause()])

    def _clause(self) -> ast.comprehension:
        return ast.comprehension(*self.head(), [self.condition] if self.condition else [], 0)


def pair(parts: Sequence[ast.expr]) -> ast.Tuple:
    """A tuple."""
    return ast.Tuple(list(parts), ast.Load())


def position_of_largest(node: ast.Call) -> ast.expr | None:
    """The list of which a call gives the position of the largest item, in Python without numpy."""
    match node:
        case ast.Call(ast.Attribute(of, "index"), [ast.Call(ast.Name("max"), [same], [])], []):
            return of if ast.dump(of) == ast.dump(same) else None
        case ast.Call(ast.Name("max"), [ast.Call(ast.Name("range"), [_])], [ast.keyword("key", key)]):
            match key:
                case ast.Lambda(ast.arguments(args=[one]), ast.Subscript(of, ast.Name(index))) if index == one.arg:
                    return of
                case ast.Attribute(of, "__getitem__"):
                    return of
    return None


def largest_taken(node: ast.Subscript) -> tuple[ast.expr, int, ast.expr, int | None] | None:
    """What is sorted, with which sign, how many of the largest are taken, or which one, if it is the largest."""
    sorted_, reverse = sorted_in(node.value)
    match node.slice:
        case ast.UnaryOp(ast.USub(), ast.Constant(int(last))) if sorted_ is not None and not reverse:
            return sorted_, 1, ast.Constant(last), last
        case ast.Slice(None, ast.expr() as count, None) if sorted_ is not None:
            return sorted_, 1 if reverse else -1, count, None
        case ast.Constant(int(first)) if sorted_ is not None and first >= 0:
            return sorted_, 1 if reverse else -1, ast.Constant(first + 1), first + 1
        case ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1))) if isinstance(node.value, ast.Subscript):
            inner, turned = sorted_in(node.value.value)
            taken = node.value.slice
            lower = taken.lower if isinstance(taken, ast.Slice) and taken.upper is None else None
            if inner is not None and not turned and isinstance(lower, ast.UnaryOp):
                return inner, 1, lower.operand, None
    return None


def sorted_in(node: ast.expr) -> tuple[ast.expr | None, bool]:
    """What ``argsort`` sorts, and whether its order is reversed."""
    if isinstance(node, ast.Call) and last_name(node.func) == "argsort" and node.args:
        return node.args[0], False
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        step = node.slice.step
        if node.slice.lower is None and node.slice.upper is None and isinstance(step, ast.UnaryOp):
            return sorted_in(node.value)[0], True
    return None, False
