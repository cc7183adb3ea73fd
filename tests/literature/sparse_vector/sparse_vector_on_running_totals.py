"""Sparse vector on the running totals of a stream, of which one answer changes."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def totals_above(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    total = 0
    for q_i in q:
        total += q_i
        nu_i = noise.laplace(4 * k / eps)
        if total + nu_i >= T + rho:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(totals_above, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(
        rho=1,
        nu_i=[
            1 + sum(q[j] - q_[j] for j in range(i + 1)) if w is ABOVE else 0 for i, w in enumerate(omega)
        ],
    )
