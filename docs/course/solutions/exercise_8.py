"""Exercise 8, the first idea: the first k answers below a threshold, each with how far it lies below.

Everything is turned round: the threshold falls by 1, so that an answer above it stays above, and a winner moves by
q_i - q'_i - 1, so that its gap stays what it is. A winner costs eps / (2 k) at most, the threshold eps / 2.
"""

from alignkit import ABOVE, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def my_gap_mechanism(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie below T, and by how much? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        gap = T + eta - (q_i + eta_i)
        if gap > 0:
            yield gap
            count += 1
        else:
            yield ABOVE
        if count >= k:
            break


@alignment(my_gap_mechanism, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        eta=-1,
        eta_i=[q[i] - q_[i] - 1 if w is not ABOVE else 0 for i, w in enumerate(omega)],
    )
