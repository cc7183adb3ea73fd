"""A quantile without an upper bound: AboveThreshold over the counts below bounds that grow by a ratio."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Positive, Queries, Real, alignment, mechanism


@mechanism
def unbounded_quantile(x: Queries, beta: Positive, rank: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    bound = 1
    for i in range(k):
        nu_i = noise.laplace(4 / eps)
        if sum(1 for v in x if v <= bound) + nu_i >= rank + rho:
            yield ABOVE
            break
        else:
            yield BELOW
        bound *= 1 + beta


@alignment(unbounded_quantile, epsilon="eps", adjacency="one")
def phi(x, x_, beta, omega, H):
    bound = 1
    shifts = []
    for w in omega:
        lost = sum(1 for v in x if v <= bound) - sum(1 for v in x_ if v <= bound)
        shifts = [*shifts, 1 + lost if w is ABOVE else 0]
        bound *= 1 + beta
    return H.shift(rho=1, nu_i=shifts)
