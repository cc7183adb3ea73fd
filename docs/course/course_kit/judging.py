"""Answers are judged by alignkit: an alignment by `check`, a pair of runs by an exact replay."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import marimo as mo

import alignkit
from alignkit import AlignkitError, Alignment, InputError, Mechanism, attack, check, confirm, find
from alignkit.confirming import Standing
from course_kit.blanks import Unread, has_blank
from course_kit.feedback import Feedback, Status
from course_kit.praise import PRAISE

ADAPTIVE = "adaptive_queries"
LIMITS = "limits"

# The work of an attack on a delta, and the share of a delta that may be lost to rounding there.
_EFFORT, _ROUNDING = 40, 1e-9

# What a failing condition means for somebody who wrote the alignment.
MEANINGS = {
    "termination": "The mechanism or the alignment is not defined on some run.",
    "noise_used": "D and D' do not make the same draws.",
    "distributions": "A draw does not have the same distribution on D and on D'.",
    "valid_noise": "A shifted value is one that the noise can never have.",
    "same_output": "With the shifted noise, D' gives another output than D.",
    "one_to_one": "Two noise vectors may be moved to the same one.",
    "cost": "The output is the same, but the shifts cost more than the claim.",
    "countable": "The alignment depends on more than tags, positions and lengths of the output.",
    LIMITS: "Noise breaks its limit with more probability than your delta says.",
    ADAPTIVE: "The shifts must not depend on what the analyst has not asked yet.",
}


def judge(
    answer: Any,
    mechanism: Any,
    *,
    exercise: int,
    epsilon: str | None = "eps",
    attained_at: Mapping[str, Any] | None = None,
    adjacency: str = "each",
    queries: str = "fixed",
    lemmas: Sequence[Any] = (),
    tight: bool = False,
    cheapest: bool = False,
    every_n: bool = False,
    first: Feedback | None = None,
    also: Callable[[Mechanism[Any]], str] | None = None,
) -> Feedback:
    """Have alignkit check an alignment of `mechanism`, which answers the exercise of that number.

    The claim is that of the exercise, whatever stands above the answer; with `epsilon=None` it is the answer's own.
    `tight` demands that some run costs as much as the claim for all parameters, and `cheapest` that the alignment costs
    no more than the lower bound that `find` proves. With `attained_at` the answer has a delta of its own, and the
    mechanism must have that delta at these public parameters, as an attack certifies. `every_n` demands that the second
    opinion confirms the proof for every n. `also` says in words what else is wrong with the mechanism, or nothing.
    `first` is what is wrong with another part of the answer, and comes before all else.
    """
    if first is not None:
        return first
    for read in (mechanism, answer):
        if isinstance(read, Unread):
            return _not_read(read)
    if not isinstance(answer, Alignment):
        return Feedback(
            Status.UNREADABLE, "The answer is not an alignment. Keep the line `@alignment(…)` above the function."
        )
    asked: dict[str, Any] = {"adjacency": adjacency, "queries": queries, "lemmas": lemmas}
    if attained_at is not None:
        asked["delta"] = answer.delta
    claim = answer.claim if epsilon is None else epsilon
    try:
        result = check(_claimed(answer, mechanism, claim, asked))
        if not result.proved:
            return _unproved(result, _claimed(answer, mechanism, claim, asked))
        problem = also(mechanism) if also else ""
        if not problem and tight and (result.slack is not None or not result.attained):
            problem = f"The claim `{claim}` is proved, but not all of it is spent: the shifts cost `{result.cost}`."
        if not problem and attained_at and not _is_attained(mechanism, adjacency, claim, answer.delta, attained_at):
            problem = f"The delta `{answer.delta}` is proved, but it is not the smallest."
        if not problem and cheapest and not _is_cheapest(answer, mechanism, adjacency, asked):
            problem = f"The claim `{claim}` is proved, but another alignment of this mechanism costs less."
        if not problem and every_n:
            problem = _not_for_every_n(_claimed(answer, mechanism, claim, asked))
    except AlignkitError as error:
        return _refused(error)
    if problem:
        return Feedback(Status.WRONG, problem, result=result)
    return Feedback(Status.SOLVED, f"The claim `{claim}` is proved. {PRAISE[exercise]}", result=result)


def judge_run(alignment: Any, run: Any, *, exercise: int) -> Feedback:
    """Replay D and D' on the run that a student gives, and see whether a condition of the proof fails there."""
    replay = _replayed(alignment, run)
    if isinstance(replay, Feedback):
        return replay
    return Feedback(Status.SOLVED, f"The proof fails on this run. {PRAISE[exercise]}", listing=_table(replay))


def no_failing_run(alignment: Any, run: Any) -> Feedback | None:
    """What is wrong with a run on which a condition of the proof should fail, or None."""
    replay = _replayed(alignment, run)
    return replay if isinstance(replay, Feedback) else None


def not_the_step(alignment: Alignment, step: Any, conditions: Mapping[int, str]) -> Feedback | None:
    """What is wrong with the step of an argument that is said to fail, or None.

    `conditions` has the condition that each step is to show; the right one fails in the counterexample of `check`.
    """
    if has_blank(step):
        return Feedback(Status.UNANSWERED, "Replace every `TODO` in `wrong_step` by the number of a step.")
    if type(step) is not int or step not in conditions:
        return Feedback(Status.WRONG, f"`wrong_step` must be a number from 1 to {len(conditions)}.")
    if conditions[step] != check(alignment).counterexample.condition:
        return Feedback(Status.WRONG, f"Step {step} is not what fails on the run by which alignkit refutes the proof.")
    return None


