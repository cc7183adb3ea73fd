"""The opinion for every n: the loop over the answers is cut open, and one arbitrary iteration stands for all of them.

1. The part before the loop runs on D and, with its noise moved, on D′. What is claimed to hold at the loop's head (an
   invariant) is asked of the values that it leaves: the base.
2. What the body assigns becomes unknown, on D and on D′, and the invariants are assumed. The body runs once, on an
   element of each list about which nothing is known but adjacency: the step. Where both runs go on, the invariants are
   asked again; wherever they leave, or could leave since the list may end there, the claim is asked.
3. The same outputs, draws and scales, supports and lattices, and the same way of leaving are asked of every step, and
   with them of every run.

The outputs of a run fix the shifts up to the noise that they read, which comes earlier; decisions by noise are refused.
So two vectors of noise that are moved to the same one agree: D′ draws on that one what D draws on each of them, which
is then the same noise, and is moved alike. Each shift is a translation given the noise before it, and keeps volumes.

Values of whole lists are refused: a list shows its element at the iteration at hand alone. Nothing that lasts may be
changed in place, since only what the body assigns is made unknown.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.confirming.normal_forms import (
    Comparison,
    NotExaminedError,
    Number,
    UndefinedError,
    Unknown,
    divided,
    same,
    substituted,
    terms_of,
    unknowns_of,
)
from alignkit.confirming.small_inputs import Inputs
from alignkit.confirming.trials import (
    Coordinate,
    Fails,
    NoiseView,
    Record,
    Setting,
    Source,
    Trial,
    decided,
    has_real_parts,
    is_whole,
    read_claim,
    seen,
    undefined_as_such,
)
from alignkit.confirming.users_functions import DISTRIBUTIONS, Mark, Names, Rewriting, called, tree_of
from alignkit.confirming.worlds import Clause, DeadError, Functions, Interface, Literal, OutOfWorkError, PathWorld


class _Here:
    """The place of the iteration at hand among all of them."""

    def __repr__(self) -> str:
        return "i"


HERE = _Here()


class Cut:
    """A list of one element for each iteration, of which only the one at hand can be looked at, if any."""

    def __init__(self, index: Any, values: list[Any], *, in_turn: bool = True) -> None:
        self.index, self.values, self._in_turn = index, values, in_turn

    def in_turn(self) -> list[Any]:
        """The element at hand, if any, of a list that is walked through: it must have one for each iteration."""
        if not self._in_turn:
            raise NotExaminedError("a walk through a list whose length is not that of the loop")
        return self.values

    def __getitem__(self, place: Any) -> Any:
        if self.values and (place is HERE or (isinstance(place, Number) and same(place, self.index))):
            return self.values[0]
        raise NotExaminedError("an element of a list other than that of the iteration")

    def _refused(self, *_: Any) -> Any:
        raise NotExaminedError("a list as a whole")

    __iter__ = __reversed__ = __contains__ = __add__ = __radd__ = __mul__ = __rmul__ = __bool__ = _refused
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refused
    __hash__ = None  # type: ignore[assignment]


class _Length:
    """The length of such a list, of which only the range is known."""

    def __init__(self, of: Cut) -> None:
        self.of = of

    def _refused(self, *_: Any) -> Any:
        raise NotExaminedError("a length as a number")

    __eq__ = __ne__ = __bool__ = _refused
    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class _Elements:
    """A generator expression over such a list, as ``all`` reads it."""

    of: Callable[[], Any]


class _Splits(Exception):
    """What must be known of all answers before the runs begin: whether a condition holds of every one."""

    def __init__(self, key: Any) -> None:
        super().__init__()
        self.key = key


# The words of a bound on the cost so far, which holds after an iteration because it grows by what that costs.
COST = "a bound on the cost"
_CONSUMERS = {"all", "any", "sum", "max", "min", "list", "tuple", "sorted", "set", "frozenset"}
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


def check_kept(tree: ast.FunctionDef) -> None:
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
    """Makes comprehensions over lists of one element for each iteration such lists themselves."""

    def _listing(self, node: Any) -> ast.expr:
        node = self._comprehension(node)
        first = node.generators[0]
        whole = not first.ifs and len(node.generators) == 1
        listed = first.iter.args[0]
        first.iter.args[0] = ast.Name("__list", ast.Load())
        arguments = ast.arguments(posonlyargs=[], args=[ast.arg("__list")], kwonlyargs=[], kw_defaults=[], defaults=[])
        kind = ast.Constant(type(node).__name__ if whole else "")
        return called("__listed", ast.Lambda(arguments, node), listed, kind)

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


class _CutNames(Names):
    """What names stand for where the loop is cut open."""

    rewriting = CuttingOpen

    def __init__(self, functions: Functions, examination: _EveryIteration) -> None:
        super().__init__(functions, _no_call)
        self.left: list[tuple[bool, dict[str, Any]]] = []
        self.own = {
            **Names.own,
            "__counted": lambda values: [(HERE, None)] if values is HERE else enumerate(values),
            "__here": HERE,
            "__state": builtins.locals,
            "__leave": lambda goes_on, state: self.left.append((goes_on, state)),
            "__added": _not_in_place,
            "__identical": _identical,
            "__listed": examination.listed,
            "all": examination.all_of,
            "any": _not_of_elements(any),
            "len": lambda values: _Length(values) if isinstance(values, Cut) else len(values),
            "range": lambda *ends: _range(*ends),
            "enumerate": _enumerated,
            "zip": _zipped,
            "reversed": lambda values: list(reversed(values)),
        }

    def compiled(self, python: Any, tree: ast.FunctionDef, *, keep: bool = False) -> Any:
        check_kept(tree)
        return super().compiled(python, tree, keep=keep)

    def part(self, python: Any, tree: ast.FunctionDef) -> Any:
        """A part of a function that was checked as a whole."""
        return super().compiled(python, tree)


def _no_call(*_: Any) -> Any:
    raise NotExaminedError("a call of a mechanism beside a loop that is cut open")


def _identical(one: Any, other: Any) -> bool:
    if any(isinstance(value, Mark) for value in (one, other)):
        return one is other
    if any(isinstance(value, Number | Comparison) for value in (one, other)):
        raise NotExaminedError("the identity of a number that is not known")
    return one is other


def _not_in_place(value: Any, change: Any) -> Any:
    if terms_of(value) is None:
        raise NotExaminedError("a list that is added to in place")
    return change


def _not_of_elements(function: Callable[..., Any]) -> Callable[..., Any]:
    def asked(values: Any) -> Any:
        if isinstance(values, _Elements):
            raise NotExaminedError(f"`{function.__name__}` of all answers")
        return function(values)

    return asked


def _range(*ends: Any) -> Any:
    if len(ends) == 1 and isinstance(ends[0], _Length):
        cut = ends[0].of
        return Cut(cut.index, [cut.index] if cut.in_turn() else [])
    return range(*ends)


def _enumerated(values: Any, *start: Any) -> Any:
    if isinstance(values, Cut):
        if start:
            raise NotExaminedError("an enumeration that does not begin at 0")
        return Cut(values.index, [(values.index, value) for value in values.in_turn()])
    return list(enumerate(values, *start))


def _zipped(*lists: Any) -> Any:
    if any(isinstance(values, Cut) for values in lists):
        if not all(isinstance(values, Cut) for values in lists):
            raise NotExaminedError("a list beside one of another length")
        shown = all(values.in_turn() for values in lists)
        return Cut(lists[0].index, [tuple(values.values[0] for values in lists)] if shown else [])
    return list(zip(*lists, strict=False))


class _Loop:
    """A mechanism's function in two parts: what is before its loop over the answers, and one iteration."""

    def __init__(self, mechanism: Any, names: _CutNames) -> None:
        self._python, self._names = mechanism.python, names
        self._tree = tree = tree_of(mechanism.python)
        check_kept(tree)
        loops = [node for node in tree.body if isinstance(node, ast.For)]
        if len(loops) != 1 or tree.body[-1] is not loops[0] or loops[0].orelse:
            raise NotExaminedError("a mechanism that is not one loop over the answers, and what goes before it")
        self._loop = loop = loops[0]
        self._before = tree.body[:-1]
        vectors = {name for name, kind in mechanism.parameters.items() if kind.vector}
        self.lists = self._lists(loop.iter, vectors)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in vectors:
                raise NotExaminedError("a list that is assigned anew")
        for statement in self._before:
            for node in ast.walk(statement):
                if isinstance(node, ast.Return | ast.Yield):
                    raise NotExaminedError("an output before the loop over the answers")
        stores = [n for s in loop.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        targets = [node for node in ast.walk(loop.target) if isinstance(node, ast.Name)]
        self.assigned = {node.id for node in (*stores, *targets)}
        if any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(loop)):
            raise NotExaminedError("an output that is returned")
        self._rounds: dict[frozenset[str], Any] = {}
        end = ast.Return(called("__state"))
        self.begin = names.part(self._python, _function(tree, tree.args, [*self._before, end]))

    def _lists(self, node: ast.expr, vectors: set[str]) -> tuple[str, ...]:
        match node:
            case ast.Name(id=name) if name in vectors:
                self._element: Callable[[Any, Any], Any] = lambda index, state: state[name][HERE]
                return (name,)
            case ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name)], keywords=[]) if name in vectors:
                self._element = lambda index, state: (index, state[name][HERE])
                return (name,)
            case ast.Call(func=ast.Name(id="zip"), args=arguments, keywords=[]):
                found = tuple(one.id for one in arguments if isinstance(one, ast.Name) and one.id in vectors)
                if len(found) == len(arguments):
                    self._element = lambda index, state: tuple(state[name][HERE] for name in found)
                    return found
        raise NotExaminedError("a loop over other things than the answers")

    def element(self, index: Any, state: Mapping[str, Any]) -> Any:
        """What the loop takes up in the iteration at hand."""
        return self._element(index, state)

    def round(self, bound: frozenset[str]) -> Any:
        """One iteration, as a function of the variables that are bound at its head and of what it takes up."""
        if bound not in self._rounds:
            names = ast.arguments(
                posonlyargs=[],
                args=[ast.arg(name) for name in (*sorted(bound), "__element")],
                kwonlyargs=[],
                kw_defaults=[],
                defaults=[],
            )
            goes_on = ast.Expr(called("__leave", ast.Constant(True), called("__state")))
            once = ast.For(
                target=ast.Name("__once", ast.Store()),
                iter=ast.Name("__here", ast.Load()),
                body=self._loop.body,
                orelse=[goes_on],
            )
            take = ast.Assign([self._loop.target], ast.Name("__element", ast.Load()))
            # The tree is rewritten in place, so that every part has one of its own.
            part = _function(self._tree, names, [take, once])
            self._rounds[bound] = self._names.part(self._python, part)
        return self._rounds[bound]


