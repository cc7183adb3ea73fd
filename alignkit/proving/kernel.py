"""The judgement on a proof for every n: it is planned, obliged, decided, and folded into a status of every condition.

The words of reports are asked of what is given from above, and no status depends on them.

What a proof may know of the mechanisms that it calls comes from the proofs of its lemmas: the claim, and little else.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from alignkit.errors import Unsupported
from alignkit.language.kinds import Kind, joined, vector
from alignkit.proving.conditions.adaptive_queries import claim_not_fixed
from alignkit.proving.deciding import Decided, Decider
from alignkit.proving.facts.hypotheses import Caches, Foresight, Hypotheses, Premise
from alignkit.proving.facts.ranges import within
from alignkit.proving.gathering import Theory, obligations
from alignkit.proving.obligation import Obligation
from alignkit.proving.planned_runs import ProofPlan
from alignkit.proving.runs.lemma_calls import Lemma, Lemmas, charged, part_at, tags_within
from alignkit.proving.runs.path_trace import Trace
from alignkit.proving.symbolic_inputs import Inputs, length_symbol, unbounded
from alignkit.proving.symbolic_trial import Exploration
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.online import not_online
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.terms import Term
from alignkit.verdicts import ADAPTIVE_QUERIES, CONDITIONS, LIMITS, TITLES, Condition, Presumed, Verdict

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

    @property
    def charges(self) -> Proven | None: ...


def lemmas_of(alignment: AlignmentProgram, proofs: Mapping[Any, Proven], decider: Decider) -> Lemmas:
    """The lemmas of an alignment, as far as they are proved."""
    proofs = {lemma: proof for lemma in alignment.lemmas if (proof := proofs.get(lemma)) is not None and proof.complete}
    return Lemmas(alignment.lemmas, {lemma.mechanism: _proved(lemma, p, decider) for lemma, p in proofs.items()})


def _proved(lemma: AlignmentProgram, proof: Proven, decider: Decider) -> Lemma:
    theories = (proof.theory, None if proof.charges is None else proof.charges.theory)
    # What the callee does where it breaks a limit, the proof of its shifts need not have looked at.
    traces = tuple(trace for theory in theories if theory is not None for trace in theory.traces)
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


NO_OBLIGATION = "the program gives no obligation for this condition"


@dataclass(frozen=True)
class Proof:
    """What came of an attempt to prove: the status of every condition, what it rests on, and notes for the reader.

    ``decided`` are the obligations with their answers. ``charges`` is the proof that a claim's delta bounds what its
    limits cost in probability, where there is a delta.
    """

    conditions: dict[str, Condition]
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    theory: Theory | None = None
    presumed: tuple[Presumed, ...] = ()
    decided: tuple[Decided, ...] = ()
    charges: Proof | None = None

    @property
    def complete(self) -> bool:
        """Whether every condition is proved."""
        return {*CONDITIONS} <= {*self.conditions} and all(
            condition.status is Verdict.PROVED for condition in self.conditions.values()
        )


# Plans a proof; ``planning`` does. It may ask the decider what holds, and no status depends on the answers.
Planner = Callable[[Exploration, Decider], ProofPlan]


class Words(Protocol):
    """What a report says of a proof; ``reasons`` has these functions."""

    def how(self, name: str, alignment: AlignmentProgram, own: Sequence[Decided], theory: Theory) -> str:
        """How a condition was proved; ``own`` are its obligations."""

    def why(self, failed: Sequence[Decided], alignment: AlignmentProgram) -> str:
        """Why a condition is not proved."""

    def notes_on_loops(self, theory: Theory, decided: Sequence[Decided]) -> list[str]:
        """What is said of the invariants of each loop."""


def judge(
    alignment: AlignmentProgram,
    decider: Decider,
    lines: Collection[int],
    lemmas: Mapping[AlignmentProgram, Proof],
    tried: str,
    plan: Planner,
    words: Words,
) -> Proof:
    """Gather the obligations of a proof as it is planned, have them decided, and give every condition a status.

    The first arguments are those of ``prove`` in ``proof``. What ``plan`` plans is run, obliged and decided in full,
    and ``words`` has no part in any status.
    """
    proof = _judge(alignment, decider, lines, lemmas, tried, plan, words)
    if alignment.delta is None:
        if any(lemma.delta is not None for lemma in alignment.lemmas):
            raise Unsupported("a pure claim by a lemma with delta", alignment.program.place)
        return proof
    # In a proof of its own, whose paths and facts know of no limit: what is charged there covers all noise.
    charges = _judge(_charging(alignment), decider, lines, lemmas, tried, plan, words, charging=True)
    limits = _limits(alignment, charges, decider, words)
    presumed = {str(p.formula): p for p in (*proof.presumed, *charges.presumed)}
    return replace(
        proof,
        conditions={**proof.conditions, LIMITS: limits},
        assumptions=tuple(dict.fromkeys((*proof.assumptions, *charges.assumptions))),
        presumed=tuple(presumed.values()),
        charges=charges,
    )


def _charging(alignment: AlignmentProgram) -> AlignmentProgram:
    """An alignment with its delta for a claim; what users state of a loop speaks of the shifts and their cost."""
    assert alignment.delta is not None
    assert alignment.delta_expression is not None
    return replace(alignment, claim=alignment.delta, claim_expression=alignment.delta_expression, invariants=())


def _limits(alignment: AlignmentProgram, charges: Proof, decider: Decider, words: Words) -> Condition:
    """Whether delta bounds the probability that a limit is broken, and D is a mechanism on all noise."""
    bounds = () if charges.theory is None else charges.theory.bounds
    below_1 = (decider.satisfiable((*b.hypotheses.whole, b.claim.compare("<", 1))).outcome for b in bounds)
    if bounds and not any(outcome is Outcome.POSSIBLE for outcome in below_1):
        how = f"delta is not shown to be below 1 for any public parameters, and {alignment.delta} >= 1 is no claim"
        return Condition(LIMITS, Verdict.UNDECIDED, how)
    failed = [condition for condition in charges.conditions.values() if condition.status is not Verdict.PROVED]
    if failed:
        first = failed[0]
        of = "" if first.name == "cost" else f"for all noise, {TITLES[first.name]}: "
        return Condition(LIMITS, Verdict.UNDECIDED, f"{of}{first.how}")
    assert charges.theory is not None
    return Condition(LIMITS, Verdict.PROVED, words.how(LIMITS, alignment, charges.decided, charges.theory))


def _judge(
    alignment: AlignmentProgram,
    decider: Decider,
    lines: Collection[int],
    lemmas: Mapping[AlignmentProgram, Proof],
    tried: str,
    plan: Planner,
    words: Words,
    *,
    charging: bool = False,
) -> Proof:
    """The proof of the conditions on shifts; with ``charging``, of those on what the limits cost in probability."""
    inputs = unbounded(alignment.mechanism, alignment.adjacency)
    known = lemmas_of(alignment, lemmas, decider)
    if charging:
        known = replace(known, proved={callee: charged(lemma) for callee, lemma in known.proved.items()})
    caches = Caches(foresight=Foresight(decider.foresees))
    exploration = Exploration(alignment, inputs, decider.remaining, known, caches, charging=charging)
    theory = obligations(exploration, plan(exploration, decider))
    presumed = tuple(p for p in theory.presumed if not _follows(p, inputs, decider))
    assumptions = [f"{DEFINED} ({p.words})" for p in presumed]
    domain = alignment.mechanism.domain
    assumptions += (*domain.lattices_of_sensitivities, *domain.local_sensitivities)
    vacuous = _vacuous(theory, inputs, decider, lines, tried)
    theory = replace(theory, obligations=(*theory.obligations, *_impossible(theory, decider)))
    decided = decider.decide_all(theory.obligations)
    conditions = {name: _condition(name, alignment, decided, theory, words) for name in CONDITIONS}
    if vacuous and conditions["same_output"].status is Verdict.PROVED:
        conditions["same_output"] = Condition("same_output", Verdict.UNDECIDED, vacuous)
    if theory.one_to_one and not any(decider.satisfiable(p.whole).outcome is Outcome.POSSIBLE for p in theory.pairs):
        how = "it was not shown that two different runs can have the same output"
        conditions["one_to_one"] = Condition("one_to_one", Verdict.UNDECIDED, how)
    assumptions += [assumption for lemma in known.proved.values() for assumption in lemma.assumptions]
    notes: list[str] = []
    if theory.planned.loops:
        assumptions.append(_who_asks(alignment))
        notes = words.notes_on_loops(theory, decided)
    if alignment.adaptive:
        conditions[ADAPTIVE_QUERIES] = _adaptive(alignment, decided, theory, words)
    return Proof(conditions, tuple(assumptions), tuple(notes), theory, presumed, tuple(decided))


# Said of online mechanisms: for each list of tags these are fixed queries.
BY_TAGS = ", or chosen by the tags released so far"


def _who_asks(alignment: AlignmentProgram) -> str:
    if not alignment.adaptive:
        by_tags = alignment.delta is None and not_online(alignment.mechanism) is None
        return f"the queries are fixed in advance{BY_TAGS if by_tags else ''}"
    how = {
        Adjacency.MONOTONE: ", and the answers to all that may be asked change in one direction",
        Adjacency.ONE: ", and at most one of the answers to all that is asked changes",
        Adjacency.L1: ", and the changes of the answers to all that is asked add up to at most the sensitivity",
    }
    most = alignment.adjacency.most
    few = "" if most is None else f", and at most {most} of the answers to all that is asked change"
    return (
        "each query may be chosen after seeing all outputs so far; the databases are adjacent whatever is asked"
        + how.get(alignment.adjacency, few)
    )


def _adaptive(alignment: AlignmentProgram, decided: Iterable[Decided], theory: Theory, words: Words) -> Condition:
    """Whether what holds for fixed queries holds for every analyst."""
    offline = not_online(alignment.mechanism) or claim_not_fixed(alignment)
    if offline is not None:
        place = offline.place
        beside = place.source.file.endswith(" (claim)")
        how = f"line {alignment.line if beside else place.line}: {offline.words}"
        return Condition(ADAPTIVE_QUERIES, Verdict.UNDECIDED, how)
    if alignment.lemmas:
        how = "calls that are used by their lemmas are not covered"
        return Condition(ADAPTIVE_QUERIES, Verdict.UNDECIDED, how)
    theorem = theory.planned.theorem
    if theorem is None:
        how = "the loop over the answers was not taken step by step"
        return Condition(ADAPTIVE_QUERIES, Verdict.UNDECIDED, how)
    own = [d for d in decided if d.obligation.condition == ADAPTIVE_QUERIES]
    failed = [d for d in own if not d.holds]
    if failed:
        return Condition(ADAPTIVE_QUERIES, Verdict.UNDECIDED, words.why(failed, alignment))
    if not own:
        return Condition(ADAPTIVE_QUERIES, Verdict.UNDECIDED, NO_OBLIGATION)
    return Condition(ADAPTIVE_QUERIES, Verdict.PROVED, f"all analysts, by {theorem}")


def _follows(presumed: Presumed, inputs: Inputs, decider: Decider) -> bool:
    """Whether the types of the parameters alone give what the program needs."""
    domain = Hypotheses.of(inputs.domain)
    return decider.decide(Obligation("termination", domain, presumed.formula, presumed.words)).holds


def _vacuous(theory: Theory, inputs: Inputs, decider: Decider, lines: Collection[int], tried: str) -> str | None:
    """Why the proof might speak of nothing: contradictory premises, or paths that no run has taken."""
    if not theory.obligations or not theory.traces:
        return "no path through the program was found"
    if theory.unreached:
        return f"no path through the loop in line {theory.unreached[0].place.line} was found"
    premises = (*inputs.domain, *(presumed.formula for presumed in theory.presumed))
    if decider.satisfiable(premises).outcome is not Outcome.POSSIBLE:
        return "no public parameters were found for which the program is defined"
    if theory.presumed:
        # Otherwise "all n" would be said of a proof for single answers.
        several = tuple(inputs.values[name].length.compare(">=", 2) for name in inputs.vectors)
        if decider.satisfiable((*premises, *several)).outcome is not Outcome.POSSIBLE:
            return "no public parameters were found for which the program is defined with two answers or more"
    for trace in theory.traces:
        unseen = [line for line in trace.places if line not in lines]
        if unseen and decider.satisfiable(trace.hypotheses.whole).outcome is not Outcome.FOLLOWS:
            unproved = "so a proof might say nothing about this line"
            told = f"no run was found that gives output at line {unseen[0]}, {unproved}"
            return f"{told}; {tried}" if tried else told
    seen = [trace.hypotheses for trace in theory.traces if all(line in lines for line in trace.places)]
    possible = any(decider.satisfiable(h.whole).outcome is Outcome.POSSIBLE for h in seen)
    return None if possible else "no path through the program was shown to be possible"


def _impossible(theory: Theory, decider: Decider) -> list[Obligation]:
    """What is owed because of the paths that are not possible, or not shown to be.

    A path is possible, or becomes so when the ways that the alignment and D′ take are left out, with what was obliged:
    then those ways are not taken on it, or an invariant that is proved excludes it. Else it must be impossible by what
    D's run does, without what is assumed of every program: it is never taken. Otherwise what is assumed contradicts
    what runs do, and nothing may follow.
    """
    owed = []
    for premise in theory.premises:
        for known in (premise.whole, premise.of_d):
            outcome = decider.satisfiable(known.whole).outcome
            if outcome is not Outcome.FOLLOWS:
                break
        if outcome is Outcome.POSSIBLE:
            continue
        if outcome is Outcome.UNKNOWN:
            words = "a path that the proof speaks of is possible"
        else:
            clash = ", ".join(_clashing(premise, decider) or premise.everywhere)
            words = f"what is assumed of {clash or 'every program'} agrees with what runs do"
        owed.append(Obligation("same_output", premise.of_runs, False, words))
    return owed


def _clashing(premise: Premise, decider: Decider) -> list[str]:
    """The words of assumed facts that contradict one another, or what a run does: a set that cannot be smaller."""
    known, words, clash = list(premise.of_d.whole), dict(premise.assumed), []
    for about in dict.fromkeys(words.values()):
        fewer = [f for f in known if f is False or words.get(f.key) != about]
        if decider.satisfiable(fewer).outcome is Outcome.FOLLOWS:
            known = fewer
        else:
            clash.append(about)
    return clash


def _condition(
    name: str, alignment: AlignmentProgram, decided: Iterable[Decided], theory: Theory, words: Words
) -> Condition:
    own = [d for d in decided if d.obligation.condition == name]
    failed = [d for d in own if not d.holds]
    if failed:
        return Condition(name, Verdict.UNDECIDED, words.why(failed, alignment))
    if not own:
        return Condition(name, Verdict.UNDECIDED, NO_OBLIGATION)
    asked = sum(not d.obligation.settled for d in own)
    count = f" ({asked} obligation{'s' if asked > 1 else ''})" if asked else ""
    return Condition(name, Verdict.PROVED, f"{words.how(name, alignment, own, theory)}{count}")
