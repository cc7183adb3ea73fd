"""Greedy coverage: in each of k rounds the place is told that seems to cover the most weight not covered so far.

Mitrovic, Bun, Krause and Karbasi, Differentially Private Submodular Maximization, ICML 2017, Algorithm 1 (greedy, with
a private selection in each round), with basic composition and one-sided exponential noise for the selection. A place
covers all positions within a public reach, and one weight changes.
"""

from alignkit import Count, Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def greedy_coverage(q: Queries, reach: Count, k: Count, eps: Epsilon, noise: Noise):
    n = len(q)
    covered = [False for q_i in q]
    for r in range(k):
        e = [noise.exponential(2 * k / eps) for q_i in q]
        gain = [sum(q[i] for i in range(n) if abs(i - j) <= reach and not covered[i]) for j in range(n)]
        (best,) = largest([gain_j + e_j for gain_j, e_j in zip(gain, e)], 1)
        covered = [covered[i] or abs(i - best) <= reach for i in range(n)]
        yield best


@alignment(greedy_coverage, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(e=[[2 if i == best else 0 for i in range(len(q))] for best in omega])
