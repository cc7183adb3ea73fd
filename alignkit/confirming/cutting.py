"""Lists of which no length is known, and a mechanism's function cut open at its loops over them.

A list of answers cannot be looked at as a whole: what is made of one element is again such a list, and anything else is
refused. Nothing that lasts may be changed in place, since only what a loop's body assigns is made unknown.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from alignkit.confirming.normal_forms import NotExaminedError, Number, same, terms_of
from alignkit.confirming.users_functions import DISTRIBUTIONS, Mark, Names, Rewriting, called, tree_of
from alignkit.confirming.worlds import Functions


class Here:
    """The place of the iteration at hand, among those of the loop whose index is given."""

    def __init__(self, index: Any = None) -> None:
        self.index = index

    def __repr__(self) -> str:
        return "i"


# Where it does not matter whose iteration it is.
HERE = Here()


class Unread:
    """What a function may hand on but not compare, nor take for a truth value: Python's answer would mean nothing."""

    _what = "a place in a list as a number"

    def _refused(self, *_: Any) -> Any:
        raise NotExaminedError(self._what)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _refused
    __hash__ = None  # type: ignore[assignment]


class Summed(Unread):
    """The place of an iteration over which a sum is taken."""


SUMMED = Summed()


class Answers(Unread):
    """A list with an element for each answer, however many there are."""

    _what = "a list as a whole"
    __iter__ = __reversed__ = __contains__ = __add__ = __radd__ = __mul__ = __rmul__ = Unread._refused
    __len__ = __getitem__ = Unread._refused

    def counted(self) -> Answers:
        """The list of its elements, each with its place."""
        return self._refused()  # type: ignore[no-any-return]

    def beside(self, lists: Sequence[Any]) -> Answers:
        """The list of what it and others have at each place."""
        return self._refused()  # type: ignore[no-any-return]


class Cut(Answers):
    """A list of one element for each iteration, of which only the one at hand can be looked at, if any.

    Within a sum over iterations, an element stands for that of every one of them. ``name`` is that of a list or
    ``omega``, ``loop`` the loop of each iteration of which the list has an element. Of the outputs, those of the loops
    before ``after`` come first.
    """

    def __init__(
        self,
        index: Any,
        values: list[Any],
        *,
        in_turn: bool = True,
        summed: Callable[[], Any] | None = None,
        name: str = "",
        loop: int | None = None,
        after: int = 0,
    ) -> None:
        self.index, self.values, self._in_turn, self._summed = index, values, in_turn, summed
        self.name, self.loop, self.after = name, loop, after

    def without_values(self) -> Cut:
        """The list while no element of it is at hand."""
        return Cut(self.index, [], in_turn=self._in_turn, name=self.name)

    def in_turn(self) -> list[Any]:
        """The element at hand, if any, of a list that is walked through: it must have one for each iteration."""
        if not self._in_turn:
            raise NotExaminedError("a walk through a list whose length is not that of the loop")
        return self.values

    def __getitem__(self, place: Any) -> Any:
        after, number = (1, place.index) if isinstance(place, _AfterFirst) else (0, place)
        here = isinstance(number, Number) and same(number, self.index) and after == self.after
        if isinstance(place, Here):
            here = place is HERE or same(place.index, self.index)
        if self.values and here:
            return self.values[0]
        if place is SUMMED and self._summed is not None:
            return self._summed()
        raise NotExaminedError("an element of a list other than that of the iteration")

    def counted(self) -> Cut:
        """The list of its elements, each with its place."""
        return Cut(self.index, [(self.index, value) for value in self.in_turn()])

    def beside(self, lists: Sequence[Any]) -> Cut:
        """The list of what it and others have at each place."""
        if not all(same(values.index, self.index) for values in lists):
            raise NotExaminedError("a list beside one of another loop")
        shown = all(values.in_turn() for values in lists)
        return Cut(self.index, [tuple(values.values[0] for values in lists)] if shown else [])


@dataclass(frozen=True, eq=False)
class _AfterFirst(Unread):
    """A place among the outputs, counted from the end of those of the first loop."""

    index: Number


