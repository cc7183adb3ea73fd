"""What a second program, which shares nothing with the prover but the solver, says of an alignment and of a proof.

An opinion never makes anything proved. A proof that it contradicts is withdrawn: one of the two programs is wrong then.
Whatever else becomes of the second program, an error of its own included, leaves the verdict as it is.
"""

from __future__ import annotations

from alignkit import confirming
from alignkit.arguments import shown
from alignkit.confirming.opinion import LITTLE, MUCH, Opinion, Standing
from alignkit.errors import InputError, InternalError, described
from alignkit.formatting import value_shown
from alignkit.public_names import public
from alignkit.results import Result
from alignkit.running.alignment_decorator import Alignment
from alignkit.symbolic.cvc5_solver import require_solver


@public
def confirm(proof: Result | Alignment, *, solver: str = "z3") -> Opinion:
    """Ask a second program for its opinion on an alignment, or on the one that a result is about.

    The program runs the user's own functions on symbolic numbers, for every input with up to 3 answers and counts of up
    to 2. Its answer is one of "confirmed", "not examined" with the reason, and "contradicted" with
    inputs and noise on which Python fails the alignment. The work is bounded by a number of questions to the
    ``solver``, z3 or cvc5 (the extra ``verify``).

    Raises InputError where a result does not know its alignment, since it was computed in another process, or where
    cvc5 is not installed, and LanguageError where the mechanism has been redefined since the alignment was made for it.

    >>> from alignkit import check
    >>> from alignkit.proofs.sparse_vector import gap_phi
    >>> confirm(check(gap_phi)).contradicts
    False
    """
    alignment = proof.subject.alignment if isinstance(proof, Result) else proof
    if isinstance(proof, Result) and alignment is None:
        raise InputError("this result was computed in another process and has no alignment: give confirm the alignment")
    if not isinstance(alignment, Alignment):
        raise InputError(f"confirm takes an alignment or the result of a check, not {shown(proof)}")
    require_solver(solver)
    alignment.ensure_current()
    return _opinion(alignment, asked=True, solver=solver)


def opinion_on_proof(alignment: Alignment, *, asked: bool, solver: str = "z3") -> Opinion:
    """Return the opinion on an alignment that has just been proved, with little work unless it was ``asked`` for.

    One that was asked for is that of ``solver``. The other is z3's, which answers more questions in little work.
    Raises InternalError where it contradicts the proof.
    """
    opinion = _opinion(alignment, asked=asked, solver=solver)
    if opinion.contradicts:
        named = [f"{name} = {value_shown(value)}" for name, value in opinion.inputs.items()]
        given = ", ".join(named) or "inputs that it does not name"
        raise InternalError(
            f"CONTRADICTED: the proof of {alignment.mechanism.name} / {alignment.dotted_name} is withdrawn, because a "
            f"second program contradicts it: {opinion.problem}, at {given}; report the mechanism, the "
            "alignment and these inputs, and do not rely on the mechanism until it is known which of the two programs "
            "is wrong"
        )
    return opinion


def not_examined(why: str, solver: str = "z3") -> Opinion:
    """Make the opinion on an alignment that the second program, which would ask ``solver``, has not examined."""
    return Opinion(Standing.NOT_EXAMINED, why=why, solver=solver)


def _opinion(alignment: Alignment, *, asked: bool, solver: str) -> Opinion:
    try:
        if asked:
            return confirming.confirm_alignment(alignment, effort=MUCH, solver=solver)
        return confirming.confirm_alignment(alignment, n=2, k=2, effort=LITTLE)
    except Exception as problem:  # of a program that nothing rests on
        return not_examined(f"the second program failed ({described(problem)})", solver)
