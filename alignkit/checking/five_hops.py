"""The check of one alignment: search for a counterexample, try to prove, search on if that fails, and conclude.

The proofs of an alignment's lemmas, and of the lemmas of these, which a proof that uses them waits for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from alignkit.arguments import check_callable, seconds, shown, whole
from alignkit.checking.conclusions import proved, refuted, undecided
from alignkit.checking.hunting import Hunt
from alignkit.checking.second_opinions import not_examined, opinion_on_proof
from alignkit.data.counts import read_records
from alignkit.errors import InputError, Unsupported
from alignkit.limits import Deadline
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import Proof, prove
from alignkit.results import Result, Verdict, Vote, undecided_everywhere
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.symbolic.cvc5_solver import Cvc5Solver, require_solver
from alignkit.symbolic.solver import Solver
from alignkit.symbolic.voting import DISAGREEMENTS, Voting
from alignkit.symbolic.z3_solver import Z3Solver
from alignkit.worst_case.cost_analysis import analyse_cost

Say = Callable[[str], None]


def lemma_proofs(
    alignment: Alignment, seed: int, deadline: Deadline, decider: Decider, say: Say
) -> dict[AlignmentProgram, Proof]:
    """Search for counterexamples to each lemma, and prove it. What is refuted counts as not proved."""
    proofs: dict[AlignmentProgram, Proof] = {}
    for lemma in alignment.lemmas:
        assert isinstance(lemma, Alignment)
        say(f"checking the lemma {lemma.name}")
        proofs[lemma] = _checked(lemma, seed, deadline, decider, say)
    return proofs


def _checked(lemma: Alignment, seed: int, deadline: Deadline, decider: Decider, say: Say) -> Proof:
    lemma.ensure_current()
    hunt = Hunt(lemma, seed, deadline, say)
    if hunt.search_at_random(deadline.left / 4, None) is not None or hunt.search_extremes() is not None:
        return Proof(undecided_everywhere(f"the lemma {lemma.name} is {Verdict.REFUTED}"))
    own = decider.apart()
    proof = prove(lemma, own, hunt.lines, lemma_proofs(lemma, seed, deadline, own, say), hunt.tried)
    decider.queries += own.queries
    return proof


def check(
    alignment: Alignment,
    *,
    timeout: float = 60.0,
    seed: int = 0,
    table: Iterable[frozenset[str]] | None = None,
    progress: Say | None = None,
    effort: int | None = None,
    confirm: bool = False,
    solver: str = "z3",
) -> Result:
    """Prove an alignment's claim for all inputs, refute the proof, or say why neither came about.

    ``timeout`` is in seconds for the whole check, which looks at the clock between its steps: a single operation, such
    as a product of huge numbers, is not interrupted (the command line ends the whole process instead). ``seed`` steers
    the random search. ``table`` is a real table, a list of records that are sets of items, for the record-level search,
    whose queries are item counts. ``progress`` is called with a text for each step. ``effort`` is the work of the
    attack that bounds the mechanism's loss from below (see ``attack``; default: a little, 0: none). With ``confirm``
    the second opinion on a proof, which is otherwise one with little work, is asked for as ``confirm`` does, and
    reported; it is bounded by work and not by ``timeout``. ``solver`` is what the proof rests on, and what such an
    opinion asks: z3 or cvc5 (the extra ``verify``).

    A result is neither true nor false: ask for ``.proved``, or call ``.require()``. Raises LanguageError where the
    mechanism has been redefined since the alignment was made for it, and InternalError where the second opinion
    contradicts the proof, which is withdrawn.

    >>> from alignkit.proofs.sparse_vector import gap_phi
    >>> check(gap_phi).verdict
    <Verdict.PROVED: 'proved'>
    """
    result, _ = check_with_proof(
        alignment,
        timeout=timeout,
        seed=seed,
        table=table,
        progress=progress,
        effort=effort,
        confirm=confirm,
        solver=solver,
    )
    return result


def check_with_proof(
    alignment: Alignment,
    *,
    timeout: float = 60.0,
    seed: int = 0,
    table: Iterable[frozenset[str]] | None = None,
    progress: Say | None = None,
    effort: int | None = None,
    confirm: bool = False,
    solver: str = "z3",
    voting: Voting | None = None,
) -> tuple[Result, Proof | None]:
    """Check an alignment as ``check`` does; return the attempt to prove beside the result, if there was one.

    ``voting`` keeps what z3 calls valid for a vote.
    """
    if not isinstance(alignment, Alignment):
        raise InputError(f"check takes an alignment, not {shown(alignment)}; {_instead(alignment)}")
    timeout, seed = seconds(timeout, "the timeout"), whole(seed, "seed")
    effort = None if effort is None else whole(effort, "effort")
    records = None if table is None else read_records(table)
    check_callable(progress, "progress", "a function of one string")
    require_solver(solver)
    alignment.ensure_current()
    started = time.monotonic()
    deadline = Deadline.after(timeout)
    say = progress or (lambda text: None)
    hunt = Hunt(alignment, seed, deadline, say)
    solvers: Callable[[float], Solver] = Cvc5Solver if solver == "cvc5" else voting or Z3Solver.of_one_check()
    decider = Decider(solvers, deadline.left)
    proof: Proof | None = None
    try:
        counterexample = hunt.search_at_random(timeout / 2, records)
        if counterexample is None:
            result, proof = _decided(alignment, hunt, decider, say, confirm=confirm, solver=solver)
        else:
            result = refuted(alignment, counterexample)
        say("bounding the loss from below")
        from alignkit.attacking.brackets import attacked

        result = attacked(alignment, result, effort, seed, deadline.left)
    except RecursionError:
        raise Unsupported(f"{alignment.mechanism.name} and the functions that it calls are nested too deeply") from None
    return replace(result, seconds=time.monotonic() - started, queries=decider.queries, solver=solver), proof


def check_with_vote(
    alignment: Alignment,
    *,
    timeout: float = 60.0,
    seed: int = 0,
    progress: Say | None = None,
    effort: int | None = None,
    folder: Path = DISAGREEMENTS,
) -> tuple[Result, Vote]:
    """Check an alignment as ``check`` does; then ask a second solver each question that the first called valid.

    The vote has ``timeout`` seconds of its own. Raises InputError where cvc5 is not installed, before anything is
    checked, and InternalError where the two solvers disagree: the question is then saved in ``folder``.
    """
    voting = Voting()
    result, _ = check_with_proof(alignment, timeout=timeout, seed=seed, progress=progress, effort=effort, voting=voting)
    if progress is not None:
        progress("asking a second solver")
    return result, voting.vote(folder, Deadline.after(timeout))


def _instead(argument: object) -> str:
    """Say what to give `check` instead."""
    if isinstance(argument, Mechanism):
        return f"give the function that is decorated with @alignment({argument.name}, …)"
    if isinstance(argument, str):
        return 'load it first, as in load("proofs.py::phi")'
    return "decorate the proof with @alignment"


def _decided(
    alignment: Alignment, hunt: Hunt, decider: Decider, say: Say, *, confirm: bool, solver: str
) -> tuple[Result, Proof | None]:
    """Decide an alignment that random runs did not refute: by extreme runs, by a proof, or by searching further."""
    counterexample = hunt.search_extremes()
    if counterexample is not None:
        return refuted(alignment, counterexample), None
    say("proving")
    lemmas = lemma_proofs(alignment, hunt.seed, hunt.deadline, decider, say)
    proof = prove(alignment, decider, hunt.lines, lemmas, hunt.tried)
    if proof.complete and proof.theory is not None:
        say("asking for a second opinion")
        if hunt.deadline.passed:
            opinion = not_examined("the proof left no time", solver)
        else:
            opinion = opinion_on_proof(alignment, asked=confirm, solver=solver)
        say("looking for the worst case of the cost")
        quick_decider = decider.quick()
        analysis = analyse_cost(alignment, proof.theory, quick_decider, hunt.dearest)
        decider.queries += quick_decider.queries
        result = proved(alignment, proof, analysis, hunt.summary)
        return replace(result, opinion=opinion, opinion_asked=confirm), proof
    counterexample = hunt.search_further(proof, decider)
    if counterexample is not None:
        return refuted(alignment, counterexample), proof
    return undecided(alignment, proof, f"{hunt.summary}; that is not a proof", hunt.solved), proof
