"""The search for an alignment: runs, a linear program, source text, and the check that decides."""

from __future__ import annotations

import hashlib
import itertools
import linecache
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from alignkit.arguments import check_callable, seconds, shown, whole
from alignkit.checking.five_hops import check
from alignkit.errors import AlignkitError, InputError, LanguageError, OutOfTime
from alignkit.finding.findings import Findings, Proposal
from alignkit.finding.paired_runs import AnotherWay, PairedRun, follow_d, lead_along
from alignkit.finding.programs import Solution, cheapest_solution, exact_cost
from alignkit.finding.public_expressions import LENGTH, fitted_product, fitting_claims
from alignkit.finding.scenarios import Setting, noise_from, paired_runs_for, sizes, various_settings
from alignkit.finding.shapes import Case, Layout, Shape, Site, kind_of_output, layout, sites
from alignkit.finding.source_text import AlignmentText, alignment_text
from alignkit.interpreting.values import Coordinate
from alignkit.limits import Deadline
from alignkit.noise import CHOICE, Distribution
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency, check_one_private
from alignkit.running.adjacent_pairs import PrivateAnswers, centre
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_decorator import alignment as make_alignment
from alignkit.running.mechanism_decorator import Mechanism

# Values of the public parameters to run with: enough to tell expressions in them apart.
_SETTINGS = 6

# How often an alignment of one shape is mended after a counterexample.
_ROUNDS = 4

# Outputs of one kind may come without end if so many come for so many answers, where the program counts up to these.
_REPEATS, _MANY, _COUNTS = 10, 12, (1, 3)

# Where answers are put, so that they are all of one kind.
_DISTANCES = (0, 1, -1, 100, -100, 10**6, -(10**6))

Sampled = list[tuple[int, PairedRun]]
"""Paired runs, each with the number of its setting."""


