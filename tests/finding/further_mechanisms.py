"""Twenty mechanisms that the shapes of the finder were not made for, each with the claim that a textbook would state.

The list was fixed before the search was tried on any of them. "Dwork and Roth" is The Algorithmic Foundations of
Differential Privacy (2014), and "the VLDB Journal paper" is the one that mechanisms/ names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Lattice,
    Mechanism,
    Noise,
    Positive,
    Proportion,
    Queries,
    Query,
    Real,
    Reals,
    Sensitivity,
    Tag,
    clamp,
    largest,
    mechanism,
)

INSIDE, OUTSIDE = Tag("INSIDE"), Tag("OUTSIDE")
HIGH, MIDDLE, LOW = Tag("HIGH"), Tag("MIDDLE"), Tag("LOW")
MANY, SOME, FEW, NONE = Tag("MANY"), Tag("SOME"), Tag("FEW"), Tag("NONE")
AGREES, REFUSED, NOBODY, SUPPRESSED = Tag("AGREES"), Tag("REFUSED"), Tag("NOBODY"), Tag("SUPPRESSED")


@mechanism
def mean_of_two_measurements(q: Query, theta: Proportion, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    """One count is measured twice, and a weighted mean of the two is released (inverse-variance weighting)."""
    e = noise.laplace(1 / eps1)
    f = noise.laplace(1 / eps2)
    return theta * (q + e) + (1 - theta) * (q + f)


@mechanism
def noisy_ratio_test(part: Query, whole: Query, r: Positive, eps: Epsilon, noise: Noise):
    """Is a part at least r times the whole, by two noisy counts? (Written for this list.)"""
    e = noise.laplace(2 / eps)
    f = noise.laplace(2 / eps)
    if part + e >= r * (whole + f):
        return ABOVE
    else:
        return BELOW


@mechanism
def band_test(q: Query, low: Real, high: Real, eps: Epsilon, noise: Noise):
    """Does a noisy count lie in a public band? (Written for this list; one test, no stream.)"""
    xi = noise.laplace(1 / eps)
    if low <= q + xi <= high:
        return INSIDE
    else:
        return OUTSIDE


@mechanism
def measured_again_if_large(q: Query, T: Real, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    """A coarse measurement, and a second one where the first is large (adaptive composition, Dwork and Roth, 3.5)."""
    e = noise.laplace(1 / eps1)
    yield q + e
    if q + e >= T:
        f = noise.laplace(1 / eps2)
        yield q + f


@mechanism
def gated_release(size: Query, answer: Query, T: Real, eps: Epsilon, noise: Noise):
    """The answer is released only if enough people are there (after Propose-Test-Release, Dwork and Lei 2009)."""
    e = noise.laplace(2 / eps)
    f = noise.laplace(2 / eps)
    if size + e >= T:
        return answer + f
    else:
        return REFUSED


@mechanism
def counts_by_level(q: Queries, few: Real, some: Real, many: Real, eps: Epsilon, noise: Noise):
    """A histogram of which only coarse public levels are told: post-processing of the Laplace mechanism."""
    for q_i in q:
        e_i = noise.laplace(1 / eps)
        if q_i + e_i >= many:
            yield MANY
        elif q_i + e_i >= some:
            yield SOME
        elif q_i + e_i >= few:
            yield FEW
        else:
            yield NONE


@mechanism
def suppressed_histogram(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """A noisy histogram without its small counts (Korolova et al. 2009, on a fixed list of bins)."""
    for q_i in q:
        e_i = noise.laplace(1 / eps)
        if q_i + e_i >= T:
            yield q_i + e_i
        else:
            yield SUPPRESSED


@mechanism
def noisy_min(q: Annotated[Queries, Sensitivity("delta")], delta: Positive, eps: Epsilon, noise: Noise):
    """Which query has the smallest noisy answer (report noisy max of Dwork and Roth, 3.3, turned over)."""
    eta = [noise.laplace(2 * delta / eps) for q_i in q]
    (best,) = largest([-(q_i + eta_i) for q_i, eta_i in zip(q, eta)], 1)
    return best


@mechanism
def noisy_max_then_measured(q: Queries, eps: Epsilon, noise: Noise):
    """Noisy max with half of the budget, then the winner's answer with the other half and fresh noise."""
    eta = [noise.laplace(4 / eps) for q_i in q]
    (best,) = largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], 1)
    xi = noise.laplace(2 / eps)
    return best, q[best] + xi


