"""What to write instead of a program that the prover does not cover; docs/undecided.md has an example of each."""

from __future__ import annotations

import re

from alignkit.language.program import Assign, Compare, For, If, Name, target_names, walk

# What the prover says that it does not cover, and what to write instead.
INSTEAD = (
    (
        r"changes in the loop and is not a number",
        "keep numbers in the variables that a loop changes: 1 and 0 for True and False or for two tags, and a variable "
        "for each item of a list",
    ),
    (
        r"a loop over a sequence of symbolic length$",
        "put the condition inside the loop, so that every run comes to the loop",
    ),
    (
        r"a branch inside a sequence of symbolic length",
        "write the function that the comprehension calls without `if` statements, with `a if condition else b` or "
        "clamp, min and max",
    ),
)


def instead_of(problem: str) -> str | None:
    """What to write instead of a program that is not covered for this reason; None where nothing is known to help."""
    words = next((words for pattern, words in INSTEAD if re.search(pattern, problem)), None)
    return None if words is None else f"write instead: {words}"


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
