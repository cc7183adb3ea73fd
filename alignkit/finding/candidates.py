"""The shapes of alignments that a search tries for a mechanism, the plain ones first.

What a search starts from: paired runs at several values of the public parameters, and the shapes to try.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence as Several
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import NoisyNumber
from alignkit.errors import AlignkitError
from alignkit.finding.output_parts import offset_text, range_text, selected_places
from alignkit.finding.paired_runs import FollowedRun, PairedRun, follow_d
from alignkit.finding.programs import rate
from alignkit.finding.scenarios import Samples, noise_from, sampled
from alignkit.finding.shapes import Answers, Case, Layout, Shape, Site, is_zero, layout, sites
from alignkit.finding.sums import numbers_written, sums_of_answers
from alignkit.language.program import Joined, Name, Sequence, walk
from alignkit.language.tags import Tag
from alignkit.limits import Deadline
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import PrivateAnswers, centre
from alignkit.running.mechanism_decorator import Mechanism

# Outputs of one kind may come without end if so many come for so many answers, where the program counts up to these.
_REPEATS, _MANY, _COUNTS = 10, 12, (1, 3)

# What costs less than this fraction of what it cost at first may be paid for again and again.
_FAINT = 50

# Where answers are put, so that they are all of one kind.
_DISTANCES = (0, 1, -1, 100, -100, 10**6, -(10**6))


def candidate_shapes(
    mechanism: Mechanism, adjacency: Adjacency, some: Several[PairedRun], source: random.Random
) -> Iterator[Shape]:
    """The shapes to try, the plain ones first."""
    stream = mechanism.program.is_generator
    names = layout([pair.output for pair in some], stream=stream)
    zeros = stream and names is Layout.NO_POSITION and _has_zeros(some)
    plain = Shape(mechanism, adjacency, sites(mechanism, some), names, _answers(mechanism, some), zeros=zeros)
    plain = replace(plain, outputs_beyond=stream and any(len(p.output) > len(plain.both_answers(p)[0]) for p in some))
    if names is Layout.WITH_NUMBERS and not stream:
        plain = replace(plain, lone_tags=tuple(sorted({p.output.name for p in some if isinstance(p.output, Tag)})))
    plain = _by_parts(plain, some)
    still = frozenset(_repeated(plain, source))
    yield replace(plain, still=still)
    one_named = names in (Layout.POSITION, Layout.WITH_NUMBERS)
    if Site.SINGLE in plain.sites.values() and (one_named or _gives_one_output(some)):
        yield replace(plain, still=still, by_output=True)
        vectors = [name for name, kind in mechanism.private.items() if kind.vector]
        if one_named and len(vectors) > 1:
            yield replace(plain, still=still, by_output=True, beside=tuple(vectors[1:]))
    if names is Layout.LIST_WITH_NUMBERS and Site.LOOP in plain.sites.values():
        yield replace(plain, still=still, own_name=True)
    if names is not Layout.NO_POSITION:
        yield replace(plain, still=still, best_loser=True)
        yield replace(plain, still=still, raised=True)
    sums = sums_of_answers(mechanism) if adjacency in (Adjacency.ONE, Adjacency.L1) else numbers_written(mechanism)
    if sums and Site.SINGLE in plain.sites.values():
        yield replace(plain, still=still, sums=sums)
    single = [key for key, site in plain.sites.items() if site is Site.SINGLE]
    if len(plain.sites) > 1:
        for key, share in itertools.product(single, (1, -1)):
            yield replace(plain, still=still, given={key: Fraction(share)})
    if still:
        yield plain  # what comes again and again may cost less every time


def _by_parts(shape: Shape, some: Several[PairedRun]) -> Shape:
    """The shape with the parts of the output that go with draws, where several loops or selections follow another."""
    mechanism, kinds = shape.mechanism, dict(shape.sites)
    places: dict[str, int] = {}
    if shape.layout in (Layout.POSITIONS, Layout.NO_POSITION):
        places = selected_places(some, [key for key, site in kinds.items() if site is Site.VECTOR])
    looped = [key for key, site in kinds.items() if site is Site.LOOP]
    offsets: dict[str, str] = {}
    ranges: dict[str, str] = {}
    for key in looped if mechanism.program.is_generator else ():
        offset = offset_text(some, key, looped)
        # Where all outputs of a later loop are of one kind they tell nothing, and a bound is known of vectors.
        plain = bool(offset) and shape.layout is Layout.NO_POSITION and _of_one_kind(shape, some, key)
        if offset is None or plain:
            kinds[key] = Site.VECTOR
            continue
        if offset:
            offsets[key] = offset
        count = range_text(mechanism, some, key, offset)
        if count is not None:
            ranges[key] = count
    if not offsets:
        ranges = {}
    return replace(shape, sites=kinds, offsets=offsets, ranges=ranges, places=places)


def _of_one_kind(shape: Shape, some: Several[PairedRun], key: str) -> bool:
    drawn = [(pair, each) for pair in some for each in pair.drawn if each.where.key == key]
    return len({shape.case(pair, each) for pair, each in drawn} - {("none",)}) <= 1


def _has_zeros(some: Several[PairedRun]) -> bool:
    """Whether outputs are the number 0 in one place and noisy numbers in another."""
    parts = [part for pair in some for part in pair.output]
    return any(map(is_zero, parts)) and any(isinstance(part, NoisyNumber) for part in parts)


def _answers(mechanism: Mechanism, some: Several[PairedRun]) -> Answers | None:
    """The first vector of answers, with the public numbers among which the program puts it, as in `[T, *q]`."""
    vectors = [name for name, kind in mechanism.private.items() if kind.vector]
    if not vectors:
        return None
    vector = vectors[0]
    for node in walk(*mechanism.program.body):
        if isinstance(node, Joined):
            names: list[str] = []
            for part in node.parts:
                items = part.items if isinstance(part, Sequence) else (part,)
                names += [item.name if isinstance(item, Name) else "" for item in items]
            at = names.index(vector) if vector in names else 0
            if all(n == vector or n in mechanism.public for n in names) and names.count(vector) == 1:
                joined = Answers(vector, tuple(names[:at]), tuple(names[at + 1 :]))
                if _as_many_draws(joined, some):
                    return joined
    return Answers(vector)


def _as_many_draws(answers: Answers, some: Several[PairedRun]) -> bool:
    """Whether each run draws for all of these answers, once for each, wherever it draws for each of several."""
    for pair in some:
        counts = Counter(drawn.where.key for drawn in pair.drawn if drawn.where.index)
        size = len(answers.of(pair.witness.values, pair.witness.public))
        if any(count != size for count in counts.values()):
            return False
    return True


def _gives_one_output(some: Several[PairedRun]) -> bool:
    """Whether no run has more than one output, so that a single draw can go by its kind."""
    return all(not isinstance(pair.output, tuple) or len(pair.output) <= 1 for pair in some)


def _repeated(shape: Shape, source: random.Random) -> Iterator[tuple[str, Case]]:
    """The draws of a loop with the kinds of output that may come again and again, so that their shifts must be free."""
    loops = [key for key, site in shape.sites.items() if site is Site.LOOP]
    if not loops:
        return
    kinds: set[Case] = set()
    for count, distance in itertools.product(_COUNTS, _DISTANCES):
        run = _long_run(shape.mechanism, count, distance, source)
        counted = [shape.kind(part) for part in run.output] if run is not None else []
        kinds |= {k for k in counted if counted.count(k) >= _REPEATS and not _ever_cheaper(run, loops, counted, k)}
    yield from itertools.product(loops, kinds)


def _ever_cheaper(run: FollowedRun | None, loops: list[str], counted: list[Case], kind: Case) -> bool:
    """Whether moving the draws for outputs of a kind costs ever less, so that it may cost little to move all of them.
    """
    of_kind = [d for d in run.drawn if d.where.key in loops and counted[d.outputs_before] == kind] if run else []
    rates = [[rate(drawn) for drawn in of_kind if drawn.where.key == key] for key in loops]
    return any(rates) and all(each[-1] * _FAINT <= each[0] for each in rates if each)


def _long_run(mechanism: Mechanism, count: int, distance: int, source: random.Random) -> FollowedRun | None:
    """A run on many answers at one distance from where the mechanism compares them; None if it has none."""
    public: dict[str, Any] = {}
    for name, kind in mechanism.public.items():
        value = kind.sample_values()[0]
        public[name] = (value,) * _MANY if kind.vector else count if kind.integer else value
    private = PrivateAnswers(mechanism, mechanism.domain.on_lattices(public), _MANY)
    places = len(private.places)
    level = centre(mechanism, source) + distance
    try:
        run = follow_d(mechanism, private.witness([level] * places, [Fraction(0)] * places).values, noise_from(source))
    except AlignkitError:
        return None
    return run


@dataclass(frozen=True)
class SearchGrounds:
    """Paired runs of a mechanism, and shapes, the plain ones first."""

    samples: Samples
    shapes: tuple[Shape, ...]


def pose(mechanism: Mechanism, adjacency: Adjacency, seed: int, deadline: Deadline) -> SearchGrounds:
    """Run a mechanism at several settings. The same seed gives the same runs. Raises OutOfTime at the deadline."""
    source = random.Random(seed)
    samples = sampled(mechanism, adjacency, deadline, source)
    pairs = [pair for _, pair in samples.pairs]
    return SearchGrounds(samples, tuple(candidate_shapes(mechanism, adjacency, pairs, source)) if pairs else ())
