"""The sum of the rows, clipped at each of a list of public bounds, so that a bound can be chosen afterwards."""

from alignkit import Epsilon, Noise, Queries, Reals, alignment, mechanism


@mechanism
def clipped_sums(x: Queries, B: Reals, eps: Epsilon, noise: Noise):
    for b in B:
        eta_b = noise.laplace(len(B) / eps)
        yield sum(max(0, min(v, b)) for v in x) + eta_b


@alignment(clipped_sums, epsilon="eps", adjacency="one")
def phi(x, x_, B, H):
    return H.shift(eta_b=[sum(max(0, min(v, b)) for v in x) - sum(max(0, min(v, b)) for v in x_) for b in B])
