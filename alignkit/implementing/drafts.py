"""Drafts of mechanisms from the source of functions, each compared with its function before it is shown.

A draft is a guess: what is private, what the parameters are, and how a line of numpy reads in the language. What counts
is the comparison of the function with it (``conformance``).
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import inspect
import linecache
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.errors import InputError, LanguageError
from alignkit.implementing.conformance import Conformance, Conformity, Implementation, implements
from alignkit.implementing.translated_items import DeclinedError, last_name
from alignkit.implementing.translated_statements import Translator
from alignkit.implementing.translated_values import GENERATORS, SAMPLERS

_GENERATOR_NAMES = {"rng", "random_state", "generator", "seed", "rs", "prng", "gen"}
_COUNT_NAMES = {"k", "c", "cutoff", "count", "num", "top", "c_max", "max_count"}
_PUBLIC_NAMES = ("thresh", "lower", "upper", "bound", "sens", "delta", "scale")
_POSITIVE_NAMES = ("sens", "delta", "scale", "width")
_PROPORTION_NAMES = {"theta", "share", "fraction", "ratio", "split"}
# Methods, attributes and functions of lists and arrays.
_OF_LISTS = {
    "size", "shape", "copy", "tolist", "argmax", "argmin", "mean", "len", "asarray", "array", "argsort", "sort", "sum",
    "cumsum", "enumerate", "zip", "atleast_1d", "flatnonzero", "zeros_like", "ones_like",
}  # fmt: skip
_LANGUAGE = (
    "ABOVE", "BELOW", "Count", "Epsilon", "Noise", "Positive", "Proportion", "Queries", "Query", "Real", "Reals", "Tag",
    "clamp", "exp", "largest", "log", "mechanism", "sqrt",
)  # fmt: skip

_NOTHING = 'NOTHING = Tag("NOTHING")'


@dataclass(frozen=True)
class Draft:
    """A mechanism in the language that a function was found to implement, or was not.

    ``text`` is a Python file with the mechanism and the claim; it is empty where the verdict of ``conformance`` is
    neither "implements" nor "cut", since then it is no draft of the function.
    """

    name: str
    text: str
    conformance: Conformance

    @property
    def words(self) -> str:
        """The verdict in words, with the inputs and the noise of a difference."""
        found = self.conformance
        at = f", at {found.line}" if found.line else ""
        if found.verdict is Conformity.CUT:
            return f"cut: no difference on the runs that were followed to their end; not all were: {found.why}{at}"
        if found.verdict is Conformity.IMPLEMENTS:
            return f"{found.function} implements it"
        what = "differs from the function" if found.verdict is Conformity.DIFFERS else "could not be compared with it"
        lines = [f"what the source of {found.function} gives {what}: {found.why}{at}"]
        if found.verdict is Conformity.DIFFERS:
            given = ", ".join(f"{name} = {_shown(value)}" for name, value in found.inputs.items())
            noise = ", ".join(f"{name} = {_shown(value)}" for name, value in found.noise.items())
            lines += [f"  for {given}", f"  and the noise {noise or 'none'},"]
            raised = found.why.startswith("the function raises")
            gives = "" if raised else f"the function gives {_shown(found.of_function)}, and "
            lines += [f"  {gives}the draft {'gives ' if raised else ''}{_shown(found.of_mechanism)}"]
        return "\n".join(lines)


def _shown(value: Any) -> str:
    """A value of a difference as a reader expects it."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, Fraction):
        return str(value) if len(str(value)) < 12 else repr(float(value))
    return str(value)


def draft(
    function: Callable[..., Any], *, name: str = "", private: Sequence[str] = (), n: int = 3, k: int = 2
) -> Draft:
    """Write a function as a mechanism, and compare both.

    ``private`` names the parameters that hold private answers; without it they are guessed. LanguageError says which
    line of the function is not translated, and what to write by hand; InputError that a parameter must be named.
    ``n`` and ``k`` are those of ``Implementation.check``.
    """
    reading = _Reading(function, private)
    title = name or reading.tree.name
    if title in {*_LANGUAGE, *reading.kinds, "NOTHING", "claim", "implements", "np"}:
        raise InputError(f"{title} means something else in the draft; choose another name")
    source = reading.mechanism(title)
    try:
        made = _defined(source, title)
    except LanguageError as problem:
        words = f"what its source gives, `{problem.source.strip()}`, is outside the language: {problem.problem}"
        raise reading.error(reading.tree, words, problem.hint or "write the mechanism by hand") from None
    claim, call, post = reading.claim(made)
    conformance = claim.check(n=n, k=k)
    shown = conformance.verdict in (Conformity.IMPLEMENTS, Conformity.CUT)
    text = reading.file(title, source, call, post, conformance) if shown else ""
    return Draft(title, text, conformance)


