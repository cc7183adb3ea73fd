"""Exercise 4: if the count falls, the noise that is added rises; if it rises, the noise that is subtracted does.

The output x + a - b stays what it is if the shift of a less that of b is x - x'. Neither shift may be negative, and
only one of them differs from 0, so that they cost eps times |x - x'|, which is eps at most.
"""

from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def count_with_two_noises(x: Query, eps: Epsilon, noise: Noise):
    """A count, plus one exponential noise, minus another."""
    a = noise.exponential(1 / eps)
    b = noise.exponential(1 / eps)
    return x + a - b


@alignment(count_with_two_noises, epsilon="eps")
def phi(x, x_, H):
    return H.shift(a=max(x - x_, 0), b=max(x_ - x, 0))
