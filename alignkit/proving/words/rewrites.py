"""What to write instead of a program that the prover does not cover; docs/undecided.md has an example of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from alignkit.errors import Unsupported
from alignkit.interpreting.context import BRANCH_NOT_COVERED, LOOP_NOT_COVERED
from alignkit.language.program import (
    Assign,
    Builtin,
    Call,
    Choice,
    Compare,
    Expression,
    For,
    Function,
    If,
    Joined,
    MechanismCall,
    Name,
    Place,
    Sequence,
    Statement,
    Target,
    walk,
)
from alignkit.proving.conditions.lemma_obligations import AS_ADJACENT
from alignkit.proving.kernel import Proof
from alignkit.proving.proposals.invariants_to_try import as_written
from alignkit.proving.runs.grown_lists import READS_GROWN
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.verdicts import Verdict

# What the prover says that it does not cover, and what to write instead.
INSTEAD = (
    (
        r"changes in the loop and is neither a number nor a list of numbers that keeps its length",
        "keep numbers or Booleans in the variables that a loop changes, such as True and False for two tags",
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
        r"which its loop changes, is not shown",
        "let the loop of the alignment keep what the mechanism's loop keeps on D or on D', or the difference of the "
        "two",
    ),
    (
        r"a loop in an alignment$|loops? of the alignment",
        "append one item to each list in every iteration over the output, or write the shifts as a comprehension, such "
        "as `[2 if w is ABOVE else 0 for w in omega]`",
    ),
    (
        r"a choice inside a sequence$",
        "let the comprehension choose between numbers, `1 if condition else 0`, or put out tags one by one in a loop",
    ),
    (
        r"a branch of a function inside a sequence$",
        "write the function that the comprehension calls without `if` statements, with `a if condition else b` or "
        "clamp, min and max",
    ),
    (
        r"a filtered list of symbolic length is read, of which sums, counts and lists can be made, and no more$",
        "keep all items, and let a public number stand for each that is left out, `[x if condition else 0 for x in q]`",
    ),
    (
        r"an item of a list of fixed length, read inside",
        "choose among the items by conditions, `t0 if i % 2 == 0 else t1`",
    ),
    (
        r"a sum of noisy items in more than one list or loop of symbolic length$",
        "put out the list itself; whoever wants sums of it adds them up",
    ),
    (
        r"a sum .* depend on the position in a list or loop around it$",
        "take the sums over a list of fixed length, `for t in (t0, t1)`, with a parameter for each item",
    ),
    (
        r"the invariant .* division by zero$",
        "multiply both sides of the invariant by what it divides by",
    ),
    (
        r"a list of draws of symbolic length inside loops in loops",
        "count both loops by one, `for r in range(k * m)`; or draw the list in a mechanism of its own, which the loop "
        "calls by its lemma",
    ),
    (
        r"a list of draws inside a loop whose length is not one public number",
        "draw as many in every iteration as in any, and use those that are needed",
    ),
    (
        r"a return inside a loop in a loop",
        "yield an output in every iteration; whoever wants the first one takes it from the outputs",
    ),
    (
        r"power of a number that is not known$",
        "keep the power in a variable that the loop multiplies, `share = r * share`",
    ),
    (
        r"(any|all) that differs from element to element",
        "let shifts ask for outputs so far, which a loop of the alignment may keep; where a threshold moves for an "
        "answer still to come, move each, and claim what one costs times their number",
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
        READS_GROWN,
        "keep the item in a variable of its own, and read that",
    ),
    (
        r"a loop inside a loop, with an alignment that takes the output or a claim that reads it",
        "leave out `omega`: claim a bound in the public parameters, such as len(T) * eps, and let shifts cover what "
        "the answers change by; or run the inner loop in a mechanism of its own, which the outer one calls by its "
        "lemma",
    ),
)


def instead_of(problem: Exception, alignment: AlignmentProgram) -> str | None:
    """What to write instead of a program that is not covered for this reason; None where nothing is known to help."""
    reason = str(problem)
    if isinstance(problem, Unsupported) and problem.problem in (LOOP_NOT_COVERED, BRANCH_NOT_COVERED):
        reason = _where_it_stands(problem.place, alignment)
    words = next((words for pattern, words in INSTEAD if re.search(pattern, reason)), None)
    if reason == READS_GROWN:
        words = _added_up(alignment.mechanism.program) or words
    return None if words is None else f"write instead: {words}"


def _added_up(program: Function) -> str | None:
    """How to add up the items of a list that a loop makes longer; None where they are not added up."""
    nodes = list(walk(*program.body))
    summed = [x.arguments[0] for x in nodes if isinstance(x, Builtin) and x.function == "sum"]
    for node in nodes:
        if isinstance(node, Assign) and isinstance(node.value, Joined) and isinstance(node.target, str):
            last = node.value.parts[-1]
            if isinstance(last, Sequence) and any(isinstance(x, Name) and x.name == node.target for x in summed):
                return f"add it up in the loop: `total += {as_written(last.items[0])}` in place of sum({node.target})"
    return None


def _where_it_stands(place: Place, alignment: AlignmentProgram) -> str:
    """What is unusual about the place of a loop or a branch that is not covered; empty where nothing shows."""
    for around in _ways_to_loops(alignment.mechanism.program.body, ()):
        if around[-1].place == place:
            if sum(isinstance(node, For) for node in around) > 2:
                return "a loop inside two loops"
            if any(isinstance(node, If) for node in around):
                return "a loop that only some runs come to"
    if any(around[-1].place == place for around in _ways_to_loops(alignment.program.body, ())):
        return "a loop in an alignment"
    functions = [alignment.mechanism.program, alignment.program]
    for function in functions:
        for node in walk(*function.body):
            if isinstance(node, Choice) and node.place == place:
                return "a choice inside a sequence"
            if isinstance(node, If) and node.test.place == place:
                return "a branch of a function inside a sequence"
            if isinstance(node, Call | MechanismCall) and node.function not in functions:
                functions.append(node.function)
    return ""


def output_unread(alignment: AlignmentProgram) -> str | None:
    """What to leave out of an alignment that takes the output and does not read it; None where there is nothing."""
    if "omega" not in alignment.program.parameters:
        return None
    if any(isinstance(node, Name) and node.name == "omega" for node in walk(*alignment.program.body)):
        return None
    return (
        f"{alignment.name} never reads its parameter `omega`; leave it out, since of an alignment that takes the "
        "output more must be shown"
    )


_GROUPS = (
    "k steps of this adjacency cost k * eps and delta * (exp(k * eps) - 1) / (exp(eps) - 1), where one step costs eps "
    "and delta; state the base claim, that of one step, instead"
)


def for_one_step(alignment: AlignmentProgram, proof: Proof | None) -> str | None:
    """That a claim with delta is to be stated for one step of adjacency; None where nothing looks like several steps.

    Several are a sensitivity that is declared as a number above 1, where the charges are not shown to add up to delta;
    or a call whose answers change by more than those of its lemma. Without a ``proof``, the limits are refuted.
    """
    declared = (kind.sensitivity for kind in alignment.mechanism.private.values())
    several = any(isinstance(number, int | Fraction) and number > 1 for number in declared)
    if proof is None:
        return _GROUPS if several else None
    if proof.charges is None:
        return None
    if several and proof.charges.conditions["cost"].status is not Verdict.PROVED:
        return _GROUPS
    calls = tuple(f"call of {lemma.mechanism.name}: " for lemma in alignment.lemmas if lemma.delta is not None)
    owed = [each.obligation.words for each in proof.decided if not each.holds]
    far = any(AS_ADJACENT in words and any(call in words for call in calls) for words in owed)
    return _GROUPS if far else None


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
    """The variables of a loop that keep the largest or the smallest value so far, with what to write instead.

    Such a variable is compared with a value, and this value is stored in it where the comparison holds.
    """
    advice = {}
    for node in walk(*loop.body):
        if isinstance(node, If):
            stored = dict(pair for s in node.then if isinstance(s, Assign) for pair in _stored(s.target, s.value))
            for test in walk(node.test):
                if isinstance(test, Compare) and test.operator in (">", ">=", "<", "<="):
                    for side, value, other in ((test.left, test.right, "<"), (test.right, test.left, ">")):
                        if isinstance(side, Name) and stored.get(side.name) == as_written(value):
                            largest = test.operator.startswith(other)
                            advice[side.name] = _by_largest(side.name, largest=largest)
    return advice


def _stored(target: Target, value: Expression) -> Iterator[tuple[str, str]]:
    """The names that an assignment stores a value in, each with the text of its value."""
    if isinstance(target, str):
        yield target, as_written(value)
    elif isinstance(value, Sequence):
        for part, item in zip(target, value.items, strict=True):
            yield from _stored(part, item)


def _by_largest(name: str, *, largest: bool) -> str:
    extreme, values = ("largest", "values") if largest else ("smallest", "[-x for x in values]")
    return (
        f"write instead: `{name}` keeps the {extreme} value so far; put all values in a list, and select the index "
        f"with (best,) = largest({values}, 1)"
    )
