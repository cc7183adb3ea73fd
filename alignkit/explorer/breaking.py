"""Small changes that break a proof, each with the counterexample that alignkit finds: what "break it" leads to."""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from alignkit.errors import AlignkitError, InternalError
from alignkit.explorer.program_changes import (
    Edit,
    EditSite,
    called_budget,
    combine,
    dropped_break,
    noise_scale,
    other_comparison,
    shift,
    sites_of,
)
from alignkit.language.source_code import read_source
from alignkit.limits import Deadline
from alignkit.refuting.counterexamples import counterexample, number_of_queries
from alignkit.refuting.random_search import FIRST, search_at_random
from alignkit.refuting.shrinking import shrink
from alignkit.results import Counterexample
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_decorator import alignment as make_alignment
from alignkit.running.defined_functions import defined_function, names_known_to
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.mechanism_decorator import mechanism as make_mechanism

# So many variants are shown at most, and so many changes tried.
_SHOWN, _TRIED = 6, 14

SECONDS = 20.0
"""When the search for variants is broken off; it takes a second or two, and does the same work on every machine."""

# So often another counterexample is searched for where the alignment is not defined on the run of the first.
_SEARCHES = 8

# The steps by which a counterexample is made simpler.
_ROUNDS = 200


@dataclass(frozen=True)
class BrokenVariant:
    """An alignment that is refuted, since one thing was changed: in ``line`` of its mechanism, or of the alignment.

    ``words`` are those of its button and ``description`` says what stands there now; the line is None where the claim
    was changed. ``found`` is the counterexample.
    """

    words: str
    description: str
    alignment: Alignment
    in_mechanism: bool
    line: int | None
    found: Counterexample

    @property
    def shows_runs(self) -> bool:
        """Whether the alignment is defined on the counterexample's run, so that there are shifts to be looked at."""
        return self.found.cost is not None


@dataclass(frozen=True)
class Breaking:
    """The variants that were refuted, and how many changes were ``tried``."""

    variants: tuple[BrokenVariant, ...]
    tried: int


@dataclass(frozen=True)
class _Change:
    """A change that may break a proof: an edit of the mechanism or of the alignment, or half the claim (None)."""

    words: str
    edit: Edit | None = None
    in_mechanism: bool = False

    def description(self, claim: str) -> str:
        """What stands there now; ``claim`` is the alignment's own."""
        return f"the claim becomes `{_half(claim)}`" if self.edit is None else self.edit.description


def _half(claim: str) -> str:
    return ast.unparse(combine(ast.parse(claim, mode="eval").body, ast.Div(), 2))


def broken_variants(alignment: Alignment, seed: int = 0, seconds: float = SECONDS) -> Breaking:
    """Variants of an alignment that are refuted: half a scale, a break left out, a shift of 0, half the claim.

    The kinds take turns; a variant whose alignment is not defined on the run of its counterexample comes last. A
    change for which little searching finds no counterexample is left out, since it may leave the proof intact; each
    that is shown was replayed exactly through the changed functions.
    """
    found: list[BrokenVariant] = []
    deadline = Deadline.after(seconds)
    tried = 0
    for change in _changes(alignment)[:_TRIED]:
        if deadline.passed or sum(each.shows_runs for each in found) == _SHOWN:
            break
        tried += 1
        variant = _refuted(alignment, change, seed, deadline.sooner(seconds / 4))
        found += [] if variant is None else [variant]
    found.sort(key=lambda each: not each.shows_runs)
    return Breaking(tuple(found[:_SHOWN]), tried)


def _changes(alignment: Alignment) -> list[_Change]:
    """All changes of an alignment and its mechanism, one of each kind and then the next of each."""
    of_mechanism, of_alignment = _sites(alignment.mechanism, "mechanism"), _sites(alignment, "alignment")
    kinds = [
        _of_kind(edits, sites, in_mechanism=in_mechanism)
        for edits, sites, in_mechanism in (
            (noise_scale, of_mechanism, True),
            (called_budget, of_mechanism, True),
            (shift, of_alignment, False),
            (dropped_break, of_mechanism, True),
            (other_comparison, of_mechanism, True),
            (other_comparison, of_alignment, False),
        )
    ]
    return _told_apart(_in_turn([*kinds, [_Change("Claim half as much")]]))


def _of_kind(
    edits: Callable[[EditSite], Iterator[Edit]], sites: list[EditSite], *, in_mechanism: bool
) -> list[_Change]:
    """The changes of a kind that have a button; parts of the program take turns."""
    by_part: dict[int, list[_Change]] = {}
    for edit in (edit for site in sites for edit in edits(site) if edit.button):
        by_part.setdefault(id(edit.old), []).append(_Change(edit.button, edit, in_mechanism))
    return _in_turn(by_part.values())


