"""Composition: mechanisms that call mechanisms, one after another, in rounds, and on parts of the data."""

from alignkit import Count, Epsilon, Noise, Queries, Query, Real, mechanism
from alignkit.mechanisms.noisy_max import noisy_max
from alignkit.mechanisms.sparse_vector import sparse_vector


@mechanism
def count_with_noise(x: Query, eps: Epsilon, noise: Noise):
    """One answer with Laplace noise."""
    e = noise.laplace(1 / eps)
    return x + e


@mechanism
def noisy_histogram(q: Queries, eps: Epsilon, noise: Noise):
    """The counts of a histogram, each with Laplace noise."""
    e = [noise.laplace(1 / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@mechanism
def sparse_vector_called_twice(q: Queries, r: Queries, T: Real, U: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector on one stream, then on another one, with half the budget each."""
    yield from sparse_vector(q, T, k, eps / 2, noise)
    yield from sparse_vector(r, U, k, eps / 2, noise)


@mechanism
def sparse_vector_then_count(q: Queries, x: Query, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector, and then an answer that is asked for in any case."""
    tags = sparse_vector(q, T, k, eps / 2, noise)
    e = noise.laplace(2 / eps)
    return tags, x + e


@mechanism
def threshold_from_count(x: Query, q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector with a threshold that is a noisy answer itself."""
    T = count_with_noise(x, eps / 3, noise)
    yield T
    yield from sparse_vector(q, T, k, 2 * eps / 3, noise)


@mechanism
def winner_then_sparse_vector(q: Queries, r: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Max, and then Sparse Vector on other queries."""
    best = noisy_max(q, eps / 2, noise)
    yield best
    yield from sparse_vector(r, T, k, eps / 2, noise)


@mechanism
def select_then_measure(q: Queries, eps: Epsilon, noise: Noise):
    """Noisy Max selects a query, which is then measured with fresh noise."""
    best = noisy_max(q, eps / 2, noise)
    e = noise.laplace(2 / eps)
    return best, q[best] + e


@mechanism
def select_and_measure_in_rounds(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """k rounds of selecting a query and measuring it, as MWEM does (Hardt, Ligett, McSherry, NIPS 2012)."""
    for j in range(k):
        best = noisy_max(q, eps / (2 * k), noise)
        e = noise.laplace(2 * k / eps)
        yield best, q[best] + e


@mechanism
def histogram_in_parts(q: Queries, m: Count, eps: Epsilon, noise: Noise):
    """Two histograms, of the first m counts and of the others, each with the whole budget."""
    first = noisy_histogram([x if i < m else 0 for i, x in enumerate(q)], eps, noise)
    rest = noisy_histogram([0 if i < m else x for i, x in enumerate(q)], eps, noise)
    return first, rest


@mechanism
def count_one_by_one(q: Queries, eps: Epsilon, noise: Noise):
    """Each count of a histogram by a call of its own, with the whole budget."""
    for x in q:
        y = count_with_noise(x, eps, noise)
        yield y
