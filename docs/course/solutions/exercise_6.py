"""Exercise 6: the shift of the threshold reads the direction, which is known before any query is asked.

If answers rise, the threshold rises by 1 and a winner by 1 + q_i - q'_i; if they fall, the threshold stays and a winner
rises by q_i - q'_i. Each winner moves by 1 at most, which costs eps / (2 k).
"""

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def sparse_vector_for_counts(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T, and by how much? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(2 * k / eps)
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(sparse_vector_for_counts, epsilon="eps", adjacency="monotone", queries="adaptive")
def phi(q, q_, omega, H, direction):
    up = 1 if direction > 0 else 0
    return H.shift(
        eta=up,
        eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )
