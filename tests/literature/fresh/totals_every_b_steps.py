"""The running total is measured afresh after every B answers, and the last measurement is told in between.

Jain, Raskhodnikova, Sivakumar and Smith, The Price of Differential Privacy under Continual Observation, ICML 2023, the
mechanism that recomputes at regular intervals, for a sum.
"""

from alignkit import Count, Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def totals_every_b_steps(q: Queries, B: Count, eps: Epsilon, noise: Noise):
    measurements = len(q) // B
    total = 0
    told = 0
    for i, q_i in enumerate(q):
        total += q_i
        if (i + 1) % B == 0:
            e_i = noise.laplace(measurements / eps)
            told = total + e_i
        yield told


@alignment(totals_every_b_steps, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(e_i=[sum(q[j] - q_[j] for j in range(i + 1)) for i in range(len(q))])
