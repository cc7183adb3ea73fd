"""Parameter tuning: Chaudhuri, Monteleoni and Sarwate, Private Empirical Risk Minimization, 2011, Algorithm 3."""

from alignkit import Epsilon, Noise, Queries, Reals, alignment, largest, mechanism


@mechanism
def tuned(mistakes: Queries, penalties: Reals, eps: Epsilon, noise: Noise):
    g = [noise.gumbel(2 / eps) for z in mistakes]
    (best,) = largest([g_i - z for z, g_i in zip(mistakes, g)], 1)
    return best, penalties[best]


@alignment(tuned, epsilon="eps")
def phi(mistakes, mistakes_, omega, H):
    best, penalty = omega
    return H.shift(g=[1 + mistakes_[i] - mistakes[i] if i == best else 0 for i in range(len(mistakes))])
