"""The alignment: a Python function φ(D, D′, ω, H) that says how the noise moves, with the claim it proves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from alignkit.errors import InputError, refusing_briefly
from alignkit.public_names import public
from alignkit.running.aligned_replay import AlignedReplay
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.alignment_reader import alignment_maker
from alignkit.running.binding import read_inputs
from alignkit.running.exact_confirmation import replay_aligned
from alignkit.running.exact_functions import function_as_read
from alignkit.running.mechanism_decorator import Mechanism


@public
@dataclass(frozen=True, eq=False, repr=False)
class Alignment(AlignmentProgram):
    """A local alignment with its claim, made by the decorator ``@alignment``."""

    mechanism: Mechanism

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.python(*arguments, **named)

    def replay(self, *answers: Any, H: Mapping[str, Any] | None = None, **parameters: Any) -> AlignedReplay:
        """Run D with H, then D′ with φ(H), exactly; what comes back prints as a table.

        Private answers of D and D′ go by position (D's, D′'s) or by name (``q=…, q_=…``), public parameters by
        name. Raises InputError where the answers are not adjacent.

        >>> from alignkit.proofs.sparse_vector import gap_phi
        >>> print(gap_phi.replay([0], [1], H={"eta": 0, "eta_i": [1]}, T=0, k=1, eps=1).cost)
        1/2
        """
        names = [n for name in self.mechanism.private for n in (name, f"{name}_")]
        if len(answers) == len(names) + 1 and H is None:
            *answers_, H = answers
            answers = tuple(answers_)
        if len(answers) > len(names):
            raise InputError(f"{self.name}.replay takes {', '.join(names)} by position")
        given = dict(zip(names, answers, strict=False))
        twice = [name for name in given if name in parameters]
        if twice:
            raise InputError(f"{twice[0]} is given twice, by position and by name")
        given |= parameters
        if H is None:
            raise InputError(f"{self.name}.replay needs the noise vector: H={{name: value, …}}")
        inputs = read_inputs(self.mechanism, given, of=f"{self.name}.replay")
        return replay_aligned(self, inputs, H)


@public
@refusing_briefly
def alignment(
    mechanism: Mechanism,
    *,
    epsilon: str | int | None = None,
    eta: str | int | None = None,
    adjacency: str = "each",
    queries: str = "fixed",
    expect: str = "proved",
    invariant: str | Sequence[str] = (),
    lemmas: Sequence[Alignment] = (),
    delta: str | float | None = None,
) -> Callable[[Callable[..., Any]], Alignment]:
    """Make an alignment of a function that returns ``H.shift(name=…)``.

    ``epsilon`` is the claim, an expression of the mechanism's public parameters such as ``"eps / 2"``; one that
    also reads ``len(omega)``, the length of the output, claims ex-post privacy. ``eta`` takes its place where the claim
    is base-2 privacy, dP_D <= 2^η dP_D′, which the mechanism's noise must then be of. ``delta`` claims
    (epsilon, delta)-differential privacy: the alignment need only be right where the noise keeps within limits,
    ``H.shift(…).below(x=…)``, ``.above(…)`` and ``.distinct(…)``, and delta bounds the probability that it does not.
    ``adjacency`` is each, monotone, one, few(l) or l1. ``queries`` says whether the claim is for queries that are
    ``"fixed"`` in advance, or also for an analyst who chooses each query after seeing the outputs so far,
    ``"adaptive"``; the databases are then adjacent whatever is asked. ``expect`` is the verdict that is expected of it.
    ``invariant`` states, for the loop over the queries, what holds at its head each time: expressions over the
    mechanism's locals on D (``count``), on D′ (``count_``), its public parameters, and ``privacy_cost``, the cost
    of the shifts so far. ``lemmas`` are alignments of mechanisms that this one calls: a call costs the claim of its
    lemma, which is proved together with this claim, and its noise is not shifted here. The function's own parameters
    are chosen by name among the private parameters (``q``), their values under D′ (``q_``), ``omega``, ``H``, the
    public parameters, and under monotone adjacency ``direction``, which is 1 where answers rise from D to D′ and -1
    where they fall.
    """
    if not isinstance(mechanism, Mechanism):
        raise InputError(_no_mechanism(mechanism, bare=epsilon is None and eta is None))
    maker = alignment_maker(
        Alignment,
        function_as_read,
        mechanism,
        epsilon=epsilon,
        eta=eta,
        adjacency=adjacency,
        queries=queries,
        expect=expect,
        invariant=invariant,
        lemmas=lemmas,
        delta=delta,
    )
    return refusing_briefly(maker)


def _no_mechanism(given: object, *, bare: bool) -> str:
    """The message where @alignment is not given a mechanism; ``bare`` says that it is given no claim either."""
    if not isinstance(given, FunctionType):
        return "@alignment takes the mechanism first: @alignment(sparse_vector, epsilon='eps')"
    if bare:
        call = "@alignment(MECHANISM, epsilon='eps')"
        return f"@alignment takes a mechanism and a claim: write {call} above {given.__name__}"
    return f"@alignment takes a mechanism, and {given.__name__} is a plain function: write @mechanism above it"
