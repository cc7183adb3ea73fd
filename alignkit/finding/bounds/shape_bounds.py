"""Lower bounds on the cost of every alignment of a shape, from runs that force demands on the shifts.

For each setting of the counts, runs on numbers say which of them bound the cost best. These are run again with symbols
for the other public parameters, where each comparison and each multiplier is decided for the whole region; or, if that
fails, once more on numbers, exactly. docs/finding.md has the theorem.

What an alignment of a shape may not do in a program, in words: a bound holds for alignments that keep to it.

Whether an alignment is one of those that a bound speaks of: its shifts are combinations of a shape's terms.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.errors import AlignkitError, InternalError
from alignkit.finding.bounds.border_runs import BorderRun, Way, border_run, ways
from alignkit.finding.bounds.forced_demands import ForcedRun, forced_run
from alignkit.finding.bounds.multipliers import best_multipliers, certified_bound
from alignkit.finding.bounds.parametric_numbers import Number, sign_of
from alignkit.finding.bounds.public_runs import (
    PublicSetting,
    count_settings,
    in_numbers,
    in_symbols,
    is_irrational,
    number_of_answers,
    numbers,
    rounded_special,
    sensitivity,
)
from alignkit.finding.paired_runs import PairedRun
from alignkit.finding.programs import LinearProgram
from alignkit.finding.shapes import DELTA, LOSER, Case, Layout, Shape, Site, kind_of_output
from alignkit.finding.source_text import tags_in_scope, where_in_words
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.limits import Deadline
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.both_runs import run_both
from alignkit.running.claims import lists_in_claim
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.replaying import ReplayContext, by_name


def restrictions_of(shape: Shape) -> str:
    """Which draws of a mechanism keep still, or move by a given shift, in every alignment of the shape.

    A search guesses from runs which outputs may come again and again, and which draws are those of losers. The
    restriction is therefore part of what is said, and no fact about the mechanism.
    """
    several = len({kind.sensitivity for kind in shape.mechanism.private.values()}) > 1
    name = "largest sensitivity" if several else "sensitivity"
    said = [
        f"moves {key} by {'minus ' if share < 0 else ''}the {name} from the start"
        for key, share in sorted(shape.given.items())
    ]
    tag_names = {tag.name: name for name, tag in tags_in_scope(shape.mechanism).items()}
    by_case: dict[Case, list[str]] = {}
    for key, case in sorted(shape.still):
        by_case.setdefault(case, []).append(key)
    if shape.layout is not Layout.NO_POSITION:
        by_case[LOSER,] = sorted(key for key, site in shape.sites.items() if site is Site.VECTOR)
    few = shape.adjacency in (Adjacency.ONE, Adjacency.L1)
    where: dict[str, list[str]] = {}
    for case, keys in sorted(by_case.items()):
        words = f"keeps {_listed(keys)} still"
        if few and case != (LOSER,):
            words = f"moves {_listed(keys)} by the change of the answer alone"
        if keys:
            where.setdefault(words, []).append(where_in_words(case, tag_names))
    said += [f"{words} {' or '.join(places)}" for words, places in where.items()]
    return _listed(said)


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def is_of_shape(alignment: Alignment, shape: Shape, pairs: Sequence[tuple[int, PairedRun]]) -> bool:
    """Whether coefficients of a shape give the shifts of an alignment in all paired runs.

    Coefficients may depend on the public parameters and on the number of answers: each pair has the number of its
    setting.
    """
    programs: dict[Any, LinearProgram] = {}
    for number, pair in pairs:
        sizes = tuple(len(value) for value in pair.witness.q.values() if isinstance(value, tuple))
        program = programs.setdefault((number, sizes), LinearProgram())
        noise = by_name({drawn.where: pair.noise[str(drawn.where)] for drawn in pair.drawn})
        shifts = run_both(alignment, pair.witness, ReplayContext(alignment.mechanism, noise)).shifts
        for drawn in pair.drawn:
            linear = dict(shape.terms(pair, drawn))
            shift = Fraction(shifts.get(drawn.where, 0))
            program.free |= linear.keys()
            program.add(linear, shift, shift)
        for key, share in shape.given.items():
            program.add({(key, (), DELTA): 1}, share, share)
    return all(program.least({}) is not None for program in programs.values())


# Patterns of changes for each run on D, and how often runs that turn out to force nothing are replaced.
_MOST_PATTERNS, _ROUNDS = 16, 6

# So many runs with a D′ are made for a bound; what is shown by then stays.
_MOST_RUNS = 2000

# Comparisons before an output that are steered one by one.
_MOST_COMPARISONS = 3

Pattern = tuple[tuple[str, int | None, int], ...]
"""Which answers change, and which way: a parameter, a position in it, and 1, 0 or -1."""


@dataclass(frozen=True)
class ForcingRun:
    """Adjacent inputs with noise on the border of comparisons.

    D gives one output for all small steps of the noise in the ``direction``, which is written as ``witness.H`` is.
    """

    witness: Witness
    direction: Mapping[str, Any]

    def near(self, step: Fraction) -> Witness:
        """The same inputs, with the noise so many steps off the border."""
        moved = {key: _stepped(value, self.direction[key], step) for key, value in self.witness.H.items()}
        return self.witness.with_noise(moved)


def _stepped(value: Any, direction: Any, step: Fraction) -> Any:
    if isinstance(value, tuple):
        return tuple(_stepped(a, b, step) for a, b in zip(value, direction, strict=True))
    return None if value is None else value + step * direction


@dataclass(frozen=True)
class BoundAtCounts:
    """A lower bound for one setting of the counts.

    ``text`` is an expression of the public parameters, or, where ``at`` names values of all of them, a number.
    ``claim`` is the claim there, "" where it depends on more, ``equal`` whether it is the same, and ``share`` the bound
    as a share of it at the numbers of the runs, 1 where the claim depends on more. ``runs`` are the runs that force the
    bound, on numbers, with sqrt, exp and log rounded.
    """

    counts: Mapping[str, int]
    at: Mapping[str, Any]
    text: str
    claim: str
    equal: bool
    share: float
    runs: tuple[ForcingRun, ...] = field(repr=False)


@dataclass(frozen=True)
class LowerBound:
    """What every alignment of a shape costs at least, on some adjacent databases and output.

    ``region`` says for which public parameters, ``shape`` which alignments are meant, and ``restrictions`` in words
    which of their draws keep still or move by a given shift. ``met`` is whether the claim that was proved is the same
    on the whole region: then none of these alignments proves a smaller one there. ``ex_post`` is whether that claim
    depends on the output.
    """

    text: str
    region: str
    shape: str
    restrictions: str
    met: bool
    ex_post: bool
    cases: tuple[BoundAtCounts, ...] = field(repr=False)

    @property
    def symbolic(self) -> bool:
        """Whether the region has every value of every public parameter but the counts."""
        return not any(case.at for case in self.cases)

    @property
    def share(self) -> float:
        """The largest share of the claim that the bound is at any of the counts."""
        return max(case.share for case in self.cases)

    def __str__(self) -> str:
        """The bound in words."""
        meant = f"alignment of the shape {self.shape}" + (f" that {self.restrictions}" if self.restrictions else "")
        if self.met:
            return f"no {meant} costs less ({self.region if self.symbolic else f'shown at {self.region} only'})"
        words = f"every {meant} costs at least {self.text}{' on some output' if self.ex_post else ''}"
        if self.symbolic:
            return f"{words} ({self.region})"
        claimed = self.cases[0].claim
        beside = f", where the claim is {claimed}" if claimed else ""
        return f"{words} at {self.region}{beside} (shown there only)"


def lower_bound(shape: Shape, proved: Alignment, deadline: Deadline) -> LowerBound | None:
    """The lower bound for a shape beside the claim of a proved alignment of it; None where none was shown."""
    if shape.raised or shape.sums or shape.zeros or shape.beside or shape.own_name or shape.offsets or shape.places:
        return None
    runs = _Runs(_MOST_RUNS, deadline)
    cases = []
    for counts in count_settings(shape.mechanism):
        case = _bound_at(shape, proved, counts, runs)
        if case is not None:
            cases.append(case)
    if not cases:
        return None
    # Where some are for all values of the other parameters, the others add little.
    cases = [case for case in cases if not case.at] or cases[:1]
    met = all(case.equal for case in cases)
    text, region = _text(cases, proved, met=met), _region(shape.mechanism, cases)
    return LowerBound(text, region, shape.name, restrictions_of(shape), met, proved.ex_post, tuple(cases))


@dataclass
class _Runs:
    """How many runs may still be made."""

    left: int
    deadline: Deadline

    def any_left(self) -> bool:
        """Take one, if there is one. Raises OutOfTime where the deadline has passed."""
        self.deadline.check()
        self.left -= 1
        return self.left >= 0


def _bound_at(shape: Shape, proved: Alignment, counts: Mapping[str, int], left: _Runs) -> BoundAtCounts | None:
    """The bound at one setting of the counts: with symbols, or else with numbers; None where none was shown."""
    plain = PublicSetting(numbers(shape.mechanism, counts), rounded_special, number_of_answers(counts))
    tried = list(_tried(shape, plain, left))
    exact: list[PublicSetting] = []
    with suppress(AlignkitError):
        exact.append(in_symbols(shape.mechanism, counts))
    exact.append(in_numbers(shape.mechanism, counts))
    for setting in exact:
        shown = _certified(shape, setting, tried, left)
        if shown is None:
            continue
        claim, share, order = None, 1.0, 1
        if not proved.ex_post and not lists_in_claim(proved.claim_expression, proved.mechanism):
            with suppress(AlignkitError):
                claim = _claim(proved, setting)
                share = shown.on_numbers / float(_claim(proved, plain))
                order = sign_of(claim - shown.bound)
        if order < 0:
            raise InternalError(f"{proved.claim} is proved, and {shown.bound} is shown to be a lower bound")
        at = {} if setting is not exact[-1] else plain.values
        runs = tuple(_forcing(shape.mechanism, run) for run in shown.runs)
        text = "" if claim is None else str(claim)
        return BoundAtCounts(counts, at, str(shown.bound), text, order == 0, share, runs)
    return None


def _claim(proved: Alignment, setting: PublicSetting) -> Number:
    return Evaluator(_ClaimContext(setting)).value(proved.claim_expression, dict(setting.values))


class _ClaimContext(Context):
    """A claim on public numbers."""

    def __init__(self, setting: PublicSetting) -> None:
        super().__init__({})
        self._setting = setting

    def special(self, function: str, value: Any) -> Any:
        return self._setting.special(function, value)


def _forcing(mechanism: Mechanism, run: ForcedRun) -> ForcingRun:
    border = run.border
    noise, direction = (
        by_name({drawn.where: of[name] for name, drawn in border.drawn.items()})
        for of in (border.noise, border.direction)
    )
    return ForcingRun(Witness.of(mechanism, border.values, run.values_, noise), direction)


# Runs


@dataclass(frozen=True, eq=False)
class _Tried:
    """A way with a pattern of changes, and what it forces on numbers if D′ has no other way."""

    way: Way
    pattern: Pattern
    run: ForcedRun


def _tried(shape: Shape, setting: PublicSetting, left: _Runs) -> Iterator[_Tried]:
    """Runs on numbers, D′ led the way of D."""
    for way, border in _borders(shape.mechanism, setting):
        for pattern in itertools.islice(_patterns(shape, border), _MOST_PATTERNS):
            if not left.any_left():
                return
            values_ = _moved(shape.mechanism, setting, pattern)
            with suppress(AlignkitError):
                yield _Tried(way, pattern, forced_run(shape, border, values_, setting.special, thorough=False))


def _borders(mechanism: Mechanism, setting: PublicSetting) -> Iterator[tuple[Way, BorderRun]]:
    """Border runs on D, one for each way through the program that is reached."""
    values = _on_d(mechanism, setting)
    seen: set[Any] = set()
    tried: set[Way] = set()
    most, selects = 0, False
    while fresh := [way for way in ways(most, setting.size, selects=selects) if way not in tried]:
        for way in fresh:
            tried.add(way)
            try:
                border = border_run(mechanism, values, setting.special, way)
            except AlignkitError:
                continue
            most = max(most, min(border.most, _MOST_COMPARISONS))
            selects |= bool(border.selections)
            if border.decisions not in seen:
                seen.add(border.decisions)
                yield way, border


def _on_d(mechanism: Mechanism, setting: PublicSetting) -> dict[str, Any]:
    return _moved(mechanism, setting, ())


def _moved(mechanism: Mechanism, setting: PublicSetting, pattern: Pattern) -> dict[str, Any]:
    """The arguments with the answers of D, those that a pattern names changed by as much as they may."""
    ways_by_answer = {(name, position): way for name, position, way in pattern}

    def answer(name: str, position: int | None) -> Number:
        way = ways_by_answer.get((name, position), 0)
        level = setting.level(mechanism, name, position)
        return level + way * sensitivity(mechanism, name, setting.values) if way else level

    values = dict(setting.values)
    for name, kind in mechanism.private.items():
        values[name] = tuple(answer(name, i) for i in range(setting.size)) if kind.vector else answer(name, None)
    return values


def _patterns(shape: Shape, border: BorderRun) -> Iterator[Pattern]:
    """Changes of the answers that are adjacent: answers of which the output says the same change alike."""
    groups: dict[Any, list[tuple[str, int | None]]] = {}
    for name, kind in shape.mechanism.private.items():
        if not kind.vector:
            groups[name, None] = [(name, None)]
            continue
        for i in range(len(border.values[name])):
            groups.setdefault((name, _said_of(shape, border.output, i)), []).append((name, i))
    parts = list(groups.values())
    if shape.adjacency in (Adjacency.ONE, Adjacency.L1):
        for part, sign in itertools.product(parts, (1, -1)):
            yield ((*part[0], sign),)
        return
    signs = (1, 0, -1) if shape.adjacency is Adjacency.MONOTONE else (1, -1)
    for chosen in itertools.product(signs, repeat=len(parts)):
        if any(chosen) and not (shape.adjacency is Adjacency.MONOTONE and {1, -1} <= set(chosen)):
            yield tuple((*answer, sign) for part, sign in zip(parts, chosen, strict=True) for answer in part)


def _said_of(shape: Shape, output: Any, position: int) -> Any:
    """What an output says of an answer."""
    if shape.layout is not Layout.NO_POSITION:
        before = 0 if shape.answers is None else len(shape.answers.before)
        return position + before in shape.named(output)
    if shape.mechanism.program.is_generator and position < len(output):
        return kind_of_output(output[position])
    return None


# The exact part


@dataclass(frozen=True, eq=False)
class _Shown:
    """A bound that is shown exactly, what it is on numbers, and the runs on numbers that force it."""

    bound: Number
    on_numbers: float
    runs: tuple[ForcedRun, ...]


def _certified(shape: Shape, setting: PublicSetting, tried: Sequence[_Tried], runs: _Runs) -> _Shown | None:
    """The bound that the best runs show exactly; runs that force nothing are left out.

    None where it says no more than the shape itself: what the shifts cost that are given from the start.
    """
    left = list(tried)
    for _ in range(_ROUNDS):
        best = best_multipliers([each.run for each in left]) if left else None
        if best is None or best.bound <= 0:
            return None
        exact: dict[int, ForcedRun] = {}
        useless = []
        for number in best.runs:
            if not runs.any_left():
                return None
            try:
                exact[number] = _again(shape, setting, left[number])
            except AlignkitError:
                useless.append(number)
        if not useless:
            with suppress(AlignkitError):
                bound = certified_bound(exact, best)
                says = bound is not None and all(sign_of(bound - run.given_cost) > 0 for run in exact.values())
                if says and not is_irrational(bound):
                    return _Shown(bound, best.bound, tuple(left[number].run for number in best.runs))
            return None
        left = [each for number, each in enumerate(left) if number not in useless]
    return None


def _again(shape: Shape, setting: PublicSetting, tried: _Tried) -> ForcedRun:
    """A run exactly, every way of D′ looked at. Raises an AlignkitError where it forces nothing, or none was shown."""
    mechanism = shape.mechanism
    border = border_run(mechanism, _on_d(mechanism, setting), setting.special, tried.way)
    values_ = _moved(mechanism, setting, tried.pattern)
    return forced_run(shape, border, values_, setting.special, thorough=True)


# Words


def _text(cases: Sequence[BoundAtCounts], proved: Alignment, *, met: bool) -> str:
    if met:
        return proved.claim
    texts = [case.text for case in cases]
    if len(set(texts)) == 1:
        return texts[0]
    return ", ".join(f"{case.text} for {_assignments(case.counts)}" for case in cases)


def _assignments(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_plain(value)}" for name, value in values.items())


def _plain(value: Any) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)


def _region(mechanism: Mechanism, cases: Sequence[BoundAtCounts]) -> str:
    """The region in words."""
    if cases[0].at:
        return _assignments(cases[0].at)
    counts: dict[str, dict[int, None]] = {}
    for case in cases:
        for name, value in case.counts.items():
            counts.setdefault(name, {})[value] = None
    if len(counts) > 1:
        parts = ["; ".join(_assignments(case.counts) for case in cases)]
    else:
        parts = [f"{name} = {', '.join(map(str, values))}" for name, values in counts.items()]
    others = [name for name, kind in mechanism.public.items() if not kind.integer]
    if others:
        parts.append(f"all {', '.join(others)}")
    return "; ".join(parts) or "always"
