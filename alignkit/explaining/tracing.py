"""Both runs of a replay, statement by statement: D on H and D′ on φ(H), and where they part."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from alignkit.errors import AlignkitError, Stopped, Undefined
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Environment, Signal
from alignkit.language.program import (
    Assign,
    Break,
    Comprehension,
    Expression,
    For,
    LimitForm,
    Place,
    Return,
    Statement,
    Yield,
    YieldFrom,
    target_names,
    walk,
)
from alignkit.results import Result, Witness
from alignkit.running.aligned_replay import AlignedReplay, show
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_runs import AlignmentContext, limits_at, returned_for
from alignkit.running.binding import exact_arguments
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.replaying import ReplayContext, alike

# More steps than these of one run are not shown.
_MOST_STEPS = 2000

WIDTH = 80


@dataclass(frozen=True)
class TraceEvent:
    """One step of a run: the line, what happens there, and a value.

    ``decides`` is whether it is output or a way, ``filters`` whether it is the filter of a comprehension.
    """

    line: int
    code: str
    value: Any
    decides: bool = False
    depth: int = 0
    filters: bool = False


@dataclass(frozen=True)
class TracedStep:
    """The same step of both runs; None where one has none. ``parts`` is whether the runs part here."""

    one: TraceEvent | None
    other: TraceEvent | None
    parts: bool = False


@dataclass(frozen=True)
class TracedPair:
    """Both runs side by side; printing it gives lines of at most 80 signs.

    ``ended`` and ``ended_`` say how the runs end, ``conclusion`` what the replay comes to; ``answers`` are the private
    parameters, each with its values on D and on D′. ``limits`` are those of the draws of D, each with what it is
    charged: what is drawn in a call that a lemma moves is not among them.
    """

    heading: str
    steps: tuple[TracedStep, ...]
    ended: str
    ended_: str
    conclusion: str
    answers: tuple[tuple[str, Any, Any], ...] = ()
    limits: tuple[str, ...] = ()

    @property
    def inputs(self) -> str:
        """The answers of both runs, in words."""
        return "; ".join(f"{name} = {_shown(one)} on D, {_shown(other)} on D′" for name, one, other in self.answers)

    @property
    def within(self) -> str:
        """The limits with their charges, in words; empty where there are none."""
        return f"limits: {'; '.join(self.limits)}" if self.limits else ""

    @property
    def first_difference(self) -> TracedStep | None:
        """The step at which the runs part, if they do."""
        return next((step for step in self.steps if step.parts), None)

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """Each step as its line and code, its value on D and on D′, and a mark where the runs part."""
        for step in self.steps:
            known = step.one or step.other
            assert known is not None
            code = f"{known.line:>4}  {'  ' * known.depth}{known.code}"
            one, other = ("-" if e is None else show(e.value) for e in (step.one, step.other))
            if step.one is not None and step.other is not None and step.one.code != step.other.code:
                other = f"{step.other.code} {other}"
            yield code, one, other, "<- here" if step.parts else ""

    def __str__(self) -> str:
        table = [("line", "D, H", "D′, H′", ""), *self.rows()]
        one, other = (_column_width([row[i] for row in table]) for i in (1, 2))
        code = WIDTH - one - other - 14
        lines = []
        for texts in table:
            parts = [_wrapped(text, width) for text, width in zip(texts[:3], (code, one, other), strict=True)]
            for a, b, c, mark in zip_longest(*parts, [texts[3]], fillvalue=""):
                lines.append(f"{a:<{code}}  {b:>{one}}  {c:>{other}}  {mark}".rstrip())
        after = [f"D: {self.ended}; D′: {self.ended_}", self.conclusion]
        before = [*_wrapped(self.heading), *_wrapped(self.inputs), *(_wrapped(self.within) if self.limits else [])]
        return "\n".join([*before, *lines, *(row for text in after for row in _wrapped(text))])


def trace(alignment: Alignment, /, **inputs: Any) -> TracedPair:
    """Run D on H and D′ on φ(H), for inputs as `alignment.replay` takes them, and compare the runs step by step.

    >>> from alignkit.proofs.laplace import phi
    >>> print(trace(phi, q=[0], q_=[1], delta=1, eps=1, H={"eta": [2]}).first_difference)
    None
    """
    return traced(alignment, alignment.replay(**inputs))


def trace_of(alignment: Alignment, result: Result) -> TracedPair | None:
    """The runs of a result: those of its counterexample, or runs whose shifts cost as much as any; None for neither."""
    witness = None
    if result.counterexample is not None:
        witness = result.counterexample.witness
    elif result.attained_at is not None:
        witness = result.attained_at.witness
    return None if witness is None else traced(alignment, replay_of(alignment, witness))


def replay_of(alignment: Alignment, witness: Witness) -> AlignedReplay:
    """The replay of a witness."""
    primed = {f"{name}_": value for name, value in witness.q_.items()}
    return alignment.replay(**witness.public, **witness.q, **primed, H=witness.H)


def traced(alignment: Alignment, replay: AlignedReplay) -> TracedPair:
    """The two runs of a replay, step by step."""
    witness: Witness = replay.witness
    one, ended = _events(alignment.mechanism, witness.values, witness.H)
    other: list[TraceEvent] = []
    ended_ = "there is no aligned noise"
    if witness.H_ is not None:
        other, ended_ = _events(alignment.mechanism, witness.values_, witness.H_)
    least = "at least " if replay.trial.at_least else ""
    judged = replay.cost is not None and replay.outside is None
    claim = f"cost {least}{show(replay.cost)}, claim {show(replay.claim)}" if judged else ""
    heading = f"{alignment.mechanism.name} / {alignment.name}: D on H beside D′ on H′ = φ(H)"
    answers = tuple((name, value, witness.q_[name]) for name, value in witness.q.items())
    steps, conclusion = tuple(_paired(one, other)), "; ".join(filter(None, (claim, replay.outcome)))
    limits = tuple(_limits(alignment, replay)) if alignment.delta is not None else ()
    return TracedPair(heading, steps, ended, ended_, conclusion, answers, limits)


def _limits(alignment: Alignment, replay: AlignedReplay) -> Iterator[str]:
    """The limits of what D drew, with bounds on the probability that noise breaks them, and whether it does."""
    run = replay.trial.run
    try:
        returned = returned_for(alignment, replay.witness, run, AlignmentContext(run.H))
        limits = [(drawn, *limit) for drawn in run.drawn for limit in limits_at(alignment, returned, drawn.where)]
    except Undefined:
        return
    for drawn, form, limit in limits:
        if form is LimitForm.DISTINCT:
            yield f"{drawn.where} + {show(limit)} = {show(drawn.value + limit)}, and no other such sum"
            continue
        upper = form is LimitForm.BELOW
        tail = drawn.distribution.upper_tail if upper else drawn.distribution.lower_tail
        bound = None if tail is None else tail(limit, *drawn.arguments)
        charged = "" if bound is None else f", charged {show(max(0, bound)) if bound < 1 else '1 or more'}"
        broken = not (drawn.value < limit if upper else drawn.value > limit)
        yield f"{drawn.where} {'<' if upper else '>'} {show(limit)}{charged}{', broken' if broken else ''}"


def _paired(one: list[TraceEvent], other: list[TraceEvent]) -> Iterator[TracedStep]:
    """The steps of both runs in pairs; the filters of a comprehension may be fewer on one side."""
    together = True
    i = j = 0
    while i < len(one) or j < len(other):
        left, right = (side[at] if at < len(side) else None for side, at in ((one, i), (other, j)))
        if together and left is not None and right is not None and left.filters != right.filters:
            yield TracedStep(left if left.filters else None, right if right.filters else None)
            i, j = i + left.filters, j + right.filters
            continue
        same = left is not None and right is not None and left.line == right.line and left.code == right.code
        if same and left is not None and right is not None and left.decides:
            same = alike(left.value, right.value, up_to_rounding=True)
        yield TracedStep(left, right, parts=together and not same)
        together = together and same
        i, j = i + 1, j + 1


def _events(mechanism: Mechanism, values: Mapping[str, Any], noise: Mapping[str, Any]) -> tuple[list[TraceEvent], str]:
    evaluator = _TracingEvaluator(ReplayContext(mechanism, noise), mechanism)
    names = mechanism.environment(exact_arguments(mechanism, values))
    ended = "ends"
    try:
        evaluator.block(mechanism.program.body, names)
    except (Undefined, Stopped, AlignkitError) as problem:
        ended = f"stops: {problem}"
    events = evaluator.events
    if len(events) > _MOST_STEPS:
        ended += f" ({len(events) - _MOST_STEPS} steps are left out)"
    return events[:_MOST_STEPS], ended


class _TracingEvaluator(Evaluator):
    """An evaluator that writes down what each statement of the mechanism itself comes to."""

    def __init__(self, context: ReplayContext, mechanism: Mechanism) -> None:
        super().__init__(context)
        self.events: list[TraceEvent] = []
        comprehensions = [node for node in walk(*mechanism.program.body) if isinstance(node, Comprehension)]
        self.filters = {id(test) for node in comprehensions for test in node.filters}

    def statement(self, node: Statement, names: Environment) -> Signal:
        before = len(self.outputs)
        signal = super().statement(node, names)
        if self.path:  # inside a helper
            return signal
        if isinstance(node, Assign):
            bound = [names[name] for name in target_names(node.target) if name in names]
            self._add(node.place, bound[0] if len(bound) == 1 else tuple(bound))
        elif isinstance(node, Yield):
            self._add(node.place, self.outputs[-1], decides=True)
        elif isinstance(node, YieldFrom):
            self._add(node.place, tuple(self.outputs[before:]), decides=True)
        elif isinstance(node, Return):
            value = signal.value if signal is not None and hasattr(signal, "value") else None
            self._add(node.place, value, decides=True)
        elif isinstance(node, Break):
            self._add(node.place, "", decides=True)
        return signal

    def decide(self, test: Expression, names: Environment) -> bool:
        way = super().decide(test, names)
        if not self.path:
            filters = id(test) in self.filters
            self._add(test.place, way, decides=not filters, filters=filters)
        return way

    def iterate(self, node: For, index: Any, item: Any, names: Environment) -> Signal:
        if not self.path:
            self._add(node.place, item, depth=len(self.iteration))
        return super().iterate(node, index, item, names)

    def _add(
        self, place: Place, value: Any, *, decides: bool = False, depth: int | None = None, filters: bool = False
    ) -> None:
        code = place.source.text(place.line).strip()
        depth = len(self.iteration) if depth is None else depth
        self.events.append(TraceEvent(place.line, code, value, decides, depth, filters))


def _shown(value: Any) -> str:
    return f"[{', '.join(map(show, value))}]" if isinstance(value, tuple | list) else show(value)


def _column_width(cells: Sequence[str]) -> int:
    """The width of a column of values: up to 16, but room for its longest word."""
    return max(min(16, max(map(len, cells))), max(len(word) for cell in cells for word in cell.split() or [""]))


def _wrapped(text: str, width: int = WIDTH) -> list[str]:
    """The text broken at blanks, and never within a word; lines after the first keep its indent, and are deeper."""
    indent = " " * (len(text) - len(text.lstrip(" 0123456789")) + 2 if text[:1] == " " else 0)
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    ) or [""]
