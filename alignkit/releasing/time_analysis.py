"""Bounds, read off the program, on how often a run draws, loops and branches, and whether private data affects that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.language.pretty_printing import pretty_expression
from alignkit.language.program import (
    Assign,
    Break,
    Builtin,
    Call,
    Choice,
    Comprehension,
    Connective,
    Draw,
    For,
    Function,
    If,
    Name,
    Return,
    Target,
    children,
    target_names,
    walk,
)
from alignkit.running.mechanism_decorator import Mechanism


@dataclass(frozen=True)
class Times:
    """A bound on how often something happens in a run: ``at_most`` times, or with ``exactly`` just as often.

    ``at_most`` is a product of public expressions; None where the analysis finds none.
    """

    name: str
    line: int
    at_most: str | None
    exactly: bool

    def __str__(self) -> str:
        if self.at_most is None:
            return f"{self.name}: no bound was found"
        return f"{self.name}: {'exactly' if self.exactly else 'at most'} {self.at_most}"


@dataclass(frozen=True)
class RunningTime:
    """The draws, iterations and branches of a run, with bounds on their numbers.

    ``draws`` are the draws by name, ``loops`` the loops and comprehensions; ``branches`` the lines of conditions that
    may read private answers or noise, and ``scales`` the names of draws whose parameters may.
    """

    draws: tuple[Times, ...]
    loops: tuple[Times, ...]
    branches: tuple[int, ...]
    scales: tuple[str, ...] = ()

    @property
    def fixed_draws(self) -> bool:
        """Whether the draws and their scales are known from public values: then so is the number of random bits.

        That is, the same random bits give runs that read equally many, whatever the private answers.
        """
        return all(d.exactly for d in self.draws) and not self.scales

    @property
    def fixed_branches(self) -> bool:
        """Whether iterations and branches are known from public values too."""
        return all(loop.exactly for loop in self.loops) and not self.branches

    def __str__(self) -> str:
        lines = [f"draws of {d}" for d in self.draws] + [f"iterations at {loop}" for loop in self.loops]
        if self.fixed_draws:
            lines.append("from the same random bits, it reads equally many, whatever the private answers are")
        elif all(d.exactly for d in self.draws):
            shown = ", ".join(self.scales)
            lines.append(f"what is proved of the output holds of the output together with the scale of {shown}")
        else:
            lines.append("what is proved of the output holds of the output together with the number of draws")
        if self.branches:
            shown = ", ".join(map(str, self.branches))
            lines.append(f"branches that depend on private answers or noise: line {shown}")
        elif self.fixed_branches:
            lines.append("no branch of the program depends on private answers or noise")
        return "\n".join(lines)


def running_time(mechanism: Mechanism) -> RunningTime:
    """Bound a mechanism's draws and steps for all private data.

    A built-in such as ``largest``, ``max`` or ``sum`` counts as one step, as does arithmetic on numbers of any size;
    how long they take depends on the numbers, and no claim is made about that.

    >>> from alignkit.mechanisms.noisy_max import noisy_max
    >>> print(running_time(noisy_max))
    draws of eta: exactly len(q)
    iterations at line 9: exactly len(q)
    iterations at line 10: exactly len(q)
    from the same random bits, it reads equally many, whatever the private answers are
    no branch of the program depends on private answers or noise
    """
    lengths = {name: f"len({name})" for name, kind in mechanism.parameters.items() if kind.vector}
    texts = {name: name for name in mechanism.public}
    walker = _Walker(mechanism)
    walker.function(mechanism.program, _Scope((), frozenset(mechanism.private), lengths, texts), (), True)
    scales = tuple(dict.fromkeys(walker.scales))
    return RunningTime(tuple(walker.draws), tuple(walker.loops), tuple(sorted(walker.branches)), scales)


Factors = tuple[str | None, ...]


@dataclass(frozen=True)
class _Scope:
    """A call of a function: what is known of its names, in terms of the mechanism.

    ``secret`` are the names that may depend on private answers or noise; ``lengths`` has the lengths of vectors, and
    ``texts`` the public numbers; ``sized`` are the vectors of known length that the function is given.
    """

    path: tuple[int, ...]
    secret: frozenset[str]
    lengths: Mapping[str, str | None]
    texts: Mapping[str, str]
    sized: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Walker:
    """One walk through a program; ``sure`` says that a node is run whenever the block around it is."""

    mechanism: Mechanism
    draws: list[Times] = field(default_factory=list)
    loops: list[Times] = field(default_factory=list)
    branches: set[int] = field(default_factory=set)
    scales: list[str] = field(default_factory=list)

    def function(self, function: Function, arguments: _Scope, times: Factors, sure: bool) -> None:
        """Walk through a function, of whose names ``arguments`` tells what is known of the parameters."""
        everything = [node for statement in function.body for node in walk(statement)]
        binding = [node for node in everything if isinstance(node, Assign | For | Comprehension)]
        bound = [name for node in binding for name in target_names(node.target)]
        lengths = {name: size for name, size in arguments.lengths.items() if name not in bound}
        texts = {name: text for name, text in arguments.texts.items() if name not in bound}
        sized = frozenset(name for name, size in lengths.items() if size is not None)
        scope = _Scope(arguments.path, _spread(everything, arguments.secret, sized), lengths, texts, sized)
        for node in everything:  # a list that is made once of all of a vector is as long as that
            if isinstance(node, Assign) and isinstance(node.target, str) and bound.count(node.target) == 1:
                lengths[node.target] = _length(node.value, scope)
        self.block(function.body, scope, times, sure)

    def block(self, statements: Iterable[Any], scope: _Scope, times: Factors, sure: bool) -> None:
        for node in statements:
            if isinstance(node, If):
                self.visit(node.test, scope, times, sure)
                self.branch(node.test, scope)
                self.block(node.then, scope, times, False)
                self.block(node.other, scope, times, False)
                # After a branch that may leave, it is in doubt whether the rest is run.
                sure = sure and not _leaves(node)
            elif isinstance(node, For):
                self.visit(node.iterable, scope, times, sure)
                all_of_it = sure and not any(_leaves(s) for s in node.body)
                inside = (*times, _length(node.iterable, scope))
                self.loops.append(_times(f"line {node.place.line}", node, inside, all_of_it))
                self.block(node.body, scope, inside, all_of_it)
                sure = sure and not any(isinstance(n, Return) for s in node.body for n in walk(s))
            else:
                for child in children(node):
                    self.visit(child, scope, times, sure)

    def visit(self, node: Any, scope: _Scope, times: Factors, sure: bool) -> None:
        if isinstance(node, Draw):
            key = self.mechanism.keys[scope.path, node.site]
            self.draws.append(_times(key, node, times, sure))
            if any(_secret(argument, scope.secret, scope.sized) for argument in node.arguments):
                self.scales.append(key)
        elif isinstance(node, Call):
            self.call(node, scope, times, sure)
        elif isinstance(node, Comprehension):
            self.visit(node.iterable, scope, times, sure)
            inside = (*times, _length(node.iterable, scope))
            self.loops.append(_times(f"line {node.place.line}", node, inside, sure))
            for test in node.filters:
                self.branch(test, scope)
                self.visit(test, scope, inside, False)
            self.visit(node.element, scope, inside, sure and not node.filters)
            return
        elif isinstance(node, Choice | Connective) or (isinstance(node, Builtin) and node.function in ("any", "all")):
            self.branch(node.test if isinstance(node, Choice) else node, scope)
            sure = False
        for child in children(node):
            self.visit(child, scope, times, sure)

    def call(self, node: Call, scope: _Scope, times: Factors, sure: bool) -> None:
        given = dict(zip(node.function.parameters, node.arguments, strict=True))
        secret = frozenset(name for name, argument in given.items() if _secret(argument, scope.secret, scope.sized))
        lengths = {name: _length(argument, scope) for name, argument in given.items()}
        texts = {name: text for name, argument in given.items() if (text := _text(argument, scope)) is not None}
        self.function(node.function, _Scope((*scope.path, node.site), secret, lengths, texts), times, sure)

    def branch(self, test: Any, scope: _Scope) -> None:
        if _secret(test, scope.secret, scope.sized):
            self.branches.add(test.place.line)


def _times(name: str, node: Any, times: Factors, sure: bool) -> Times:
    if None in times:
        return Times(name, node.place.line, None, False)
    return Times(name, node.place.line, " * ".join(str(t) for t in times) or "1", sure)


def _leaves(node: Any) -> bool:
    """Tell whether a statement may leave the loop or the function that it stands in."""
    if isinstance(node, For):
        return any(isinstance(n, Return) for n in walk(node))
    return any(isinstance(n, Break | Return) for n in walk(node))


def _spread(everything: list[Any], secret: frozenset[str], sized: frozenset[str]) -> frozenset[str]:
    """Collect the names whose values may depend on private answers or on noise, directly or not."""
    names = set(secret)
    while True:
        before = len(names)
        for node in everything:
            if isinstance(node, Assign) and _secret(node.value, names, sized):
                names.update(target_names(node.target))
            elif isinstance(node, For | Comprehension):
                names.update(_secret_items(node.target, node.iterable, names, sized))
            # Whatever is assigned under a secret condition, or in a loop that one may leave, depends on it.
            if (isinstance(node, If) and _secret(node.test, names, sized)) or (
                isinstance(node, For) and _secretly_left(node, names, sized)
            ):
                for part in walk(node):
                    if isinstance(part, Assign):
                        names.update(target_names(part.target))
        if len(names) == before:
            return frozenset(names)


def _secret_items(target: Target, iterable: Any, names: Collection[str], sized: frozenset[str]) -> Iterator[str]:
    """Yield the names in a loop's target that may depend on private answers or noise: a number of an item does not."""
    if isinstance(iterable, Builtin) and isinstance(target, tuple):
        if iterable.function == "enumerate" and len(iterable.arguments) == 1 and len(target) == 2:
            yield from _secret_items(target[1], iterable.arguments[0], names, sized)
            return
        if iterable.function == "zip" and len(target) == len(iterable.arguments):
            for part, items in zip(target, iterable.arguments, strict=True):
                yield from _secret_items(part, items, names, sized)
            return
    if _secret(iterable, names, sized):
        yield from target_names(target)


