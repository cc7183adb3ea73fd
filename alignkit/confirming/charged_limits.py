"""Limits of the noise, which a claim with delta may set: what they read, and what breaking them is charged.

What a draw is charged is the probability, given the draws before it, that it breaks a limit; it is written down here
again, and no room but this one reads it.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from types import FunctionType
from typing import Any

from alignkit.confirming.normal_forms import NotExaminedError, divided, plain
from alignkit.confirming.users_functions import tree_of
from alignkit.confirming.worlds import Functions


class Moves(dict[str, Any]):
    """What ``H.shift`` gives: a shift for each name, and after ``below`` and ``above`` limits too.

    ``limits`` has them by the name of the draw and whether noise must be below them.
    """

    def __init__(self, shifts: dict[str, Any]) -> None:
        super().__init__(shifts)
        self.limits: dict[tuple[str, bool], Any] = {}

    def below(self, **limits: Any) -> Moves:
        """The same shifts of noise that is below these limits."""
        return self._with(limits, upper=True)

    def above(self, **limits: Any) -> Moves:
        """The same shifts of noise that is above these limits."""
        return self._with(limits, upper=False)

    def distinct(self, **values: Any) -> Moves:
        """Not examined: limits on sums that must not be the same."""
        raise NotExaminedError(f"limits that keep sums distinct: {', '.join(values)}")

    def _with(self, limits: dict[str, Any], *, upper: bool) -> Moves:
        for name, limit in limits.items():
            if (name, upper) in self.limits:
                raise NotExaminedError("two limits on one side of a draw")
            self.limits[name, upper] = limit
        return self


def limits_alone(python: FunctionType) -> ast.FunctionDef:
    """An alignment that moves nothing, and gives its limits, without what only its shifts need.

    What is left must read neither the output nor the noise, so that limits are fixed before D runs.
    """
    tree = tree_of(python)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "shift":
            node.args, node.keywords = [], []
    before = ""
    while before != ast.dump(tree):
        before = ast.dump(tree)
        read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        tree = _WithoutUnread(read).visit(tree)
    shifting = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr == "shift"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and (node.id == "omega" or (node.id == "H" and id(node) not in shifting)):
            raise NotExaminedError(f"a limit that may depend on `{node.id}`")
    return ast.fix_missing_locations(tree)


class _WithoutUnread(ast.NodeTransformer):
    """Takes out assignments to names that nothing reads, and the conditions and loops that are then empty."""

    def __init__(self, read: set[str]) -> None:
        self._read = read

    def _assigned(self, node: Any) -> Any:
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        return None if not names & self._read else node

    visit_Assign = visit_AnnAssign = visit_AugAssign = _assigned

    def _around(self, node: Any) -> Any:
        self.generic_visit(node)
        if not node.body and not node.orelse:
            return None
        node.body = node.body or [ast.Pass()]
        return node

    visit_If = visit_For = _around

    def visit_Pass(self, node: ast.Pass) -> None:
        return None


def charge(kind: str, parameters: tuple[Any, ...], limit: Any, *, upper: bool, functions: Functions) -> Any:
    """The probability that noise is at least an upper ``limit``, or at most a lower one.

    On symbolic numbers it is a bound: what the formula of one half gives on the other half, and on a lattice, what that
    of a multiple gives between two multiples.
    """
    scale, lattice = (*parameters, 1)[:2]
    within = parameters[2] if len(parameters) > 2 else None
    if kind not in _TAILS:
        raise NotExaminedError(f"a limit of noise.{kind}")
    return _TAILS[kind](plain(limit), upper, _Form(scale, lattice, within, functions))


class _Form:
    """The parameters of a draw, with what the tails of distributions are made of."""

    def __init__(self, scale: Any, lattice: Any, within: Any, functions: Functions) -> None:
        self.lattice, self.within = lattice, within
        self._scale, self._functions = scale, functions
        self.ratio = self.exp(-lattice)

    def exp(self, value: Any) -> Any:
        """e to a value in units of the scale."""
        return self._functions.exp(divided(value, self._scale))

    def met(self, limit: Any) -> Any:
        """The first multiple of the lattice from an upper limit on, where that is a plain number."""
        known = self._functions.world is None
        return math.ceil(divided(limit, self.lattice)) * self.lattice if known else limit

    def halved(self, limit: Any, step: Any, tail: Callable[[Any], Any]) -> Any:
        """The tail of symmetric noise, by a formula for limits of at least 0: the rest of the tail on the other side.

        For symbolic limits below 0 the formula is a bound, since z + 1/z is at least 2.
        """
        known = self._functions.world is None
        return 1 - tail(step - limit) if known and limit < 0 else tail(limit)


def _laplace(limit: Any, upper: bool, form: _Form) -> Any:
    return form.halved(limit if upper else -limit, 0, lambda t: divided(form.exp(-t), 2))


def _discrete_laplace(limit: Any, upper: bool, form: _Form) -> Any:
    limit = form.met(limit if upper else -limit)
    return form.halved(limit, form.lattice, lambda t: divided(form.exp(-t), 1 + form.ratio))


def _cut_laplace(limit: Any, upper: bool, form: _Form) -> Any:
    def tail(t: Any) -> Any:
        if t >= form.within:
            return 0
        return divided(form.exp(form.within - t) - 1, 2 * (form.exp(form.within) - 1))

    return form.halved(limit if upper else -limit, 0, tail)


def _cut_discrete_laplace(limit: Any, upper: bool, form: _Form) -> Any:
    def tail(t: Any) -> Any:
        if t > form.within:
            return 0
        cut = form.exp(-form.within - form.lattice)
        return divided(form.exp(-t) - cut, 1 + form.ratio - 2 * cut)

    return form.halved(form.met(limit if upper else -limit), form.lattice, tail)


def _exponential(limit: Any, upper: bool, form: _Form) -> Any:
    if limit < 0:
        return 1 if upper else 0
    return form.exp(-limit) if upper else 1 - form.exp(-limit)


def _geometric(limit: Any, upper: bool, form: _Form) -> Any:
    if limit < 0:
        return 1 if upper else 0
    return form.exp(-form.met(limit)) if upper else 1 - form.exp(form.met(-limit) - form.lattice)


def _logistic(limit: Any, upper: bool, form: _Form) -> Any:
    return divided(1, 1 + form.exp(limit if upper else -limit))


_TAILS = {
    "laplace": _laplace,
    "discrete_laplace": _discrete_laplace,
    "cut_laplace": _cut_laplace,
    "cut_discrete_laplace": _cut_discrete_laplace,
    "exponential": _exponential,
    "geometric": _geometric,
    "logistic": _logistic,
}
