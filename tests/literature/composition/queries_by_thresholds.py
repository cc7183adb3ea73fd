"""For each public threshold, which answers lie above it."""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Reals, alignment, mechanism


@mechanism
def above_each(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    for T_j in T:
        for q_i in q:
            nu_i = noise.laplace(1 / eps)
            if q_i + nu_i >= T_j:
                yield ABOVE
            else:
                yield BELOW


@alignment(above_each, epsilon="len(T) * eps", adjacency="one")
def phi(q, q_, T, H):
    return H.shift(nu_i=[[q[i] - q_[i] for i in range(len(q))] for T_j in T])