def _secretly_left(node: For, names: Collection[str], sized: frozenset[str]) -> bool:
    """Tell whether a loop may be left under a secret condition."""
    inside = list(walk(node))
    return any(isinstance(n, Break | Return) for n in inside) and any(
        isinstance(n, If) and _secret(n.test, names, sized) for n in inside
    )


def _secret(node: Any, names: Collection[str], sized: frozenset[str]) -> bool:
    """Tell whether an expression reads noise or a secret name; the length of a private vector is public."""
    if isinstance(node, Draw):
        return True
    if isinstance(node, Name):
        return node.name in names
    if isinstance(node, Call) and any(isinstance(n, Draw | Call) for s in node.function.body for n in walk(s)):
        return True  # it may draw noise
    if isinstance(node, Builtin) and node.function == "len":
        vector = node.arguments[0]
        if isinstance(vector, Name) and vector.name in sized:
            return False
    return any(_secret(child, names, sized) for child in children(node))


def _length(node: Any, scope: _Scope) -> str | None:
    """Return the number of items of an iterable as a public expression, or None."""
    if isinstance(node, Name):
        return scope.lengths.get(node.name)
    if isinstance(node, Builtin):
        sizes = [_length(a, scope) for a in node.arguments]
        if node.function == "enumerate" or (node.function == "zip" and len(set(sizes)) == 1):
            return sizes[0]
        if node.function == "zip":
            return None if None in sizes else f"min({', '.join(map(str, sizes))})"
        if node.function == "largest":
            return _text(node.arguments[1], scope)
        if node.function == "range" and len(node.arguments) == 1:
            return _text(node.arguments[0], scope)
    if isinstance(node, Comprehension) and node.form == "list" and not node.filters:
        return _length(node.iterable, scope)
    return None


def _text(node: Any, scope: _Scope) -> str | None:
    """Write a public expression in terms of the mechanism's parameters; None where that cannot be done."""
    if isinstance(node, Name):
        return scope.texts.get(node.name)
    if isinstance(node, Builtin) and node.function == "len":
        return _length(node.arguments[0], scope)
    if any(isinstance(n, Call | Draw) for n in walk(node)):
        return None
    names = {n.name for n in walk(node) if isinstance(n, Name)}
    return pretty_expression(node) if all(scope.texts.get(n) == n for n in names) else None
