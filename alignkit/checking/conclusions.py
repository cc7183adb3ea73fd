"""Results of a check, made from a proof, from a counterexample, or from neither.

Several alignments of one mechanism: what their results show of the mechanism together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from alignkit.proving.proof import OUT_OF_TIME, Proof
from alignkit.reporting import FULL_REPORT
from alignkit.results import (
    CallPart,
    Condition,
    CostAnalysis,
    Counterexample,
    Privacy,
    Result,
    Subject,
    Verdict,
    undecided_everywhere,
)
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.lemma_definitions import moved_by_lemmas


def fold_privacy(alignments: Sequence[Alignment], results: Sequence[Result]) -> list[Result]:
    """Give each result what all alignments show of its mechanism: one proof of its claim makes it private as claimed.

    A proof under one adjacency speaks of another only where it covers it, and one for queries that are fixed in advance
    does not speak of adaptive ones. One of a larger claim bounds the loss but leaves open what is claimed. Raises
    InternalError where a certified loss is above a proved one.
    """
    proofs = [r for r in results if r.verdict is Verdict.PROVED and r.privacy.upper is not None]
    return [_with_privacy(a, r, proofs) for a, r in zip(alignments, results, strict=True)]


def _with_privacy(alignment: Alignment, result: Result, proofs: Sequence[Result]) -> Result:
    privacy = result.privacy
    for adjacency in Adjacency(result.adjacency).covered_by:
        for other in proofs:
            same = (other.mechanism_place, other.adjacency) == (result.mechanism_place, adjacency)
            if same and other.adaptive >= result.adaptive:
                bounded = replace(privacy, upper=other.privacy.upper, adjacency=str(adjacency))
                from alignkit.attacking.brackets import check_bracket

                check_bracket(alignment.mechanism, bounded)
                if privacy.status == "open" and _within(other.privacy.upper, alignment):
                    privacy = replace(bounded, stated="private")
                elif privacy.upper is None:
                    privacy = bounded
    return replace(result, privacy=privacy)


def _within(upper: str | None, alignment: Alignment) -> bool:
    """Whether a proved bound on the loss is at most what an alignment claims, for all public parameters."""
    from alignkit.worst_case.claim_order import ClaimOrder, compare_claims

    if upper is None:
        return False
    order = compare_claims(alignment.mechanism, alignment.adjacency, upper, alignment.claim)
    return order in (ClaimOrder.SAME, ClaimOrder.SMALLER)


def proved(alignment: Alignment, proof: Proof, analysis: CostAnalysis, note: str) -> Result:
    """Make the result of a proof, whose worst case bounds the mechanism's privacy loss.

    Ex-post privacy alone is no differential privacy: without a worst case the mechanism stays open.
    """
    result = result_of(alignment, Verdict.PROVED, proof)
    upper = analysis.cost
    return replace(
        result,
        assumptions=proof.assumptions,
        notes=(note, *analysis.notes, *proof.notes),
        cost=upper,
        attained=analysis.attained,
        slack=analysis.slack,
        attained_at=analysis.at,
        calls=_parts(alignment, proof),
        privacy=Privacy() if upper is None else Privacy("private", upper=upper, adjacency=result.adjacency),
    )


def _parts(alignment: Alignment, proof: Proof) -> tuple[CallPart, ...]:
    """List the parts of the budget: the calls, and beside them the mechanism's own draws."""
    mechanism = alignment.mechanism
    calls = () if proof.theory is None else proof.theory.calls
    moved = moved_by_lemmas(mechanism, alignment.lemmas)
    own = [draw.key for draw in mechanism.draws if draw.key not in moved]
    if not calls or not own:
        return calls
    what, price = f"the draws {', '.join(own)}: cost at most", f"what the calls leave of {alignment.claim}"
    return (*calls, CallPart(what, mechanism.line, "", price, rounds=False))


def refuted(alignment: Alignment, counterexample: Counterexample) -> Result:
    """Make the result of a counterexample: one condition fails, and the others were not examined."""
    conditions = undecided_everywhere("not examined: the proof is refuted")
    name, how = counterexample.condition, f"line {counterexample.line}: {counterexample.words}"
    conditions[name] = Condition(name, Verdict.REFUTED, how)
    return replace(result_of(alignment, Verdict.REFUTED, Proof(conditions)), counterexample=counterexample)


def undecided(alignment: Alignment, proof: Proof, *notes: str) -> Result:
    """Make the result where the claim was neither proved nor refuted; each condition says why."""
    return replace(result_of(alignment, Verdict.UNDECIDED, proof), notes=(*notes, *proof.notes))


def timed_out(alignment: Alignment, timeout: float) -> Result:
    """Make the result of a check that had to be ended because it did not stop at its time limit."""
    note = "the check was ended at its time limit, and what it had found by then is lost"
    return replace(undecided(alignment, Proof(undecided_everywhere(OUT_OF_TIME)), note), seconds=timeout)


def result_of(alignment: Alignment, verdict: Verdict, proof: Proof) -> Result:
    """Make the result of an alignment with what its proof says of the conditions, and no more."""
    mechanism = alignment.mechanism
    reach = "all" if verdict is Verdict.PROVED else "none"
    lattice = mechanism.draws and all(not d.distribution.support.continuous for d in mechanism.draws)
    vectors = any(kind.vector for kind in mechanism.parameters.values())
    return Result(
        mechanism=mechanism.name,
        alignment=alignment.dotted_name,
        file=alignment.file,
        line=alignment.line,
        verdict=verdict,
        expected=Verdict(alignment.expect),
        number_model="lattice" if lattice else "ideal reals",
        claim=alignment.claim,
        adjacency=str(alignment.adjacency),
        cost=None,
        attained=None,
        scope={
            **({"n": reach} if vectors else {}),
            **dict.fromkeys(mechanism.public, reach),
            **({"analysts": reach} if alignment.adaptive else {}),
        },
        conditions=proof.conditions,
        assumptions=proof.assumptions,
        presumed=proof.presumed,
        mechanism_place=f"{mechanism.file}:{mechanism.line}",
        ex_post=alignment.ex_post,
        base=alignment.base,
        adaptive=alignment.adaptive,
        digest=mechanism.digest,
        subject=Subject(alignment),
        views=FULL_REPORT,
    )
