"""The proofs of an alignment's lemmas, and of the lemmas of these, which a proof that uses them waits for."""

from __future__ import annotations

from collections.abc import Callable

from alignkit.checking.hunting import Hunt
from alignkit.limits import Deadline
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import Proof, prove
from alignkit.results import Verdict, undecided_everywhere
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_program import AlignmentProgram

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
