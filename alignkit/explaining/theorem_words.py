"""The theorem that a proof shows, in full, and the paragraph that ends the proof."""

from __future__ import annotations

from collections.abc import Iterator

from alignkit.language.parameters import ParameterType, Query
from alignkit.proving.conditions.adaptive_queries import Theorem
from alignkit.proving.proof import Proof
from alignkit.reporting.sentences import adjacency_shown, claim_shown
from alignkit.results import ADAPTIVE_QUERIES, CallPart, Result
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.draws import DrawSite
from alignkit.running.lemma_definitions import moved_by_lemmas


def theorem(alignment: Alignment, result: Result) -> Iterator[str]:
    """The sentences of a theorem: the claim, all that it is for, and what adjacency allows."""
    mechanism = alignment.mechanism
    claim = claim_shown(result.claim, result.ex_post, result.base)
    limited = [f"{name} {value}" for name, value in result.scope.items() if value not in ("all", "none")]
    answers = [_private(name, kind) for name, kind in mechanism.private.items()]
    public = [_public(name, kind) for name, kind in mechanism.public.items()]
    for_all = "; ".join((*limited, *answers, *public))
    words = f"The mechanism `{result.mechanism}` has {claim}"
    yield f"{words} for all adjacent D and D′ and all of the following: {for_all}." if for_all else f"{words}."
    if result.adaptive:
        yield "Each query may be chosen after seeing the outputs so far."
    adjacency = adjacency_shown(result.adjacency)
    yield f"{adjacency[:1].upper()}{adjacency[1:]}."


def _private(name: str, kind: ParameterType) -> str:
    what = "a list of one or more answers, each" if kind.vector else "an answer,"
    sensitivity = f"with sensitivity `{kind.sensitivity}`" if isinstance(kind, Query) else "private"
    return f"`{name}`, {what} {sensitivity}{_lattice(kind)}"


def _public(name: str, kind: ParameterType) -> str:
    return f"`{name}`, {kind.describes}{_lattice(kind)}"


def _lattice(kind: ParameterType) -> str:
    return "" if kind.lattice is None else f", on the lattice of the multiples of `{kind.lattice}`"


def own_draws(alignment: Alignment) -> list[DrawSite]:
    """The draws that are not those of calls which lemmas move."""
    moved = moved_by_lemmas(alignment.mechanism, alignment.lemmas)
    return [draw for draw in alignment.mechanism.draws if draw.key not in moved]


def name_of_draw(draw: DrawSite) -> str:
    """A draw as a reader finds it: where its name is not the only one, with its call or its line."""
    if "#" not in draw.key:
        return f"`{draw.key}`"
    name, _, number = draw.key.partition("#")
    return f"`{name}` of call {number}" if draw.path else f"`{name}` of line {draw.place.line}"


def calls_by_lemmas(alignment: Alignment, result: Result) -> tuple[str, ...]:
    """What each call costs by its lemma."""
    return tuple(f"{_by_lemma(alignment, call)}." for call in result.calls if call.lemma)


def _by_lemma(alignment: Alignment, call: CallPart) -> str:
    lemma = _lemma_of(alignment, call)
    claim = ""
    if lemma is not None:
        claim = f" ({claim_shown(lemma.claim, lemma.ex_post, lemma.base)} of `{lemma.mechanism.name}`)"
    price, comma, why = call.price.partition(", ")
    each = ", in each iteration" if call.rounds else ""
    rest = f"{comma}{why}".replace("D'", "D′")
    return f"By the lemma `{call.lemma}`{claim} the call at line {call.line} costs at most `{price}`{each}{rest}"


def _lemma_of(alignment: Alignment, call: CallPart) -> AlignmentProgram | None:
    own = [lemma for lemma in alignment.lemmas if lemma.name == call.lemma]
    named = [lemma for lemma in own if lemma.mechanism.name == call.name.partition("#")[0]]
    return next(iter((*named, *own)), None)


