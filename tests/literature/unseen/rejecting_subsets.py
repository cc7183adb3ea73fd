"""How many subsets reject, with Tulap noise: Kazan, Shi, Groce and Bray, The Test of Tests, ICML 2023.

p holds the p-value of a public test on each of some disjoint subsets. Tulap noise is discrete Laplace noise plus
uniform noise.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Proportion, Queries, Sensitivity, alignment, mechanism

PValues = Annotated[Queries, Sensitivity("delta")]


@mechanism
def rejections(p: PValues, alpha: Proportion, delta: Positive, eps: Epsilon, noise: Noise):
    z = noise.discrete_laplace(1 / eps, 1)
    u = noise.uniform(-1 / 2, 1 / 2)
    return sum(1 for p_i in p if p_i <= alpha) + z + u


@alignment(rejections, epsilon="eps", adjacency="one")
def phi(p, p_, alpha, H):
    return H.shift(z=sum(1 for x in p if x <= alpha) - sum(1 for x in p_ if x <= alpha))
