"""A perceptron of one weight: in each of k rounds it moves by the noisy sum of the rows that it gets wrong.

Blum, Dwork, McSherry and Nissim, Practical Privacy: The SuLQ Framework, PODS 2005, the perceptron, with pure noise. A
row is its feature times its label, and the sum is divided by the public number of rows.
"""

from typing import Annotated

from alignkit import Count, Epsilon, Noise, Positive, Queries, Sensitivity, alignment, clamp, mechanism


@mechanism
def perceptron(
    q: Annotated[Queries, Sensitivity("delta")], delta: Positive, k: Count, eps: Epsilon, noise: Noise
):
    w = 0
    for t in range(k):
        e_t = noise.laplace(2 * k / eps)
        w = w + (sum(clamp(x, -1, 1) for x in q if w * x <= 0) + e_t) / len(q)
        yield w


@alignment(perceptron, epsilon="eps", adjacency="one")
def phi(q, q_, k, H):
    w = 0
    shifts = []
    for t in range(k):
        before = sum(clamp(x, -1, 1) for x in q if w * x <= 0)
        after = sum(clamp(x, -1, 1) for x in q_ if w * x <= 0)
        shifts = [*shifts, before - after]
        w = w + (before + H.e_t[t]) / len(q)
    return H.shift(e_t=shifts)
