"""MWEM: in each of k rounds the worst query is selected and measured, and the guesses move towards the answer."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def mwem(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    guess = [0 for q_i in q]
    for r in range(k):
        g = [noise.gumbel(4 * k / eps) for q_i in q]
        (worst,) = largest([abs(q_i - y) + g_i for q_i, y, g_i in zip(q, guess, g)], 1)
        xi_r = noise.laplace(2 * k / eps)
        answer = q[worst] + xi_r
        guess = [y + (answer - y) / 2 if i == worst else y for i, y in enumerate(guess)]
        yield worst, answer


@alignment(mwem, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        g=[[2 if i == worst else 0 for i in range(len(q))] for worst, answer in omega],
        xi_r=[q[worst] - q_[worst] for worst, answer in omega],
    )