class Length(Unread):
    """The length of such a list, of which only the range is known."""

    _what = "a length as a number"

    def __init__(self, of: Cut) -> None:
        self.of = of

    def __add__(self, other: Any) -> _AfterFirst:
        if self.of.loop != 0 or not isinstance(other, Number):
            self._refused()
        return _AfterFirst(other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Length:
        # What is given after the first loop, one output in each iteration, the second loop gives.
        if self.of.name != "omega" or not isinstance(other, Length) or other.of.loop != 0:
            self._refused()
        return Length(Cut(self.of.index, [], loop=1))


@dataclass(frozen=True, eq=False)
class Elements(Unread):
    """A generator expression over such a list, as ``all`` reads it."""

    of: Callable[[], Any]


@dataclass(frozen=True, eq=False)
class Before(Unread):
    """The places of the iterations before the one at hand, or up to it."""

    here_too: bool


@dataclass(frozen=True, eq=False)
class Summands(Unread):
    """A generator expression over such places, as ``sum`` reads it."""

    of: Callable[[], Any]
    places: Before


_CONSUMERS = {"all", "any", "sum", "__sum", "max", "min", "list", "tuple", "sorted", "set", "frozenset"}
_KEPT = (
    ast.NamedExpr,
    ast.Lambda,
    ast.YieldFrom,
    ast.Match,
    ast.Delete,
    ast.Assert,
    ast.Raise,
    ast.ClassDef,
    ast.JoinedStr,
)


def _check_kept(tree: ast.FunctionDef) -> None:
    """Refuse what changes values in place, or keeps a place in a list: neither is seen where the loop is cut open."""
    at_once: set[ast.AST] = set()
    outputs: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CONSUMERS:
            at_once |= set(node.args)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
            outputs.add(node.value)
    for node in ast.walk(tree):
        refused = isinstance(node, _KEPT) or (isinstance(node, ast.FunctionDef) and node is not tree)
        if refused or (isinstance(node, ast.Yield) and node not in outputs):
            raise NotExaminedError(f"a {type(node).__name__.lower()} beside a loop that is cut open")
        if isinstance(node, ast.GeneratorExp) and node not in at_once:
            raise NotExaminedError("a generator expression that is kept")
        called_of = node.func if isinstance(node, ast.Call) else None
        if isinstance(called_of, ast.Attribute) and called_of.attr not in DISTRIBUTIONS | {"shift"}:
            raise NotExaminedError(f"a call of `{called_of.attr}`")


class CuttingOpen(Rewriting):
    """Makes comprehensions over lists with an element for each answer such lists themselves."""

    def _listing(self, node: Any) -> ast.expr:
        node = self._comprehension(node)
        first = node.generators[0]
        kind = type(node).__name__ if len(node.generators) == 1 else ""
        if kind == "SetComp":
            node = ast.ListComp(node.elt, node.generators)
        listed = first.iter.args[0]
        first.iter.args[0] = ast.Name("__list", ast.Load())
        arguments = ast.arguments(posonlyargs=[], args=[ast.arg("__list")], kwonlyargs=[], kw_defaults=[], defaults=[])
        build = ast.Lambda(arguments, node)
        return called("__listed", build, listed, ast.Constant(kind), ast.Constant(bool(first.ifs)))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if not any(isinstance(operator, ast.Is | ast.IsNot) for operator in node.ops):
            return node
        if len(node.ops) > 1:
            raise NotExaminedError("identities in a row")
        same_ = called("__identical", node.left, node.comparators[0])
        return same_ if isinstance(node.ops[0], ast.Is) else ast.UnaryOp(ast.Not(), same_)

    visit_ListComp = visit_GeneratorExp = visit_SetComp = visit_DictComp = _listing

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        made = super().visit_AugAssign(node)
        if isinstance(made, ast.AugAssign) and isinstance(made.target, ast.Name):
            made.value = called("__added", ast.Name(made.target.id, ast.Load()), made.value)
        return made


class CutNames(Names):
    """What names stand for beside lists of any length."""

    rewriting = CuttingOpen

    def __init__(self, functions: Functions, listed: Callable[..., Any]) -> None:
        super().__init__(functions, _no_call)
        self.own = {
            **Names.own,
            "__added": _not_in_place,
            "__identical": _identical,
            "__listed": listed,
            "enumerate": _enumerated,
            "zip": _zipped,
        }

    def compiled(self, python: Any, tree: ast.FunctionDef, *, keep: bool = False) -> Any:
        _check_kept(tree)
        return super().compiled(python, tree, keep=keep)

    def part(self, python: Any, tree: ast.FunctionDef) -> Any:
        """A part of a function that was checked as a whole."""
        return super().compiled(python, tree)


def _no_call(*_: Any) -> Any:
    raise NotExaminedError("a call of a mechanism beside lists of any length")


def _identical(one: Any, other: Any) -> bool:
    if any(isinstance(value, Mark) for value in (one, other)):
        return one is other
    raise NotExaminedError("the identity of values")


def _not_in_place(value: Any, change: Any) -> Any:
    if terms_of(value) is None:
        raise NotExaminedError("a list that is added to in place")
    return change


def _enumerated(values: Any, *start: Any) -> Any:
    if not isinstance(values, Answers):
        return list(enumerate(values, *start))
    if start:
        raise NotExaminedError("an enumeration that does not begin at 0")
    return values.counted()


def _zipped(*lists: Any) -> Any:
    if not any(isinstance(values, Answers) for values in lists):
        return list(zip(*lists, strict=False))
    if not all(isinstance(values, Answers) for values in lists):
        raise NotExaminedError("a list beside one of another length")
    return lists[0].beside(lists)


class Loop:
    """A part of a mechanism's function: what is before a loop, one iteration, and the end.

    The loop is over lists of answers, or over ``range(count)``. One that stands in the body of another one is its
    ``inner`` one: an iteration of the ``outer`` one begins with what is before that, and ends with what follows it.
    """

    def __init__(
        self, whole: Whole, before: list[ast.stmt], loop: ast.For, after: list[ast.stmt], outer: Loop | None = None
    ) -> None:
        self._whole, self._before, self._loop, self._after, self.outer = whole, before, loop, after, outer
        self.returns = whole.returns
        self.lists, self.count, self._element = self._over(loop.iter)
        for node in nodes(before):
            if isinstance(node, ast.Return | ast.Yield):
                raise NotExaminedError("an output before the loop over the answers")
        stored = (n for n in nodes([loop]) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        self.assigned = {node.id for node in stored}
        # What it reads of what was assigned before; what is no variable here would be taken for a global name.
        self.read = {node.id for node in nodes([*before, loop]) if isinstance(node, ast.Name)}
        self.read -= {node.id for target in _targets([*before, loop]) for node in _names_of(target)}
        # The names that are drawn once in each iteration, whichever way it goes on.
        self.drawn: set[str] = set()
        for statement in loop.body:
            if isinstance(statement, ast.Assign) and whole.is_draw(statement.value):
                self.drawn |= {name.id for target in statement.targets for name in _names_of(target)}
            if any(isinstance(node, ast.Break | ast.Continue | ast.Return) for node in ast.walk(statement)):
                break
        draws = [s for s in nodes([*before, loop]) if isinstance(s, ast.Assign) and whole.is_draw(s.value)]
        self.noise = {name.id for target in _targets(draws) for name in _names_of(target)}
        self.inner: Loop | None = None
        self._ending = loop.body
        self._find_inner()

    def _find_inner(self) -> None:
        """The loop that is cut open within this one; others are run as they are, as far as Python can."""
        body = self._loop.body
        places = [place for place, node in enumerate(body) if isinstance(node, ast.For) and self._is_cut(node)]
        if not places:
            return
        if len(places) > 1 or self.outer is not None:
            raise NotExaminedError("several loops within a loop")
        (place,) = places
        before, inner, self._ending = body[:place], body[place], body[place + 1 :]
        assert isinstance(inner, ast.For)
        if inner.orelse or any(isinstance(node, ast.Break | ast.Return) for node in nodes(inner.body)):
            raise NotExaminedError("a break out of a loop within a loop")
        if any(isinstance(node, ast.Break | ast.Continue) for node in nodes(before)):
            raise NotExaminedError("an iteration that ends before the loop within it")
        self.inner = Loop(self._whole, before, inner, [], self)
        if bool(self.lists) is bool(self.inner.lists):
            raise NotExaminedError("a loop within a loop, of which not one is over the answers and one over a range")

    def _is_cut(self, loop: ast.For) -> bool:
        try:
            self._over(loop.iter)
        except NotExaminedError:
            return False
        return True

    @property
    def yields_within_alone(self) -> bool:
        """Whether outputs are given by the loop within it alone."""
        return not any(isinstance(node, ast.Yield) for node in nodes(self._ending))

    def _over(self, node: ast.expr) -> tuple[tuple[str, ...], ast.expr | None, Callable[[Any, Any], Any]]:
        """What a loop is over: lists or a count, and what it takes up in an iteration."""
        vectors = self._whole.vectors
        match node:
            case ast.Name(id=name) if name in vectors:
                return (name,), None, lambda index, state: state[name][HERE]
            case ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name)], keywords=[]) if name in vectors:
                return (name,), None, lambda index, state: (index, state[name][HERE])
            case ast.Call(func=ast.Name(id="zip"), args=arguments, keywords=[]):
                found = tuple(one.id for one in arguments if isinstance(one, ast.Name) and one.id in vectors)
                if len(found) == len(arguments):
                    return found, None, lambda index, state: tuple(state[name][HERE] for name in found)
            case ast.Call(func=ast.Name(id="range"), args=[count], keywords=[]) if self._whole.is_count(count):
                return (), count, lambda index, state: index
        raise NotExaminedError("a loop over other things than the answers")

    def element(self, index: Any, state: Mapping[str, Any]) -> Any:
        """What the loop takes up in the iteration at hand."""
        return self._element(index, state)

    def begin(self, bound: frozenset[str]) -> Any:
        """What is before the loop, as a function of the variables that are bound there.

        Of a loop within another one, that begins with what the outer one takes up.
        """
        if self.outer is None:
            return self._whole.part((self, "begin", bound), bound, [*self._before, _STATE])
        body = [self.outer._none(), self.outer._take(), *self._before, _STATE]
        return self._whole.part((self, "begin", bound), bound | {"__element"}, body)

    def round(self, bound: frozenset[str]) -> Any:
        """One iteration, as a function of the variables that are bound at its head and of what it takes up.

        Where a loop is within it, what follows that.
        """
        goes_on = [ast.Expr(called("__leave", called("__state"))), ast.Return()]
        once = ast.For(
            target=ast.Name("__once", ast.Store()), iter=ast.Name("__here", ast.Load()),
            body=self._ending or [ast.Pass()], orelse=goes_on,
        )  # fmt: skip
        if self.inner is not None:
            return self._whole.part((self, "round", bound), bound, [self._none(), once, *self._after])
        around = [] if self.outer is None else [self.outer._none()]
        return self._whole.part(
            (self, "round", bound), bound | {"__element"}, [*around, self._take(), once, *self._after]
        )

    def _take(self) -> ast.stmt:
        return ast.Assign([self._loop.target], ast.Name("__element", ast.Load()))

    def _none(self) -> ast.stmt:
        """A loop without iterations, by which its variables remain local ones where only a part of it is run."""
        names: list[ast.expr] = [ast.Name(name, ast.Store()) for name in sorted(self.assigned)]
        return ast.For(ast.Tuple(names, ast.Store()), ast.Name("__none", ast.Load()), [ast.Pass()], [])

    def end(self, bound: frozenset[str]) -> Any:
        """What follows where the list is exhausted, as a function of the variables that are bound at the head."""
        # The loop without iterations has its variables remain local ones.
        none = ast.For(self._loop.target, ast.Name("__none", ast.Load()), self._loop.body, [])
        return self._whole.part((self, "end", bound), bound, [none, *self._after])