def _function(tree: ast.FunctionDef, arguments: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
    import copy

    part = ast.FunctionDef(name=tree.name, args=arguments, body=body, decorator_list=[], lineno=1, col_offset=0)
    part = copy.deepcopy(part)
    part.args.defaults = []
    part.args.kw_defaults = [None for _ in part.args.kwonlyargs]
    return ast.fix_missing_locations(part)


class _NoiseHere(NoiseView):
    """H, as an alignment sees it in the iteration at hand."""

    def __init__(self, alignment: Any, record: Record, index: Any) -> None:
        super().__init__(alignment, record)
        self._index = index

    def __getattr__(self, name: str) -> Any:
        family = self._record.names.get(name, [])
        if all(where == () for where, _ in family) and family:
            return super().__getattr__(name)
        if any([*where] != [HERE] for where, _ in family):
            raise NotExaminedError("a family of noise within an iteration")
        # What is drawn in some iterations only has no element for the others.
        return Cut(self._index, [self._record.drawn[c].value for _, c in family], in_turn=False)


@dataclass
class _Iteration(Trial):
    """The part before the loop and one iteration, on D and on D′."""

    loop: Any = None
    index: Any = None
    values: dict[str, Any] = field(default_factory=dict)
    values_: dict[str, Any] = field(default_factory=dict)
    direction: Any = None
    state: dict[str, Any] = field(default_factory=dict)
    state_: dict[str, Any] = field(default_factory=dict)
    shifts: Mapping[str, Any] = field(default_factory=dict)
    before: Any = 0
    goes_on: bool = False
    failure: str = ""

    def begin(self) -> None:
        """Run what is before the loop on both."""
        assert self.world is not None
        self.state = self._begun(self.values, self._draw_first, self.first)
        try:
            self.shifts = self._aligned(Cut(self.index, []))
        except UndefinedError as problem:
            raise Fails(f"the alignment is not defined: {problem}") from None
        self._move(self.alignment, self.shifts, self.first)
        try:
            self.state_ = self._begun(self.values_, self._draw_second, self.second)
        except UndefinedError as problem:
            raise Fails(f"D' is not defined: {problem}") from None
        if self.first.drawn.keys() != self.second.drawn.keys() or self.state.keys() != self.state_.keys():
            raise Fails("D' does not begin as D does")
        self.before = self.cost

    def _begun(self, values: Mapping[str, Any], draw: Callable[..., Any], record: Record) -> dict[str, Any]:
        assert self.world is not None
        self.world.step, self.record = 0, record
        source = {self.alignment.mechanism.noise_name: Source(draw, record=record)}
        return dict(undefined_as_such(lambda: self.loop.begin(**values, **source)))

    def _aligned(self, omega: Cut) -> Mapping[str, Any]:
        return self._shifts(self.alignment, self.values, self.values_, omega, self.first, self.direction)

    def run_once(self, head: Mapping[str, Any], head_: Mapping[str, Any]) -> None:
        """Run one iteration from the values at its head; raise Fails, or leave requirements."""
        try:
            self.output, after, self.goes_on = self._once({**self.state, **head}, self._draw_first, self.first)
        except UndefinedError as problem:
            # What public values alone make undefined is outside the domain.
            if self.world is not None and self.world.is_public(problem):
                raise DeadError from None
            raise NotExaminedError(f"D is not defined in an iteration: {problem}") from None
        self.state = after
        try:
            if len(self.output) != 1:
                raise Fails("an iteration does not give one output")
            shifts = self._aligned(Cut(self.index, [seen(self.output[0])]))
            for name, family in self.first.names.items():
                if any(index == () for index, _ in family) and not same(shifts.get(name, 0), self.shifts.get(name, 0)):
                    raise NotExaminedError(f"a shift of {name} that depends on an iteration")
            self._move(self.alignment, shifts, self.first)
            outputs, after, goes_on = self._once({**self.state_, **head_}, self._draw_second, self.second)
        except UndefinedError as problem:
            raise Fails(f"the alignment or D' is not defined: {problem}") from None
        self.state_ = after
        if goes_on != self.goes_on:
            raise Fails("D' does not leave the loop where D does")
        self._require_same(self.output, outputs, "the outputs differ")
        if self.first.drawn.keys() != self.second.drawn.keys():
            raise Fails("D' does not draw the same noise")

    def _once(
        self, state: dict[str, Any], draw: Callable[..., Any], record: Record
    ) -> tuple[list[Any], dict[str, Any], bool]:
        assert self.world is not None
        self.world.step, self.record = 1, record
        state = state | {self.alignment.mechanism.noise_name: Source(draw, record=record)}
        left = self.names.left  # type: ignore[attr-defined]
        left.clear()
        function = self.loop.round(frozenset(state))
        result = undefined_as_such(lambda: function(**state, __element=self.loop.element(self.index, state)))
        outputs: list[Any] = []
        if not isinstance(result, Iterator):
            raise NotExaminedError("a mechanism that yields nothing")
        while True:
            try:
                outputs.append(decided(undefined_as_such(lambda: next(result))))
            except StopIteration:
                break
            self.world.step += 1
        return (outputs, left[0][1], True) if left else (outputs, {}, False)

    def _view(self, alignment: Any, record: Record) -> NoiseView:
        return _NoiseHere(alignment, record, self.index)

    def _part(self, name: str, shift: Any, place: Any) -> Any:
        if place is HERE and isinstance(shift, Cut):
            return shift[HERE]
        raise NotExaminedError(f"a shift of {name} that is no list over the iterations")

    def _where(self, source: Source) -> tuple[Coordinate, tuple[Any, ...]]:
        where, index = super()._where(source)
        if [*index] not in ([], [HERE]):
            raise NotExaminedError("draws within an iteration that are counted")
        return where, index

    def claim(self) -> Any:
        """The claim, which may name public numbers alone."""
        names = {name: value for name, value in self.values.items() if not isinstance(value, Cut)}
        names = {name: value for name, value in names.items() if name not in self.alignment.mechanism.private}
        return read_claim(str(self.alignment.claim), names, self.functions)


@dataclass(frozen=True, eq=False)
class Invariant:
    """What may hold at the loop's head: a comparison about the unknowns that stand for its values there."""

    words: str
    number: Any
    relation: str
    truth: bool = True

    def at(self, values: Mapping[Unknown, Any]) -> Literal | bool:
        """What it says where the values at the head are others: a literal, or whether it holds."""
        number = substituted(self.number, values)
        if isinstance(number, Number):
            return Comparison(number, self.relation), self.truth
        return {">": number > 0, ">=": number >= 0, "==": number == 0}[self.relation] is self.truth


class _EveryIteration:
    """One way of change examined for every n: candidates for invariants, and what is asked with those that hold."""

    def __init__(
        self,
        alignment: Any,
        changes: str,
        effort: int,
        texts: tuple[str, ...],
        known: Mapping[Any, bool],
        interface: Interface,
    ) -> None:
        self.alignment, self.known, self.texts = alignment, known, texts
        self.world = world = PathWorld(effort, interface)
        world.apart = True
        # Only noise of the iteration at hand makes a value impossible: what is unknown at the head may know the rest.
        world.adaptive = True
        self.functions = Functions(world)
        self.names = _CutNames(self.functions, self)
        mechanism = alignment.mechanism
        self.loop = _Loop(mechanism, self.names)
        self.index = world.unknown(("index",), lambda i: [[(Comparison(i, ">="), True)]], whole=True)
        kinds = mechanism.parameters.items()
        self.counts = {
            name: world.unknown(
                ("input", name), lambda k: [[(Comparison(k - 1, ">="), True)]], positive=True, whole=True
            )
            for name, kind in kinds if kind.integer and not kind.vector
        }  # fmt: skip
        lengths = {name: 1 for name, kind in kinds if kind.vector}
        self.setting = Setting(lengths, self.counts, changes, step=1)
        values = Inputs(alignment, self.setting, world).values
        self.own_elements = {u for name in lengths for u in unknowns_of(values[name])}
        self.own_elements |= {u for name in lengths for u in unknowns_of(values.get(f"{name}_", 0))}
        self.direction = values["direction"]
        cut = {n: self._cut(n, v) for n, v in values.items()}
        self.values = {name: cut[name] for name in mechanism.parameters}
        self.values_ = self.values | {name: cut[f"{name}_"] for name in mechanism.private}
        self.real_outputs = False
        self.online = ""
        self.of_all: list[Clause] = []
        self.inside = 0
        self.offsets: dict[str, Any] = {}
        self.no_offset: set[str] = set()
        self.no_integer: set[str] = set()
        self.heads: dict[str, Any] = {}
        self.heads_: dict[str, Any] = {}
        self.spent = self._unknown_at_head("privacy_cost", whole=False)
        self.invariants: list[Invariant] = []

    def close(self) -> None:
        """Let go of the formulas and functions of all paths."""
        self.names.close()
        self.world.close()

    def _cut(self, name: str, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        lists = self.loop.lists
        shown = name in lists or name.removesuffix("_") in lists
        return Cut(self.index, value if shown else [], in_turn=len(lists) == 1)

    def _unknown_at_head(self, name: str, *, whole: bool) -> Any:
        # It may depend on noise, and be any real number: nothing may be concluded from its being one.
        return self.world.unknown(
            ("head", name, whole), whole=whole, noise=True, private=True, continuous=True, step=-2
        )

    # What the rewritten functions call

    def listed(self, build: Callable[[Any], Any], values: Any, kind: str) -> Any:
        """A comprehension: over a list of one element for each iteration, such a list itself."""
        if not isinstance(values, Cut):
            return build(values)
        if kind == "GeneratorExp" and values.in_turn():
            return _Elements(lambda: next(iter(build(values.values))))
        if kind != "ListComp" or self.world.step != -1:
            raise NotExaminedError("a comprehension over a whole list")
        self.inside += 1
        try:
            return Cut(values.index, build(values.in_turn()))
        finally:
            self.inside -= 1

    def all_of(self, values: Any) -> bool:
        """``all``: of a condition on every answer, what is known of it from the start."""
        if not isinstance(values, _Elements):
            return all(values)
        # Within a comprehension, the element that is asked about would be taken for the one that is listed.
        if self.world.step != -1 or self.inside:
            raise NotExaminedError("`all` of a whole list")
        self.world.still = True
        try:
            condition = values.of()
        finally:
            self.world.still = False
        if not isinstance(condition, Comparison) or any(u.noise for u in condition.number.unknowns):
            raise NotExaminedError("`all` of other things than comparisons of answers")
        if self.world.ask([[(condition, False)]], path=False) == "no":
            return True
        self.online = "a direction that is read off all answers"
        key = (str(condition.number), condition.relation)
        if key not in self.known:
            raise _Splits(key)
        if self.known[key]:
            self.of_all = [[(condition, True)]]
            self.world.path += self.of_all
        return self.known[key]

    # The runs

    def _iteration(self) -> _Iteration:
        return _Iteration(
            self.alignment, self.names, self.functions, self.world, loop=self.loop, index=self.index,
            values=self.values, values_=self.values_, direction=self.direction,
        )  # fmt: skip

    def _runs(self, *, step: bool) -> Iterator[_Iteration]:
        """Every path to the loop's head, or through one iteration, while the world is on it."""
        world = self.world
        world.untried = [()]
        while world.untried:
            world.begin(world.untried.pop())
            iteration = self._iteration()
            try:
                try:
                    iteration.begin()
                except UndefinedError as problem:
                    if not world.is_public(problem):
                        raise NotExaminedError(f"D is not defined on a path: {problem}") from None
                    continue
                if step:
                    head, head_ = self._assume(iteration)
                    iteration.run_once(head, head_)
            except DeadError:
                continue
            except Fails as problem:
                iteration.failure = str(problem)
            yield iteration

    def _assume(self, iteration: _Iteration) -> tuple[dict[str, Any], dict[str, Any]]:
        """Make unknown what the body assigns, and assume the invariants."""
        head: dict[str, Any] = {}
        head_: dict[str, Any] = {}
        for name in sorted(self.loop.assigned & iteration.state.keys()):
            if name not in self.heads:
                raise NotExaminedError(f"`{name}`, which not every path to the loop assigns")
            head[name], head_[name] = self.heads[name], self.heads_[name]
        iteration.cost = self.spent
        iteration.requirements = []
        for invariant in self.invariants:
            literal = invariant.at({})
            if literal is False:
                raise DeadError
            if not isinstance(literal, bool):
                self.world.path.append([literal])
        return head, head_

    # The examination

    def run(self) -> None:
        """Raise NotExaminedError unless everything is shown for every n."""
        self._read_base()
        self._read_texts()
        self._pass(last=False)
        self._propose()
        for _ in range(40):
            problem = self._pass()
            if problem is None:
                continue
            if problem:
                raise NotExaminedError(problem)
            if self.online and self.alignment.adaptive and self.real_outputs:
                raise NotExaminedError(f"for adaptive queries: {self.online}")
            return
        raise NotExaminedError("no set of invariants that is kept")

    def _read_base(self) -> None:
        """What the loop's variables are before it, and how they differ between D and D′."""
        self.start: dict[str, Any] = {}
        self.first_cost: Any = 0
        for iteration in self._runs(step=False):
            if iteration.failure:
                raise NotExaminedError(iteration.failure)
            self.first_cost = iteration.before
            for name in sorted(self.loop.assigned & iteration.state.keys()):
                value, value_ = iteration.state[name], iteration.state_[name]
                if not _is_number(value) or not _is_number(value_):
                    raise NotExaminedError(f"`{name}`, which is no number at the loop's head")
                self.start[name] = value
                difference = value_ - value
                if any(u.noise for u in unknowns_of(difference)) or unknowns_of(difference) & self.own_elements:
                    self.no_offset.add(name)
                self.offsets[name] = difference
            self.after_before = dict(iteration.state), dict(iteration.state_)
        if not hasattr(self, "after_before"):
            raise NotExaminedError("no run reaches the loop")
        self._make_heads()

    def _make_heads(self) -> None:
        for name, value in self.start.items():
            whole = type(value) is int and name not in self.no_integer
            self.heads[name] = self._unknown_at_head(name, whole=whole)
            if name in self.no_offset:
                self.heads_[name] = self._unknown_at_head(f"{name}_", whole=False)
            else:
                self.heads_[name] = self.heads[name] + self.offsets[name]

    def _read_texts(self) -> None:
        """The invariants that were handed over or stated, as far as they are comparisons of numbers."""
        state, state_ = self.after_before
        names = {name: value for name, value in {**state, **self.heads}.items() if _is_number(value)}
        names |= {f"{n}_": v for n, v in {**state_, **self.heads_}.items() if _is_number(v) and f"{n}_" not in names}
        names["privacy_cost"] = self.spent
        for text in self.texts:
            self.world.still = True
            try:
                self.invariants += _read_invariant(text, names, self.functions)
            except (NotExaminedError, UndefinedError, SyntaxError, TypeError):
                continue
            finally:
                self.world.still = False

    def _pass(self, *, last: bool = True) -> str | None:
        """Ask everything once: "" where all holds, the words of what does not, or None where candidates fell."""
        world = self.world
        self.seen_steps: list[tuple[dict[str, Any], Any, list[Any]]] = []
        problem, fell, reached = "", False, False
        for iteration in self._runs(step=False):
            problem = problem or self._owed(iteration, claimed=False)
            fell |= self._drop(self._values_at(iteration, iteration.state, iteration.state_, iteration.cost))
            fell |= self._check_offsets(iteration.state, iteration.state_)
        if fell:
            return None
        for iteration in self._runs(step=True):
            problem = problem or (self._owed(iteration, claimed=True) if last else "")
            self.real_outputs |= has_real_parts(iteration.output or [])
            if iteration.goes_on:
                after, after_ = iteration.state, iteration.state_
                if not iteration.failure:
                    self.seen_steps.append((after, iteration.cost - self.spent, list(world.path)))
                    fell |= self._check_offsets(after, after_)
                    fell |= self._drop(self._values_at(iteration, after, after_, iteration.cost), step=True)
            reached = reached or (not iteration.failure and not isinstance(world.ask([]), str))
        if fell:
            return None
        return problem or ("" if reached else "no run through an iteration was found")

    def _owed(self, iteration: _Iteration, *, claimed: bool) -> str:
        """What is not shown on a path; "" where everything is."""
        if iteration.failure:
            return f"it is not excluded that {iteration.failure}"
        self._check_map(iteration)
        owed = list(iteration.requirements)
        if claimed:
            slack = iteration.claim() - iteration.cost
            if isinstance(slack, Number):
                owed.append((Comparison(slack, ">="), "the shifts cost more than the claim"))
            elif slack < 0:
                return "the shifts cost more than the claim"
        for comparison, words in owed:
            if self.world.ask([[(comparison, False)]]) != "no":
                return f"it is not excluded that {words}"
        return ""

    def _check_map(self, iteration: _Iteration) -> None:
        """The shifts are translations, each by noise that comes earlier; see the head of this file."""
        reads = [read for a, b in iteration.decided_by_alignment for read in self.world.reads[a:b]]
        decided = {u for read in reads for u in read}
        if any(u.noise for u in decided):
            raise NotExaminedError("an alignment that decides by noise")
        if any(u.step > 0 for u in decided):
            self.online = "an alignment that decides by later answers"
        drawn = [(d.unknown, iteration.moved[c] - d.value, d) for c, d in iteration.first.drawn.items()]
        later = {u for u, _, _ in drawn if u is not None}
        for unknown, shift, draw in drawn:
            if unknown is None:
                raise NotExaminedError(f"noise.{draw.kind} in a loop that is cut open")
            if unknowns_of(shift) & later:
                raise NotExaminedError("a shift that reads noise which is not drawn earlier")
            later.discard(unknown)
            if any(u.step > unknown.step for u in unknowns_of(shift)):
                self.online = "a shift that reads what comes later"

    def _values_at(
        self, iteration: _Iteration, state: Mapping[str, Any], state_: Mapping[str, Any], cost: Any
    ) -> dict[Unknown, Any]:
        """The values that the unknowns of the head have somewhere else."""
        values = {_one(self.spent): cost}
        for name, head in self.heads.items():
            if name not in state or name not in state_:
                raise NotExaminedError(f"`{name}`, which not every path to the loop assigns")
            values[_one(head)] = state[name]
            if name in self.no_offset:
                values[_one(self.heads_[name])] = state_[name]
        return values

    def _drop(self, values: Mapping[Unknown, Any], *, step: bool = False) -> bool:
        """Drop the candidates that are not shown for these values."""
        kept = []
        for invariant in self.invariants:
            try:
                literal = invariant.at(values)
            except NotExaminedError:
                continue
            if literal is True or (step and self._grows(invariant, values)):
                kept.append(invariant)
            elif literal is not False and not (step and invariant.words == COST):
                comparison, truth = literal
                if self.world.ask([[(comparison, not truth)]]) == "no":
                    kept.append(invariant)
        fell = len(kept) < len(self.invariants)
        self.invariants = kept
        return fell

    def _grows(self, invariant: Invariant, values: Mapping[Unknown, Any]) -> bool:
        """Whether a number that is at least 0 at the head, as is assumed, is not less after the iteration."""
        if invariant.relation != ">=" or not invariant.truth:
            return False
        more = substituted(invariant.number, values) - invariant.number
        if not isinstance(more, Number):
            return bool(more >= 0)
        return bool(self.world.ask([[(Comparison(more, ">="), False)], *self.of_all], path=False) == "no")

    def _check_offsets(self, state: Mapping[str, Any], state_: Mapping[str, Any]) -> bool:
        """What was taken for the type of a variable, and for how it differs on D′, holds here too."""
        fell = False
        for name in list(self.heads):
            value: Any = state.get(name)
            value_: Any = state_.get(name)
            if not _is_number(value) or not _is_number(value_):
                raise NotExaminedError(f"`{name}`, which is no number at the loop's head")
            whole = type(self.start[name]) is int and name not in self.no_integer
            if whole and not is_whole(value):
                self.no_integer.add(name)
                fell = True
            if name not in self.no_offset:
                difference = value_ - value - self.offsets[name]
                if isinstance(difference, Number):
                    if self.world.ask([[(Comparison(difference, "=="), False)]]) != "no":
                        self.no_offset.add(name)
                        fell = True
                elif difference != 0:
                    self.no_offset.add(name)
                    fell = True
        if fell:
            self.invariants = []
            self._make_heads()
            self._read_texts()
        return fell

    # Candidates

    def _propose(self) -> None:
        """Candidates of our own, all of them obliged: conditions under which a run goes on, and bounds on the cost."""
        mine = {_one(head): name for name, head in self.heads.items()}
        found: dict[Any, Invariant] = {}
        rates: dict[str, dict[str, Any]] = {name: {} for name in self.heads}
        for after, cost, path in self.seen_steps:
            changes = {name: after[name] - head for name, head in self.heads.items()}
            for clause in path:
                if len(clause) == 1:
                    self._condition(clause[0], mine, changes, found)
            for name, change in changes.items():
                if isinstance(change, Number) and any(u.noise or u.private for u in change.unknowns):
                    continue
                if isinstance(change, Number) or change != 0:
                    for rate in self._rates(cost):
                        value = self._quotient(rate, change)
                        if value is not None:
                            rates[name][_key(value)] = value
        self.invariants += found.values()
        for name, values in rates.items():
            shares = {_key(rate): rate for rate in [1, *self._shares()]} if values else {}
            for rate in (values | shares).values():
                bound = self.first_cost + rate * (self.heads[name] - self.start[name])
                self.invariants.append(Invariant(COST, bound - self.spent, ">="))
        bound = self.first_cost - self.spent
        self.invariants.append(Invariant(COST, bound, ">="))

    def _condition(
        self, literal: Literal, mine: Mapping[Unknown, str], changes: Mapping[str, Any], found: dict[Any, Invariant]
    ) -> None:
        comparison, truth = literal
        number = comparison.number
        about = number.unknowns & mine.keys()
        if len(about) != 1 or any(u.noise or u.private for u in number.unknowns - about):
            return
        (unknown,) = about
        change, head = changes[mine[unknown]], self.heads[mine[unknown]]
        try:
            moved = substituted(number, {unknown: head - change})
        except NotExaminedError:
            return
        for one in (number, moved):
            if isinstance(one, Number):
                found[one.key, comparison.relation, truth] = Invariant(
                    "a condition of going on", one, comparison.relation, truth
                )

    def _rates(self, cost: Any) -> list[Any]:
        """What an iteration costs at most, tried at the ends of what answers may change by."""
        private = [u for u in unknowns_of(cost) if u.private or u.name.startswith("('magnitude'")]
        if not private:
            return [cost]
        bounds: list[Any] = []
        for kind in self.alignment.mechanism.parameters.values():
            if kind.private:
                bounds.append(self.values[kind.sensitivity] if isinstance(kind.sensitivity, str) else kind.sensitivity)
        tried = []
        for bound in bounds[:1]:
            for size, change in ((2, -1), (1, -1), (1, 1), (2, 1), (1, 0)):
                ends = {u: bound * (change if u.private else size) for u in private}
                try:
                    tried.append(substituted(cost, ends))
                except NotExaminedError:
                    continue
        return tried

    def _shares(self) -> list[Any]:
        claim = self._iteration().claim()
        shares = []
        for count in self.counts.values():
            shares += [divided(claim, count), divided(claim - self.first_cost, count)]
        return shares

    def _quotient(self, rate: Any, change: Any) -> Any:
        self.world.still = True
        try:
            return divided(rate, change)
        except (NotExaminedError, UndefinedError):
            return None
        finally:
            self.world.still = False


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool | Comparison) and terms_of(value) is not None


def _key(value: Any) -> Any:
    return value.key if isinstance(value, Number) else value


def _one(number: Any) -> Unknown:
    ((unknown, _),) = next(iter(number.terms))
    return unknown  # type: ignore[no-any-return]


def _read_invariant(text: str, names: Mapping[str, Any], functions: Functions) -> list[Invariant]:
    """A comparison as text, or several in a row."""
    node = ast.parse(text.strip(), mode="eval").body
    if not isinstance(node, ast.Compare):
        raise NotExaminedError(f"the invariant {text}")
    sides = [read_claim(ast.unparse(side), names, functions) for side in (node.left, *node.comparators)]
    found = []
    for left, operator, right in zip(sides[:-1], node.ops, sides[1:], strict=True):
        difference = left - right
        match operator:
            case ast.Lt():
                found.append(Invariant(text, -difference, ">"))
            case ast.LtE():
                found.append(Invariant(text, -difference, ">="))
            case ast.Gt():
                found.append(Invariant(text, difference, ">"))
            case ast.GtE():
                found.append(Invariant(text, difference, ">="))
            case ast.Eq():
                found.append(Invariant(text, difference, "=="))
            case _:
                raise NotExaminedError(f"the invariant {text}")
    return found


def examine_loop(alignment: Any, texts: tuple[str, ...], effort: int, solver: str = "z3") -> tuple[str, int]:
    """Why an alignment is not confirmed for every n, or "" where it is; and the questions."""
    questions = 0
    adjacency = str(alignment.adjacency)
    if adjacency not in ("each", "monotone"):
        return f"for every n: adjacency {adjacency}", 0
    if alignment.lemmas:
        return "for every n: lemmas", 0
    interface = Interface(solver)
    for changes in ["up", "down"] if adjacency == "monotone" else ["all"]:
        waiting: list[dict[Any, bool]] = [{}]
        while waiting:
            known = waiting.pop()
            examination: _EveryIteration | None = None
            try:
                examination = _EveryIteration(alignment, changes, effort - questions, texts, known, interface)
                examination.run()
            except _Splits as split:
                waiting += [known | {split.key: True}, known | {split.key: False}]
            except NotExaminedError as problem:
                return f"for every n: {problem}", questions + (examination.world.questions if examination else 0)
            except OutOfWorkError:
                return "for every n: the work that it may take was used up", effort
            finally:
                if examination is not None:
                    questions += examination.world.questions
                    examination.close()
    return "", questions
