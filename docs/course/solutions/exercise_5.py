"""Exercise 5: the winner keeps its lead over every loser, so that it still wins the ties that it won.

A loser gains 1 at most. The shift 1 + q_i - q'_i makes up for that and for the winner's own change; it is 0, 1 or 2. It
is not enough to keep the lead over the best loser: on D' another loser may be the best, and may win a tie.
"""

from typing import Annotated

from alignkit import Epsilon, Lattice, Noise, Queries, alignment, largest, mechanism

Counts = Annotated[Queries, Lattice(1)]


@mechanism
def winner(q: Counts, eps: Epsilon, noise: Noise):
    """The winner among two or more candidates; among equal ones the first."""
    eta = [noise.geometric(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best


@alignment(winner, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
