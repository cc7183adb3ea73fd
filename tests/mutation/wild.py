"""Wild mutants: several changes at random, most of which leave no sensible program.

What the checker says of them is not judged, only that it says something: a verdict or an error of its own.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from mutation.entries import Entry, entry_of, source_of
from mutation.mutants import Mutant, sites
from mutation.operators import OPERATORS, name

from alignkit import catalogue
from alignkit.explorer.program_changes import Edit, EditSite, Operator, combine, number_node

HUGE = 10**30
TYPES = (
    "Queries", "Query", "Real", "Reals", "Positive", "Proportion", "Count", "Epsilon", "Eta", "Noise", "int",
    "Queries(sensitivity=2)", "Queries(sensitivity='eps')", "Query(lattice=1)", "Queries(lattice='gamma')",
    "Positive(lattice=1)", "Queries(sensitivity=0)", "Real(lattice='T')", "Annotated[Queries, Sensitivity(2)]",
    "Annotated[Real, Sensitivity(1)]", "Annotated[Query, Lattice(1), Lattice(2)]", "Annotated[Queries, 2]",
)  # fmt: skip
ADJACENCIES = ("each", "monotone", "one", "l1", "both", "", None)
CLAIMS = (
    "0", "1", "-eps", "eps / 0", "eps / (k - k)", "log(eps)", "exp(eps)", "sqrt(eps)", "len(omega) * eps", "omega[0]",
    "eps * eps", "1 / eps", "eps if k > 1 else 2 * eps", "max(eps, 1)", "count * eps", "q[0]", "True", "eps,", "",
    "eps(", "10**400", "len(omega) / k * eps", "sum(1 for w in omega if w is ABOVE) * eps", "abs(T) * eps", "1e400",
)  # fmt: skip
INVARIANTS = (
    "count <= k", "count >= 0", "cost <= eps", "privacy_cost <= count * eps / k", "1 / count > 0", "log(count) <= 1",
    "exp(count) > 1", "count == count_", "q[0] == q_[0]", "eta_ == eta + 1", "count", "True", "False", "count < 0",
)  # fmt: skip


def anything(site: EditSite) -> Iterator[Edit]:
    """Another expression of the function."""
    node = site.node
    if isinstance(node, ast.expr) and _is_loaded(node):
        others = [n for n in ast.walk(site.function) if isinstance(n, ast.expr) and _is_loaded(n)]
        yield from site.replace(*_chance(site).sample(others, min(4, len(others))))


def extreme(site: EditSite) -> Iterator[Edit]:
    """0, a negative number, a huge one, one with many digits, or none at all."""
    node = site.node
    if isinstance(node, ast.Constant | ast.Name) and _is_loaded(node) and not site.inside(ast.arg):
        values = (*map(number_node, (0, -1, HUGE, -HUGE)), ast.Constant(0.1), ast.Constant(1e-300))
        others = (ast.Constant(True), ast.Constant(None), ast.Constant("eps"), name("ABOVE"), name("omega"))
        yield from site.replace(*_chance(site).sample(values, 3), _chance(site).choice(others))


def computed(site: EditSite) -> Iterator[Edit]:
    """Another function of an expression."""
    node = site.node
    if isinstance(node, ast.expr) and _is_loaded(node) and not site.inside(ast.arg):
        chance = _chance(site)
        function = chance.choice(("abs", "sum", "len", "max", "min", "exp", "log", "sqrt", "exp2", "any", "range"))
        yield from site.replace(
            ast.Call(name(function), [node], []),
            combine(number_node(1), ast.Div(), node),
            combine(node, chance.choice((ast.FloorDiv(), ast.Mod(), ast.Pow(), ast.Mult())), node),
            ast.Subscript(node, number_node(chance.choice((0, 1, -1))), ast.Load()),
            ast.UnaryOp(chance.choice((ast.Not(), ast.USub())), node),
            ast.IfExp(ast.Compare(node, [ast.Gt()], [number_node(0)]), node, number_node(0)),
            ast.Tuple([node, node], ast.Load()),
        )


def arguments(site: EditSite) -> Iterator[Edit]:
    """Arguments in another order, or one too few or too many."""
    node = site.node
    if isinstance(node, ast.Call) and node.args:
        for args in (node.args[::-1], node.args[1:], [*node.args, node.args[0]]):
            yield from site.replace(ast.Call(node.func, args, node.keywords))


def twice(site: EditSite) -> Iterator[Edit]:
    """A statement stands twice, or changes places with the next one."""
    node = site.node
    if not isinstance(node, ast.stmt):
        return
    for field in ("body", "orelse"):
        around = getattr(site.parent, field, [])
        if node in around:
            at = around.index(node)
            yield Edit(around, [*around[:at], node, *around[at:]], words=f"`{ast.unparse(node)}` stands twice")
            turned = [*around[:at], *around[at : at + 2][::-1], *around[at + 2 :]]
            yield Edit(around, turned, words=f"`{ast.unparse(node)}` comes later")


def control(site: EditSite) -> Iterator[Edit]:
    """A loop of something else, or another way out of it."""
    node = site.node
    if isinstance(node, ast.For):
        others = ("range(3)", "range(k)", "range(len(q))", "(1, 2)", "enumerate(q)", "zip(q, q)", "omega", "range(-1)")
        source = ast.parse(_chance(site).choice(others), mode="eval").body
        yield from site.exchange(node.iter, source)
        words = f"a way out of `{ast.unparse(node.target)}`"
        yield Edit(node.body, [*node.body, ast.Return(None)], words=f"{words}: return")
        yield Edit(node.body, [*node.body, ast.Break()], words=f"{words}: break")


def types(site: EditSite) -> Iterator[Edit]:
    """A parameter of another type."""
    node = site.node
    if isinstance(node, ast.arg) and site.role == "mechanism" and node.annotation is not None:
        for text in _chance(site).sample(TYPES, 3):
            yield from site.exchange(node.annotation, ast.parse(text, mode="eval").body)


def statement_of_the_proof(site: EditSite) -> Iterator[Edit]:
    """Another adjacency or claim, sensible or not; an invariant."""
    node = site.node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "alignment":
        return
    chance = _chance(site)
    for argument, texts in (("adjacency", ADJACENCIES), ("epsilon", CLAIMS), ("invariant", INVARIANTS)):
        kept = [k for k in node.keywords if k.arg != argument]
        for text in chance.sample(texts, 3):
            yield from site.replace(
                ast.Call(node.func, node.args, [*kept, ast.keyword(argument, ast.Constant(text))])
            )


WILD = (
    Operator("anything", anything),
    Operator("extreme", extreme),
    Operator("computed", computed),
    Operator("arguments", arguments),
    Operator("twice", twice),
    Operator("control", control),
    Operator("types", types),
    Operator("statement of the proof", statement_of_the_proof),
)


@cache
def texts() -> tuple[Entry, ...]:
    """Every alignment of the catalogue, those that are refuted included."""
    return tuple(entry_of(alignment) for alignment in catalogue.alignments())


def wild(seed: int, among: Sequence[Entry] | None = None) -> Mutant:
    """A mutant with one to three changes, always the same for a seed."""
    source = random.Random(seed)
    entry = source.choice(texts() if among is None else among)
    changed, operators, words, line = entry, [], [], 0
    for _ in range(source.choice((1, 1, 2, 3))):
        operator, site, edit = _some_edit(changed, source)
        changed = replace(changed, tree=edit.apply(changed.tree))
        operators.append(operator.name)
        words.append(edit.description)
        line = getattr(site.node, "lineno", 0)
    file = entry.files[entry.alignment_name]
    return Mutant(entry.name, ", ".join(operators), "; ".join(words), file, line, source_of(changed.tree))


def _some_edit(entry: Entry, source: random.Random) -> tuple[Operator, EditSite, Edit]:
    places = list(sites(entry))
    while True:
        operator = source.choice((*OPERATORS, *WILD))
        edits = [(site, edit) for site in places for edit in operator.edits(site)]
        if edits:
            return (operator, *source.choice(edits))


def _is_loaded(node: ast.expr) -> bool:
    """Whether an expression is read, so that another may stand in its place."""
    return isinstance(getattr(node, "ctx", None), ast.Load | None) and not isinstance(node, ast.Yield | ast.YieldFrom)


def _chance(site: EditSite) -> random.Random:
    """The same choices for the same text at the same line."""
    return random.Random(f"{getattr(site.node, 'lineno', 0)} {ast.unparse(site.node)}")
