"""Small changes that break a proof, each with the counterexample that alignkit finds: what "break it" leads to."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from alignkit.checking import check
from alignkit.errors import AlignkitError
from alignkit.language.program import (
    Break,
    Choice,
    Comprehension,
    Constant,
    Expression,
    Function,
    NamedShift,
    Node,
    Sequence,
    walk,
)
from alignkit.noise.distribution_parameters import SCALE
from alignkit.refuting.random_search import search_at_random
from alignkit.results import Verdict, Witness
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_decorator import alignment as make_alignment
from alignkit.running.defined_functions import defined_function, names_known_to
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.mechanism_decorator import mechanism as make_mechanism

# So many changes of each kind are shown at most, and so many are tried.
_SHOWN, _TRIED = 2, 4

# Seconds for the search of a counterexample, and for the check of a change for which there is one.
_SEARCH, _CHECK = 2.0, 20.0


@dataclass(frozen=True)
class ProgramChange:
    """A stretch of a program and the text that takes its place; ``words`` describe the change.

    ``case`` says when the stretch counts, where its program says so by a conditional expression.
    """

    node: Node
    text: str
    words: str
    case: str = ""


@dataclass(frozen=True)
class BrokenVariant:
    """An alignment that is refuted, since one thing was changed: in ``line`` of its mechanism, or of the alignment.

    ``words`` say what was changed, ``why`` which condition fails; ``witness`` holds the inputs and the noise of the
    counterexample.
    """

    words: str
    alignment: Alignment
    in_mechanism: bool
    line: int
    condition: str
    why: str
    witness: Witness


def broken_variants(alignment: Alignment, seed: int = 0) -> tuple[BrokenVariant, ...]:
    """Variants of an alignment that alignkit refutes: half a scale, a break left out, a shift that is less by 1.

    A change for which no counterexample is found is left out, since it may leave the proof intact.
    """
    kinds = (
        (True, _half_scales(alignment.mechanism)),
        (True, _dropped_breaks(alignment.mechanism.program)),
        (False, _other_shifts(alignment.program)),
    )
    found: list[BrokenVariant] = []
    for in_mechanism, changes in kinds:
        named = _told_apart(list(islice(changes, _TRIED)))
        tried = (_refuted(alignment, change, in_mechanism, seed) for change in named)
        found += islice((variant for variant in tried if variant is not None), _SHOWN)
    return tuple(found)


def _told_apart(changes: list[ProgramChange]) -> list[ProgramChange]:
    """The changes, where those whose words repeat say in addition in which case and in which line they are."""
    for told in (_by_case, _by_line):
        often = Counter(change.words for change in changes)
        changes = [told(change) if often[change.words] > 1 else change for change in changes]
    return changes


def _by_case(change: ProgramChange) -> ProgramChange:
    return replace(change, words=f"{change.words}, {change.case}") if change.case else change


def _by_line(change: ProgramChange) -> ProgramChange:
    return replace(change, words=f"{change.words}, in line {change.node.place.line}")


def _half_scales(mechanism: Mechanism) -> Iterator[ProgramChange]:
    program = mechanism.program
    for draw in mechanism.draws:
        node = next((each for each in walk(*program.body) if getattr(each, "site", None) == draw.site), None)
        if draw.path or node is None or draw.distribution.parameters[0] != SCALE:
            continue
        scale = node.arguments[0]
        yield ProgramChange(scale, f"({_text(scale)}) / 2", f"Draw {draw.name} with half the scale")


def _dropped_breaks(program: Function) -> Iterator[ProgramChange]:
    for node in walk(*program.body):
        if isinstance(node, Break):
            yield ProgramChange(node, "pass", f"Leave out the break in line {node.place.line}")


def _other_shifts(program: Function) -> Iterator[ProgramChange]:
    for node in walk(*program.body):
        if not isinstance(node, NamedShift):
            continue
        for leaf, case in _leaves(node.value):
            number = leaf.value if isinstance(leaf, Constant) and type(leaf.value) is int else None
            if number == 0:
                continue
            text = f"{_text(leaf)} - 1" if number is None else str(number - 1)
            yield ProgramChange(leaf, text, f"Shift {node.name} by 1 less", case)


def _leaves(value: Expression, case: str = "") -> Iterator[tuple[Expression, str]]:
    """The expressions that give the shifts of single draws, each with the case in which it does."""
    if isinstance(value, Comprehension):
        yield from _leaves(value.element, case)
    elif isinstance(value, Choice):
        test = _text(value.test)
        yield from _leaves(value.then, f"where {test}" if not case else f"{case} and {test}")
        yield from _leaves(value.other, f"where not {test}" if not case else f"{case} and not {test}")
    elif isinstance(value, Sequence):
        for item in value.items:
            yield from _leaves(item, case)
    else:
        yield value, case


def _refuted(alignment: Alignment, change: ProgramChange, in_mechanism: bool, seed: int) -> BrokenVariant | None:
    """The changed alignment, where alignkit refutes it."""
    try:
        changed = _changed(alignment, change, in_mechanism)
        if search_at_random(changed, seed=seed, seconds=_SEARCH).candidate is None:
            return None
        result = check(changed, timeout=_CHECK, seed=seed, effort=0)
    except (AlignkitError, SyntaxError):
        return None
    counterexample = result.counterexample
    if result.verdict is not Verdict.REFUTED or counterexample is None or counterexample.H_other is not None:
        return None  # what two pairs of runs show together, a page with one pair of runs cannot show
    program = changed.mechanism.program if in_mechanism else changed.program
    original = alignment.mechanism.program if in_mechanism else alignment.program
    line = change.node.place.line - original.place.line + program.place.line
    condition = counterexample.condition.replace("_", " ")
    return BrokenVariant(
        change.words, changed, in_mechanism, line, condition, counterexample.words, counterexample.witness
    )


def _changed(alignment: Alignment, change: ProgramChange, in_mechanism: bool) -> Alignment:
    """The alignment with the change made in its mechanism or in itself."""
    original = alignment.mechanism.program if in_mechanism else alignment.program
    source = _edited(original, change)
    mechanism, python = alignment.mechanism, alignment.python
    if in_mechanism:
        names = {**names_known_to(mechanism.python), "__name__": "variants", "mechanism": make_mechanism}
        above = "\n" * (original.place.line - 2)  # lines keep their numbers
        text = f"{above}@mechanism\n{source}"
        mechanism = defined_function(text, original.name, names, f"variant of {mechanism.name}")
    else:
        names = {**names_known_to(python), "__name__": "variants"}
        above = "\n" * (original.place.line - 1)
        python = defined_function(above + source, original.name, names, f"variant of {alignment.name}")
    claim = {"eta": alignment.claim} if alignment.base else {"epsilon": alignment.claim}
    claim |= {} if alignment.delta is None else {"delta": alignment.delta}
    return make_alignment(
        mechanism,
        **claim,
        adjacency=str(alignment.adjacency),
        queries="adaptive" if alignment.adaptive else "fixed",
        expect="refuted",
        invariant=[text for text, _ in alignment.invariants],
        lemmas=[lemma for lemma in alignment.lemmas if isinstance(lemma, Alignment)],
    )(python)


def _edited(program: Function, change: ProgramChange) -> str:
    """The definition of a function with the change made, without its decorators, beginning at the margin."""
    source, first = program.place.source, program.place.line
    last = max(node.place.end_line for node in walk(*program.body))
    lines = [source.text(line).rstrip("\n") for line in range(first, last + 1)]
    place = change.node.place
    start, end = place.line - first, place.end_line - first
    joined = lines[start][: place.column] + change.text + lines[end][place.end_column :]
    return textwrap.dedent("\n".join([*lines[:start], joined, *lines[end + 1 :]])) + "\n"


def _text(node: Node) -> str:
    """What stands in the source where a node was read."""
    place = node.place
    lines = [place.source.text(line).rstrip("\n") for line in range(place.line, place.end_line + 1)]
    lines[-1] = lines[-1][: place.end_column]
    lines[0] = lines[0][place.column :]
    return " ".join(line.strip() for line in lines)
