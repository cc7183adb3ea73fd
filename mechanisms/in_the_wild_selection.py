"""Selections and measurements in released code, before and after each fix; docs/in_the_wild.md names the sources."""

from typing import Annotated

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Eta,
    Lattice,
    Noise,
    Positive,
    Proportion,
    Queries,
    Query,
    Reals,
    Sensitivity,
    Tag,
    exp2,
    largest,
    mechanism,
)

GAVE_UP = Tag("GAVE_UP")

Scores = Annotated[Queries, Sensitivity("delta")]
Errors = Annotated[Queries, Sensitivity(2)]
Bits = Annotated[Queries, Sensitivity(1), Lattice(1)]
Counts = Annotated[Queries, Sensitivity("delta")]
Square = Annotated[Query, Sensitivity("largest_square")]
Prefixes = Annotated[Queries, Sensitivity("d"), Lattice(1)]
Level = Annotated[Query, Sensitivity("d"), Lattice(1)]
WholeDistance = Annotated[Positive, Lattice(1)]


@mechanism
def mwem_measurement_before(q: Query, dimensions: Count, eps: Epsilon, noise: Noise):
    """SmartNoise's MWEM before commit 501fda92: one measured query, its noise divided by the number of dimensions."""
    e = noise.laplace(1 / (eps * dimensions))
    return q + e


@mechanism
def mwem_measurement_after(q: Query, dimensions: Count, eps: Epsilon, noise: Noise):
    """SmartNoise's MWEM as of commit 501fda92: one measured query with the noise that its budget eps needs."""
    e = noise.laplace(1 / eps)
    return q + e


@mechanism
def mwem_selection_until_new(u: Queries, measured: Reals, eta: Eta, noise: Noise):
    """What a loop that draws until the query is new would give if its law were that of the choice among the rest."""
    first = noise.choice([exp2(eta * u_i) for u_i in u])
    again = noise.choice([exp2(eta * u_i) * (1 - m_i) for u_i, m_i in zip(u, measured)])
    return again if measured[first] > 0 else first


@mechanism
def mwem_selection_among_rest(u: Queries, measured: Reals, eta: Eta, noise: Noise):
    """The exponential mechanism among the queries that are not measured yet."""
    chosen = noise.choice([exp2(eta * u_i) * (1 - m_i) for u_i, m_i in zip(u, measured)])
    return chosen


@mechanism
def mwem_selection_giving_up(u: Queries, measured: Reals, tries: Count, eta: Eta, noise: Noise):
    """SmartNoise's MWEM as of commit d4c1fa5c: draws until the query is new, and gives up after that many tries."""
    draws = [noise.choice([exp2(eta * u_i) for u_i in u]) for t in range(tries)]
    new = [d for d in draws if measured[d] < 1]
    return new[0] if len(new) > 0 else GAVE_UP


@mechanism
def jam_selection_before(e: Errors, p: Errors, eps: Epsilon, noise: Noise):
    """JAM in mbi before commit ca50d2a: scores are differences of private errors, taken to have sensitivity 2."""
    g = [noise.gumbel(4 / eps) for e_i in e]
    x = [e_i - p_i + g_i for e_i, p_i, g_i in zip(e, p, g)]
    (best,) = largest(x, 1)
    return best


@mechanism
def jam_selection_after(e: Errors, p: Errors, eps: Epsilon, noise: Noise):
    """JAM in mbi as of commit ca50d2a: the scores have sensitivity 4."""
    g = [noise.gumbel(8 / eps) for e_i in e]
    x = [e_i - p_i + g_i for e_i, p_i, g_i in zip(e, p, g)]
    (best,) = largest(x, 1)
    return best


@mechanism
def bit_vector_response_before(bits: Bits, f: Proportion, noise: Noise):
    """OpenDP's randomised response before commit f25a6cd18: a flip for each bit but the last one."""
    flips = [noise.choice([2 - f, f]) for b in bits]
    return [b if r == 0 or i == len(bits) - 1 else 1 - b for i, (b, r) in enumerate(zip(bits, flips))]


@mechanism
def bit_vector_response_after(bits: Bits, f: Proportion, noise: Noise):
    """OpenDP's randomised response as of commit f25a6cd18: every bit is flipped with probability f / 2."""
    flips = [noise.choice([2 - f, f]) for b in bits]
    return [b if r == 0 else 1 - b for b, r in zip(bits, flips)]


