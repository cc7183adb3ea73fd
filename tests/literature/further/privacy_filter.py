"""A privacy filter: answers at public prices, until the next one would pass the budget."""

from alignkit import Epsilon, Noise, Queries, Reals, alignment, mechanism


@mechanism
def privacy_filter(q: Queries, price: Reals, budget: Epsilon, noise: Noise):
    spent = 0
    for q_i, p in zip(q, price):
        if p <= 0 or spent + p > budget:
            break
        spent += p
        eta_i = noise.laplace(1 / p)
        yield q_i + eta_i


@alignment(privacy_filter, epsilon="budget")
def phi(q, q_, omega, H):
    return H.shift(eta_i=[q[i] - q_[i] for i in range(len(omega))])