def _in_turn(lists: Iterable[list[_Change]]) -> list[_Change]:
    """The first of each list, then the second of each."""
    return [change for turn in zip_longest(*lists) for change in turn if change is not None]


def _sites(function: Mechanism | Alignment, role: str) -> list[EditSite]:
    return list(sites_of(read_source(function.python)[0], role))


def _told_apart(changes: list[_Change]) -> list[_Change]:
    """The changes, where those whose words repeat say in which case and in which line they are, or have numbers."""
    for told in (_case, _line, _number):
        seen = Counter[str]()
        often = Counter(change.words for change in changes)
        for i, change in enumerate(changes):
            seen[change.words] += 1
            if often[change.words] > 1:
                changes[i] = replace(change, words=change.words + told(change, seen[change.words]))
    return changes


def _case(change: _Change, _: int) -> str:
    return f", {change.edit.case}" if change.edit is not None and change.edit.case else ""


def _line(change: _Change, _: int) -> str:
    return "" if change.edit is None else f", in line {change.edit.old.lineno}"


def _number(_: _Change, number: int) -> str:
    return f" ({number})"


def _refuted(alignment: Alignment, change: _Change, seed: int, deadline: Deadline) -> BrokenVariant | None:
    """The changed alignment, where a search and an exact replay refute it."""
    try:
        changed = _changed(alignment, change)
        found = _counterexample(changed, seed, deadline)
        if found is None:
            return None
    except InternalError:
        raise
    except (AlignkitError, SyntaxError):
        return None
    line = None if change.edit is None else change.edit.old.lineno
    description = change.description(alignment.claim)
    return BrokenVariant(change.words, description, changed, change.in_mechanism, line, found)


def _counterexample(changed: Alignment, seed: int, deadline: Deadline) -> Counterexample | None:
    """A counterexample on whose run the alignment is defined; where none is found, the first of the others."""
    first = None
    for another in range(_SEARCHES):
        candidate = search_at_random(changed, seed=seed + another, trials=FIRST, seconds=deadline.left).candidate
        if candidate is None:
            break
        size = number_of_queries(changed, candidate)
        for witness in (shrink(changed, candidate, _ROUNDS, deadline), candidate):
            found = counterexample(changed, witness, size)
            if found.cost is not None:
                return found
            first = first or found
    return first


def _changed(alignment: Alignment, change: _Change) -> Alignment:
    """The alignment with the change made in its mechanism, in itself or in its claim."""
    mechanism, python, claim = alignment.mechanism, alignment.python, alignment.claim
    if change.edit is None:
        claim = _half(claim)
    elif change.in_mechanism:
        mechanism = make_mechanism(_edited(mechanism.python, change.edit))
    else:
        python = _edited(python, change.edit)
    claims = {"eta" if alignment.base else "epsilon": claim}
    return make_alignment(
        mechanism,
        **claims,
        delta=alignment.delta,
        adjacency=str(alignment.adjacency),
        queries="adaptive" if alignment.adaptive else "fixed",
        expect="refuted",
        invariant=[text for text, _ in alignment.invariants],
        lemmas=[lemma for lemma in alignment.lemmas if isinstance(lemma, Alignment)],
    )(python)


def _edited(python: Any, edit: Edit) -> Any:
    """The function with the change made in its text and without its decorators; its lines keep their numbers."""
    definition, source = read_source(python)
    place = source.place(edit.old)
    lines = [source.text(line).rstrip("\n") for line in range(definition.lineno, (definition.end_lineno or 0) + 1)]
    start, end = place.line - definition.lineno, place.end_line - definition.lineno
    before, after = lines[start][: place.column], lines[end][place.end_column :]
    wanted = ast.dump(_undecorated(edit.apply(definition)))
    written = ast.unparse(edit.new)
    for text in (written, f"({written})"):
        changed = textwrap.dedent("\n".join([*lines[:start], before + text + after, *lines[end + 1 :]]))
        if ast.dump(ast.parse(changed).body[0]) == wanted:
            above = "\n" * (definition.lineno - 1)
            names = {**names_known_to(python), "__name__": "variants"}
            return defined_function(f"{above}{changed}\n", python.__name__, names, f"variant of {python.__name__}")
    raise SyntaxError(f"{written} cannot stand in line {place.line}")


def _undecorated(definition: ast.FunctionDef) -> ast.FunctionDef:
    definition.decorator_list = []
    return definition