def lemmas_used(alignment: Alignment) -> tuple[str, ...]:
    """The lemmas that a proof rests on, each with its claim."""
    return tuple(
        f"lemma `{lemma.name}`: `{lemma.mechanism.name}` has {claim_shown(lemma.claim, lemma.ex_post, lemma.base)}; "
        f"it is proved together with this claim ({adjacency_shown(lemma.adjacency.value)})"
        for lemma in alignment.lemmas
    )


def conclusion(alignment: Alignment, proof: Proof) -> str:
    """How the conditions give the theorem: with the base, the measure and the determinant of this proof."""
    draws = alignment.mechanism.draws
    if not draws:
        return "Nothing is drawn: D′ gives the output that D gives, so both have the same distribution."
    own = own_draws(alignment)
    distributions = {draw.distribution.name: draw.distribution for draw in own}
    bounds = [f"{d.title}{' (for d >= 0)' if d.upward else ''}" for d in distributions.values()]
    logarithm, base = ("ln", "e") if alignment.base is None else ("log2", str(alignment.base))
    sentences = []
    if bounds:
        listed = ", ".join(sorted(bounds))
        sentences.append(f"The bound on {logarithm} f(x)/f(x+d) for {listed} noise is proved once and for all.")
    continuous = [draw for draw in own if draw.distribution.support.continuous]
    discrete = [draw for draw in own if not draw.distribution.support.continuous]
    what = "probability" if not continuous else "density" if not discrete else "density (on a lattice, the probability)"
    factor = f"at most {base} to the cost of the shifts times that of the aligned noise"
    if own:
        sentences.append(f"So the {what} of the noise is {factor}, which gives D′ the same output.")
    if alignment.lemmas:
        words = "The noise of a call is moved by its lemma, which bounds the ratio of the probabilities of its outputs"
        sentences.append(f"{words} by {base} to the cost of the call.")
    if continuous:
        sentences.append(_determinant(proof))
    what = "Different noise is aligned with different noise" + (", so that nothing is counted twice" if own else "")
    sentences.append(f"{what}. {_over_all_outputs(proof)}")
    return " ".join(sentences)


def _over_all_outputs(proof: Proof) -> str:
    """How the bound for each output gives the claim; for analysts who choose queries, by the theorem that is used."""
    theorem = None if proof.theory is None or ADAPTIVE_QUERIES not in proof.conditions else proof.theory.planned.theorem
    if theorem is Theorem.STEPS:
        return (
            "The analyst chooses each query after the outputs so far, so that the shifts read answers which depend on "
            "real outputs. But every shift reads only its own step and earlier ones, beside the tags: by Theorem 2 of "
            "the page on adaptive queries, which changes the noise of one step at a time, the claim holds for all "
            "analysts."
        )
    words = (
        "A set of outputs is a countable union over the values of their tags, indices and lengths; on each part the "
        "shifts are one and the same map, and the sum over the parts gives the claim"
    )
    if theorem is Theorem.DISCRETE:
        return (
            f"{words} for queries that are fixed in advance. There are countably many outputs, and each fixes the "
            "queries that lead to it: by Theorem 1 of the page on adaptive queries the claim holds for all analysts."
        )
    return f"{words}."


def _determinant(proof: Proof) -> str:
    how = proof.conditions["one_to_one"].how
    if how.startswith("each shift depends on earlier noise only"):
        words = "For a fixed output, each shift depends on noise that comes earlier in one order of all noise: the map"
        return f"{words} from H to H′ is triangular with ones on its diagonal, so |det J| = 1 and volumes are kept."
    if "|det J| = 1" in how:
        return "On each piece of the noise |det J| = 1: the map from H to H′ keeps volumes there, and is one-to-one."
    if "|det J|" in how:
        return "On each piece the determinant of the map is known, and -log |det J| is part of the cost."
    return f"The map from H to H′ is one-to-one ({how.replace('`', '')})."
