"""Values are clipped to [-bound, bound], and their sum gets the noise of a value that comes or goes.

Casacuberta, Shoemate, Vadhan and Wagaman, Widespread Underestimation of Sensitivity in Differentially Private Libraries
and How to Fix It, CCS 2022, on the sensitivity of sums. A value changes here, and may go from one end to the other.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Sensitivity, alignment, clamp, mechanism


@mechanism
def sum_clipped_on_both_sides(
    q: Annotated[Queries, Sensitivity("delta")], bound: Positive, delta: Positive, eps: Epsilon, noise: Noise
):
    e = noise.laplace(bound / eps)
    return sum(clamp(x, -bound, bound) for x in q) + e


@alignment(sum_clipped_on_both_sides, epsilon="eps", adjacency="one", expect="refuted")
def phi(q, q_, bound, H):
    return H.shift(e=sum(clamp(x, -bound, bound) for x in q) - sum(clamp(x, -bound, bound) for x in q_))
