"""What to write instead of a program that the prover does not cover; docs/undecided.md has an example of each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from alignkit.interpreting.context import LOOP_NOT_COVERED
from alignkit.language.program import Assign, Compare, For, Function, If, Name, Statement, target_names, walk

# What the prover says that it does not cover, and what to write instead.
INSTEAD = (
    (
        r"changes in the loop and is not a number",
        "keep numbers in the variables that a loop changes: 1 and 0 for True and False or for two tags, and a variable "
        "for each item of a list",
    ),
    (
        r"a loop inside two loops$",
        "make one loop of the two outer ones, such as `for r in range(k * m)`",
    ),
    (
        r"a loop that only some runs come to$",
        "put the condition inside the loop, so that every run comes to the loop",
    ),
    (
        r"a branch inside a sequence of symbolic length",
        "write the function that the comprehension calls without `if` statements, with `a if condition else b` or "
        "clamp, min and max",
    ),
    (
        r"a list of draws of symbolic length inside a loop",
        "draw in a loop inside the loop, one after the other, and yield each output there",
    ),
    (
        r"a return inside a loop in a loop",
        "yield an output in every iteration; whoever wants the first one takes it from the outputs",
    ),
    (
        r"a range of \d+ numbers",
        "make the number of iterations a parameter, such as `k: Count`, and loop over `range(k)`",
    ),
    (
        r"`in` for a sequence of symbolic length that does not list selected positions",
        "take a list with a number for each position, and ask for the item there: `marked[i] > 0`",
    ),
    (
        r"an item is read of a list that the loop makes longer",
        "keep the item in a variable of its own, and read that",
    ),
    (
        r"an alignment or a claim that reads the output of a loop inside a loop",
        "leave out `omega`: claim a bound in the public parameters, such as len(T) * eps, and let shifts cover what "
        "the answers change by",
    ),
)


def instead_of(problem: str, program: Function) -> str | None:
    """What to write instead of a program that is not covered for this reason; None where nothing is known to help."""
    reason = _where_it_stands(problem, program) if problem.endswith(LOOP_NOT_COVERED) else problem
    words = next((words for pattern, words in INSTEAD if re.search(pattern, reason)), None)
    return None if words is None else f"write instead: {words}"


def _where_it_stands(problem: str, program: Function) -> str:
    """What is unusual about the place of a loop that is not covered, in a word; empty where nothing shows."""
    line = re.match(r"line (\d+):", problem)
    for around in _ways_to_loops(program.body, ()):
        if line is not None and around[-1].place.line == int(line[1]):
            if sum(isinstance(node, For) for node in around) > 2:
                return "a loop inside two loops"
            if any(isinstance(node, If) for node in around):
                return "a loop that only some runs come to"
    return ""


def _ways_to_loops(body: tuple[Statement, ...], around: tuple[Statement, ...]) -> Iterator[tuple[Statement, ...]]:
    """Each loop after the statements that it stands in."""
    for node in body:
        if isinstance(node, For):
            yield (*around, node)
            yield from _ways_to_loops(node.body, (*around, node))
        elif isinstance(node, If):
            yield from _ways_to_loops(node.then, (*around, node))
            yield from _ways_to_loops(node.other, (*around, node))


def running_extremes(loop: For) -> dict[str, str]:
    """The variables of a loop that keep the largest or the smallest value so far, with what to write instead."""
    advice = {}
    for node in walk(*loop.body):
        if isinstance(node, If):
            stored = {name for s in node.then if isinstance(s, Assign) for name in target_names(s.target)}
            for test in walk(node.test):
                if isinstance(test, Compare) and test.operator in (">", ">=", "<", "<="):
                    for side, other in ((test.left, "<"), (test.right, ">")):
                        if isinstance(side, Name) and side.name in stored:
                            largest = test.operator.startswith(other)
                            advice[side.name] = _by_largest(side.name, largest=largest)
    return advice


def _by_largest(name: str, *, largest: bool) -> str:
    extreme, values = ("largest", "values") if largest else ("smallest", "[-x for x in values]")
    return (
        f"write instead: `{name}` keeps the {extreme} value so far; put all values in a list, and select the index "
        f"with (best,) = largest({values}, 1)"
    )
