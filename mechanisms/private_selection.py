"""Private selection from private candidates (Algorithms 6 and 7 of Ilvento's paper), of two candidates.

A candidate stands for its number, and its score q or r, a whole number, gets discrete Laplace noise: this is GetSample
(lines 18 to 26) with mechanisms that release nothing private of their own, so that a pair loses eps1. Scores are those
of line 24, which are clamped already. A choice of noise.choice stands for NormalizedSample; its loss is in natural
units, so the noise has base e and not 2.

The paper's bounds come from the laws of these programs and not from an alignment: which pair comes out does not say how
many rounds there were. An alignment has each round pay, and proves T * eps1. docs/paper_audit.md has the laws: E27 for
Algorithm 6, which loses 2 * eps1 + eps0, E52 and E53 for Algorithm 7.
"""

from typing import Annotated

from alignkit import (
    Count,
    Epsilon,
    Lattice,
    Noise,
    Positive,
    Proportion,
    Query,
    Real,
    Sensitivity,
    Tag,
    clamp,
    mechanism,
)

NOTHING = Tag("NOTHING")

Score = Annotated[Query, Sensitivity(1), Lattice(1)]
Bound = Annotated[Positive, Lattice(1)]


@mechanism
def private_selection_as_printed(
    q: Score,
    r: Score,
    tau: Real,
    gamma: Proportion,
    eps0: Proportion,
    T: Count,
    eps1: Epsilon,
    noise: Noise,
):
    """Private selection from private candidates (Ilvento, Algorithm 6): the first pair with a score of at least tau.

    gamma * eps0 * T >= 2 is enough for what the paper asks of T: ln(2/eps0) <= 2/eps0, and 1 + 1/(e gamma) <= 2/gamma.
    """
    for j in range(T):
        i = noise.choice([1, 1])
        e = noise.discrete_laplace(1 / eps1, 1)
        score = (q if i == 0 else r) + e
        if score >= tau:
            return i, score
        stop = noise.choice([gamma, 1 - gamma])
        if stop == 0:
            return NOTHING
    return NOTHING


@mechanism
def private_selection_in_all_rounds(
    q: Score,
    r: Score,
    tau: Real,
    gamma: Proportion,
    T: Count,
    eps1: Epsilon,
    noise: Noise,
):
    """Algorithm 6 of Ilvento with all of its T rounds, of which those after the end change nothing: the same law."""
    end, found, top = 0, 0, 0
    for j in range(T):
        i = noise.choice([1, 1])
        e = noise.discrete_laplace(1 / eps1, 1)
        stop = noise.choice([gamma, 1 - gamma])
        score = (q if i == 0 else r) + e
        if end == 0:
            if score >= tau:
                end, found, top = 1, i, score
            elif stop == 0:
                end = 2
    return (found, top) if end == 1 else NOTHING


@mechanism
def hard_stop_in_all_rounds(
    q: Score,
    r: Score,
    w: Bound,
    gamma: Proportion,
    T: Count,
    eps1: Epsilon,
    noise: Noise,
):
    """Maximum score with hard stopping (Ilvento, Algorithm 7) with all of its T rounds; pairs count as often as drawn.

    The paper keeps a set of pairs, in which each stands once. The best so far is all that is kept here: a coin decides
    between it and a pair with the same score, also where this pair was drawn before. With a set that has the order of
    the draws, three equal scores lose more than the printed bound (E53); that takes more rounds than runs can show.
    """
    end, best, top = 0, 0, -1
    for j in range(T):
        i = noise.choice([1, 1])
        e = noise.discrete_laplace(1 / eps1, 1)
        coin = noise.choice([1, 1])
        stop = noise.choice([gamma, 1 - gamma])
        score = clamp((q if i == 0 else r) + e, 0, w)
        if end == 0:
            if score > top or (score == top and coin == 0):
                best, top = i, score
            if stop == 0:
                end = 1
    return best, top
