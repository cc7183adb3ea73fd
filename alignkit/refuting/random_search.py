"""The random search over adjacent databases: the first thing tried on every proof, and the quickest to refute it.

Adjacent inputs from a real table: the counts of its items, with a record dropped or added.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import islice, takewhile
from typing import Any

from alignkit.errors import InputError, OutOfTime
from alignkit.language.parameters import Query
from alignkit.limits import Deadline
from alignkit.noise import CHOICE, Distribution
from alignkit.refuting.convicting import GuessingContext, convicts
from alignkit.results import Witness
from alignkit.running.adjacency import check_adjacent
from alignkit.running.adjacent_pairs import largest_change, random_pairs
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.both_runs import AlignedRun, run_both
from alignkit.running.exact_confirmation import confirm_run


def record_pairs(
    alignment: AlignmentProgram, table: Sequence[frozenset[str]], source: random.Random, most: int = 10
) -> Iterator[Witness]:
    """Item counts of a real table, and of the same with one record dropped, or the other way round.

    The queries are some items of the record and some others; numbers that the counts are compared with are
    taken near one of them.
    """
    (name,) = [n for n, kind in alignment.mechanism.private.items() if isinstance(kind, Query)]
    counts = Counter(item for record in table for item in record)
    items = sorted(counts)
    while True:
        record = source.choice(table)
        in_record = sorted(record)
        chosen = source.sample(in_record, min(len(in_record), most // 2))
        others = source.sample(items, min(len(items), most - len(chosen)))
        chosen = list(dict.fromkeys([*chosen, *others]))
        source.shuffle(chosen)
        whole = tuple(counts[item] for item in chosen)
        less = tuple(counts[item] - (item in record) for item in chosen)
        public = _near(alignment, whole, source)
        one, other = (whole, less) if source.random() < 0.5 else (less, whole)
        yield Witness(public, {name: one}, {name: other})


def _near(alignment: AlignmentProgram, answers: tuple[int, ...], source: random.Random) -> Mapping[str, Any]:
    values: dict[str, Any] = {}
    for name, kind in alignment.mechanism.public.items():
        choices = kind.sample_values()
        if kind.vector:
            values[name] = answers
        elif kind.positive:
            values[name] = int(choices[0]) if kind.integer else source.choice(choices)
        else:
            values[name] = Fraction(source.choice(answers))
    return alignment.mechanism.domain.on_lattices(values)


# So many adjacent pairs are tried before a proof is, or some more; as many as this in all where none comes about.
FIRST = 60
LONGER = 90
TRIALS = 240
# As many are tried where a solver's model says that something fails: rare ties are then found whatever the seed is.
MANY = 4000
# Every so often a run that breaks nothing is repeated by Python itself, which compares the two readings of a program.
CONFIRMED = 20
# The runs that break nothing are kept among the first so many trials.
KEPT = 120


@dataclass
class RandomSearch:
    """The state of a search, which can be continued: a candidate that breaks the proof, or the number of trials so far.

    ``settings`` are the public parameters that were tried, ``lines`` the lines that gave output in some run;
    ``passed`` are the first trials that broke nothing.
    """

    alignment: AlignmentProgram
    source: random.Random
    trials: int = 0
    candidate: Witness | None = None
    settings: list[Mapping[str, Any]] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)
    records: int = 0
    passed: list[tuple[Witness, AlignedRun]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._pairs = random_pairs(self.alignment.mechanism, self.alignment.adjacency, self.source)

    def go_on(
        self,
        trials: int,
        seconds: float,
        progress: Callable[[str], None] | None = None,
        until: Callable[[], bool] = lambda: False,
    ) -> Witness | None:
        """Try random pairs until one breaks the proof (it is returned), ``trials`` are reached, or ``until`` holds."""
        left = max(0, trials + self.records - self.trials)
        self._try(takewhile(lambda pair: not until(), islice(self._pairs, left)), seconds, progress)
        return self.candidate

    def among_records(
        self, table: Sequence[frozenset[str]], seconds: float, progress: Callable[[str], None] | None = None
    ) -> None:
        """Try a real table with a record dropped or added, in ``TRIALS`` ways."""
        _check_table(self.alignment, table)
        before = self.trials
        self._try(islice(record_pairs(self.alignment, table, self.source), TRIALS), seconds, progress)
        self.records = self.trials - before

    def _try(self, pairs: Iterator[Witness], seconds: float, progress: Callable[[str], None] | None) -> None:
        deadline = Deadline.after(seconds)
        for inputs in pairs:
            if deadline.passed:
                return
            if progress is not None and self.trials % 50 == 0:
                progress(f"searching: {self.trials} adjacent pairs tried")
            self.trials += 1
            self.settings.append(inputs.public)
            try:
                candidate = self._candidate(inputs, deadline)
                if candidate is not None and convicts(self.alignment, candidate, deadline):
                    self.candidate = candidate
                    return
            except OutOfTime:
                self.trials -= 1
                return

    def _candidate(self, inputs: Witness, deadline: Deadline) -> Witness | None:
        """The inputs with made-up noise, where a run on them seems to break the proof."""
        alignment, mechanism = self.alignment, self.alignment.mechanism
        bound = max(largest_change(mechanism, name, inputs.public) for name in mechanism.private)
        context = GuessingContext(alignment, partial(small_noise, self.source, bound), self.lines, deadline)
        try:
            check_adjacent(alignment.adjacency, mechanism, inputs.values, inputs.values_)
            trial = run_both(alignment, inputs, context)
        except InputError:
            return None
        context.note_return(trial.run)
        candidate = inputs.with_noise(trial.run.H)
        if trial.violation is not None:
            return candidate if trial.run.defined else None
        if self.trials <= KEPT and trial.outside is None:
            self.passed.append((candidate, trial))
        if self.trials % CONFIRMED == 0:
            confirm_run(alignment, inputs, trial)
        return None


def search_at_random(
    alignment: AlignmentProgram,
    *,
    seed: int = 0,
    trials: int = TRIALS,
    seconds: float = 20.0,
    table: Sequence[frozenset[str]] | None = None,
    progress: Callable[[str], None] | None = None,
) -> RandomSearch:
    """Try adjacent pairs with made-up noise until one breaks the proof or the trials are over.

    With a ``table``, that with one record dropped or added is tried after them, in ``TRIALS`` ways.
    """
    result = RandomSearch(alignment, random.Random(seed))
    deadline = Deadline.after(seconds)
    result.go_on(trials, seconds, progress)
    if table is not None and result.candidate is None:
        result.among_records(table, deadline.left, progress)
    return result


def _check_table(alignment: AlignmentProgram, table: Sequence[frozenset[str]]) -> None:
    private = list(alignment.mechanism.private.values())
    if len(private) != 1 or not private[0].vector:
        name = alignment.mechanism.name
        raise InputError(f"{name} does not take a single vector of answers, so it cannot be searched on a table")
    if not table:
        raise InputError("the table has no records")


def small_noise(source: random.Random, bound: Fraction, distribution: Distribution, arguments: tuple[Any, ...]) -> Any:
    """A value of noise: small, often 0, sometimes far out, always in the support."""
    if distribution is CHOICE:
        return source.choice([i for i, weight in enumerate(arguments[0]) if weight > 0])
    if not distribution.support.continuous:
        value: Any = Fraction(arguments[-1]) * source.choice((0, 0, 1, -1, 2, -2, 3))
    else:
        far = 4 if source.random() < 0.15 else 1
        value = Fraction(source.randint(-8, 8), source.choice((1, 2, 3, 4))) * far * max(bound, Fraction(1)) / 2
    return distribution.possible(value, *arguments)