def find(
    mechanism: Mechanism,
    *,
    adjacency: str = "each",
    budget: float = 60.0,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Findings:
    """Propose alignments of a mechanism, the cheapest claim first, until `check` proves one.

    The proposals come from runs of the mechanism on adjacent databases: what the output and the way through the program
    ask of the shifts is a linear program. Which alignments can be found is said in docs/finding.md. ``budget`` is in
    seconds for the whole search, proofs included. ``seed`` steers the choice of the runs, and ``progress`` is called
    with a text for each step. Nothing that is proposed is trusted: the verdict is that of `check`. Raises InputError
    for bad arguments.

    >>> from alignkit.mechanisms.noisy_max import noisy_max
    >>> print(find(noisy_max).proved.claim)
    eps
    """
    if not isinstance(mechanism, Mechanism):
        raise InputError(f"find takes a mechanism, not {shown(mechanism)}; decorate the function with @mechanism")
    kind = Adjacency.read(adjacency)
    check_one_private(kind, mechanism)
    budget, seed = seconds(budget, "the budget"), whole(seed, "seed")
    check_callable(progress, "progress", "a function of one string")
    mechanism.ensure_current()
    started = time.monotonic()
    search = _Search(mechanism, kind, Deadline.after(budget), random.Random(seed), progress or (lambda text: None))
    try:
        reason = search.run()
    except OutOfTime:
        reason = f"the budget of {budget:g} s was used up"
    except KeyboardInterrupt:
        reason = "the search was interrupted"
    elapsed = time.monotonic() - started
    return Findings(mechanism.name, str(kind), tuple(search.proposals), search.runs, elapsed, reason)


@dataclass
class _Search:
    """One search: what was proposed so far."""

    mechanism: Mechanism
    adjacency: Adjacency
    deadline: Deadline
    source: random.Random
    say: Callable[[str], None]
    proposals: list[Proposal] = field(default_factory=list)
    runs: int = 0

    def run(self) -> str:
        """Propose until one is proved; return why none was."""
        if any(draw.distribution is CHOICE for draw in self.mechanism.draws):
            return "proofs do not cover noise.choice; see same_law for exact laws"
        self.say("running the mechanism")
        sampled: Sampled = []
        chosen = various_settings(self.mechanism, self.source, _SETTINGS)
        for setting in chosen:
            self.deadline.check()
            sampled += _sampled(self.mechanism, self.adjacency, setting, self.source)
        self.runs = len(sampled)
        if not sampled:
            return "no run could be followed: the program is not affine in its noise, or not defined on few answers"
        public = {setting.number: setting.public for setting in chosen}
        for shape in candidate_shapes(self.mechanism, self.adjacency, [pair for _, pair in sampled], self.source):
            if self._prove(shape, sampled, public):
                return ""
        if not self.proposals:
            return f"no alignment of the shapes that are known meets the demands of {self.runs} pairs of runs"
        last = self.proposals[-1].result.verdict
        return f"none of {len(self.proposals)} proposals was proved; the last one is {last}"

    def _prove(self, shape: Shape, sampled: Sampled, public: dict[int, Mapping[str, Any]]) -> bool:
        """Propose alignments of one shape until one is proved; counterexamples to a proposal join the paired runs."""
        for _ in range(_ROUNDS):
            self.deadline.check()
            solution = cheapest_solution(shape, sampled)
            if solution is None:
                return False
            learned: Sampled = []
            for text, claim in claimed(solution, sampled, public):
                self.say(f"checking the claim {claim}")
                self.deadline.check()
                try:
                    alignment = read(text, claim)
                except (InputError, LanguageError):  # a name of the mechanism is also one of the alignment's own
                    continue
                result = check(alignment, timeout=self.deadline.left, effort=0)
                self.proposals.append(Proposal(text.source(claim), text.imports, claim, result, alignment))
                if result.proved:
                    return True
                if result.counterexample is not None:
                    learned += self._learned(result.counterexample.witness, public)
            if not learned:
                return False
            sampled += learned
        return False

    def _learned(self, witness: Witness, public: dict[int, Mapping[str, Any]]) -> Sampled:
        """The paired run of a counterexample, as one of a setting of its own; none where D′ cannot be led."""

        def pick(where: Coordinate, distribution: Distribution, arguments: tuple[Fraction, ...]) -> Fraction:
            value = witness.H[where.key]
            for i in where.index:
                value = value[i]
            return Fraction(value)

        number = len(public)
        try:
            pair = lead_along(self.mechanism, witness, follow_d(self.mechanism, witness.values, pick))
        except (AnotherWay, AlignkitError):
            return []
        public[number] = witness.public
        return [(number, pair)]


def _sampled(mechanism: Mechanism, adjacency: Adjacency, setting: Setting, source: random.Random) -> Sampled:
    """Paired runs for one setting, all of them with the units that some of them show."""
    pairs = [
        pair
        for size in sizes(mechanism, setting)
        for pair in paired_runs_for(mechanism, adjacency, setting, size, source)
    ]
    measured: dict[str, set[Fraction]] = {}
    for pair in pairs:
        for key, unit in pair.units.items():
            measured.setdefault(key, set()).add(unit)
    # Where several answers are added to one draw, no unit serves them all, and they have coefficients of their own.
    units = {key: min(values) for key, values in measured.items() if len(values) == 1}
    return [(setting.number, replace(pair, units=units)) for pair in pairs]


def candidate_shapes(
    mechanism: Mechanism, adjacency: Adjacency, some: Sequence[PairedRun], source: random.Random
) -> Iterator[Shape]:
    """The shapes to try, the plain ones first."""
    names = layout([pair.output for pair in some])
    plain = Shape(mechanism, adjacency, sites(mechanism, some), names)
    still = frozenset(_repeated(plain, source))
    yield replace(plain, still=still)
    if Site.SINGLE in plain.sites.values() and _gives_one_output(some):
        yield replace(plain, still=still, by_output=True)
    if names is not Layout.NO_POSITION:
        yield replace(plain, still=still, best_loser=True)
        yield replace(plain, still=still, raised=True)


def _gives_one_output(some: Sequence[PairedRun]) -> bool:
    """Whether no run has more than one output, so that a single draw can go by its kind."""
    return all(not isinstance(pair.output, tuple) or len(pair.output) <= 1 for pair in some)


def _repeated(shape: Shape, source: random.Random) -> Iterator[tuple[str, Case]]:
    """The draws of a loop with the kinds of output that may come again and again, so that their shifts must be free."""
    loops = [key for key, site in shape.sites.items() if site is Site.LOOP]
    if not loops:
        return
    kinds: set[Case] = set()
    for count, distance in itertools.product(_COUNTS, _DISTANCES):
        counted = [kind_of_output(part) for part in _long_output(shape.mechanism, count, distance, source)]
        kinds |= {kind for kind in counted if counted.count(kind) >= _REPEATS}
    yield from itertools.product(loops, kinds)


def _long_output(mechanism: Mechanism, count: int, distance: int, source: random.Random) -> tuple[Any, ...]:
    """The output for many answers at one distance from where the mechanism compares them; empty if it has none."""
    public: dict[str, Any] = {}
    for name, kind in mechanism.public.items():
        value = kind.sample_values()[0]
        public[name] = (value,) * _MANY if kind.vector else count if kind.integer else value
    private = PrivateAnswers(mechanism, mechanism.on_lattices(public), _MANY)
    places = len(private.places)
    level = centre(mechanism, source) + distance
    try:
        run = follow_d(mechanism, private.witness([level] * places, [Fraction(0)] * places).values, noise_from(source))
    except AlignkitError:
        return ()
    return tuple(run.output)


def claimed(
    solution: Solution, sampled: Sampled, public: Mapping[int, Mapping[str, Any]]
) -> Iterator[tuple[AlignmentText, str]]:
    """The solution as source, with each claim that fits what it costs."""
    shape = solution.shape
    costs: dict[tuple[int, int | None], Fraction] = {}
    for number, pair in sampled:
        key = (number, len(pair.output) if _length_varies(shape) else None)
        costs[key] = max(costs.get(key, Fraction(0)), exact_cost(shape, solution.coefficients, pair))
    text = written(solution, sampled, public)
    points = [
        (public[number] if length is None else {**public[number], LENGTH: length}, cost)
        for (number, length), cost in costs.items()
    ]
    for claim in fitting_claims(shape.mechanism, points):
        yield text, claim


def _length_varies(shape: Shape) -> bool:
    """Whether outputs name more or fewer positions, so that a claim may go by their number."""
    lists = (Layout.POSITIONS, Layout.LIST_WITH_NUMBERS)
    return shape.mechanism.program.is_generator and shape.layout in lists


def written(solution: Solution, sampled: Sampled, public: Mapping[int, Mapping[str, Any]]) -> AlignmentText:
    """The solution as source text."""
    shape = solution.shape
    shifts: dict[tuple[str, Case], dict[str, Fraction]] = {}
    for (key, case, term), factor in sorted(solution.coefficients.items()):
        shifts.setdefault((key, case), {})[term] = factor
    kinds: dict[str, list[Case]] = {draw.key: [] for draw in shape.mechanism.draws}
    measured: dict[str, dict[int, Fraction]] = {}
    for number, pair in sampled:
        for drawn in pair.drawn:
            case = shape.case(pair, drawn)
            if case not in kinds[drawn.where.key] and case != ("none",):
                kinds[drawn.where.key].append(case)
        for key, unit in pair.units.items():
            measured.setdefault(key, {})[number] = unit
    units: dict[str, str] = {}
    for key, values in measured.items():
        if set(values.values()) != {Fraction(1)}:
            text = fitted_product(shape.mechanism, [(public[n], v) for n, v in values.items()])
            if text is not None:
                units[key] = text
    return alignment_text(shape, shifts, units, kinds)


def read(text: AlignmentText, claim: str) -> Alignment:
    """The alignment that a source text defines."""
    source = text.source(claim)
    file = f"<alignment of {text.mechanism.name} {hashlib.sha256(source.encode()).hexdigest()[:16]}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": "proposals", "alignment": make_alignment, **text.tags}
    names[text.mechanism.name] = text.mechanism
    exec(compile(source, file, "exec"), names)
    made: Alignment = names["phi"]
    return made
