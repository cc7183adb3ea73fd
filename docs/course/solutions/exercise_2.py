"""Exercise 2: the threshold rises by 1, so that each winner rises by 1 and makes up for the change of its answer.

The gap is q_i + eta_i - (T + eta). With eta + 1 and q'_i on D', it stays what it is if eta_i rises by 1 + q_i - q'_i,
which lies between 0 and 2. The threshold rises so that an answer below it stays below, even if it is 1 larger on D'.
"""

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def sparse_vector_with_gap(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T, and by how much? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(sparse_vector_with_gap, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )
