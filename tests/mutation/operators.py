"""The operators: each changes one thing that a proof depends on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mutation.mutants import Edit, Operator, Site

# The adjacencies all of whose pairs are pairs of another.
NARROWER = {"each": ("monotone", "l1", "one"), "monotone": ("one",), "l1": ("one",), "one": ()}


def number(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def combine(left: ast.expr, operator: ast.operator, right: ast.expr | int) -> ast.expr:
    return ast.BinOp(left, operator, number(right) if isinstance(right, int) else right)


def name(identifier: str) -> ast.expr:
    return ast.Name(identifier, ast.Load())


def noise_scale(site: Site) -> Iterator[Edit]:
    """A draw has twice or half the scale."""
    if _draws(site.node):
        scale = site.node.args[0]
        yield from site.exchange(scale, combine(scale, ast.Mult(), 2), combine(scale, ast.Div(), 2))


def operand(site: Site) -> Iterator[Edit]:
    """One side of an operation is dropped: a scale without its k, or a shift without its 1."""
    node = site.node
    if isinstance(node, ast.BinOp):
        yield from site.replace(node.left)
        if isinstance(node.op, ast.Add | ast.Mult):
            yield from site.replace(node.right)


def sign(site: Site) -> Iterator[Edit]:
    """+ and - are exchanged, or * and /, or a minus is dropped."""
    node = site.node
    others = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
    if isinstance(node, ast.BinOp) and type(node.op) in others:
        yield from site.replace(ast.BinOp(node.left, others[type(node.op)](), node.right))
    if isinstance(node, ast.AugAssign) and type(node.op) in others:
        yield from site.replace(ast.AugAssign(node.target, others[type(node.op)](), node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield from site.replace(node.operand)


def comparison(site: Site) -> Iterator[Edit]:
    """A comparison loses or gains its equality, is reversed, or is negated."""
    orders = (ast.GtE, ast.Gt, ast.LtE, ast.Lt)
    others = {o: [p for p in orders if p is not o] for o in orders} | {
        ast.Eq: [ast.NotEq],
        ast.NotEq: [ast.Eq],
        ast.Is: [ast.IsNot],
        ast.IsNot: [ast.Is],
        ast.In: [ast.NotIn],
        ast.NotIn: [ast.In],
    }
    node = site.node
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in others[type(node.ops[0])]:
            yield from site.replace(ast.Compare(node.left, [other()], node.comparators))


def constant(site: Site) -> Iterator[Edit]:
    """A whole number is one more or one less."""
    node = site.node
    if isinstance(node, ast.Constant) and type(node.value) is int and not site.inside(ast.arg):
        yield from site.replace(number(node.value + 1), number(node.value - 1))


def off_by_one(site: Site) -> Iterator[Edit]:
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


def shift(site: Site) -> Iterator[Edit]:
    """A shift is one more, one less, doubled, negated, 0, or dropped."""
    node = site.node
    if not (isinstance(node, ast.keyword) and _is_shift(site.parent)):
        return
    for leaf in _leaves(node.value):
        yield from site.exchange(leaf, combine(leaf, ast.Add(), 1), combine(leaf, ast.Sub(), 1))
        if not (isinstance(leaf, ast.Constant) and leaf.value == 0):
            doubled, turned = combine(leaf, ast.Mult(), 2), ast.UnaryOp(ast.USub(), leaf)
            yield from site.exchange(leaf, doubled, turned, number(0))
    call = site.parent
    kept = [k for k in call.keywords if k is not node]
    yield Edit(call, ast.Call(call.func, call.args, kept), words=f"the shift of {node.arg} is dropped")


def index(site: Site) -> Iterator[Edit]:
    """An index names the next item, or the first one, instead of its own."""
    node = site.node
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and not isinstance(site.parent, ast.arg):
        first = number(0)
        yield from site.exchange(node.slice, combine(node.slice, ast.Add(), 1), first)


def dropped_break(site: Site) -> Iterator[Edit]:
    """A break is dropped, so that the loop goes on."""
    if isinstance(site.node, ast.Break):
        (guard, *_) = [p for p in reversed(site.parents) if isinstance(p, ast.If | ast.For)]
        yield Edit(site.node, ast.Pass(), words=f"the break under `{_head(guard)}` is dropped")


def branches(site: Site) -> Iterator[Edit]:
    """Two branches are swapped, or one of them is always taken."""
    node = site.node
    if isinstance(node, ast.IfExp):
        yield from site.replace(ast.IfExp(node.test, node.orelse, node.body), node.body, node.orelse)
    if isinstance(node, ast.If):
        other = node.orelse or [ast.Pass()]
        head = f"`{_head(node)}`"
        around = _body_with(site.parent, node)
        at = around.index(node)
        yield Edit(node, ast.If(node.test, other, node.body), words=f"{head}: branches swapped")
        yield Edit(around, [*around[:at], *node.body, *around[at + 1 :]], words=f"{head}: always")
        yield Edit(around, [*around[:at], *other, *around[at + 1 :]], words=f"{head}: never")
        if node.orelse:
            yield Edit(node, ast.If(node.test, node.body, []), words=f"{head}: else dropped")


def budget(site: Site) -> Iterator[Edit]:
    """Two values that are assigned together change places."""
    node = site.node
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
        yield from site.exchange(node.value, ast.Tuple(node.value.elts[::-1], ast.Load()))


def condition(site: Site) -> Iterator[Edit]:
    """A filter of a comprehension is dropped."""
    node = site.node
    if isinstance(node, ast.comprehension):
        for each in node.ifs:
            kept = [i for i in node.ifs if i is not each]
            yield Edit(node.ifs, kept, words=f"the filter `if {ast.unparse(each)}` is dropped")


def statement(site: Site) -> Iterator[Edit]:
    """A statement is dropped."""
    node = site.node
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr):
        yield Edit(node, ast.Pass(), words=f"`{ast.unparse(node)}` is dropped")


def variable(site: Site) -> Iterator[Edit]:
    """A name is replaced by two others in turn: its twin on the other database, then those that follow in scope."""
    node = site.node
    if not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in site.in_scope):
        return
    names = site.in_scope
    at = names.index(node.id)
    twin = node.id[:-1] if node.id.endswith("_") else f"{node.id}_"
    others = [n for n in (twin, *names[at + 1 :], *names[:at]) if n in names and n != node.id]
    yield from site.replace(*(name(n) for n in list(dict.fromkeys(others))[:2]))


def tag(site: Site) -> Iterator[Edit]:
    """A tag is replaced by another."""
    node = site.node
    tags = {"ABOVE": "BELOW", "BELOW": "ABOVE"}
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in tags:
        yield from site.replace(name(tags[node.id]))


def release(site: Site) -> Iterator[Edit]:
    """Another value is released: any value that the mechanism has there and that is not public from the start."""
    node = site.node
    if site.role != "mechanism" or not isinstance(node, ast.Yield | ast.Return) or node.value is None:
        return
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    known = _not_public(site.function)
    for value in values:
        yield from site.exchange(value, *(name(n) for n in site.in_scope if n in known))


def adjacency(site: Site) -> Iterator[Edit]:
    """The adjacency is a wider or a different one; a narrower one would require less."""
    node = site.node
    if isinstance(node, ast.keyword) and node.arg == "adjacency" and isinstance(node.value, ast.Constant):
        for other in ("each", "monotone", "l1", "one"):
            if other != node.value.value and other not in NARROWER.get(node.value.value, ()):
                yield from site.exchange(node.value, ast.Constant(other))


def claim(site: Site) -> Iterator[Edit]:
    """The claim is smaller."""
    node = site.node
    if isinstance(node, ast.keyword) and node.arg == "epsilon" and isinstance(node.value, ast.Constant):
        for smaller in ("({}) / 2", "({}) * 99 / 100"):
            yield from site.exchange(node.value, ast.Constant(smaller.format(node.value.value)))


def sensitivity(site: Site) -> Iterator[Edit]:
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


def _doubled(site: Site, number: ast.Constant) -> Iterator[Edit]:
    if isinstance(number.value, int):
        yield from site.exchange(number, ast.Constant(2 * number.value))


OPERATORS = (
    Operator("scale", noise_scale),
    Operator("comparison", comparison),
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


def _draws(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "noise"
        and bool(node.args)
    )


def _calls(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _is_shift(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "shift"


def _leaves(value: ast.expr) -> Iterator[ast.expr]:
    """The expressions that give the shifts of single draws."""
    if isinstance(value, ast.ListComp):
        yield from _leaves(value.elt)
    elif isinstance(value, ast.IfExp):
        yield from _leaves(value.body)
        yield from _leaves(value.orelse)
    else:
        yield value


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


def _head(node: ast.stmt) -> str:
    return ast.unparse(node).partition("\n")[0].rstrip(":")