@mechanism
def gumbel_max_inverted(u: Scores, delta: Positive, eps: Epsilon, noise: Noise):
    """OpenDP's make_report_noisy_max_gumbel in 0.15.1: asked for the largest score, it reports the smallest."""
    g = [noise.gumbel(2 * delta / eps) for u_i in u]
    x = [g_i - u_i for u_i, g_i in zip(u, g)]
    (best,) = largest(x, 1)
    return best


@mechanism
def gumbel_max(u: Scores, delta: Positive, eps: Epsilon, noise: Noise):
    """The same report after the fix (pull request 2916): the largest noisy score."""
    g = [noise.gumbel(2 * delta / eps) for u_i in u]
    x = [g_i + u_i for u_i, g_i in zip(u, g)]
    (best,) = largest(x, 1)
    return best


@mechanism
def prefix_sum_threshold(s: Prefixes, t: Level, d: WholeDistance, eps: Epsilon, noise: Noise):
    """Tumult Core's SparseVectorPrefixSums (alpha = 1 / eps): the first noisy prefix sum at the noisy threshold."""
    eta = noise.discrete_laplace(1 / (2 * eps), 1)
    for s_i in s:
        e_i = noise.discrete_laplace(1 / eps, 1)
        if s_i + e_i >= t + eta:
            yield ABOVE
            break
        else:
            yield BELOW


@mechanism
def noisy_max_by_rejection(u: Queries, eta: Eta, noise: Noise):
    """OpenDP's noisy max under zCDP: a uniform candidate, accepted or not; if not, what a new start would give."""
    top = max(u)
    left = noise.choice([1 for u_i in u])
    accepted = noise.choice([1 - exp2(eta * (u[left] - top)), exp2(eta * (u[left] - top))])
    again = noise.choice([exp2(eta * u_i) for u_i in u])
    return left if accepted == 1 else again


@mechanism
def exponential_mechanism_base2(u: Queries, eta: Eta, noise: Noise):
    """The exponential mechanism as a choice with weights 2^(eta u_i)."""
    chosen = noise.choice([exp2(eta * u_i) for u_i in u])
    return chosen


@mechanism
def permute_and_flip_of_two(u: Queries, eta: Eta, noise: Noise):
    """OpenDP's noisy max under pure DP, for two candidates: if the first one drawn is not accepted, it is the other."""
    top = max(u)
    left = noise.choice([1, 1])
    accepted = noise.choice([1 - exp2(eta * (u[left] - top)), exp2(eta * (u[left] - top))])
    return left if accepted == 1 else 1 - left


@mechanism
def conditional_counts_before(q: Counts, rows: Count, delta: Positive, eps: Epsilon, noise: Noise):
    """DataSynthesizer before commit 540a442: counts with the noise that probabilities need."""
    e = [noise.laplace(2 / (rows * eps)) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@mechanism
def conditional_counts_after(q: Counts, rows: Count, delta: Positive, eps: Epsilon, noise: Noise):
    """DataSynthesizer as of commit 540a442: counts with noise of scale 1 / eps."""
    e = [noise.laplace(1 / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@mechanism
def sum_of_squares_lower_bound(s: Square, lower: Positive, largest_square: Positive, eps: Epsilon, noise: Noise):
    """diffprivlib's linear regression (issue 105): noise for the square of the lower bound, folded at 0."""
    e = noise.laplace(lower * lower / eps)
    return abs(s + e)


@mechanism
def sum_of_squares_both_bounds(s: Square, lower: Positive, largest_square: Positive, eps: Epsilon, noise: Noise):
    """The same sum with noise for the largest square that the two bounds allow."""
    e = noise.laplace(largest_square / eps)
    return abs(s + e)


@mechanism
def regression_shares_before(x: Query, y: Query, z: Query, share: Proportion, eps: Epsilon, noise: Noise):
    """diffprivlib's linear regression (issue 104): both means get the share of one, the coefficients the rest."""
    e = noise.laplace(1 / (eps * share))
    f = noise.laplace(1 / (eps * share))
    g = noise.laplace(1 / (eps * (1 - share)))
    return x + e, y + f, z + g


@mechanism
def regression_shares_after(x: Query, y: Query, z: Query, share: Proportion, eps: Epsilon, noise: Noise):
    """The same three answers where the two means divide their share."""
    e = noise.laplace(2 / (eps * share))
    f = noise.laplace(2 / (eps * share))
    g = noise.laplace(1 / (eps * (1 - share)))
    return x + e, y + f, z + g
