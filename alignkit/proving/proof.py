"""The proof for every n, in words: a judgement, or why there is none."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from alignkit.errors import LanguageError, OutOfTime, TooManyDigits, TooManyPaths, Unsupported
from alignkit.proving.deciding import Decider
from alignkit.proving.kernel import Proof, judge
from alignkit.proving.planning import plan_proof
from alignkit.proving.words import reasons
from alignkit.proving.words.rewrites import for_one_step, instead_of, output_unread
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.verdicts import undecided_everywhere

__all__ = ["OUT_OF_TIME", "Proof", "prove"]

OUT_OF_TIME = "the time limit was reached; try a longer --timeout"


def prove(
    alignment: AlignmentProgram,
    decider: Decider,
    lines: Collection[int],
    lemmas: Mapping[AlignmentProgram, Proof] | None = None,
    tried: str = "",
) -> Proof:
    """Try to prove an alignment's claim for every n and all public parameters.

    ``lines`` are the lines of the mechanism that gave output in concrete runs: a path that the solver holds
    possible but that no run has taken makes the proof undecided, and ``tried`` says which runs these were. ``lemmas``
    are the proofs of the alignment's lemmas: where one is missing or not complete, nothing that needs it is proved.
    """
    try:
        proof = judge(alignment, decider, lines, lemmas or {}, tried, plan_proof, reasons)
    except (Unsupported, TooManyPaths, TooManyDigits, LanguageError) as problem:
        how = problem.problem if isinstance(problem, LanguageError) else str(problem)
        advice = (output_unread(alignment), instead_of(problem, alignment))
        conditions = undecided_everywhere(f"the prover for every n does not cover this: {how}")
        return Proof(conditions, notes=tuple(filter(None, advice)))
    except OutOfTime:
        return Proof(undecided_everywhere(OUT_OF_TIME))
    except RecursionError:
        return Proof(undecided_everywhere("the program is nested too deeply for the prover"))
    if proof.complete:
        return proof
    advice = (output_unread(alignment), for_one_step(alignment, proof))
    return replace(proof, notes=(*proof.notes, *filter(None, advice)))
