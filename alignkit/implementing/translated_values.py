"""Expressions of a function, written anew in the language of mechanisms, where that is easy.

Nothing rests on this reading: what it gives is compared with the function before anybody sees it (``drafts``). Arrays
become lists that are read item by item (``ItemList``), and every draw becomes an assignment of its own.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import inspect
import operator
import random
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alignkit.implementing.translated_items import (
    ItemList,
    call,
    declined,
    largest_taken,
    last_name,
    name,
    pair,
    position_of_largest,
    sorted_in,
)

# Samplers of numpy, with the noise of the language and the order of their arguments.
SAMPLERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "laplace": ("laplace", ("loc", "scale", "size")),
    "gumbel": ("gumbel", ("loc", "scale", "size")),
    "logistic": ("logistic", ("loc", "scale", "size")),
    "exponential": ("exponential", ("scale", "size")),
    "expovariate": ("exponential", ("rate",)),
}
# Those that the language has under no name, and what to do about them.
NO_NOISE = {
    "normal": "normal noise is not in the language", "gauss": "normal noise is not in the language",
    "randn": "normal noise is not in the language", "standard_normal": "normal noise is not in the language",
    "uniform": "say by hand which noise is made of the uniform numbers", "geometric": "write noise.geometric by hand",
    "random": "say by hand which noise is made of the uniform numbers", "choice": "write noise.choice by hand",
    "rand": "say by hand which noise is made of the uniform numbers", "randint": "write noise.choice by hand",
    "integers": "write noise.choice by hand", "permutation": "there is no such noise in the language",
}  # fmt: skip
# Calls that give the number or the list that they are given.
SAME = {"asarray", "array", "atleast_1d", "float", "float64", "list", "tuple", "copy", "item", "tolist", "ravel"}
MAPPED = {
    "exp": "exp", "log": "log", "sqrt": "sqrt", "abs": "abs", "absolute": "abs", "fabs": "abs", "clip": "clamp",
    "maximum": "max", "minimum": "min", "round": "round",
}  # fmt: skip
REDUCED = {"sum": "sum", "max": "max", "amax": "max", "min": "min", "amin": "min", "any": "any", "all": "all"}
_GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
GENERATORS = {"default_rng", "RandomState", "Random", "SystemRandom", "Generator"}
TAKEN = {
    "largest", "clamp", "exp", "log", "sqrt", "ABOVE", "BELOW", "NOTHING", "Tag", "noise", "mechanism", "implements",
    "exp2", "power", "lattice_points", "claim", "np",
}  # fmt: skip
_COMPARED = {
    ast.Is: operator.is_, ast.IsNot: operator.is_not, ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Lt: operator.lt, ast.LtE: operator.le,
}  # fmt: skip

Value = ast.expr | ItemList


@dataclass
class Values:
    """What one translation knows, and the expressions that it translates.

    ``vectors`` are the parameters that are lists, ``fixed`` those that have their default, ``constants`` what the
    function's module holds, ``generators`` the names of random generators.
    """

    function: ast.FunctionDef
    vectors: set[str]
    fixed: dict[str, Any]
    constants: Mapping[str, Any]
    generators: set[str]
    parameters: list[str]
    noise: str = "noise"

    def __post_init__(self) -> None:
        self.names = {n.id for n in ast.walk(self.function) if isinstance(n, ast.Name)} | set(self.parameters)
        self.known = set(self.parameters)
        clashes = sorted(self.names & TAKEN - {"np", *self.parameters})
        self.renamed = {n: self.fresh("eta" if n == "noise" else f"{n}_") for n in clashes}
        self.undecided = 0
        self.lengths: dict[str, str] = {}
        self.same: dict[str, str] = {}
        self.booleans: set[str] = set()
        self.item_names: dict[str, str] = {}
        self.rounds: list[tuple[ItemList, bool]] = []
        self.here: list[ast.stmt] = []
        self.target = ""
        self.loops = 0
        self.output = ""
        self.yields = self.nothing = False

    def fresh(self, wanted: str) -> str:
        """A name that nothing else has."""
        found = next(n for n in (wanted, *(f"{wanted}_{i}" for i in range(2, 99))) if n not in self.names | TAKEN)
        self.names.add(found)
        return found

    def assign(self, target: str, value: ast.expr) -> None:
        """Add an assignment."""
        self.here.append(ast.Assign([ast.Name(target, ast.Store())], value, lineno=0))

    # Lists and their items

    def items(self, vector: str) -> ItemList:
        """A list by its name, item by item."""
        item = self.item_names.get(vector) or self.fresh(_singular(vector))
        self.item_names[vector] = item
        return ItemList(name(item), {item: vector})

    def bound(self, node: ast.AST, target: ast.expr, source: ast.expr) -> ItemList:
        """What a loop or comprehension goes over."""
        index = ""
        if isinstance(source, ast.Call) and last_name(source.func) == "enumerate" and isinstance(target, ast.Tuple):
            if len(source.args) != 1 or len(target.elts) != 2:
                declined(node, "a count that does not begin at 0 is not translated", "count from 0, and add by hand")
            index, source, target = last_name(target.elts[0]), source.args[0], target.elts[1]
        found = ItemList(ast.Constant(0), index=index or "i", numbered=bool(index))
        if isinstance(source, ast.Call) and last_name(source.func) == "range" and len(source.args) == 1:
            found.index = last_name(target)
            vector = self.length_of(source.args[0])
            if vector:
                found.over = self.items(vector).over
            else:
                found.length = self.scalar(source.args[0])
        else:
            zipped = isinstance(source, ast.Call) and last_name(source.func) == "zip"
            sources = source.args if zipped and isinstance(source, ast.Call) else [source]
            targets = target.elts if zipped and isinstance(target, ast.Tuple) else [target]
            if len(targets) != len(sources):
                declined(node, "a loop over tuples is not translated", "loop over zip(…) of lists")
            for one, of in zip(targets, sources, strict=True):
                if not isinstance(one, ast.Name):
                    declined(node, f"a loop that assigns to `{ast.unparse(one)}` is not translated")
                item = self.renamed.get(one.id, one.id) if one.id != "_" else self.fresh("item")
                found.over[item] = self.list_name(of, "values")
                self.known.add(one.id)
        self.known.add(found.index)
        return found

    def list_name(self, node: ast.expr, wanted: str) -> str:
        """The name of a list, which it is given where it has none."""
        made = self.value(node)
        if not isinstance(made, ItemList):
            declined(node, f"`{ast.unparse(node)}` is not known to be a list", "name the private list with --private")
        if made.whole:
            return made.whole
        given = self.fresh(wanted)
        self.assign(given, made.listed())
        return given

    def length_of(self, node: ast.expr) -> str:
        """The list whose length an expression is; empty for anything else."""
        match node:
            case ast.Name(found):
                return self.lengths.get(found, "")
            case ast.Tuple([part]):
                return self.length_of(part)
            case ast.Subscript(ast.Attribute(_, "shape") as part, ast.Constant(0)):
                return self.length_of(part)
            case ast.Call(function, [ast.Name(found)]) if last_name(function) in ("len", "shape"):
                return self.same.get(found, found) if found in self.vectors else ""
            case ast.Attribute(ast.Name(found), "size" | "shape"):
                return self.same.get(found, found) if found in self.vectors else ""
        return ""

    def lifted(self, node: ast.AST, parts: Sequence[Value], build: Callable[..., ast.expr]) -> Value:
        """An operation on numbers, or item by item where lists take part."""
        lists = [part for part in parts if isinstance(part, ItemList)]
        if not lists:
            return build(*parts)
        kept = {ast.dump(one.condition) if one.condition else "" for one in lists}
        if len(kept) > 1 or len({one.index for one in lists if one.numbered or not one.over}) > 1:
            declined(node, "lists that are chosen differently are combined", "write the comprehension by hand")
        made = copy.copy(lists[0])
        made.over = {item: of for one in lists for item, of in one.over.items()}
        made.numbered = any(one.numbered for one in lists)
        made.item = build(*(part.item if isinstance(part, ItemList) else part for part in parts))
        return made

    def is_boolean(self, made: ast.expr) -> bool:
        """Whether an expression is a truth value."""
        if isinstance(made, ast.Name):
            return made.id in self.booleans or made.id in {self.item_names.get(one) for one in self.booleans}
        if isinstance(made, ast.IfExp):
            return self.is_boolean(made.body) and self.is_boolean(made.orelse)
        negated = isinstance(made, ast.UnaryOp) and isinstance(made.op, ast.Not)
        truth = isinstance(made, ast.Constant) and isinstance(made.value, bool)
        return negated or truth or isinstance(made, ast.Compare | ast.BoolOp)

    # Expressions

    def plain(self, made: Value, node: ast.AST) -> ast.expr:
        """A value where it is a number, a truth value or a tuple."""
        if isinstance(made, ItemList):
            declined(node, f"`{ast.unparse(node)}` is a list where a number is expected")
        return made

    def scalar(self, node: ast.expr) -> ast.expr:
        """The translation of an expression that is no list."""
        return self.plain(self.value(node), node)

    def value(self, node: ast.expr) -> Value:
        """The translation of an expression."""
        whole, self.target = self.target, ""
        match node:
            case ast.Constant(value) if value is None or isinstance(value, bool | int | float):
                return ast.Constant(value)
            case ast.Name():
                return self.named(node)
            case ast.BinOp(left, operation, right):
                return self.operation(node, left, operation, right)
            case ast.UnaryOp(sign, operand):
                negated = isinstance(sign, ast.Not | ast.Invert)
                return self.lifted(node, [self.value(operand)], lambda x: _negated(x) if negated else _signed(sign, x))
            case ast.BoolOp(joint, parts):
                return self.lifted(node, [self.value(p) for p in parts], lambda *p: _joined(joint, p))
            case ast.Compare(left, operations, rights):
                sides = [self.value(part) for part in (left, *rights)]
                return self.lifted(node, sides, lambda a, *b: _compared(a, operations, b))
            case ast.IfExp(test, yes, no):
                decided = self.value(test)
                if isinstance(decided, ast.Constant):
                    return self.value(yes if decided.value else no)
                return self.lifted(node, [decided, self.value(yes), self.value(no)], lambda *p: ast.IfExp(*p))
            case ast.Tuple(parts) | ast.List(parts):
                made = [self.value(part) for part in parts]
                return type(node)([m.listed() if isinstance(m, ItemList) else m for m in made], ast.Load())
            case ast.Subscript():
                return self.subscript(node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.ListComp(item, [clause]) | ast.GeneratorExp(item, [clause]):
                return self.comprehension(node, item, clause)
            case ast.Call():
                return self.called(node, whole)
        declined(node, f"`{ast.unparse(node)}` is not translated")

    def named(self, node: ast.Name) -> Value:
        """A variable, a parameter, or a constant of the module."""
        found = node.id
        if found in self.generators and found not in self.fixed:
            return name(found)
        if found in self.fixed:
            return ast.Constant(self.fixed[found])
        if found in self.lengths:
            return call("len", name(self.lengths[found]))
        if found in self.vectors:
            return self.items(self.same.get(found, found))
        for items, _ in self.rounds:
            if found == items.index:
                items.numbered = True
        if found in self.known:
            return name(self.renamed.get(found, found))
        constant = self.constants.get(found)
        if isinstance(constant, int | float) and not isinstance(constant, bool):
            return ast.Constant(constant)
        declined(node, f"`{found}` is no parameter or variable that is known here")

    def operation(self, node: ast.AST, left: ast.expr, operation: ast.operator, right: ast.expr) -> Value:
        """Arithmetic, and masks that are joined."""
        parts = [self.value(left), self.value(right)]
        if isinstance(operation, ast.BitAnd | ast.BitOr):
            joined = ast.And() if isinstance(operation, ast.BitAnd) else ast.Or()
            return self.lifted(node, parts, lambda *p: _joined(joined, p))
        if isinstance(operation, ast.Pow) and isinstance(parts[1], ast.Constant) and parts[1].value in (2, 0.5):
            square = parts[1].value == 2
            return self.lifted(node, parts[:1], lambda x: ast.BinOp(x, ast.Mult(), x) if square else call("sqrt", x))
        if not isinstance(operation, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.FloorDiv | ast.Mod):
            declined(node, f"the operation in `{ast.unparse(node)}` is not in the language", "write it with + - * /")
        return self.lifted(node, parts, lambda a, b: ast.BinOp(a, operation, b))

    def attribute(self, node: ast.Attribute) -> Value:
        """A size; anything else of an object is not known."""
        found = self.length_of(node)
        if found and node.attr == "size":
            return call("len", name(found))
        declined(node, f"`{ast.unparse(node)}` is not translated")

    def subscript(self, node: ast.Subscript) -> Value:
        """An item, a mask, positions, or the first of a sorted list."""
        found = self.length_of(node)
        if found:
            return call("len", name(found))
        match node:
            case ast.Subscript(ast.Call(function, [_]), ast.Constant(0)) if last_name(function) in ("where", "nonzero"):
                assert isinstance(node.value, ast.Call)
                return self.positions(node.value)
        if sorted_in(node)[0] is not None:
            return self.in_order(node)
        top = largest_taken(node)
        if top is not None:
            sorted_, sign, count, last = top
            noisy = self.list_name(sorted_ if sign > 0 else _signed(ast.USub(), sorted_), "noisy")
            if last is not None:
                positions = self.fresh("top")
                self.assign(positions, call("largest", name(noisy), ast.Constant(last)))
                return ast.Subscript(name(positions), ast.Constant(last - 1), ast.Load())
            positions = self.fresh("top")
            self.assign(positions, call("largest", name(noisy), self.scalar(count)))
            return self.items(positions)
        of = self.list_name(node.value, "values")
        if isinstance(node.slice, ast.Name):
            for items, _ in self.rounds:
                if items.index == node.slice.id:
                    if not items.over:
                        break
                    if of not in items.over.values():
                        items.over |= self.items(of).over
                    return name(next(item for item, one in items.over.items() if one == of))
        if isinstance(node.slice, ast.Slice):
            declined(node, "a slice is not in the language", "write largest(…, k), or a loop")
        place = self.value(node.slice)
        if isinstance(place, ItemList) and self.is_boolean(place.item):
            kept = self.lifted(node, [self.items(of), place], lambda item, _: item)
            assert isinstance(kept, ItemList)
            kept.condition = place.item
            return kept
        if isinstance(place, ast.UnaryOp):
            place = ast.BinOp(call("len", name(of)), ast.Sub(), place.operand)
        return self.lifted(node, [place], lambda i: ast.Subscript(name(of), i, ast.Load()))

    def in_order(self, node: ast.expr) -> ItemList:
        """All positions, sorted by what a list holds there."""
        sorted_, reverse = sorted_in(node)
        assert sorted_ is not None
        noisy = self.list_name(sorted_ if reverse else _signed(ast.USub(), sorted_), "noisy")
        order = self.fresh("order_of")
        self.assign(order, call("largest", name(noisy), call("len", name(noisy))))
        return self.items(order)

    def positions(self, node: ast.Call) -> ItemList:
        """The positions at which a condition on items holds."""
        mask = self.value(node.args[0])
        if not isinstance(mask, ItemList) or mask.condition is not None:
            declined(node, "the positions of something that is no mask")
        made = copy.copy(mask)
        made.condition, made.numbered = mask.item, True
        made.item = name(made.index)
        return made

    def comprehension(self, node: ast.expr, item: ast.expr, clause: ast.comprehension) -> ItemList:
        """A comprehension item by item; its draws become a list of their own before it."""
        items = self.bound(node, clause.target, clause.iter)
        self.rounds.append((items, True))
        conditions = [self.scalar(one) for one in clause.ifs]
        items.item = self.scalar(item)
        self.rounds.pop()
        if conditions:
            items.condition = conditions[0] if len(conditions) == 1 else ast.BoolOp(ast.And(), conditions)
        return items

    def called(self, node: ast.Call, target: str) -> Value:
        """A call: noise, a function of the language, or one that changes nothing."""
        function = last_name(node.func)
        owner = node.func.value if isinstance(node.func, ast.Attribute) else node
        made_here = owner is not node and not isinstance(owner, ast.Name | ast.Attribute)
        arguments = [owner, *node.args] if made_here or last_name(owner) in self.vectors else node.args
        if self.is_drawing(node):
            if function in SAMPLERS:
                return self.drawn(node, *SAMPLERS[function], target)
            hint = NO_NOISE.get(function, "write the draw by hand, as noise.laplace(…) or another of the language")
            declined(node, f"the sampler `{ast.unparse(node.func)}` is not translated", hint)
        body = self.helper(node)
        if body is not None:
            self.target = target
            return self.value(body)
        if function == "len" and len(arguments) == 1:
            return call("len", name(self.list_name(arguments[0], "values")))
        if function == "argsort" and len(arguments) == 1:
            return self.in_order(ast.copy_location(ast.Call(name("argsort"), list(arguments), []), node))
        if function in SAME and arguments:
            self.target = target
            return self.value(arguments[0])
        if function in ("int", "astype") and arguments:
            self.target = target
            made = self.value(arguments[0])
            whole = last_name(arguments[-1]) in ("int", "int64", "int32", "intp")
            if self.is_boolean(made.item if isinstance(made, ItemList) else made) and (whole or function == "int"):
                return self.lifted(node, [made], lambda x: ast.IfExp(x, ast.Constant(1), ast.Constant(0)))
            if whole:
                words = "numbers are cut to whole ones, which the language does not do"
                declined(node, words, "write round(…), if that is meant")
            return made
        chosen = position_of_largest(node)
        if chosen is not None:
            function, arguments = "argmax", [chosen]
        if function in ("argmax", "argmin") and len(arguments) == 1:
            values = arguments[0] if function == "argmax" else _signed(ast.USub(), arguments[0])
            noisy, best = self.list_name(values, "noisy"), target or self.fresh("best")
            found = call("largest", name(noisy), ast.Constant(1))
            self.here.append(ast.Assign([pair([ast.Name(best, ast.Store())])], found, lineno=0))
            return name(best)
        if function == "flatnonzero" or (function == "count_nonzero" and len(arguments) == 1):
            places = self.positions(ast.copy_location(ast.Call(node.func, list(arguments), []), node))
            if function == "flatnonzero":
                return places
            places.item, places.numbered = ast.Constant(1), False
            return call("sum", places.generated())
        if function in ("zeros", "ones", "full", "zeros_like", "ones_like") and not self.loops:
            return self.filled(node, function)
        if function == "where" and len(arguments) == 3:
            return self.lifted(node, [self.value(a) for a in arguments], lambda *p: ast.IfExp(*p))
        made_parts = [self.value(argument) for argument in arguments]
        if node.keywords:
            declined(node, f"the arguments of `{ast.unparse(node.func)}` by name are not translated")
        if function in (*REDUCED, "mean") and len(made_parts) == 1 and isinstance(made_parts[0], ItemList):
            return self.reduced(node, function, made_parts[0])
        if function == "clip" and len(made_parts) == 3:
            low, high = (isinstance(p, ast.Constant) and p.value is None for p in made_parts[1:])
            if low or high:
                made_parts = [made_parts[0], made_parts[1 if high else 2]]
                return self.lifted(node, made_parts, lambda *p: call("max" if high else "min", *p))
        if function in MAPPED or (function in ("max", "min") and len(made_parts) > 1):
            return self.lifted(node, made_parts, lambda *p: call(MAPPED.get(function, function), *p))
        words = f"a call of `{ast.unparse(node.func)}`, whose body is not read"
        declined(node, words, "write what it does into the mechanism by hand")

    def helper(self, node: ast.Call) -> ast.expr | None:
        """What a function of the same module returns, if it only returns one expression of its parameters."""
        helper = self.constants.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if not inspect.isfunction(helper) or helper.__globals__ is not self.constants:
            return None
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(helper))).body[0]
            given = inspect.signature(helper).bind(*node.args, **{str(k.arg): k.value for k in node.keywords}).arguments
        except (OSError, SyntaxError, TypeError):
            return None
        body = [s for s in getattr(tree, "body", []) if not _says_nothing(s)]
        of_parameters = len(given) == len(inspect.signature(helper).parameters)
        if not of_parameters or len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
            return None
        if any(isinstance(n, ast.Call) and last_name(n.func) == helper.__name__ for n in ast.walk(body[0])):
            return None

        class Given(ast.NodeTransformer):
            def visit_Name(self, name_: ast.Name) -> ast.AST:
                found: ast.AST = copy.deepcopy(given.get(name_.id, name_))
                return found

        made: ast.expr = Given().visit(body[0].value)
        for part in ast.walk(made):
            ast.copy_location(part, node)
        return made

    def reduced(self, node: ast.AST, function: str, items: ItemList) -> ast.expr:
        """One number of a list."""
        if function == "mean":
            if items.condition is not None:
                declined(node, "the mean of a filtered list is not translated")
            counted = call("len", name(next(iter(items.over.values()))))
            return ast.BinOp(call("sum", items.generated()), ast.Div(), counted)
        if function == "sum" and self.is_boolean(items.item):
            items = copy.copy(items)
            items.condition = _joined(ast.And(), [c for c in (items.condition, items.item) if c])
            items.item = ast.Constant(1)
        return call(REDUCED[function], items.generated())

    def filled(self, node: ast.Call, function: str) -> ItemList:
        """A list of equal items, as long as another."""
        if len(node.args) != (2 if function == "full" else 1):
            declined(node, f"these arguments of `{ast.unparse(node.func)}` are not translated")
        length = self.length_of(node.args[0])
        if function.endswith("_like") and last_name(node.args[0]) in self.vectors:
            length = self.same.get(last_name(node.args[0]), last_name(node.args[0]))
        if not length:
            declined(node, f"an array of the size `{ast.unparse(node.args[0])}`, which is no list's length")
        kinds = [last_name(k.value) for k in node.keywords if k.arg == "dtype"]
        made = self.items(length)
        start = 1 if function.startswith("ones") else 0
        same = ast.Constant(bool(start) if "bool" in kinds else start)
        made.item = self.scalar(node.args[1]) if function == "full" else same
        return made

    def is_drawing(self, node: ast.Call) -> bool:
        """Whether a call is one of a generator, of numpy.random or random."""
        if isinstance(node.func, ast.Name):
            return isinstance(getattr(self.constants.get(node.func.id), "__self__", None), _GENERATORS)
        if not isinstance(node.func, ast.Attribute):
            return False
        owner = node.func.value
        if isinstance(owner, ast.Call):
            return last_name(owner.func) in GENERATORS
        of_module = isinstance(owner, ast.Name) and isinstance(self.constants.get(owner.id), _GENERATORS)
        return of_module or last_name(owner) in self.generators | {"random"}

    def drawn(self, node: ast.Call, family: str, order: Sequence[str], target: str) -> Value:
        """Noise: a draw of its own, or a list of them, and its location added."""
        given = dict(zip(order, node.args, strict=False)) | {str(k.arg): k.value for k in node.keywords}
        if "rate" in given:
            rate = given.pop("rate")
            one = ast.copy_location(ast.Constant(1), rate)
            given["scale"] = ast.copy_location(ast.BinOp(one, ast.Div(), rate), rate)
        if set(given) - {"loc", "scale", "size"}:
            declined(node, f"the arguments of `{ast.unparse(node.func)}` are not those that are known")
        scale = self.value(given["scale"]) if "scale" in given else ast.Constant(1)
        place = self.value(given["loc"]) if "loc" in given else ast.Constant(0)
        around: ItemList | None = next((x for x in (scale, place) if isinstance(x, ItemList)), None)
        size = given.get("size", ast.Constant(None))
        in_items = bool(self.rounds) and self.rounds[-1][1]
        if not (isinstance(size, ast.Constant) and size.value is None):
            of = self.length_of(size)
            around = self.items(of) if of else ItemList(ast.Constant(0), index="j", length=self.scalar(size))
        elif in_items:
            around = copy.copy(self.rounds[-1][0])
        if around is not None and self.loops:
            declined(node, "a list of noise inside a loop is not translated", "draw one number in each iteration")
        moved = not (isinstance(place, ast.Constant) and place.value == 0)
        wanted = "nu" if self.loops else "eta"
        given_name = target if target and not moved and not in_items else self.fresh(wanted)
        unit = scale.item if isinstance(scale, ItemList) else scale
        drawn = ast.Call(ast.Attribute(name(self.noise), family, ast.Load()), [unit], [])
        if around is None:
            self.assign(given_name, drawn)
            made: Value = name(given_name)
        else:
            if isinstance(scale, ItemList):
                around = scale
            self.assign(given_name, around.listed(drawn))
            made = self.items(given_name)
            if in_items:
                self.rounds[-1][0].over |= made.over
                made = made.item
        return self.lifted(node, [place, made], lambda a, b: ast.BinOp(a, ast.Add(), b)) if moved else made


def _singular(vector: str) -> str:
    """A name for an item of a list."""
    if vector.endswith("ies") and len(vector) > 5:
        return f"{vector[:-3]}y"
    return vector[:-1] if vector.endswith("s") and len(vector) > 4 and vector[-2] not in "su" else f"{vector}_i"


def _negated(made: ast.expr) -> ast.expr:
    return ast.Constant(not made.value) if isinstance(made, ast.Constant) else ast.UnaryOp(ast.Not(), made)


def _signed(operation: ast.unaryop, made: ast.expr) -> ast.expr:
    if isinstance(operation, ast.USub) and isinstance(made, ast.UnaryOp) and isinstance(made.op, ast.USub):
        return made.operand
    return ast.copy_location(ast.UnaryOp(operation, made), made)


def _joined(operation: ast.boolop, parts: Sequence[ast.expr]) -> ast.expr:
    neutral = isinstance(operation, ast.And)
    known = [part for part in parts if isinstance(part, ast.Constant)]
    if any(bool(part.value) != neutral for part in known):
        return ast.Constant(not neutral)
    left = [part for part in parts if not isinstance(part, ast.Constant)]
    return ast.Constant(neutral) if not left else left[0] if len(left) == 1 else ast.BoolOp(operation, left)


def _compared(left: ast.expr, operations: Sequence[ast.cmpop], rights: Sequence[ast.expr]) -> ast.expr:
    if len(rights) == 1 and isinstance(rights[0], ast.Constant):
        decide: Any = _COMPARED.get(type(operations[0]))
        if isinstance(left, ast.Constant) and decide is not None:
            with contextlib.suppress(TypeError):
                return ast.Constant(bool(decide(left.value, rights[0].value)))
        if rights[0].value is None:  # what the language computes with is never None
            return ast.Constant(isinstance(operations[0], ast.IsNot | ast.NotEq))
    return ast.Compare(left, list(operations), list(rights))


def _says_nothing(statement: ast.stmt) -> bool:
    """Whether a statement is a docstring, or refuses arguments."""
    refuses = isinstance(statement, ast.If) and not statement.orelse
    return (
        (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        or isinstance(statement, ast.Assert)
        or (refuses and isinstance(statement, ast.If) and all(isinstance(s, ast.Raise) for s in statement.body))
    )
