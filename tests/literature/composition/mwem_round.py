"""One round of MWEM: the query with the largest error is selected, and measured."""

from alignkit import Epsilon, Noise, Queries, Reals, alignment, largest, mechanism


@mechanism
def mwem_round(q: Queries, guess: Reals, eps: Epsilon, noise: Noise):
    g = [noise.gumbel(4 / eps) for q_i in q]
    (worst,) = largest([abs(q_i - y) + g_i for q_i, y, g_i in zip(q, guess, g)], 1)
    xi = noise.laplace(2 / eps)
    return worst, q[worst] + xi


@alignment(mwem_round, epsilon="eps")
def phi(q, q_, guess, omega, H):
    worst, answer = omega
    return H.shift(
        g=[
            1 + abs(q[i] - guess[i]) - abs(q_[i] - guess[i]) if i == worst else 0 for i in range(len(q))
        ],
        xi=q[worst] - q_[worst],
    )
