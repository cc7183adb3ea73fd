"""From the proofs of lemmas to what a proof that uses them may know: the claim, and little else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from alignkit.interpreting.values import is_number
from alignkit.language.kinds import Kind
from alignkit.language.tags import Tag
from alignkit.proving.deciding import Decider
from alignkit.proving.facts.ranges import within
from alignkit.proving.gathering import Theory
from alignkit.proving.obligation import Obligation
from alignkit.proving.runs.called_values import tags_within
from alignkit.proving.runs.lemma_calls import Lemma, Lemmas, part_at
from alignkit.results import Presumed
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

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
    proved = {
        lemma.mechanism: Lemma(
            lemma,
            proof.presumed,
            _positions(lemma, proof.theory, decider),
            _tags(proof.theory),
            _kept(lemma, proof),
        )
        for lemma in alignment.lemmas
        if (proof := proofs.get(lemma)) is not None and proof.complete
    }
    return Lemmas(alignment.lemmas, proved)


def _kept(lemma: AlignmentProgram, proof: Proven) -> tuple[str, ...]:
    """The assumptions that a call inherits from its lemma."""
    return tuple(f"of {lemma.mechanism.name}: {a}" for a in proof.assumptions if not a.startswith(DEFINED))


def _tags(theory: Theory | None) -> tuple[Tag, ...]:
    """The tags that some path of a proof puts out or returns."""
    outputs = () if theory is None else tuple(trace.outputs for trace in theory.traces)
    return tuple(dict.fromkeys(tags_within(outputs)))


def _positions(lemma: AlignmentProgram, theory: Theory | None, decider: Decider) -> frozenset[tuple[int, ...]]:
    """The parts of the returned value that are a position in every private list, on every path of the callee."""
    lists = [name for name, kind in lemma.mechanism.private.items() if kind.vector]
    if theory is None or theory.loop is not None or lemma.mechanism.program.is_generator or not lists:
        return frozenset()
    paths = list(_whole_parts(lemma.mechanism.kinds.output, ()))
    traces = theory.traces
    return frozenset(path for path in paths if traces and all(_holds(t, path, lists, decider) for t in traces))


def _whole_parts(kind: Kind, path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if kind.name == "int":
        yield path
    if kind.name == "tuple":
        for number, part in enumerate(kind.parts):
            yield from _whole_parts(part, (*path, number))


def _holds(trace: Any, path: tuple[int, ...], lists: list[str], decider: Decider) -> bool:
    (returned,) = trace.outputs
    value = part_at(returned, path)
    if not is_number(value):
        return False
    position = Term.of(value)
    for name in lists:
        length = Term.of(Symbol(f"len({name})", Role.PUBLIC, integer=True, positive=True))
        inside = within(position, length)
        if not decider.decide(Obligation("termination", trace.hypotheses, inside, "a position in a list")).holds:
            return False
    return True
