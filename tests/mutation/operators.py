"""The operators: each changes one thing that a proof depends on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from alignkit.explorer.program_changes import (
    Edit,
    EditSite,
    Operator,
    combine,
    dropped_break,
    noise_scale,
    number_node,
    other_comparison,
    shift,
    text_of_node,
)

# The adjacencies all of whose pairs are pairs of another.
NARROWER = {"each": ("monotone", "l1", "one"), "monotone": ("one",), "l1": ("one",), "one": ()}


def name(identifier: str) -> ast.expr:
    return ast.Name(identifier, ast.Load())


def operand(site: EditSite) -> Iterator[Edit]:
    """One side of an operation is dropped: a scale without its k, or a shift without its 1."""
    node = site.node
    if isinstance(node, ast.BinOp):
        yield from site.replace(node.left)
        if isinstance(node.op, ast.Add | ast.Mult):
            yield from site.replace(node.right)


def sign(site: EditSite) -> Iterator[Edit]:
    """+ and - are exchanged, or * and /, or a minus is dropped."""
    node = site.node
    others = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
    if isinstance(node, ast.BinOp) and type(node.op) in others:
        yield from site.replace(ast.BinOp(node.left, others[type(node.op)](), node.right))
    if isinstance(node, ast.AugAssign) and type(node.op) in others:
        yield from site.replace(ast.AugAssign(node.target, others[type(node.op)](), node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield from site.replace(node.operand)


def constant(site: EditSite) -> Iterator[Edit]:
    """A whole number is one more or one less."""
    node = site.node
    if isinstance(node, ast.Constant) and type(node.value) is int and not site.inside(ast.arg):
        yield from site.replace(number_node(node.value + 1), number_node(node.value - 1))


def off_by_one(site: EditSite) -> Iterator[Edit]:
    """The bound of a comparison, of a range or of a selection is one more or one less."""
    node = site.node
    bounds: list[ast.expr] = []
    if isinstance(node, ast.Compare) and isinstance(node.ops[-1], ast.GtE | ast.Gt | ast.LtE | ast.Lt):
        bounds = [node.comparators[-1]]
    elif _calls(node, "range", "largest"):
        bounds = node.args[-1:]
    for bound in bounds:
        if not isinstance(bound, ast.Constant):
            yield from site.exchange(bound, combine(bound, ast.Add(), 1), combine(bound, ast.Sub(), 1))


def index(site: EditSite) -> Iterator[Edit]:
    """An index names the next item, or the first one, instead of its own."""
    node = site.node
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and not isinstance(site.parent, ast.arg):
        first = number_node(0)
        yield from site.exchange(node.slice, combine(node.slice, ast.Add(), 1), first)


def branches(site: EditSite) -> Iterator[Edit]:
    """Two branches are swapped, or one of them is always taken."""
    node = site.node
    if isinstance(node, ast.IfExp):
        yield from site.replace(ast.IfExp(node.test, node.orelse, node.body), node.body, node.orelse)
    if isinstance(node, ast.If):
        other = node.orelse or [ast.Pass()]
        head = f"`{text_of_node(node).rstrip(':')}`"
        around = _body_with(site.parent, node)
        at = around.index(node)
        yield Edit(node, ast.If(node.test, other, node.body), words=f"{head}: branches swapped")
        yield Edit(around, [*around[:at], *node.body, *around[at + 1 :]], words=f"{head}: always")
        yield Edit(around, [*around[:at], *other, *around[at + 1 :]], words=f"{head}: never")
        if node.orelse:
            yield Edit(node, ast.If(node.test, node.body, []), words=f"{head}: else dropped")


def budget(site: EditSite) -> Iterator[Edit]:
    """Two values that are assigned together change places."""
    node = site.node
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
        yield from site.exchange(node.value, ast.Tuple(node.value.elts[::-1], ast.Load()))


def condition(site: EditSite) -> Iterator[Edit]:
    """A filter of a comprehension is dropped."""
    node = site.node
    if isinstance(node, ast.comprehension):
        for each in node.ifs:
            kept = [i for i in node.ifs if i is not each]
            yield Edit(node.ifs, kept, words=f"the filter `if {ast.unparse(each)}` is dropped")


def statement(site: EditSite) -> Iterator[Edit]:
    """A statement is dropped."""
    node = site.node
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr):
        yield Edit(node, ast.Pass(), words=f"`{ast.unparse(node)}` is dropped")


def variable(site: EditSite) -> Iterator[Edit]:
    """A name is replaced by two others in turn: its twin on the other database, then those that follow in scope."""
    node = site.node
    if not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in in_scope(site)):
        return
    names = in_scope(site)
    at = names.index(node.id)
    twin = node.id[:-1] if node.id.endswith("_") else f"{node.id}_"
    others = [n for n in (twin, *names[at + 1 :], *names[:at]) if n in names and n != node.id]
    yield from site.replace(*(name(n) for n in list(dict.fromkeys(others))[:2]))


def tag(site: EditSite) -> Iterator[Edit]:
    """A tag is replaced by another."""
    node = site.node
    tags = {"ABOVE": "BELOW", "BELOW": "ABOVE"}
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in tags:
        yield from site.replace(name(tags[node.id]))


def release(site: EditSite) -> Iterator[Edit]:
    """Another value is released: any value that the mechanism has there and that is not public from the start."""
    node = site.node
    if site.role != "mechanism" or not isinstance(node, ast.Yield | ast.Return) or node.value is None:
        return
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    known = _not_public(site.function)
    for value in values:
        yield from site.exchange(value, *(name(n) for n in in_scope(site) if n in known))


def adjacency(site: EditSite) -> Iterator[Edit]:
    """The adjacency is a wider or a different one; a narrower one would require less."""
    node = site.node
    if isinstance(node, ast.keyword) and node.arg == "adjacency" and isinstance(node.value, ast.Constant):
        for other in ("each", "monotone", "l1", "one"):
            if other != node.value.value and other not in NARROWER.get(node.value.value, ()):
                yield from site.exchange(node.value, ast.Constant(other))


def claim(site: EditSite) -> Iterator[Edit]:
    """The claim is smaller."""
    node = site.node
    if isinstance(node, ast.keyword) and node.arg == "epsilon" and isinstance(node.value, ast.Constant):
        for smaller in ("({}) / 2", "({}) * 99 / 100"):
            yield from site.exchange(node.value, ast.Constant(smaller.format(node.value.value)))


def sensitivity(site: EditSite) -> Iterator[Edit]:
    """The answers may change by twice as much."""
    node = site.node
    if not isinstance(node, ast.arg) or site.role != "mechanism":
        return
    kind = node.annotation
    if isinstance(kind, ast.Name) and kind.id in ("Queries", "Query"):
        doubled = ast.Call(kind, [], [ast.keyword("sensitivity", ast.Constant(2))])
        yield from site.exchange(kind, doubled)
    if kind is not None:
        for declared in ast.walk(kind):
            if _calls(declared, "Sensitivity") and isinstance(declared.args[0], ast.Constant):
                yield from _doubled(site, declared.args[0])
            if _calls(declared, "Queries", "Query"):
                for keyword in declared.keywords:
                    if keyword.arg == "sensitivity" and isinstance(keyword.value, ast.Constant):
                        yield from _doubled(site, keyword.value)


def _doubled(site: EditSite, number: ast.Constant) -> Iterator[Edit]:
    if isinstance(number.value, int):
        yield from site.exchange(number, ast.Constant(2 * number.value))


OPERATORS = (
    Operator("scale", noise_scale),
    Operator("comparison", other_comparison),
    Operator("off by one", off_by_one),
    Operator("break", dropped_break),
    Operator("branches", branches),
    Operator("budget", budget),
    Operator("adjacency", adjacency),
    Operator("sensitivity", sensitivity),
    Operator("claim", claim),
    Operator("shift", shift),
    Operator("sign", sign),
    Operator("operand", operand),
    Operator("index", index),
    Operator("filter", condition),
    Operator("tag", tag),
    Operator("constant", constant),
    Operator("release", release),
    Operator("statement", statement),
    Operator("variable", variable),
)


def _calls(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _not_public(mechanism: ast.FunctionDef) -> set[str]:
    """The names that hold private answers or noise, what is made of them, and what changes in a loop."""
    hidden = {a.arg for a in mechanism.args.args if "Quer" in ast.unparse(a) or "Noise" in ast.unparse(a)}
    made: list[tuple[set[str], ast.AST]] = []
    for node in ast.walk(mechanism):
        if isinstance(node, ast.Assign | ast.AugAssign):
            made.append((_stored(node), node.value))
        elif isinstance(node, ast.For):
            made.append((_stored(node.target), node.iter))
            hidden |= {n for s in node.body for n in _stored(s)}
    while True:
        more = {name for names, value in made if hidden & _read(value) for name in names}
        if more <= hidden:
            return hidden
        hidden |= more


def in_scope(site: EditSite) -> tuple[str, ...]:
    """The names that may have a value at a site, in the order in which they get one."""
    names = [a.arg for a in site.function.args.args if not _is_noise(a) and a.arg != "H"]
    line = getattr(site.node, "lineno", 0)
    for statement in ast.walk(site.function):
        if isinstance(statement, ast.stmt) and statement.lineno < line and isinstance(statement, ast.Assign):
            names += [name for target in statement.targets for name in _named(target)]
    for around in site.parents:
        if isinstance(around, ast.For):
            names += _named(around.target)
        for made in getattr(around, "generators", ()):
            names += _named(made.target)
    return tuple(dict.fromkeys(names))


def _is_noise(parameter: ast.arg) -> bool:
    return isinstance(parameter.annotation, ast.Name) and parameter.annotation.id == "Noise"


def _named(target: ast.AST) -> list[str]:
    return [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]


def _stored(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _read(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _body_with(parent: ast.AST, statement: ast.stmt) -> list[ast.stmt]:
    """The list of statements that holds one; under `elif` the list of that one alone."""
    for field in ("body", "orelse"):
        held = getattr(parent, field, [])
        if statement in held:
            return held
    raise AssertionError("a statement stands in a body")