class Whole:
    """A mechanism's function, cut open at its loops over the answers."""

    def __init__(self, mechanism: Any, names: CutNames) -> None:
        self._python, self._names = mechanism.python, names
        self._noise = mechanism.noise_name
        self._tree = tree = tree_of(mechanism.python)
        _check_kept(tree)
        self._parts: dict[Any, Any] = {}
        # Whether the output is a value that is returned, and not what iterations yield.
        self.returns = not any(isinstance(node, ast.Yield) for node in ast.walk(tree))
        kinds = mechanism.parameters.items()
        self.vectors = {name for name, kind in kinds if kind.vector}
        self.counts = {name for name, kind in kinds if kind.integer and not kind.vector}
        # A loop is known by these names, which must be Python's own.
        code = mechanism.python.__code__
        others = {*mechanism.python.__globals__, *code.co_varnames, *code.co_cellvars, *code.co_freevars}
        if others & {"range", "enumerate", "zip"}:
            raise NotExaminedError("built-in functions that a module replaces")
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in self.vectors:
                raise NotExaminedError("a list that is assigned anew")
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in self.counts:
                raise NotExaminedError("a count that is assigned anew")
            if isinstance(node, ast.Return) and node.value is not None and not self.returns:
                raise NotExaminedError("an output that is returned beside those that are yielded")
        places = [place for place, node in enumerate(tree.body) if isinstance(node, ast.For)]
        loops = [node for node in tree.body if isinstance(node, ast.For)]
        after = tree.body[places[-1] + 1 :] if places else []
        if not 1 <= len(loops) <= (1 if self.returns else 2) or any(loop.orelse for loop in loops):
            raise NotExaminedError("a mechanism that is not one loop over the answers, or two")
        if after and not self.returns:
            raise NotExaminedError("what follows the loop over the answers")
        if any(isinstance(node, ast.Name) and node.id == self._noise for node in nodes(after)):
            raise NotExaminedError("noise after the loop over the answers")
        starts = [0, *(place + 1 for place in places)]
        self.loops = [
            Loop(self, tree.body[start:place], loop, after)
            for start, place, loop in zip(starts[:-1], places, loops, strict=True)
        ]
        if len(loops) > 1:
            if any(loop.count is not None or loop.inner is not None for loop in self.loops):
                raise NotExaminedError("a loop beside one within a loop, or beside one over a range")
            self._check_apart(*self.loops)
        elif self.loops[0].inner is not None:
            if self.returns:
                raise NotExaminedError("an output that is returned after a loop within a loop")
            self.loops.append(self.loops[0].inner)

    def _check_apart(self, first: Loop, second: Loop) -> None:
        """Between loops no variable is handed on, and no name of noise is in both."""
        if second.read & first.assigned:
            raise NotExaminedError("a value of an earlier loop")
        draws = [node for node in ast.walk(self._tree) if self.is_draw(node)]
        used = [node for node in ast.walk(self._tree) if isinstance(node, ast.Name) and node.id == self._noise]
        if first.noise & second.noise or len(used) > len(draws):
            raise NotExaminedError("noise of one name in two loops, or that is handed on")

    def is_count(self, node: ast.AST) -> bool:
        """Whether an expression is a count, or sums and products of counts and whole numbers from 0 on."""
        match node:
            case ast.Name(id=name):
                return name in self.counts
            case ast.BinOp(left=left, op=ast.Add() | ast.Mult(), right=right):
                number = any(isinstance(side, ast.Name | ast.BinOp) for side in (left, right))
                return number and all(self.is_count(side) or _is_natural(side) for side in (left, right))
        return False

    def is_draw(self, node: ast.AST | None) -> bool:
        """Whether an expression is a draw."""
        of = node.func if isinstance(node, ast.Call) else None
        return isinstance(of, ast.Attribute) and isinstance(of.value, ast.Name) and of.value.id == self._noise

    def part(self, key: Any, bound: frozenset[str], body: list[ast.stmt]) -> Any:
        """Some of its statements as a function of the variables that are bound before them."""
        if key not in self._parts:
            names = ast.arguments(
                posonlyargs=[], args=[ast.arg(n) for n in sorted(bound)], kwonlyargs=[], kw_defaults=[], defaults=[]
            )
            # The tree is rewritten in place, so that every part has one of its own.
            self._parts[key] = self._names.part(self._python, _function(self._tree, names, body))
        return self._parts[key]


def _is_natural(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value >= 0


def _targets(statements: Sequence[ast.stmt]) -> Iterator[ast.expr]:
    for node in nodes(statements):
        if isinstance(node, ast.Assign):
            yield from node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For):
            yield node.target


def _names_of(target: ast.expr) -> list[ast.Name]:
    return [node for node in ast.walk(target) if isinstance(node, ast.Name)]


_STATE = ast.Return(called("__state"))


def nodes(statements: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    return (node for statement in statements for node in ast.walk(statement))


def _function(tree: ast.FunctionDef, arguments: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
    part = ast.FunctionDef(name=tree.name, args=arguments, body=body, decorator_list=[])
    part = copy.deepcopy(ast.copy_location(part, tree))
    part.args.defaults = []
    part.args.kw_defaults = [None for _ in part.args.kwonlyargs]
    return ast.fix_missing_locations(part)
