"""Proposals for loops whose state is what they gave out last, as in gradient descent that shows every step.

The state is the same on both runs, since it was given out. So a draw that is added to a number makes up for what that
number changes by, at the state that came before.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import random
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.errors import AlignkitError
from alignkit.finding.candidates import SearchGrounds
from alignkit.finding.paired_runs import follow_d
from alignkit.finding.programs import rate
from alignkit.finding.public_expressions import LENGTH, Point, fitting_claims
from alignkit.finding.scenarios import noise_from
from alignkit.finding.source_text import AlignmentText, in_full
from alignkit.finding.sums import on_the_neighbour, value_of
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import PrivateAnswers, largest_change
from alignkit.running.mechanism_decorator import Mechanism

_SIZE = 4

# States and answers at which the change of a number is measured, in sensitivities.
_GRID = tuple(Fraction(x, 2) for x in (-9, -5, -3, -2, -1, 0, 1, 2, 3, 5, 9))


@dataclass(frozen=True)
class _Hidden:
    """A draw of a loop, and the number that it is added to: its text at place ``$i``, ``sign`` times the draw.

    ``start`` is the text of the first state, empty where the number reads none.
    """

    key: str
    text: str
    sign: int
    start: str


def released_state(
    mechanism: Mechanism, adjacency: Adjacency, grounds: SearchGrounds
) -> tuple[AlignmentText, list[str]] | None:
    """An alignment that covers what such a loop gives out, with claims to try; None where the loop is another one."""
    hidden = _hidden(mechanism)
    if hidden is None or not mechanism.program.is_generator:
        return None
    taken = {*mechanism.private, *mechanism.public}
    place, states = (next(name for name in names if name not in taken) for names in (("i", "j", "at"), ("before", "w")))
    one = hidden.text.replace("$i", place).replace("$w", f"{states}[{place}]")
    other = on_the_neighbour(mechanism, one)
    one, other = (one, other) if hidden.sign > 0 else (other, one)
    before = [f"{states} = [{hidden.start}, *omega]"] if hidden.start else []
    shift = f"{hidden.key}=[{_in_sum(one)} - {_in_sum(other)} for {place} in range(len(omega))]"
    words = "Moves each draw by what the number that it hides changes by."
    claims = list(fitting_claims(mechanism, list(_points(mechanism, adjacency, grounds, hidden))))
    return in_full(mechanism, adjacency, before, [shift], words), claims


def _in_sum(text: str) -> str:
    return f"({text})" if isinstance(ast.parse(text, mode="eval").body, ast.BinOp | ast.IfExp) else text


def _hidden(mechanism: Mechanism) -> _Hidden | None:
    try:
        function = ast.parse(textwrap.dedent(inspect.getsource(mechanism.python))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
    if not isinstance(function, ast.FunctionDef) or len(mechanism.draws) != 1:
        return None
    *first, loop = function.body
    if not isinstance(loop, ast.For) or not all(isinstance(s, ast.Assign) for s in (*first, *loop.body[:-1])):
        return None
    last = loop.body[-1]
    if not isinstance(last, ast.Expr) or not isinstance(last.value, ast.Yield) or last.value.value is None:
        return None
    key = mechanism.draws[0].key
    items = _items(mechanism, loop)
    start = {ast.unparse(s.targets[0]): ast.unparse(s.value) for s in first if isinstance(s, ast.Assign)}
    known: dict[str, ast.expr] = {}
    for statement in loop.body[:-1]:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) != key:
            known[ast.unparse(statement.targets[0])] = _Put(known).visit(statement.value)
    given_out = _Put(known).visit(last.value.value)
    found = _beside(given_out, key)
    if found is None or items is None:
        return None
    number, sign = found
    private = {*items, *mechanism.private}
    if _count(given_out, private) != _count(number, private):
        return None
    state = ast.unparse(last.value.value)
    reads = {n.id for n in ast.walk(number) if isinstance(n, ast.Name)} & (start.keys() | known.keys())
    if not reads <= {state}:
        return None
    put = {name: ast.parse(text, mode="eval").body for name, text in items.items()}
    text = ast.unparse(_Put({**put, state: ast.Name("__state")}).visit(number))
    return _Hidden(key, text.replace("__place", "$i").replace("__state", "$w"), sign, start[state] if reads else "")


class _Put(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = dict(known)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.known.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def _count(node: ast.expr, names: set[str]) -> int:
    return sum(isinstance(inner, ast.Name) and inner.id in names for inner in ast.walk(node))


def _items(mechanism: Mechanism, loop: ast.For) -> dict[str, str] | None:
    """What each variable of a loop is at the place ``__place``."""
    called = loop.iter.func.id if isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Name) else ""
    over = [ast.unparse(each) for each in loop.iter.args] if isinstance(loop.iter, ast.Call) else []
    targets = [ast.unparse(each) for each in loop.target.elts] if isinstance(loop.target, ast.Tuple) else []
    lists = {*mechanism.private, *mechanism.public}
    if isinstance(loop.iter, ast.Name) and isinstance(loop.target, ast.Name) and loop.iter.id in lists:
        return {loop.target.id: f"{loop.iter.id}[__place]"}
    if called == "range" and len(over) == 1 and isinstance(loop.target, ast.Name):
        return {loop.target.id: "__place"}
    if called == "enumerate" and len(targets) == 2 and set(over) <= lists:
        return {targets[0]: "__place", targets[1]: f"{over[0]}[__place]"}
    if called == "zip" and len(targets) == len(over) and set(over) <= lists:
        return {target: f"{name}[__place]" for target, name in zip(targets, over, strict=True)}
    return None


def _beside(node: ast.expr, key: str) -> tuple[ast.expr, int] | None:
    """The number that a draw is added to, or taken from (-1), where the draw stands in one place."""
    if _count(node, {key}) != 1:
        return None
    for inner in ast.walk(node):
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Add | ast.Sub):
            if isinstance(inner.right, ast.Name) and inner.right.id == key:
                return inner.left, 1 if isinstance(inner.op, ast.Add) else -1
            if isinstance(inner.left, ast.Name) and inner.left.id == key:
                return inner.right, 1 if isinstance(inner.op, ast.Add) else -1
    return None


def _points(
    mechanism: Mechanism, adjacency: Adjacency, grounds: SearchGrounds, hidden: _Hidden
) -> Iterator[Point]:
    """What the shifts cost in runs, where each answer changes as far as it may."""
    source = random.Random(0)
    few = adjacency in (Adjacency.ONE, Adjacency.L1)
    for public in grounds.samples.public.values():
        private = PrivateAnswers(mechanism, public, _SIZE)
        nothing = [Fraction(0) for _ in private.places]
        try:
            drawn = follow_d(mechanism, private.witness(nothing, nothing).values, noise_from(source)).drawn
        except AlignkitError:
            continue
        change = _largest_change(mechanism, public, hidden, few=few)
        costs = [change * rate(each) for each in drawn]
        length = {} if few else {LENGTH: len(drawn)}
        yield {**public, **length}, max(costs, default=Fraction(0)) if few else sum(costs, Fraction(0))


def _largest_change(mechanism: Mechanism, public: Mapping[str, Any], hidden: _Hidden, *, few: bool) -> Fraction:
    text = hidden.text.replace("$i", "0").replace("$w", "state__")
    bounds = {name: Fraction(largest_change(mechanism, name, public)) for name in mechanism.private}
    unit, most = max(bounds.values()), Fraction(0)
    moves = [dict(zip(bounds, signs, strict=True)) for signs in itertools.product((0, 1, -1), repeat=len(bounds))]
    for state, at, move in itertools.product(_GRID, _GRID, moves):
        if few and sum(map(abs, move.values())) > 1:
            continue
        ends = []
        for factor in (0, 1):
            values = {name: at * unit + factor * move[name] * bound for name, bound in bounds.items()}
            given = {n: (v,) if mechanism.private[n].vector else v for n, v in values.items()}
            ends.append(value_of(mechanism, text, given, {**public, "state__": state * unit}))
        if ends[0] is not None and ends[1] is not None:
            most = max(most, abs(ends[1] - ends[0]))
    return most
