"""The search for an alignment: runs, a linear program, source text, and the check that decides."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from alignkit.arguments import check_callable, seconds, shown, whole
from alignkit.checking.five_hops import check
from alignkit.errors import InputError, LanguageError, OutOfTime
from alignkit.finding.candidates import candidate_shapes
from alignkit.finding.findings import Findings, Proposal
from alignkit.finding.programs import cheapest_solution
from alignkit.finding.proposing import claimed, read
from alignkit.finding.samples import Samples, sampled
from alignkit.finding.shapes import Shape
from alignkit.limits import Deadline
from alignkit.noise import CHOICE
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency, check_one_private
from alignkit.running.mechanism_decorator import Mechanism

# How often an alignment of one shape is mended after a counterexample.
_ROUNDS = 4


def find(
    mechanism: Mechanism,
    *,
    adjacency: str = "each",
    budget: float = 60.0,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Findings:
    """Propose alignments of a mechanism, the cheapest claim first, until `check` proves one.

    The proposals come from runs of the mechanism on adjacent databases: what the output and the way through the program
    ask of the shifts is a linear program. Which alignments can be found is said in docs/finding.md. ``budget`` is in
    seconds for the whole search, proofs included. ``seed`` steers the choice of the runs, and ``progress`` is called
    with a text for each step. Nothing that is proposed is trusted: the verdict is that of `check`. Raises InputError
    for bad arguments.

    >>> from alignkit.mechanisms.noisy_max import noisy_max
    >>> print(find(noisy_max).proved.claim)
    eps
    """
    if not isinstance(mechanism, Mechanism):
        raise InputError(f"find takes a mechanism, not {shown(mechanism)}; decorate the function with @mechanism")
    kind = Adjacency.read(adjacency)
    check_one_private(kind, mechanism)
    budget, seed = seconds(budget, "the budget"), whole(seed, "seed")
    check_callable(progress, "progress", "a function of one string")
    mechanism.ensure_current()
    started = time.monotonic()
    search = _Search(mechanism, kind, Deadline.after(budget), random.Random(seed), progress or (lambda text: None))
    try:
        reason = search.run()
    except OutOfTime:
        reason = f"the budget of {budget:g} s was used up"
    except KeyboardInterrupt:
        reason = "the search was interrupted"
    elapsed = time.monotonic() - started
    return Findings(mechanism.name, str(kind), tuple(search.proposals), search.runs, elapsed, reason)


@dataclass
class _Search:
    """One search: what was proposed so far."""

    mechanism: Mechanism
    adjacency: Adjacency
    deadline: Deadline
    source: random.Random
    say: Callable[[str], None]
    proposals: list[Proposal] = field(default_factory=list)
    runs: int = 0

    def run(self) -> str:
        """Propose until one is proved; return why none was."""
        if any(draw.distribution is CHOICE for draw in self.mechanism.draws):
            return "proofs do not cover noise.choice; see same_law for exact laws"
        self.say("running the mechanism")
        samples = sampled(self.mechanism, self.adjacency, self.deadline, self.source)
        self.runs = len(samples.pairs)
        if not samples.pairs:
            return "no run could be followed: the program is not affine in its noise, or not defined on few answers"
        for shape in candidate_shapes(self.mechanism, self.adjacency, [pair for _, pair in samples.pairs], self.source):
            if self._prove(shape, samples):
                return ""
        if not self.proposals:
            return f"no alignment of the shapes that are known meets the demands of {self.runs} pairs of runs"
        last = self.proposals[-1].result.verdict
        return f"none of {len(self.proposals)} proposals was proved; the last one is {last}"

    def _prove(self, shape: Shape, samples: Samples) -> bool:
        """Propose alignments of one shape until one is proved; counterexamples to a proposal join the paired runs."""
        for _ in range(_ROUNDS):
            self.deadline.check()
            solution = cheapest_solution(shape, samples.pairs)
            if solution is None:
                return False
            witnesses: list[Witness] = []
            for text, claim in claimed(solution, samples.pairs, samples.public):
                self.say(f"checking the claim {claim}")
                self.deadline.check()
                try:
                    alignment = read(text, claim)
                except (InputError, LanguageError):  # a name of the mechanism is also one of the alignment's own
                    continue
                result = check(alignment, timeout=self.deadline.left, effort=0)
                self.proposals.append(Proposal(text.source(claim), text.imports, claim, result, alignment))
                if result.proved:
                    return True
                if result.counterexample is not None:
                    witnesses.append(result.counterexample.witness)
            learned = [samples.learn(witness) for witness in witnesses]
            if not any(learned):
                return False
        return False
