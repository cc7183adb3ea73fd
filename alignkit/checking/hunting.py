"""The hunt for a counterexample, with stages before a proof is tried and after one has failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from alignkit.formatting import value_shown
from alignkit.language.program import output_lines
from alignkit.limits import Deadline
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import Proof
from alignkit.refuting.collisions import forgotten
from alignkit.refuting.counterexamples import Collision, counterexample, number_of_queries, two_noise_vectors
from alignkit.refuting.model_search import bounded_search
from alignkit.refuting.random_search import FIRST, LONGER, MANY, TRIALS, RandomSearch, search_at_random
from alignkit.refuting.shrinking import shrink
from alignkit.results import Counterexample, Verdict, Witness
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.both_runs import AlignedRun
from alignkit.symbolic.z3_solver import Z3Solver
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
        for public in (*self._random.settings, *self._directed.settings):
            for name, value in public.items():
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
        """Try runs that cost much, and run on until every line that gives output was reached."""
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
