"""What the readers of expressions and statements ask about the names around them."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from alignkit.language.program import Function, Place, Source, SyntaxNode, Target
from alignkit.language.tags import Tag


@dataclass(frozen=True)
class Scope(ABC):
    """The names that may be used where an expression stands, and what they stand for."""

    source: Source
    local: frozenset[str]
    noise_names: frozenset[str]
    noise_vector: str | None  # the name of H in an alignment

    def place(self, node: SyntaxNode) -> Place:
        """Where a node stands in the source."""
        return self.source.place(node)

    @property
    def counted(self) -> frozenset[str]:
        """Names that stand for whole numbers of at least 0 wherever they are read."""
        return frozenset()

    @abstractmethod
    def builtin(self, node: ast.Name) -> str | None:
        """The function of the language that a name stands for, if it does."""

    @abstractmethod
    def constant(self, node: ast.Name) -> Tag:
        """The tag that a name stands for; LanguageError where it stands for something else."""

    @abstractmethod
    def function(self, node: ast.Name) -> FunctionType:
        """The user's own function that a name stands for; LanguageError where it stands for something else."""

    def mechanism(self, node: ast.Name) -> Any:
        """The mechanism (a ``Callee``) that a name stands for; None where it stands for something else."""
        return None

    @abstractmethod
    def helper(self, python: FunctionType, noise: frozenset[str]) -> Function:
        """The program of a function whose parameters ``noise`` are passed the noise."""

    @abstractmethod
    def site(self) -> int:
        """A new number for a call, a draw or a loop."""


def refuse_noise(name: str, node: SyntaxNode, scope: Scope) -> None:
    """LanguageError where a name that is about to be bound is the noise."""
    if name in scope.noise_names or name == scope.noise_vector:
        raise scope.place(node).error(f"`{name}` is the noise and cannot be assigned", "choose another name")


def read_target(node: ast.expr, scope: Scope) -> Target:
    """The names that an assignment, a loop or a comprehension binds."""
    match node:
        case ast.Name(id=name):
            refuse_noise(name, node, scope)
            return name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return tuple(read_target(part, scope) for part in parts)
        case ast.Starred():
            raise scope.place(node).error("a starred target is not in the language", "name every part")
    raise scope.place(node).error("values cannot be changed in place", instead_of_change(node, scope))


def instead_of_change(node: ast.expr, scope: Scope) -> str:
    """What to write instead of a change of an item or an attribute."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name) and node.id == scope.noise_vector:
        return f"{node.id} keeps its values: end with return {node.id}.shift(eta=…)"
    return "build a new value and assign it to a name"
