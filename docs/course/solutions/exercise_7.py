"""Exercise 7: half of the budget for the first list, a quarter for the count, a quarter for the second list.

Any three shares that add up to eps will do. The noise of scale 4 / eps costs eps / 4 where the count changes by 1.
"""

from alignkit import Count, Epsilon, Noise, Queries, Query, Real, alignment, mechanism
from alignkit.mechanisms.sparse_vector import sparse_vector
from alignkit.proofs.sparse_vector import phi as sparse_vector_phi


@mechanism
def report(q: Queries, x: Query, r: Queries, T: Real, U: Real, k: Count, eps: Epsilon, noise: Noise):
    """Answers above T, a count, and answers above U."""
    yield from sparse_vector(q, T, k, eps / 2, noise)
    e = noise.laplace(4 / eps)
    yield x + e
    yield from sparse_vector(r, U, k, eps / 4, noise)


@alignment(report, epsilon="eps", lemmas=[sparse_vector_phi])
def phi(x, x_, H):
    return H.shift(e=x - x_)
