"""Claims as a command line states them: a function by its name, a mechanism, and expressions for call and noise.

The code of users is imported where it is named, and expressions are run as Python.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from alignkit.catalogue import Problem, load, module_with_alignments, python_files
from alignkit.catalogue.failures import import_failures
from alignkit.errors import AlignkitError, InputError, TargetError
from alignkit.implementing.catalogue_search import CatalogueAnswer, mechanisms_implemented, other_mechanisms
from alignkit.implementing.conformance import Implementation, implementations, implements
from alignkit.implementing.tapes import NoiseDraw
from alignkit.reporting.sentences import file_shown
from alignkit.running.alignment_decorator import Alignment

_DRAWS = {
    name: getattr(NoiseDraw, name) for name, value in sorted(vars(NoiseDraw).items()) if isinstance(value, staticmethod)
}


@dataclass(frozen=True)
class ClaimText:
    """A claim in words. ``target`` is ``package.module:function``, ``FILE.py::function``, or a file with claims.

    ``mechanism`` is a name of the catalogue or ``FILE.py::NAME``; None asks which one it is, or takes the claims of the
    file. ``call`` is an expression over ``f`` and parameters, ``samplers`` are such as ``module:function=laplace(1)``,
    ``answers`` such as ``module:function=q``.
    """

    target: str
    mechanism: str | None = None
    call: str | None = None
    post: str | None = None
    samplers: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()

    @property
    def flags(self) -> str:
        """The first flag that states something of a function, "" where there is none."""
        stated = {"--as": self.mechanism, "--call": self.call, "--post": self.post, "--sampler": self.samplers,
                  "--answers": self.answers}  # fmt: skip
        return next((flag for flag, value in stated.items() if value), "")


@dataclass(frozen=True)
class StatedClaim:
    """A claim with its place; ``claim`` is None where no mechanism was named. ``ask`` asks the catalogue for others."""

    label: str
    claim: Implementation | None
    ask: Callable[..., CatalogueAnswer]
    call: str = ""
    file: str | None = None
    line: int | None = None


def claims_of_targets(text: ClaimText, targets: Sequence[str], *, named: bool) -> list[StatedClaim | Problem]:
    """The claims of targets as `alignkit check` takes them, each once, then what could not be used.

    Targets of a project, which nobody ``named``, and the files of a folder need hold none. Raises TargetError or
    InputError where there is nothing but one problem.
    """
    problems: list[Problem] = []
    found: dict[int, StatedClaim] = {}
    for target in targets:
        place = target.partition("::")[0]
        if not named and not os.path.exists(place):
            continue  # of the catalogue, which claims nothing
        folder = os.path.isdir(target)
        for file in python_files(target, problems) if folder else [target]:
            try:
                for stated in stated_claims(replace(text, target=file), required=named and not folder):
                    found.setdefault(id(stated if stated.claim is None else stated.claim), stated)
            except AlignkitError as error:
                problems.append(Problem(file, error))
    if not found and not problems:
        where = ", ".join(map(file_shown, targets))
        raise TargetError(f"{where}: no claim; write one with implements(…)(function), or name a function")
    if not found and len(problems) == 1:
        raise problems[0].error
    return [*found.values(), *problems]


def stated_claims(text: ClaimText, *, required: bool = True) -> list[StatedClaim]:
    """The claims that a text states. Raises TargetError or InputError where it cannot be used.

    Where none is ``required``, a file may hold none, and a name in it may be that of something else.
    """
    place, separator, name = text.target.rpartition("::")
    if separator or text.target.endswith(".py") or os.sep in text.target:
        file = place if separator else text.target
        module, _ = module_with_alignments(file)
        held = {key: claim for key, claim in implementations(module) if not separator or key == name}
        if held and text.flags:
            raise InputError(f"{text.target} states its own claim: leave {text.flags} out")
        if held:
            return claims_of_module(module, file, held)
        if not required:
            return []
        if not separator:
            raise TargetError(f"{file} holds no claim; write one with implements(…)(function), or name a function")
        function = getattr(module, name, None)
        if function is None:
            raise TargetError(f"{text.target}: {file} has no {name}")
    else:
        function = _imported(text.target)
    return [_of_function(text, function)]


def claims_of_module(module: Any, file: str, held: dict[str, Implementation]) -> list[StatedClaim]:
    """Claims under the names that they have in a module, each once, with their lines."""
    lines = _lines(file)
    once = {id(claim): (name, claim) for name, claim in reversed(held.items())}
    return [
        StatedClaim(f"{file_shown(file)}::{name}", claim, _asking(claim), "", file, lines.get(name))
        for name, claim in sorted(once.values(), key=lambda item: lines.get(item[0], 0))
    ]


def _asking(claim: Implementation) -> Callable[..., CatalogueAnswer]:
    return lambda **settings: other_mechanisms(claim, **settings)


def _of_function(text: ClaimText, function: Any) -> StatedClaim:
    if not callable(function) or isinstance(function, Implementation):
        raise TargetError(f"{text.target} is no function but {type(function).__name__}")
    stated: dict[str, Any] = {
        "call": None if text.call is None else called_as(text.call),
        "post": None if text.post is None else _function_at(text.post),
        "samplers": dict(map(_sampler, text.samplers)),
        "answers": dict(_halves("--answers", answer) for answer in text.answers),
    }
    code = getattr(function, "__code__", None)
    file, line = (None, None) if code is None else (code.co_filename, code.co_firstlineno)
    if text.mechanism is None:
        asked = lambda **settings: mechanisms_implemented(function, **stated, **settings)  # noqa: E731
        return StatedClaim(text.target, None, asked, text.call or "", file, line)
    mechanism = load(text.mechanism)
    claim = implements(mechanism.mechanism if isinstance(mechanism, Alignment) else mechanism, **stated)(function)
    return StatedClaim(text.target, claim, _asking(claim), text.call or "", file, line)


def called_as(expression: str) -> Callable[..., Any]:
    """A function that calls ``f`` as an expression says; its parameters are the names in it, in their order.

    >>> import inspect
    >>> inspect.signature(called_as("f(q, threshold=T, epsilon=eps / 2)"))
    <Signature (f, q, T, eps)>
    """
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError) as problem:
        raise InputError(f"--call {expression}: this is no Python expression: {problem}") from None
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
    nodes.sort(key=lambda node: (node.lineno, node.col_offset))
    own = {"f", "np", *bound, *vars(builtins)}
    names = dict.fromkeys(node.id for node in nodes if node.id not in own)
    if not any(node.id == "f" for node in nodes):
        raise InputError(f"--call {expression}: write an expression that calls f, such as f(q, epsilon=eps)")
    made: Callable[..., Any] = eval(f"lambda {', '.join(['f', *names])}: ({expression})", {"np": np})
    return made


def _function_at(target: str) -> Callable[..., Any]:
    """A function of a file, ``FILE.py::NAME``, or of a module, ``package.module:function``."""
    if "::" not in target:
        found: Callable[..., Any] = _imported(target)
        return found
    file, _, name = target.rpartition("::")
    module, _ = module_with_alignments(file)
    function: Callable[..., Any] | None = getattr(module, name, None)
    if not callable(function):
        raise TargetError(f"{target}: {file} has no function {name}")
    return function


def _imported(target: str) -> Any:
    name, separator, path = target.partition(":")
    if not separator or not path or not all(part.isidentifier() for part in name.split(".")):
        raise TargetError(f"{target} names no function: write package.module:function, or FILE.py::NAME")
    with import_failures(Path(name)):
        value: Any = importlib.import_module(name)
    for part in path.split("."):
        if not hasattr(value, part):
            raise TargetError(f"{target}: {name} has no {path}")
        value = getattr(value, part)
    return value


def _halves(flag: str, text: str) -> tuple[str, str]:
    target, separator, value = (part.strip() for part in text.partition("="))
    if not separator or not value or ":" not in target:
        raise InputError(f"{flag} {text}: write module:function=…")
    return target, value


def _sampler(text: str) -> tuple[str, Any]:
    target, draws = _halves("--sampler", text)
    try:
        return target, eval(draws, {**_DRAWS, "np": np})
    except Exception as problem:
        choices = ", ".join(_DRAWS)
        raise InputError(
            f"--sampler {text}: {draws} is not understood ({problem}); write a draw such as laplace(1), or lambda "
            f"scale: laplace(scale); there are {choices}"
        ) from None


def _lines(file: str) -> dict[str, int]:
    """The lines at which a file binds names at its top level."""
    try:
        body = ast.parse(Path(file).read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[str, int] = {}
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found[statement.name] = statement.lineno
        for node in ast.walk(statement) if isinstance(statement, ast.Assign | ast.AnnAssign) else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found[node.id] = statement.lineno
    return found
