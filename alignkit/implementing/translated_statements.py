"""Statements of a function, written anew in the language of mechanisms, where that is easy."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from alignkit.implementing.translated_items import ItemList, declined, last_name, name
from alignkit.implementing.translated_values import GENERATORS, SAME, SAMPLERS, Value, Values


@dataclass
class Translator(Values):
    """One translation of a function."""

    def translated(self) -> list[ast.stmt]:
        """The statements of the mechanism."""
        body = _with_lists(self.function)
        returned = {last_name(_unwrapped(r.value)) for r in _of_kind(body, ast.Return) if r.value is not None}
        appended = {last_name(c.func.value) for c in _of_kind(body, ast.Call) if _is_append(c)}
        if any(_of_kind(body, ast.Yield)) or returned & appended:
            self.output, self.yields = next(iter(returned & appended), ""), True
        for statement in body:
            if _appends_alone(statement, self.output):
                self.output, self.yields = "", False
        made = self.block(body)
        if not made:
            declined(self.function, "nothing of the function is left", "write the mechanism by hand")
        return made

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Translate statements; what follows a ``continue`` becomes the other branch."""
        outer, self.here = self.here, []
        for i, one in enumerate(statements):
            if isinstance(one, ast.If) and isinstance(one.body[-1], ast.Continue):
                rest = [*one.orelse, *statements[i + 1 :]]
                self.branch(one, one.body[:-1], rest)
                break
            self.statement(one, statements[i + 1 :])
        made, self.here = self.here, outer
        return made

    def statement(self, node: ast.stmt, rest: Sequence[ast.stmt]) -> None:
        """Translate one statement; ``rest`` are those after it in its block."""
        match node:
            case ast.Pass() | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()):
                pass
            case ast.Assign([target], value):
                self.assigned(node, target, value)
            case ast.AnnAssign(target, _, value) if value is not None:
                self.assigned(node, target, value)
            case ast.AugAssign(ast.Name(target), operation, value):
                if target in self.vectors:
                    made = ast.copy_location(ast.BinOp(name(target), operation, value), node)
                    self.assigned(node, name(target), made)
                else:
                    stored = ast.Name(self.renamed.get(target, target), ast.Store())
                    self.here.append(ast.AugAssign(stored, operation, self.scalar(value)))
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(target), "append"), [value])) if target in self.known:
                self.appended(target, value)
            case ast.Expr(ast.Yield(value)) if value is not None:
                self.here.append(ast.Expr(ast.Yield(self.put_out(self.value(value), value))))
            case ast.If(_, body, orelse):
                if not all(isinstance(s, ast.Raise) for s in body):
                    self.branch(node, body, orelse)
                else:
                    self.here += self.block(orelse)
            case ast.For(target, source, body, []):
                self.loop(node, target, source, body, rest)
            case ast.Return(value):
                self.returned(node, value)
            case ast.Break():
                self.here.append(ast.Break())
            case ast.While():
                declined(node, "a `while` loop is not in the language", "write a `for` over the answers, with `break`")
            case _:
                kind = f"a statement `{type(node).__name__.lower()}`"
                shown = f"`{ast.unparse(node)}`" if isinstance(node, ast.Expr | ast.Raise) else kind
                declined(node, f"{shown} is not translated")

    def assigned(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> None:
        """Translate an assignment."""
        if isinstance(target, ast.Tuple) and all(isinstance(t, ast.Name) for t in target.elts):
            parts = self.scalar(value)
            for one in target.elts:
                self.known.add(last_name(one))
            named = [ast.Name(self.renamed.get(last_name(t), last_name(t)), ast.Store()) for t in target.elts]
            self.here.append(ast.Assign([ast.Tuple(list[ast.expr](named), ast.Store())], parts, lineno=0))
            return
        if isinstance(target, ast.Subscript) and last_name(target.value) in self.vectors:
            mask = self.value(target.slice)
            if isinstance(mask, ItemList) and self.is_boolean(mask.item):
                changed = ast.IfExp(target.slice, value, target.value)
                self.assigned(node, target.value, ast.copy_location(changed, node))
                return
        if not isinstance(target, ast.Name):
            declined(node, f"an assignment to `{ast.unparse(target)}` changes a value in place", "build a list instead")
        if any(last_name(made.func) in GENERATORS for made in _of_kind([value], ast.Call)) and not _draws(value):
            self.generators.add(target.id)
            return
        if self.length_of(value):
            self.lengths[target.id] = self.length_of(value)
            return
        fits = not self.loops or target.id not in self.vectors
        if not fits:
            declined(node, f"the list `{target.id}` is made anew in a loop", "write what the loop does by hand")
        replaced = target.id in self.parameters or target.id in self.same
        self.target = self.fresh(target.id) if replaced else self.renamed.get(target.id, target.id)
        wanted, made = self.target, self.value(value)
        if target.id in self.fixed:
            if self.undecided:
                declined(node, f"`{target.id}`, which has its default, is changed on some runs only")
            self.fixed.pop(target.id)
        self.target = ""
        self.known.add(target.id)
        if isinstance(made, ItemList):
            self.vectors.add(target.id)
            self.same[target.id] = made.whole or wanted
            if not made.whole:
                self.assign(wanted, made.listed())
            if self.is_boolean(made.item):
                self.booleans.add(self.same[target.id])
            return
        if replaced:
            self.renamed[target.id] = wanted
        if self.is_boolean(made):
            self.booleans.add(wanted)
        if target.id == self.output:
            if self.loops or not isinstance(made, ast.List) or made.elts:
                declined(node, f"`{target.id}`, which is returned, does not begin as an empty list")
        elif not isinstance(made, ast.Name) or made.id != wanted:
            self.assign(wanted, made)

    def appended(self, target: str, value: ast.expr) -> None:
        """Translate an append: what the function returns is put out, another list becomes longer."""
        made = self.value(value)
        if target == self.output:
            self.here.append(ast.Expr(ast.Yield(self.put_out(made, value))))
            return
        longer = ast.List([ast.Starred(name(target)), self.plain(made, value)], ast.Load())
        self.assign(target, longer)

    def branch(self, node: ast.If, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> None:
        """Translate a decision; one that the defaults of parameters make is made here."""
        test = self.scalar(node.test)
        if isinstance(test, ast.Constant):
            self.here += self.block(body if test.value else orelse)
            return
        self.undecided += 1
        yes, no = self.block(body), self.block(orelse)
        self.undecided -= 1
        if not yes and no:
            test, yes, no = ast.UnaryOp(ast.Not(), test), no, []
        if yes:
            self.here.append(ast.If(test, yes, no))

    def loop(
        self, node: ast.For, target: ast.expr, source: ast.expr, body: Sequence[ast.stmt], rest: Sequence[ast.stmt]
    ) -> None:
        """Translate a loop over lists, or over their positions."""
        if self.loops:
            declined(node, "a loop inside a loop is not translated", "write the inner loop by hand")
        alone = _appends_alone(node, "")
        empty = [s for s in self.here if isinstance(s, ast.Assign) and alone and _is_empty_list(s, alone[0])]
        if alone is not None and alone[0] != self.output and empty:
            self.here = [s for s in self.here if s not in empty]
            comprehension = ast.ListComp(alone[1], [ast.comprehension(target, source, [], 0)])
            self.assigned(node, name(alone[0]), ast.copy_location(comprehension, node))
            return
        leaves = [r for r in _of_kind(node.body, ast.Return) if self.yields]
        if leaves and not all(isinstance(s, ast.Return) and s.value is not None for s in rest):
            declined(leaves[0], "the function returns from the loop, and goes on after it otherwise", "use `break`")
        items = self.bound(node, target, source)
        self.rounds.append((items, False))
        self.loops, self.undecided = self.loops + 1, self.undecided + 1
        made = self.block(body)
        self.loops, self.undecided = self.loops - 1, self.undecided - 1
        self.rounds.pop()
        self.here.append(ast.For(*items.head(), made or [ast.Pass()], [], lineno=0))

    def returned(self, node: ast.Return, value: ast.expr | None) -> None:
        """Translate a return; that of a list whose items were put out ends the loop, or nothing."""
        if self.yields:
            if value is not None and last_name(_unwrapped(value)) != self.output:
                declined(node, "the function returns something else than its list", "yield everything that is put out")
            if self.loops:
                self.here.append(ast.Break())
            return
        if value is None:
            value = ast.copy_location(ast.Constant(None), node)
        self.here.append(ast.Return(self.put_out(self.value(value), value)))

    def put_out(self, made: Value, node: ast.expr) -> ast.expr:
        """An output: tags for truth values and for None."""
        if isinstance(made, ItemList):
            return made.listed(self.put_out(made.item, node) if self.is_boolean(made.item) else None)
        if isinstance(made, ast.Constant) and made.value is None:
            self.nothing = True
            return name("NOTHING")
        if isinstance(made, ast.Constant) and isinstance(made.value, bool):
            return name("ABOVE" if made.value else "BELOW")
        if isinstance(made, ast.IfExp):
            return ast.IfExp(made.test, self.put_out(made.body, node), self.put_out(made.orelse, node))
        if isinstance(made, ast.Tuple | ast.List):
            if any(isinstance(part, ast.Constant) and part.value is None for part in made.elts):
                declined(node, "None inside an output is not translated", "put out a tag instead")
            return type(made)([self.put_out(part, node) for part in made.elts], ast.Load())
        return ast.IfExp(made, name("ABOVE"), name("BELOW")) if self.is_boolean(made) else made



def _of_kind(nodes: Sequence[ast.AST], kind: type[Any]) -> list[Any]:
    return [node for one in nodes for node in ast.walk(one) if isinstance(node, kind)]


def _unwrapped(node: ast.expr) -> ast.expr:
    """A list without the calls that give it as it is."""
    while isinstance(node, ast.Call) and last_name(node.func) in SAME and node.args:
        node = node.args[0]
    return node


def _is_append(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "append" and len(node.args) == 1


def _draws(node: ast.expr) -> bool:
    return any(last_name(made.func) in SAMPLERS for made in _of_kind([node], ast.Call))


def _is_empty_list(node: ast.Assign, of: str) -> bool:
    return last_name(node.targets[0]) == of and isinstance(node.value, ast.List) and not node.value.elts


def _appends_alone(node: ast.stmt, to: str) -> tuple[str, ast.expr] | None:
    """The list and the item, where a loop does nothing but append one; to a certain list, if it is given."""
    match node:
        case ast.For(_, _, [ast.Expr(ast.Call(ast.Attribute(ast.Name(target), "append"), [item]))]):
            return (target, item) if to in ("", target) else None
    return None


def _with_lists(function: ast.FunctionDef) -> list[ast.stmt]:
    """The body, where arrays that a loop fills position by position are lists to which it appends."""
    body = copy.deepcopy(function.body)
    filled: dict[str, ast.expr] = {}
    for loop in _of_kind(body, ast.For):
        index = _index_of(loop)
        for store in [s for s in _of_kind(loop.body, ast.Assign) if isinstance(s.targets[0], ast.Subscript)]:
            place = store.targets[0]
            if index and isinstance(place.value, ast.Name) and last_name(place.slice) == index:
                filled[place.value.id] = place
    for target, place in filled.items():
        made = [s for s in body if isinstance(s, ast.Assign) and last_name(s.targets[0]) == target]
        loops = [s for s in body if isinstance(s, ast.For) and target in {n.id for n in _of_kind([s], ast.Name)}]
        start = _start(made[0].value) if len(made) == 1 else None
        if start is None or len(loops) != 1:
            continue
        if _of_kind(loops[0].body, ast.Break) or _of_kind(loops[0].body, ast.Return):
            declined(place, f"`{target}` keeps what it holds where the loop is left early", "yield what is put out")
        made[0].value = ast.copy_location(ast.List([], ast.Load()), made[0].value)
        _append_instead(loops[0], target, start)
    return body


def _index_of(loop: ast.For) -> str:
    if isinstance(loop.iter, ast.Call) and last_name(loop.iter.func) == "range" and len(loop.iter.args) == 1:
        return last_name(loop.target)
    if isinstance(loop.iter, ast.Call) and last_name(loop.iter.func) == "enumerate" and len(loop.iter.args) == 1:
        return last_name(loop.target.elts[0]) if isinstance(loop.target, ast.Tuple) else ""
    return ""


def _start(node: ast.expr) -> ast.expr | None:
    """What every position of a new array holds."""
    match node:
        case ast.Call(function, [_, *more], keywords) if last_name(function) in ("zeros", "full", "zeros_like"):
            if last_name(function) == "full":
                return more[0] if more else None
            kinds = {last_name(k.value) for k in keywords if k.arg == "dtype"} | {last_name(kind) for kind in more}
            return ast.copy_location(ast.Constant(False if kinds & {"bool", "bool_"} else 0), node)
        case ast.BinOp(ast.List([start]), ast.Mult(), _) | ast.BinOp(_, ast.Mult(), ast.List([start])):
            return start
    return None


def _append_instead(loop: ast.For, target: str, start: ast.expr) -> None:
    """Let a loop compute the item of its position, and append it at the end of its body."""
    item = f"{target}_i"

    class Store(ast.NodeTransformer):
        def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
            self.generic_visit(node)
            return ast.copy_location(ast.Name(item, node.ctx), node) if last_name(node.value) == target else node

    def appending(value: ast.expr) -> ast.Expr:
        append = ast.Attribute(ast.Name(target, ast.Load()), "append", ast.Load())
        return ast.Expr(ast.Call(append, [value], []))

    alone = sum(n.id == target for n in _of_kind(loop.body, ast.Name)) == 1
    last = loop.body[-1]
    if alone and isinstance(last, ast.Assign) and target in {n.id for n in _of_kind([last.targets[0]], ast.Name)}:
        loop.body[-1] = ast.copy_location(appending(last.value), last)
    else:
        first = ast.Assign([ast.Name(item, ast.Store())], start, lineno=0)
        loop.body = [first, *(Store().visit(s) for s in loop.body), appending(ast.Name(item, ast.Load()))]
    for made in (loop.body[0], loop.body[-1]):
        for node in ast.walk(made):
            ast.copy_location(node, loop) if not hasattr(node, "lineno") else None
