"""Whether an answer is positive is told rightly with probability 3/4."""

from alignkit import Noise, Query, alignment, mechanism


@mechanism
def randomised_response(q: Query, noise: Noise):
    told = noise.choice([1, 3] if q > 0 else [3, 1])
    return told


@alignment(randomised_response, epsilon="log(3)")
def phi(H):
    return H.shift()
