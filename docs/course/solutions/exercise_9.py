"""Exercise 9: noise below tau - max(q, q_) shows a new word on neither database.

Where the word is new, the larger count is 1, and x is at least tau - 1 with probability r^(tau - 1) / (1 + r) for r =
exp(-eps): the sum of (1 - r) / (1 + r) r^k over all k from tau - 1 on. At tau itself the word is shown, so that the sum
begins with the tie. Where both databases have the word, or neither has it, nothing is left to delta.
"""

from typing import Annotated

from alignkit import Count, Epsilon, Lattice, Noise, Query, Tag, alignment, exp, mechanism

NOTHING = Tag("NOTHING")


@mechanism
def rare_word(q: Annotated[Query, Lattice(1)], tau: Count, eps: Epsilon, noise: Noise):
    """The noisy count of a word, where it is at least tau. Counts are whole numbers, and so is the noise."""
    x = noise.discrete_laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@alignment(rare_word, epsilon="eps", delta="exp(-eps * (tau - 1)) / (1 + exp(-eps))")
def phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)
