"""Whether an answer is positive is told rightly with probability 3/4."""

from alignkit import Noise, Query, alignment, mechanism


@mechanism
def randomised_response(q: Query, noise: Noise):
    truth = 1 if q > 0 else 0
    lie = noise.choice([3, 1])
    return truth if lie == 0 else 1 - truth


@alignment(randomised_response, epsilon="log(3)")
def phi(q, q_, omega, H):
    lied = 0 if omega == (1 if q > 0 else 0) else 1
    lies = 0 if omega == (1 if q_ > 0 else 0) else 1
    return H.shift(lie=lies - lied)