@mechanism
def noisy_max_of_weighted(q: Queries, weight: Reals, eps: Epsilon, noise: Noise):
    """Noisy max of answers with public weights, which are clamped to [0, 1] so that no sensitivity grows."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    (best,) = largest([clamp(w_i, 0, 1) * q_i + eta_i for q_i, w_i, eta_i in zip(q, weight, eta)], 1)
    return best


@mechanism
def noisy_max_of_differences(before: Queries, after: Queries, eps: Epsilon, noise: Noise):
    """Which count has grown most between two surveys; each difference changes by up to 2."""
    eta = [noise.laplace(4 / eps) for a in before]
    (best,) = largest([b - a + eta_i for a, b, eta_i in zip(before, after, eta)], 1)
    return best


@mechanism
def noisy_max_geometric(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
    """Noisy max of whole counts with geometric noise (Section 6.2 of the VLDB Journal paper, on a lattice)."""
    eta = [noise.geometric(2 / eps) for q_i in q]
    (best,) = largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], 1)
    return best


@mechanism
def noisy_max_or_nobody(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Noisy max that names nobody where the winner is below a noisy threshold (written for this list)."""
    rho = noise.laplace(2 / eps)
    eta = [noise.laplace(4 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    if noisy[best] >= T + rho:
        return best
    else:
        return NOBODY


@mechanism
def gumbel_top_k(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """The k largest by Gumbel noise: the exponential mechanism peeled k times (Durfee and Rogers 2019)."""
    g = [noise.gumbel(2 / eps) for q_i in q]
    return largest([q_i + g_i for q_i, g_i in zip(q, g)], k)


@mechanism
def top_k_above_threshold(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Of the k largest those above a threshold whose noise has its own scale (after Durfee and Rogers 2019)."""
    rho = noise.laplace(4 / eps)
    eta = [noise.laplace(8 * k / (3 * eps)) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    for j in largest(noisy, k):
        if noisy[j] >= T + rho:
            yield j
        else:
            break


@mechanism
def first_above_exponential(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """AboveThreshold (Dwork and Roth, Algorithm 1) with one-sided noise, up to the first answer above."""
    rho = noise.exponential(2 / eps)
    for q_i in q:
        nu_i = noise.exponential(4 / eps)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            break
        else:
            yield BELOW


@mechanism
def sparse_vector_below(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse vector for counting queries turned over: the first k answers that lie below the threshold are found."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * k / eps)
        if q_i + nu_i <= T + eta:
            yield BELOW
            count += 1
        else:
            yield ABOVE
        if count >= k:
            break


@mechanism
def sparse_vector_two_thresholds(q: Queries, low: Real, high: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse vector with two noisy thresholds, and noise of its own for each test (written for this list)."""
    eta_low = noise.laplace(4 / eps)
    eta_high = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 * k / eps)
        xi_i = noise.laplace(4 * k / eps)
        if q_i + nu_i >= high + eta_high:
            yield HIGH
            count += 1
        elif q_i + xi_i >= low + eta_low:
            yield MIDDLE
            count += 1
        else:
            yield LOW
        if count >= k:
            break


@mechanism
def sparse_vector_about_guesses(
    q: Queries, guess: Reals, T: Real, k: Count, eps0: Epsilon, eps1: Epsilon, eps2: Epsilon, noise: Noise
):
    """Answers only where a public guess is far off (the test of Hardt and Rothblum 2010; Dwork and Roth, 4.2)."""
    rho = noise.laplace(1 / eps0)
    count = 0
    for q_i, guess_i in zip(q, guess):
        nu_i = noise.laplace(2 * k / eps1)
        if abs(q_i - guess_i) + nu_i >= T + rho:
            xi_i = noise.laplace(k / eps2)
            yield q_i - guess_i + xi_i
            count += 1
        else:
            yield AGREES
        if count >= k:
            break


@mechanism
def sparse_vector_gap_and_answer(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Winners come with their gap and with a fresh answer, to be averaged (Ding et al., VLDB 2020)."""
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(8 * k / eps)
        xi_i = noise.laplace(2 * k / eps)
        if q_i + nu_i >= T + eta:
            yield q_i + nu_i - (T + eta), q_i + xi_i
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@dataclass(frozen=True)
class Row:
    """A mechanism with an adjacency, and the claim that a textbook would state."""

    mechanism: Mechanism
    adjacency: str
    textbook: str


ROWS = (
    Row(mean_of_two_measurements, "each", "eps1 + eps2"),
    Row(noisy_ratio_test, "each", "eps"),
    Row(band_test, "each", "eps"),
    Row(measured_again_if_large, "each", "eps1 + eps2"),
    Row(gated_release, "each", "eps"),
    Row(counts_by_level, "l1", "eps"),
    Row(suppressed_histogram, "one", "eps"),
    Row(noisy_min, "each", "eps"),
    Row(noisy_max_then_measured, "each", "eps"),
    Row(noisy_max_of_weighted, "each", "eps"),
    Row(noisy_max_of_differences, "each", "eps"),
    Row(noisy_max_geometric, "monotone", "eps / 2"),
    Row(noisy_max_or_nobody, "each", "eps"),
    Row(gumbel_top_k, "each", "k * eps"),
    Row(top_k_above_threshold, "each", "eps"),
    Row(first_above_exponential, "each", "eps"),
    Row(sparse_vector_below, "monotone", "eps"),
    Row(sparse_vector_two_thresholds, "each", "eps"),
    Row(sparse_vector_about_guesses, "each", "eps0 + eps1 + eps2"),
    Row(sparse_vector_gap_and_answer, "each", "eps"),
)
