"""Exercise 1: two winners whose answers both fall; with k = 2 the shifts cost 3/2 eps.

The threshold costs eps / 2. A winner whose answer is 1 lower on D' is shifted by 2, at the scale 4 / eps; this costs
eps / 2 for each of them. The proof holds for k = 1. The scale of the queries' noise must be 4 * k / eps.
"""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def sparse_vector(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(sparse_vector, epsilon="eps", expect="refuted")
def alleged_proof(q, q_, omega, H):
    """Raise the threshold by 1, and each answer above it by as much as it needs to stay above."""
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
    )


run = {"q": [1, 1], "q_": [0, 0], "T": 0, "k": 2, "eps": 1, "H": {"eta": 0, "eta_i": [0, 0]}}
