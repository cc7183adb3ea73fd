"""Limits of the noise: outside of them an alignment need not be right, and the delta of its claim pays for that.

A limit is a number for each pair of adjacent databases and each draw: it reads the answers on D and D′, public values
and positions, and neither the output nor the noise. What a limit depends on is found without regard to the order of
statements, which errs towards more.
"""

from __future__ import annotations

from collections.abc import Iterable

from alignkit.language.program import (
    Assign,
    For,
    Function,
    If,
    Name,
    NamedLimit,
    Node,
    NoiseValue,
    Place,
    Return,
    ShiftExpression,
    Statement,
    target_names,
    walk,
)

HINT = "let limits read q, q_, public values and positions only"


def check_limits(program: Function) -> Place | None:
    """Where the first limit of an alignment is stated; LanguageError where one reads the output or the noise."""
    limits = [limit for node in walk(*program.body) if isinstance(node, ShiftExpression) for limit in node.limits]
    if not limits:
        return None
    sources: list[Node] = [part for limit in limits for part in (limit.value, limit.given)]
    # Which statement returns the limits is part of what they depend on.
    sources += _tests_around(program.body, frozenset(), returns=True)
    known: set[str] = set()
    while True:
        _refuse_output_and_noise(sources, limits)
        names = {node.name for source in sources for node in walk(source) if isinstance(node, Name)} - known
        if not names:
            return limits[0].place
        known |= names
        sources = _tests_around(program.body, frozenset(names), returns=False)


def _refuse_output_and_noise(sources: Iterable[Node], limits: list[NamedLimit]) -> None:
    for source in sources:
        for node in walk(source):
            if isinstance(node, NoiseValue):
                raise limits[0].place.error(f"a limit depends on the noise H.{node.name}", HINT)
            if isinstance(node, Name) and node.name == "omega":
                raise limits[0].place.error("a limit depends on the output omega", HINT)


def _tests_around(body: Iterable[Statement], names: frozenset[str], *, returns: bool) -> list[Node]:
    """What decides the values of names, or with ``returns`` which statement returns: values, tests and iterables."""
    found: list[Node] = []
    for statement in body:
        if isinstance(statement, Assign) and names & {*target_names(statement.target)}:
            found.append(statement.value)
        inside: tuple[Statement, ...] = ()
        if isinstance(statement, If):
            inside, head = (*statement.then, *statement.other), statement.test
        elif isinstance(statement, For):
            inside, head = statement.body, statement.iterable
            if names & {*target_names(statement.target)}:
                found.append(head)
        if inside:
            below = _tests_around(inside, names, returns=returns)
            matters = bool(below) or (returns and any(isinstance(node, Return) for node in walk(*inside)))
            # A loop may be left, or an iteration be skipped, by any test inside.
            found += [*below, *([head] if matters else [])]
            if matters and isinstance(statement, For):
                found += [node.test for node in walk(*inside) if isinstance(node, If)]
    return found
