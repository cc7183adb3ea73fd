"""Whether an answer is positive is told rightly with odds of exp(eps) to 1."""

from alignkit import Epsilon, Noise, Query, alignment, exp, mechanism


@mechanism
def randomised_response(q: Query, eps: Epsilon, noise: Noise):
    told = noise.choice([1, exp(eps)] if q > 0 else [exp(eps), 1])
    return told


@alignment(randomised_response, epsilon="eps")
def phi(H):
    return H.shift()
