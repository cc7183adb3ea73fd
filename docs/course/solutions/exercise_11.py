"""Exercise 11: four winners whose answers all fall cost 1/2 + 1/4 + 1/8 + 1/12 + 1/16 = 49/48 of eps.

With three winners it is 23/24. So the flaw shows from n = 4 and k = 4 on, and neither has been examined.
"""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def growing_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(8 * (count + 1) / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(growing_noise, epsilon="eps", expect="refuted")
def reported(q, q_, omega, H):
    """Raise the threshold by 1, and each winner by as much as it needs to stay above."""
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
    )


run = {"q": [1, 1, 1, 1], "q_": [0, 0, 0, 0], "T": 0, "k": 4, "eps": 1, "H": {"eta": 0, "eta_i": [0, 0, 0, 0]}}


@mechanism
def mended(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Which answers lie above T? Ends after k that do."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(mended, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)],
    )
