"""Exercise 3: under `monotone` the winner never moves by more than 1, which costs eps / 3.

If the answers rise, the winner must make up for the losers: 1 + q_i - q'_i, which lies between 0 and 1. If they fall,
it makes up for its own fall only: q_i - q'_i, between 0 and 1 as well. The shift 1 in either direction, which `find`
proposes, does too. Under `each` the cheapest claim is 2 eps / 3.
"""

from alignkit import Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def busiest_hour(q: Queries, eps: Epsilon, noise: Noise):
    """The position of the largest noisy answer."""
    eta = [noise.laplace(3 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@alignment(busiest_hour, epsilon="eps / 3", adjacency="monotone")
def phi(q, q_, omega, H):
    return H.shift(eta=[(1 if q_[i] >= q[i] else 0) + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
