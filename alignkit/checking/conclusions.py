"""Results of a check, made from a proof, from a counterexample, or from neither.

Several alignments of one mechanism: what their results show of the mechanism together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from alignkit.proving.proof import OUT_OF_TIME, Proof
from alignkit.proving.words.outputs_read import notes_on_outputs
from alignkit.proving.words.rewrites import for_one_step
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
from alignkit.verdicts import LIMITS


def fold_privacy(alignments: Sequence[Alignment], results: Sequence[Result]) -> list[Result]:
    """Give each result what all alignments show of its mechanism: one proof of its claim makes it private as claimed.

    A proof under one adjacency speaks of another only where it covers it, and one for queries that are fixed in advance
    does not speak of adaptive ones. One of a larger claim bounds the loss but leaves open what is claimed. One of a
    claim with delta bounds no loss, and speaks of such claims only. A loss that was certified beside one alignment
    convicts every claim that is below it at those inputs, if they are adjacent there. Raises InternalError where a
    certified loss is above a proved one.
    """
    results = [_with_violation(a, r, results) for a, r in zip(alignments, results, strict=True)]
    proved_ones = (r for r in results if r.verdict is Verdict.PROVED)
    proofs = [r for r in proved_ones if r.privacy.upper is not None or r.delta is not None]
    return [_with_privacy(a, r, proofs) for a, r in zip(alignments, results, strict=True)]


def _with_violation(alignment: Alignment, result: Result, others: Sequence[Result]) -> Result:
    """The result with a violation of its claim that was certified beside another alignment of the same mechanism."""
    mine = result.mechanism_place, result.digest
    leaks = [r.privacy.leak for r in others if r is not result and (r.mechanism_place, r.digest) == mine]
    found = [leak for leak in leaks if leak is not None]
    if not found or result.privacy.status == "not private":
        return result
    from alignkit.attacking.brackets import with_violation

    return with_violation(alignment, result, found)


def _with_privacy(alignment: Alignment, result: Result, proofs: Sequence[Result]) -> Result:
    privacy = result.privacy
    for adjacency in Adjacency(result.adjacency).covered_by:
        for other in proofs:
            same = (other.mechanism_place, other.adjacency) == (result.mechanism_place, adjacency)
            if not same or other.adaptive < result.adaptive:
                continue
            if other.delta is not None:
                parts = ((other.claim, alignment.claim), (other.delta, alignment.delta))
                if privacy.status == "open" and all(_at_most(*part, alignment) for part in parts):
                    privacy = replace(privacy, stated="private")
            else:
                bounded = replace(privacy, upper=other.privacy.upper, adjacency=str(adjacency))
                from alignkit.attacking.brackets import check_bracket

                check_bracket(alignment.mechanism, bounded)
                if privacy.status == "open" and _at_most(other.privacy.upper, alignment.claim, alignment):
                    privacy = replace(bounded, stated="private")
                elif privacy.upper is None:
                    privacy = bounded
    return replace(result, privacy=privacy)


def _at_most(one: str | None, other: str | None, alignment: Alignment) -> bool:
    """Whether a proved part of a claim is at most what an alignment claims, for all public parameters."""
    from alignkit.worst_case.claim_order import ClaimOrder, compare_claims

    if one is None or other is None:
        return False
    order = compare_claims(alignment.mechanism, alignment.adjacency, one, other)
    return order in (ClaimOrder.SAME, ClaimOrder.SMALLER)


def proved(alignment: Alignment, proof: Proof, analysis: CostAnalysis, note: str) -> Result:
    """Make the result of a proof, whose worst case bounds the mechanism's privacy loss.

    Ex-post privacy alone is no differential privacy: without a worst case the mechanism stays open. A claim with delta
    has no worst case; the mechanism is private as claimed.
    """
    result = result_of(alignment, Verdict.PROVED, proof)
    upper = analysis.cost
    return replace(
        result,
        conditions=_where_limits_hold(alignment, proof),
        notes=(note, *analysis.notes, *proof.notes),
        cost=upper,
        attained=analysis.attained,
        slack=analysis.slack,
        attained_at=analysis.at,
        calls=_parts(alignment, proof),
        privacy=_privacy(result, upper),
    )


def _privacy(result: Result, upper: str | None) -> Privacy:
    if result.delta is not None:
        return Privacy("private")
    return Privacy() if upper is None else Privacy("private", upper=upper, adjacency=result.adjacency)


# The conditions that a proof of a claim with delta shows where no limit of the alignment is broken, and only there.
_WITHIN_LIMITS = ("noise_used", "valid_noise", "same_output", "one_to_one", "cost")


def _where_limits_hold(alignment: Alignment, proof: Proof) -> Mapping[str, Condition]:
    """The conditions of a proof; of a claim with delta those on D′ say for which noise they were shown."""
    if alignment.delta is None:
        return proof.conditions
    return {
        name: replace(condition, how=f"where no limit is broken: {condition.how}")
        if name in _WITHIN_LIMITS and condition.status is Verdict.PROVED
        else condition
        for name, condition in proof.conditions.items()
    }


def _parts(alignment: Alignment, proof: Proof) -> tuple[CallPart, ...]:
    """List the parts of the budget: the calls, and beside them the mechanism's own draws."""
    mechanism = alignment.mechanism
    calls = () if proof.theory is None else proof.theory.calls
    if proof.charges is not None and proof.charges.theory is not None:
        charged: dict[str, list[str]] = {}
        for call in proof.charges.theory.calls:
            charged.setdefault(call.name, []).append(call.price)
        calls = tuple(replace(call, delta=" or ".join(charged.get(call.name, ["0"]))) for call in calls)
    moved = moved_by_lemmas(mechanism, alignment.lemmas)
    own = [draw.key for draw in mechanism.draws if draw.key not in moved]
    if not calls or not own:
        return calls
    what, left = f"the draws {', '.join(own)}: cost at most", "what the calls leave of"
    delta = None if alignment.delta is None else f"{left} {alignment.delta}"
    return (*calls, CallPart(what, mechanism.line, "", f"{left} {alignment.claim}", rounds=False, delta=delta))


def refuted(alignment: Alignment, counterexample: Counterexample) -> Result:
    """Make the result of a counterexample: one condition fails, and the others were not examined."""
    conditions = undecided_everywhere("not examined: the proof is refuted")
    name, how = counterexample.condition, f"line {counterexample.line}: {counterexample.words}"
    conditions[name] = Condition(name, Verdict.REFUTED, how)
    note = for_one_step(alignment, None) if name == LIMITS else None
    notes = (*(() if note is None else (note,)), *notes_on_outputs(alignment, counterexample.words))
    return replace(result_of(alignment, Verdict.REFUTED, Proof(conditions)), counterexample=counterexample, notes=notes)


def undecided(alignment: Alignment, proof: Proof, *notes: str) -> Result:
    """Make the result where the claim was neither proved nor refuted; each condition says why."""
    result = result_of(alignment, Verdict.UNDECIDED, proof)
    noted = (*notes, *proof.notes, *notes_on_outputs(alignment))
    return replace(result, conditions=_where_limits_hold(alignment, proof), notes=noted)


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
        delta=alignment.delta,
        adaptive=alignment.adaptive,
        sensitivities={name: str(kind.sensitivity) for name, kind in mechanism.private.items()},
        digest=mechanism.digest,
        subject=Subject(alignment),
        views=FULL_REPORT,
    )
