"""From the proofs of lemmas to what a proof that uses them may know: the claim, and little else."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from alignkit.language.kinds import Kind, joined, vector
from alignkit.proving.deciding import Decider
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.facts.ranges import within
from alignkit.proving.gathering import Theory
from alignkit.proving.obligation import Obligation
from alignkit.proving.runs.lemma_calls import Lemma, Lemmas, part_at, tags_within
from alignkit.proving.runs.path_trace import Trace
from alignkit.proving.symbolic_inputs import length_symbol
from alignkit.results import Presumed
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.symbolic.terms import Term

# How an assumption begins that a call need not make: what a lemma presumes is obliged of each call.
DEFINED = "the inputs are ones for which the program is defined"


class Proven(Protocol):
    """The proof of a lemma."""

    @property
    def complete(self) -> bool: ...

    @property
    def assumptions(self) -> tuple[str, ...]: ...

    @property
    def presumed(self) -> tuple[Presumed, ...]: ...

    @property
    def theory(self) -> Theory | None: ...


def lemmas_of(alignment: AlignmentProgram, proofs: Mapping[Any, Proven], decider: Decider) -> Lemmas:
    """The lemmas of an alignment, as far as they are proved."""
    proofs = {lemma: proof for lemma in alignment.lemmas if (proof := proofs.get(lemma)) is not None and proof.complete}
    return Lemmas(alignment.lemmas, {lemma.mechanism: _proved(lemma, p, decider) for lemma, p in proofs.items()})


def _proved(lemma: AlignmentProgram, proof: Proven, decider: Decider) -> Lemma:
    traces = () if proof.theory is None else proof.theory.traces
    is_generator = lemma.mechanism.program.is_generator
    given = joined(kind for trace in traces for kind in trace.kinds)
    known = Lemma(
        lemma,
        proof.presumed,
        output=vector(given) if is_generator else given,
        tags=tuple(dict.fromkeys(tags_within(tuple(trace.outputs for trace in traces)))),
        positions=frozenset(),
        obliged=(),
        assumptions=_kept(lemma, proof),
    )
    if is_generator or proof.theory is None or proof.theory.planned.plans:
        return known
    # Several traces of one path stand for one return: each is asked.
    owed = {path: [*_inside(known, path, traces)] for path in _whole_parts(known.output, ())}
    # Asked apart: a parameter of the callee may be of another type than one of the caller that has its name.
    own = decider.apart()
    shown = [path for path, asked in owed.items() if asked and all(own.decide(o).holds for o in asked)]
    decider.queries += own.queries
    if not shown:
        return known
    settled = Obligation(
        "same_output", Hypotheses.of(()), True, known.gives_positions, lemma.program.place, settled=True
    )
    return replace(known, positions=frozenset(shown), obliged=(settled,))


def _kept(lemma: AlignmentProgram, proof: Proven) -> tuple[str, ...]:
    """The assumptions that a call inherits from its lemma."""
    return tuple(f"of {lemma.mechanism.name}: {a}" for a in proof.assumptions if not a.startswith(DEFINED))


def _whole_parts(kind: Kind, path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if kind.name == "int":
        yield path
    if kind.name == "tuple":
        for number, part in enumerate(kind.parts):
            yield from _whole_parts(part, (*path, number))


def _inside(lemma: Lemma, path: tuple[int, ...], traces: Iterable[Trace]) -> Iterator[Obligation]:
    """That a part of what a mechanism returns is a position in every private list, on each of its paths."""
    lists = [name for name, kind in lemma.alignment.mechanism.private.items() if kind.vector]
    for trace, name in itertools.product(traces, lists):
        (returned,) = trace.outputs
        length = Term.of(length_symbol(name, lemma.alignment.mechanism.parameters[name]))
        inside = within(Term.of(part_at(returned, path)), length)
        yield Obligation("same_output", trace.hypotheses, inside, lemma.gives_positions, trace.place)