def _defined(source: str, title: str) -> Any:
    """What the text of a mechanism defines; its source can be read back as from a file."""
    file = f"<draft {hashlib.sha256(source.encode()).hexdigest()[:16]}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    known: dict[str, Any] = {"__name__": f"draft_of_{title}"}
    exec(compile(source, file, "exec", dont_inherit=True), known)
    return known[title]


class _Reading:
    """A function's source, and what its parameters are taken for."""

    def __init__(self, function: Callable[..., Any], private: Sequence[str]) -> None:
        self.function = function
        try:
            lines, first = inspect.getsourcelines(function)
            self.file_name = inspect.getsourcefile(function) or "<unknown>"
            [tree] = ast.parse(textwrap.dedent("".join(lines))).body
        except (OSError, TypeError, SyntaxError, ValueError):
            raise InputError("the source of the function cannot be read; write the mechanism by hand") from None
        if not isinstance(tree, ast.FunctionDef) or function.__qualname__ != tree.name:
            raise InputError("a draft is made of a function that stands by itself in its module; write it by hand")
        ast.increment_lineno(tree, max(first, 1) - 1)
        self.tree, self.signature = tree, inspect.signature(function)
        self.generators = {n.targets[0].id for n in self._of(ast.Assign) if _makes_generator(n)}
        for parameter in self.signature.parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise self.error(tree, f"the parameter `*{parameter.name}` is not translated", "write it by hand")
        self._sort(private)

    def _of(self, kind: type[Any]) -> Iterator[Any]:
        return (node for node in ast.walk(self.tree) if isinstance(node, kind))

    def error(self, node: ast.AST, problem: str, hint: str) -> LanguageError:
        """The error for a place that is not translated."""
        line = getattr(node, "lineno", self.tree.lineno)
        text = linecache.getline(self.file_name, line)
        indent = len(text) - len(text.lstrip())
        column = indent if node is self.tree else getattr(node, "col_offset", 0) + self._dedented()
        width = len(text.rstrip()) - column
        end = getattr(node, "end_col_offset", None)
        if end is not None and getattr(node, "end_lineno", line) == line:
            width = end + self._dedented() - column
        return LanguageError(f"no draft: {problem}", file=self.file_name, line=line, column=column, source=text,
                             width=width, hint=hint)  # fmt: skip

    def _dedented(self) -> int:
        text = linecache.getline(self.file_name, self.tree.lineno)
        return len(text) - len(text.lstrip())

    # What the parameters are

    def _sort(self, private: Sequence[str]) -> None:
        """Say of each parameter what it is."""
        self.fixed: dict[str, Any] = {}
        self.dropped: dict[str, bool] = {}
        names = []
        for name, parameter in self.signature.parameters.items():
            default = parameter.default
            if name in _GENERATOR_NAMES:
                self.dropped[name] = default is not parameter.empty
                self.generators.add(name)
            elif default is None or isinstance(default, bool | str):
                self.fixed[name] = default
            else:
                names.append(name)
        for name in private:
            if name not in self.signature.parameters:
                raise InputError(f"--private {name}: the function has no such parameter ({', '.join(names)})")
            if name not in names:
                names.append(name)
                self.fixed.pop(name, None)
        self.vectors = {name for name in names if self._is_list(name)}
        self.private = list(private) or self._guessed(names)
        order = [name for name in names if name in self.private] + [n for n in names if n not in self.private]
        self.kinds = {name: self._kind(name) for name in order}

    def _is_list(self, name: str) -> bool:
        annotation = str(self.signature.parameters[name].annotation)
        if any(word in annotation.lower() for word in ("ndarray", "sequence", "list", "iterable", "arraylike")):
            return True
        for node in ast.walk(self.tree):
            match node:
                case ast.For(_, ast.Name(found)) | ast.comprehension(_, ast.Name(found)) if found == name:
                    return True
                case ast.Subscript(ast.Name(found)) if found == name:
                    return True
                case ast.Attribute(ast.Name(found), attribute) if found == name and attribute in _OF_LISTS:
                    return True
                case ast.Call(called, arguments) if last_name(called) in _OF_LISTS:
                    if any(last_name(argument) == name for argument in arguments):
                        return True
        return False

    def _guessed(self, names: list[str]) -> list[str]:
        """The private parameters: a list, or a number that noise is added to."""
        def public(name: str) -> bool:
            budget_or_count = _is_budget(name) or name in _COUNT_NAMES | _PROPORTION_NAMES or name == "T"
            return budget_or_count or any(word in name.lower() for word in _PUBLIC_NAMES)

        likely = [n for n in names if n in self.vectors and not public(n)]
        likely = likely or [n for n in names if not public(n) and n in self._noisy()]
        likely = likely or [n for n in names if not public(n)]
        if len(likely) != 1:
            said = f"{' or '.join(likely)} may be private" if likely else "it is not seen which parameter is private"
            raise InputError(f"no draft of {self.tree.name}: {said}; name it with --private NAME ({', '.join(names)})")
        return likely

    def _noisy(self) -> set[str]:
        """The names to which noise is added."""
        noise = {last_name(n.targets[0]) for n in self._of(ast.Assign) if _draws(n.value)}
        found = set()
        for node in ast.walk(self.tree):
            match node:
                case ast.BinOp(one, ast.Add(), other):
                    for a, b in ((one, other), (other, one)):
                        if isinstance(a, ast.Name) and (_draws(b) or last_name(b) in noise):
                            found.add(a.id)
                case ast.Call(_, [ast.Name(location), _, *_]) if _draws(node):
                    found.add(location)
                case ast.Call(_, _, keywords) if _draws(node):
                    found |= {last_name(k.value) for k in keywords if k.arg == "loc"}
        return found

    def _kind(self, name: str) -> str:
        if name in self.private:
            return "Queries" if name in self.vectors else "Query"
        if name in self.vectors:
            return "Reals"
        if _is_budget(name):
            return "Epsilon"
        if name in _PROPORTION_NAMES:
            return "Proportion"
        counters = {last_name(n.target) for n in self._of(ast.AugAssign)}
        compared = [{last_name(part) for part in (n.left, *n.comparators)} for n in self._of(ast.Compare)]
        cut = {last_name(part) for n in self._of(ast.Slice) for part in ast.walk(n)}
        ranges = {last_name(a) for n in self._of(ast.Call) if last_name(n.func) == "range" for a in n.args}
        if name in _COUNT_NAMES | cut | ranges or any(name in found and found & counters for found in compared):
            return "Count"
        scales = [n.right for n in self._of(ast.BinOp) if isinstance(n.op, ast.Div)]
        scales += [n.left for n in self._of(ast.BinOp) if isinstance(n.op, ast.Div)]
        within = {last_name(part) for scale in scales for part in ast.walk(scale)}
        positive = any(word in name.lower() for word in _POSITIVE_NAMES) or name in within
        return "Positive" if positive else "Real"

    # What is written

    def mechanism(self, title: str) -> str:
        """The text of the mechanism, with its imports."""
        noise = "noise" if "noise" not in self.kinds else "noise_source"
        fixed = self.fixed | {name: None for name, has_default in self.dropped.items() if has_default}
        self.translator = Translator(
            self.tree, set(self.vectors), fixed, self.function.__globals__, set(self.generators), list(self.kinds),
            noise,
        )  # fmt: skip
        try:
            body = self.translator.translated()
        except DeclinedError as problem:
            raise self.error(problem.node, problem.problem, problem.hint) from None
        if not any(_names_noise(one, noise) for one in body):
            raise self.error(self.tree, "it draws no noise that is seen here", "write the mechanism by hand")
        parameters = ", ".join(f"{name}: {kind}" for name, kind in self.kinds.items())
        written = _bare("\n".join(ast.unparse(ast.fix_missing_locations(one)) for one in body))
        lines = [re.sub(r"^( *)(\w+), = ", r"\1(\2,) = ", line) for line in written.splitlines()]
        named = f"{self.function.__module__}:{self.function.__qualname__}"
        tag = f"\n{_NOTHING}\n" if self.translator.nothing else ""
        text = [f"{tag}\n@mechanism", f"def {title}({parameters}, {noise}: Noise):", f'    """What {named} does."""']
        text += [f"    {line}" for line in lines]
        used = {n.id for n in ast.walk(ast.parse("\n".join(text))) if isinstance(n, ast.Name)}
        return f"from alignkit import {', '.join(n for n in _LANGUAGE if n in used)}\n" + "\n".join(text) + "\n"

    def claim(self, made: Any) -> tuple[Implementation, str, str]:
        """The claim that the function implements a mechanism, and its parts as source."""
        passed: list[str] = []
        first = next(iter(self.signature.parameters))
        for name, parameter in self.signature.parameters.items():
            if name in self.kinds or self.dropped.get(name) is False:
                value = name if name in self.kinds else "np.random.default_rng()"
                by_place = parameter.kind == parameter.POSITIONAL_ONLY or (not passed and name == first)
                passed.append(value if by_place else f"{name}={value}")
        function = "f" if "f" not in self.kinds else "function"
        call = f"lambda {function}, {', '.join(self.kinds)}: {function}({', '.join(passed)})"
        post = "list" if any(self._of(ast.Yield)) else ""
        if self.translator.nothing:
            listed = "[NOTHING if x is None else x for x in out]"
            post = f"lambda out: {listed if self.translator.yields else 'NOTHING if out is None else out'}"
        names = {"np": np, "NOTHING": made.python.__globals__.get("NOTHING")}
        called, posted = eval(call, dict(names)), eval(post, dict(names)) if post else None
        return implements(made, call=called, post=posted)(self.function), call, post

    def file(self, title: str, source: str, call: str, post: str, found: Conformance) -> str:
        """The file with the mechanism and the claim, and in comments what was guessed and what was compared."""
        module, own = self.function.__module__, self.function.__qualname__
        imported = own if own != title else f"{own}_that_ships"
        secret = " and ".join(self.private)
        public = [f"{name} ({kind})" for name, kind in self.kinds.items() if name not in self.private]
        defaults = "".join(f" {name} is {value!r}." for name, value in self.fixed.items())
        defaults += "".join(f" {name} is left out." for name, default in self.dropped.items() if default)
        sizes = [f"lists up to {found.n}"] if self.vectors else []
        sizes += [f"counts up to {found.k}"] if "Count" in self.kinds.values() else []
        paths = f"for all real inputs, on {found.paths} path{'s' if found.paths != 1 else ''}"
        where = f"{'for ' + ' and '.join(sizes) + ', ' if sizes else ''}{paths}, and in {found.float_runs} float runs"
        comments = [
            f"Taken for private: {secret}. For public: {', '.join(public) or 'nothing'}.{defaults}",
            f"The sensitivity of answers cannot be read from code: that of {secret} is taken to be 1.",
            f"Compared with {module}:{own}: {found.verdict}, {where}. Noise: {found.rule}.",
        ]
        if found.verdict is Conformity.CUT:
            comments.append(f"Longer runs were not followed: {found.why}.")
        undefined = f", such as: {'; '.join(found.refusals)}" if found.refusals else ""
        comments.append(f"Nothing is compared where one of both is not defined{undefined}.")
        wrapped = "\n".join(f"# {line}" for text in comments for line in textwrap.wrap(text, 116))
        statement = f"claim = implements({title}, call={call}{', post=' + post if post else ''})({imported})"
        if len(statement) > 120:
            further = f"    post={post},\n" if post else ""
            broken = call if len(call) < 110 else call.replace(": f(", ": f(\n        ")[:-1] + ",\n    )"
            statement = f"claim = implements(\n    {title},\n    call={broken},\n{further})({imported})"
        imports, tag, mechanism = source.partition("\n")[0], "", source[source.index("@mechanism") :]
        if self.translator.nothing:
            tag = f"\n{_NOTHING}\n"
        numbers = "import numpy as np\n" if "np." in call else ""
        alias = "" if imported == own else f" as {imported}"
        return (
            f'"""A draft of a mechanism, made from the source of {module}:{own}."""\n\n{numbers}from {module} import '
            f"{own}{alias}\n\n{imports}\nfrom alignkit.implementing import implements\n{tag}\n\n{wrapped}\n"
            f"{mechanism}\n\n{statement}\n"
        )


