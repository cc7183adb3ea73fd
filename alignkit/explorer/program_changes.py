"""Small changes of a program's text, made by rule, and the operators that make those which a proof depends on.

An operator goes from a site, which is a node of a function's syntax tree, to the edits that may be made there. The
suite judges mutants of the whole catalogue with the same operators, and with others.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from inspect import getdoc
from typing import Any

from alignkit.noise import DRAWS


@dataclass(frozen=True)
class Edit:
    """A change of one object of a syntax tree: a node, or a list of statements or filters.

    ``shown`` is what is described of it, as it was and as it becomes, unless ``words`` describe it. ``button`` is what
    a reader who might make the change is told, and ``case`` when the changed part counts, where the program says so
    by a conditional expression; an edit without a button is of no interest to a reader.
    """

    old: Any
    new: Any
    shown: ast.AST | None = None
    words: str = ""
    button: str = ""
    case: str = ""

    @property
    def description(self) -> str:
        if self.shown is None:
            return self.words
        return f"`{text_of_node(self.shown)}` becomes `{text_of_node(self.apply(self.shown))}`"

    def apply(self, tree: Any) -> Any:
        """A copy of a tree with the change made."""
        made = _with(tree, self.old, self.new)
        return ast.fix_missing_locations(made)


def _with(tree: Any, old: Any, new: Any) -> Any:
    """A copy of a syntax tree by its fields, with another part in the place of one."""
    if tree is old:
        return new
    if isinstance(tree, list):
        return [_with(item, old, new) for item in tree]
    if not isinstance(tree, ast.AST):
        return tree
    fields = {name: _with(value, old, new) for name, value in ast.iter_fields(tree)}
    return ast.copy_location(type(tree)(**fields), tree)


@dataclass(frozen=True)
class EditSite:
    """A node of a function, and what stands around it; ``role`` is mechanism, alignment or helper."""

    node: ast.AST
    function: ast.FunctionDef
    role: str
    parents: tuple[ast.AST, ...]

    @property
    def parent(self) -> ast.AST:
        return self.parents[-1]

    def inside(self, kind: type) -> list[Any]:
        """The parents of a kind, the nearest first."""
        return [p for p in reversed(self.parents) if isinstance(p, kind)]

    def replace(self, *new: ast.AST) -> Iterator[Edit]:
        """The node replaced, shown with the expression or statement around it."""
        yield from self.exchange(self.node, *new)

    def exchange(self, old: ast.AST, *new: ast.AST) -> Iterator[Edit]:
        """Something at or below the node replaced."""
        yield from (self.edit(old, each) for each in new)

    def edit(self, old: ast.AST, new: ast.AST, button: str = "", case: str = "") -> Edit:
        """Something at or below the node replaced by one other thing, with the words of its button."""
        return Edit(old, new, self._shown(old), button=button, case=case)

    def _shown(self, old: ast.AST) -> ast.AST:
        """What a reader needs to see of a change: the simple statement, the argument or the parameter around it."""
        around = self.parents if old is self.node else (*self.parents, self.node)
        shown = old
        for parent in reversed(around):
            if isinstance(shown, _ENOUGH) or not isinstance(parent, ast.expr | ast.comprehension | _ENOUGH):
                break
            if len(text_of_node(parent)) > _LONGEST:
                break
            shown = parent
        return shown


# A change is shown with what stands around it, up to so many characters and to one of these.
_LONGEST = 100
_ENOUGH = ast.keyword | ast.arg | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.Return


def text_of_node(node: ast.AST) -> str:
    """A node as one line; of a branch or a loop its head."""
    text = ast.unparse(node)
    if isinstance(node, ast.If | ast.For):
        return text.partition("\n")[0]
    return " ".join(line.strip() for line in text.splitlines())


def sites_of(function: ast.FunctionDef, role: str) -> Iterator[EditSite]:
    """Every node of a function that may be changed, in source order; docstrings are left alone."""
    for part in (*function.decorator_list, *function.args.args, *function.body):
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
            continue
        yield from _sites_below(part, function, role, (function,))


def _sites_below(
    node: ast.AST, function: ast.FunctionDef, role: str, parents: tuple[ast.AST, ...]
) -> Iterator[EditSite]:
    yield EditSite(node, function, role, parents)
    for child in ast.iter_child_nodes(node):
        yield from _sites_below(child, function, role, (*parents, node))


@dataclass(frozen=True)
class Operator:
    """A kind of change: from a site to the edits that may be made there."""

    name: str
    edits: Callable[[EditSite], Iterator[Edit]] = field(repr=False)

    @property
    def words(self) -> str:
        """What it does, in a sentence."""
        return getdoc(self.edits) or ""


def number_node(value: int) -> ast.expr:
    """The expression that stands for a whole number."""
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def combine(left: ast.expr, operator: ast.operator, right: ast.expr | int) -> ast.expr:
    """Two expressions, or an expression and a number, joined by an operator."""
    return ast.BinOp(left, operator, number_node(right) if isinstance(right, int) else right)


def noise_scale(site: EditSite) -> Iterator[Edit]:
    """A draw has twice or half the scale."""
    call = site.node
    if (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in DRAWS
        and call.args
    ):
        scale, parameter = call.args[0], DRAWS[call.func.attr].parameters[0].name
        targets = [text_of_node(statement.targets[0]) for statement in site.inside(ast.Assign)]
        words = f"Draw {', '.join(targets)} with {{}} the {parameter}"
        less_noise = {"rate": words.format("twice"), "scale": words.format("half")}
        for operator, kind in ((ast.Mult(), "rate"), (ast.Div(), "scale")):
            button = less_noise[kind] if kind == parameter else ""
            yield site.edit(scale, combine(scale, operator, 2), button)


_ORDERS = (ast.GtE, ast.Gt, ast.LtE, ast.Lt)
_OTHER_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    **{order: tuple(other for other in _ORDERS if other is not order) for order in _ORDERS},
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
# Of the two comparisons that turn an order, a reader is offered the negation.
_TURNED = ({ast.GtE, ast.LtE}, {ast.Gt, ast.Lt})


def other_comparison(site: EditSite) -> Iterator[Edit]:
    """A comparison loses or gains its equality, is reversed, or is negated."""
    node = site.node
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in _OTHER_COMPARISONS[type(node.ops[0])]:
            changed = ast.Compare(node.left, [other()], node.comparators)
            words = f"{text_of_node(changed)} in place of {text_of_node(node)}"
            offered = {type(node.ops[0]), other} not in _TURNED and len(words) <= _LONGEST
            yield site.edit(node, changed, words if offered else "")


def shift(site: EditSite) -> Iterator[Edit]:
    """A shift is one more, one less, doubled, negated, 0, or dropped."""
    node = site.node
    call = site.parent
    if not (isinstance(node, ast.keyword) and isinstance(call, ast.Call) and _is_shift(call)):
        return
    for leaf, case in _leaves(node.value):
        yield site.edit(leaf, combine(leaf, ast.Add(), 1))
        yield site.edit(leaf, combine(leaf, ast.Sub(), 1), f"Shift {node.arg} by 1 less", case)
        if not (isinstance(leaf, ast.Constant) and leaf.value == 0):
            doubled, turned = combine(leaf, ast.Mult(), 2), ast.UnaryOp(ast.USub(), leaf)
            yield site.edit(leaf, doubled, f"Shift {node.arg} twice as far", case)
            yield site.edit(leaf, turned)
            is_one = isinstance(leaf, ast.Constant) and leaf.value == 1  # by 1 less is by 0
            yield site.edit(leaf, number_node(0), "" if is_one else f"Shift {node.arg} by 0", case)
    kept = [k for k in call.keywords if k is not node]
    yield Edit(call, ast.Call(call.func, call.args, kept), words=f"the shift of {node.arg} is dropped")


def _is_shift(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "shift"


def _leaves(value: ast.expr, case: str = "") -> Iterator[tuple[ast.expr, str]]:
    """The expressions that give the shifts of single draws, each with the case in which it does."""
    if isinstance(value, ast.ListComp):
        yield from _leaves(value.elt, case)
    elif isinstance(value, ast.IfExp):
        test = text_of_node(value.test)
        before = f"{case} and " if case else "where "
        yield from _leaves(value.body, f"{before}{test}")
        yield from _leaves(value.orelse, f"{before}not {test}")
    else:
        yield value, case


def dropped_break(site: EditSite) -> Iterator[Edit]:
    """A break is dropped, so that the loop goes on."""
    if isinstance(site.node, ast.Break):
        (guard, *_) = [p for p in reversed(site.parents) if isinstance(p, ast.If | ast.For)]
        head = text_of_node(guard).rstrip(":")
        words, button = f"the break under `{head}` is dropped", f"Leave out the break in line {site.node.lineno}"
        yield Edit(site.node, ast.Pass(), words=words, button=button)


def called_budget(site: EditSite) -> Iterator[Edit]:
    """Another mechanism is called with twice the budget."""
    call = site.node
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
        return
    kinds = {each.arg: text_of_node(each.annotation) for each in site.function.args.args if each.annotation is not None}
    given_kinds = [{kinds.get(n.id) for n in ast.walk(given) if isinstance(n, ast.Name)} for given in call.args]
    if any("Noise" in each for each in given_kinds):
        for given, each in zip(call.args, given_kinds, strict=True):
            if each & {"Epsilon", "Eta"}:
                doubled = combine(given, ast.Mult(), 2)
                yield site.edit(given, doubled, f"Call {call.func.id} with twice the budget")
