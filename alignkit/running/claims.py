"""The claim beside an alignment: an expression of public parameters, lengths of lists and sums of public ones.

The length of a list of answers is public, because adjacent databases have equally many answers.

A claim that names ``omega`` is ex-post: dP_D(ω) <= exp(ε(ω)) dP_D′(ω) at every output ω. Like an alignment, it may read
the output's discrete part only, and of that only lengths: two outputs of the same length have the same claim.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from alignkit.language.inference import check_text
from alignkit.language.program import (
    Arithmetic,
    Builtin,
    Comprehension,
    Constant,
    Expression,
    Item,
    Name,
    Place,
    children,
    walk,
)
from alignkit.language.texts import read_text
from alignkit.running.mechanism_program import MechanismProgram

OMEGA = "omega"


def read_claim(text: str, mechanism: MechanismProgram, at: Place) -> tuple[Expression, bool]:
    """The claim's expression, and whether it depends on the output; LanguageError points into the text."""
    names = {n: mechanism.kind(n) for n, k in mechanism.public.items() if not k.vector}
    names[OMEGA] = mechanism.kinds.output
    lists = {n: mechanism.kind(n) for n, k in mechanism.parameters.items() if k.vector and n != OMEGA}
    names |= lists
    stated = read_text(text, names, "claim", at)
    _check_lists(stated, lists, mechanism.public)
    for node in walk(stated):
        if isinstance(node, Arithmetic) and node.operator in ("/", "//", "%") and _is_zero(node.right):
            raise node.place.error("the claim divides by zero", "write for example eps / 2")
    ex_post = _reads_length(stated)
    check_text(stated, names, condition=False)
    return stated, ex_post


def read_delta(text: str, mechanism: MechanismProgram, at: Place) -> Expression:
    """The expression of a claim's delta, which reads public values and lengths; LanguageError points into the text."""
    stated, reads_output = read_claim(text, mechanism, at)
    if reads_output:
        raise stated.place.error("delta may not depend on the output", "give a bound on it for all outputs")
    return stated


def lists_in_claim(claim: Any, mechanism: MechanismProgram) -> frozenset[str]:
    """The lists of the mechanism whose lengths or sums a claim reads."""
    lists = {n for n, kind in mechanism.parameters.items() if kind.vector and n != OMEGA}
    return frozenset(node.name for node in walk(claim) if isinstance(node, Name) and node.name in lists)


def _check_lists(node: Any, lists: Container[str], public: Container[str]) -> None:
    """Raise LanguageError where a claim reads anything of a list but its length, or its sum if the list is public."""
    if isinstance(node, Builtin) and isinstance(node.arguments[0], Name):
        name = node.arguments[0].name
        if node.function == "len" or (node.function == "sum" and name in public):
            return
    if isinstance(node, Builtin) and node.function == "sum" and isinstance(node.arguments[0], Comprehension):
        items = node.arguments[0]
        if isinstance(items.iterable, Name) and items.iterable.name in public and not items.filters:
            _check_lists(items.element, lists, public)
            return
    if isinstance(node, Name) and node.name in lists:
        words, hint = "the length only", f"write len({node.name})"
        if node.name in public:
            words, hint = "its length and its sum only", f"write len({node.name}) or sum({node.name})"
        raise node.place.error(f"the claim reads the list `{node.name}`; it may read {words}", hint)
    for child in children(node):
        _check_lists(child, lists, public)


def _reads_length(node: Any) -> bool:
    """Whether an expression reads the length of the output; LanguageError where it reads anything else of it."""
    if isinstance(node, Builtin) and node.function == "len" and _is_output(node.arguments[0]):
        return True
    if isinstance(node, Name) and node.name == OMEGA:
        raise node.place.error(
            "the claim reads the output itself; the condition countable allows its discrete part only",
            f"write len({OMEGA})",
        )
    parts = [_reads_length(child) for child in children(node)]  # a list, so that an error in any of them is raised
    return any(parts)


def _is_zero(node: Any) -> bool:
    return isinstance(node, Constant) and not node.value


def _is_output(node: Any) -> bool:
    """Whether a node is omega itself, or its part at a constant position."""
    if isinstance(node, Item):
        return isinstance(node.index, Constant) and _is_output(node.sequence)
    return isinstance(node, Name) and node.name == OMEGA
