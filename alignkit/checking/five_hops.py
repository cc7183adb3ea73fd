"""The check of one alignment: search for a counterexample, try to prove, search on if that fails, and conclude.

The hunt for a counterexample has stages before a proof is tried and after one has failed. The proofs of an alignment's
lemmas, and of the lemmas of these, come before a proof that uses them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from alignkit.arguments import check_callable, seconds, shown, whole
from alignkit.checking.conclusions import proved, refuted, undecided
from alignkit.checking.second_opinions import not_examined, opinion_on_proof
from alignkit.data.counts import read_records
from alignkit.errors import InputError, LanguageError, Unsupported
from alignkit.formatting import value_shown
from alignkit.language.program import output_lines
from alignkit.limits import Deadline
from alignkit.markup import shown_progress
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import Proof, prove
from alignkit.proving.words.outputs_read import with_forms
from alignkit.public_names import public
from alignkit.refuting.broken_limits import broken_too_often
from alignkit.refuting.collisions import forgotten
from alignkit.refuting.counterexamples import Collision, counterexample, number_of_queries, two_noise_vectors
from alignkit.refuting.model_search import bounded_search
from alignkit.refuting.random_search import FIRST, LONGER, MANY, TRIALS, RandomSearch, search_at_random
from alignkit.refuting.shrinking import shrink
from alignkit.results import Counterexample, Result, Verdict, Vote, Witness, undecided_everywhere
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.both_runs import AlignedRun
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.symbolic.cvc5_solver import Cvc5Solver, require_solver
from alignkit.symbolic.solver import Solver
from alignkit.symbolic.voting import DISAGREEMENTS, Voting
from alignkit.symbolic.z3_solver import Z3Solver
from alignkit.worst_case.cost_analysis import analyse_cost
from alignkit.worst_case.directed_runs import DearestRun, DirectedRuns, lines_reached, run_directed

NOTHING_RULED_OUT = "the solver found no counterexample, and did not rule one out for any size"


class Hunt:
    """The search of one check. Each of its stages returns a counterexample, shrunk and confirmed, or None.

    Runs that break nothing are of use too: ``lines`` are the lines of the program that they reached, ``dearest`` the
    runs that cost most.
    """

    def __init__(self, alignment: Alignment, seed: int, deadline: Deadline, say: Callable[[str], None]) -> None:
        self.alignment = alignment
        self.seed = seed
        self.deadline = deadline
        self.say = say
        self.solved = ""  # up to which size a solver ruled counterexamples out, in words
        self._random: RandomSearch
        self._directed = DirectedRuns()

    @property
    def lines(self) -> set[int]:
        """The lines that gave output in some run."""
        return self._random.lines | self._directed.lines

    @property
    def tried(self) -> str:
        """The public parameters of these runs, in words; empty where there are none."""
        values: dict[str, set[Any]] = {}
        for setting in (*self._random.settings, *self._directed.settings):
            for name, value in setting.items():
                values.setdefault(name, set()).update(value if isinstance(value, tuple) else (value,))
        if not values:
            return ""
        listed = [f"{name} = {', '.join(map(value_shown, sorted(found)))}" for name, found in values.items()]
        return f"runs were tried with {'; '.join(listed)}, and no combination that was tried leads to this line"

    @property
    def dearest(self) -> list[DearestRun]:
        """The dearest run at each setting of the public parameters."""
        return self._directed.dearest

    @property
    def summary(self) -> str:
        """How much was tried at random without finding a counterexample, in words."""
        search = self._random
        if not search.lines:
            return f"the search tried {search.trials} adjacent pairs, and the mechanism gave no output for any of them"
        origin = "made from a real table by dropping or adding one record"
        records = f", {search.records} of them {origin}" if search.records else ""
        return f"the search found no counterexample in {search.trials} adjacent pairs{records}"

    def search_at_random(self, seconds: float, table: Sequence[frozenset[str]] | None) -> Counterexample | None:
        """Try adjacent pairs at random, and a real table with a record dropped or added."""
        self.say("searching for a counterexample")
        # Runs whose noise may be forgotten matter where an alignment reads it; they are rarer.
        trials = LONGER if self.alignment.reads_noise else FIRST
        self._random = search_at_random(
            self.alignment, seed=self.seed, trials=trials, seconds=seconds, table=table, progress=self.say
        )
        if self._random.candidate is not None:
            self.say("shrinking the counterexample")
        return self._shrunk(self._random.candidate)

    def search_extremes(self) -> Counterexample | None:
        """Look for limits that are broken too often, try runs that cost much, and run on until every line that gives
        output was reached.
        """
        often = broken_too_often(self.alignment, self.seed, self.deadline.sooner(self.deadline.left / 4))
        if often is not None:
            return often
        self._directed = run_directed(self.alignment, seed=self.seed, seconds=self.deadline.left / 2)
        if self._directed.candidate is not None:
            return self._shrunk(self._directed.candidate)
        if self.alignment.reads_noise:
            passed = [*self._random.passed, *self._directed.passed]
            refutation = self._search_forgotten(passed, self.deadline.sooner(self.deadline.left / 2))
            if refutation is not None:
                return refutation
            self._random.passed.clear()  # a later search for forgotten noise looks at the runs after these
        self._directed.passed.clear()
        lines = output_lines(self.alignment.mechanism.program)
        missed = lines - self.lines
        if missed:
            seconds = self.deadline.left / 4
            self._directed.lines |= lines_reached(self.alignment, missed, seed=self.seed, seconds=seconds)
        return self._search_on(until=lambda: lines <= self.lines)

    def search_further(self, proof: Proof, decider: Decider) -> Counterexample | None:
        """Search on after a proof has failed: at random, for forgotten noise, and by solver for few queries."""
        self.say("searching further")
        refutation = self._search_on()
        if refutation is None and proof.conditions["one_to_one"].status is not Verdict.PROVED:
            refutation = self._search_forgotten(self._random.passed, self.deadline)
        return refutation or self._search_by_solver(decider)

    def _search_on(self, trials: int = TRIALS, until: Callable[[], bool] = lambda: False) -> Counterexample | None:
        return self._shrunk(self._random.go_on(trials, self.deadline.left / 2, self.say, until=until))

    def _search_forgotten(
        self, passed: Sequence[tuple[Witness, AlignedRun]], deadline: Deadline
    ) -> Counterexample | None:
        self.say("looking for noise that the alignment forgets")
        collision = forgotten(self.alignment, passed, deadline)
        return None if collision is None else two_noise_vectors(self.alignment, collision)

    def _search_by_solver(self, decider: Decider) -> Counterexample | None:
        self.say("looking for a small counterexample with the solver")
        # Where the number of queries is given, an answer is a symbol of its own and no longer an element of an array.
        bounded_decider = Decider(Z3Solver.of_one_check(), decider.left)
        search = bounded_search(self.alignment, bounded_decider)
        decider.queries += bounded_decider.queries
        size = search.reached
        self.solved = f"the solver found no counterexample up to {size}" if size else NOTHING_RULED_OUT
        if isinstance(search.violation, Collision):
            return two_noise_vectors(self.alignment, search.violation)
        if search.violation is None and search.suspicious:
            return self._search_on(MANY)
        return self._shrunk(search.violation)

    def _shrunk(self, witness: Witness | None) -> Counterexample | None:
        """Shrink a witness that breaks the proof, if there is one, and confirm it."""
        if witness is None:
            return None
        small = shrink(self.alignment, witness, deadline=self.deadline)
        return counterexample(self.alignment, small, number_of_queries(self.alignment, witness))


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


@public
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
    attack that bounds the mechanism's loss from below (see ``attack``; default: a little, 0: none). It is made when the
    result's ``privacy`` is asked for such a bound, as printing the result does, in the time that the check has left;
    it raises InternalError where the bound contradicts the proof. With ``confirm``
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
    check_callable(progress, "progress", "a function of one string")
    with shown_progress(progress) as say:
        result, _ = check_with_proof(
            alignment,
            timeout=timeout,
            seed=seed,
            table=table,
            progress=say,
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
    except LanguageError as problem:
        raise with_forms(problem, alignment) from None
    except RecursionError:
        raise Unsupported(f"{alignment.mechanism.name} and the functions that it calls are nested too deeply") from None
    result = replace(result, seconds=time.monotonic() - started, queries=decider.queries, solver=solver)
    if effort == 0:
        return result, proof
    from alignkit.attacking.brackets import attacked_when_asked

    return attacked_when_asked(alignment, result, effort, seed, deadline.left), proof


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