def show(alignment: Alignment) -> Any:
    """What `check` says of an alignment that is given in a notebook, with a pair of runs on which it fails."""
    result = check(alignment)
    listing = _reasons(result, alignment)
    name = f"`{alignment.name}` of `{alignment.mechanism.name}`"
    parts = [mo.md(f"**{result.verdict.capitalize()}**: {name}, with the claim `{alignment.claim}`")]
    if listing:
        parts.append(mo.md(f"```text\n{listing}\n```"))
    return mo.callout(mo.vstack(parts))


def show_opinions(*alignments: Alignment) -> Any:
    """What the second opinion says of alignments that are given in a notebook."""
    texts = [f"{alignment.name} of {alignment.mechanism.name}: {confirm(alignment)}" for alignment in alignments]
    return mo.callout(mo.vstack([mo.md("**The second opinion**"), mo.md(f"```text\n{_wrapped(*texts)}\n```")]))


def _claimed(answer: Alignment, mechanism: Any, claim: str, asked: Mapping[str, Any]) -> Alignment:
    """The answer's function, as an alignment of the exercise's mechanism with the exercise's claim."""
    made: Alignment = alignkit.alignment(mechanism, epsilon=claim, **asked)(answer.python)
    return made


def _is_cheapest(answer: Alignment, mechanism: Any, adjacency: str, asked: Mapping[str, Any]) -> bool:
    """Whether the answer is proved for the least that an alignment of the shape that `find` knows can cost."""
    bound = find(mechanism, adjacency=adjacency).lower_bound
    return bound is None or check(_claimed(answer, mechanism, bound.text, asked)).proved


def _is_attained(mechanism: Any, adjacency: str, claim: str, delta: Any, public: Mapping[str, Any]) -> bool:
    """Whether an attack certifies the claimed delta itself at these public parameters, but for rounding."""
    found = attack(mechanism, adjacency=adjacency, claim=claim, delta=delta, parameters=public, effort=_EFFORT)
    return found.delta is not None and found.delta >= found.claimed_delta * (1 - _ROUNDING)


def _not_for_every_n(alignment: Alignment) -> str:
    opinion = confirm(alignment)
    if opinion.standing is Standing.EVERY_N:
        return ""
    return f"The claim `{alignment.claim}` is proved, but the second opinion is only: {opinion}."


def _replayed(alignment: Any, run: Any) -> Any:
    """The replay of a run on which a condition fails, or feedback that says what is wrong with the run."""
    if has_blank(run):
        return Feedback(Status.UNANSWERED, "Replace every `TODO` in `run` by a value.")
    if not isinstance(run, Mapping):
        return Feedback(Status.WRONG, "`run` must be a dictionary, as in the cell that was given.")
    try:
        replay = alignment.replay(**run)
    except (AlignkitError, TypeError) as error:
        return _refused(error)
    if replay.violation is None:
        return Feedback(Status.WRONG, "On this run every condition of the proof holds.", listing=str(replay))
    return replay


def _unproved(result: Any, alignment: Alignment) -> Feedback:
    example = result.counterexample
    if example is not None:
        text = f"{MEANINGS[example.condition]} Here is a run, found by alignkit, on which that happens."
        return Feedback(Status.WRONG, text, listing=_reasons(result, alignment), result=result)
    text = "alignkit has found neither a proof nor a counterexample, so nothing is shown."
    if [name for name, condition in result.conditions.items() if condition.status != "proved"] == [ADAPTIVE]:
        text = f"{text} {MEANINGS[ADAPTIVE]}"
    return Feedback(Status.UNDECIDED, text, listing=_reasons(result, alignment), result=result)


def _reasons(result: Any, alignment: Alignment) -> str:
    """The counterexample as a table of both runs, or why conditions are not shown; nothing for a proof."""
    example = result.counterexample
    if example is None:
        return _wrapped(*dict.fromkeys(c.how for c in result.conditions.values() if c.status != "proved"))
    if alignment.lemmas:
        return _wrapped(example.words)
    witness = example.witness
    if example.condition == LIMITS:
        inputs = (f"{name} = {value}" for name, value in {**witness.q, **witness.public}.items())
        return _wrapped(f"{', '.join(inputs)}: {example.words}")
    given = {**witness.public, **witness.q, **{f"{name}_": value for name, value in witness.q_.items()}}
    return _table(alignment.replay(H=witness.H, **given))


def _table(replay: Any) -> str:
    """The replay without the path of the notebook, which marimo makes up."""
    place = replay.violation.place
    return str(replay) if place is None else str(replay).replace(f" ({place.source.file}:{place.line})", "")


def _not_read(answer: Unread) -> Feedback:
    if answer.blank:
        return Feedback(Status.UNANSWERED, f"Replace every `TODO` in `{answer.__name__}`, then run its cell again.")
    return _unreadable(answer.error)


def _refused(error: Exception) -> Feedback:
    """Feedback on an error: values that do not fit were read all the same."""
    if isinstance(error, InputError | TypeError):
        return Feedback(Status.WRONG, "The answer does not fit:", listing=_words(error))
    return _unreadable(error)


def _unreadable(error: Exception) -> Feedback:
    return Feedback(Status.UNREADABLE, "alignkit cannot take the answer as it stands:", listing=_words(error))


def _words(error: Exception) -> str:
    """The message of an error, with the line and the caret, but without the path of the cell."""
    if not isinstance(error, alignkit.LanguageError) or not error.source:
        return _wrapped(str(error))
    caret = " " * (error.column or 0) + "^" * max(error.width, 1)
    return "\n".join([_wrapped(error.problem), error.source.rstrip(), caret, _wrapped(error.hint)]).rstrip()


def _wrapped(*texts: str) -> str:
    """Texts in lines that a notebook has room for."""
    return "\n".join(line for text in texts for line in textwrap.wrap(text, 80))