def _bare(text: str) -> str:
    """The same statements without parentheses that say nothing."""
    place = text.find("(")
    while place >= 0:
        depth = 0
        for end in range(place, len(text)):
            depth += (text[end] == "(") - (text[end] == ")")
            if depth == 0:
                break
        without = text[:place] + text[place + 1 : end] + text[end + 1 :]
        with contextlib.suppress(SyntaxError):
            if ast.dump(_inside(without)) == ast.dump(_inside(text)):
                text = without
                place -= 1
        place = text.find("(", place + 1)
    return text


def _inside(body: str) -> ast.Module:
    return ast.parse("def f():\n" + textwrap.indent(body, "    "))


def _makes_generator(node: ast.Assign) -> bool:
    made = isinstance(node.value, ast.Call) and last_name(node.value.func) in GENERATORS
    return made and isinstance(node.targets[0], ast.Name)


def _draws(node: ast.expr) -> bool:
    """Whether an expression is a draw, or made of one by arithmetic."""
    calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)]
    return any(last_name(c.func) in SAMPLERS for c in calls)


def _names_noise(statement: ast.stmt, noise: str) -> bool:
    return any(isinstance(node, ast.Attribute) and last_name(node.value) == noise for node in ast.walk(statement))


def _is_budget(name: str) -> bool:
    return "eps" in name.lower() or "budget" in name.lower()
