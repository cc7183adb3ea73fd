"""AboveThreshold c times over the same answers, each time with a fresh threshold; each round tells its winner."""

from alignkit import Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def above_threshold_in_rounds(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    for r in range(c):
        rho = noise.laplace(2 / eps)
        found = -1
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                found = i
                break
        yield found


@alignment(above_threshold_in_rounds, epsilon="c * eps")
def phi(q, q_, omega, H):
    return H.shift(
        rho=[1 for w in omega],
        nu=[
            [1 + q[i] - q_[i] if i == w else 0 for i in range(len(q) if w < 0 else w + 1)] for w in omega
        ],
    )
