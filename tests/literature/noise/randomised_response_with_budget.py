"""Whether an answer is positive is told rightly with odds of exp(eps) to 1."""

from alignkit import Epsilon, Noise, Query, alignment, exp, mechanism


@mechanism
def randomised_response(q: Query, eps: Epsilon, noise: Noise):
    truth = 1 if q > 0 else 0
    lie = noise.choice([exp(eps), 1])
    return truth if lie == 0 else 1 - truth


@alignment(randomised_response, epsilon="eps")
def phi(q, q_, omega, H):
    lied = 0 if omega == (1 if q > 0 else 0) else 1
    lies = 0 if omega == (1 if q_ > 0 else 0) else 1
    return H.shift(lie=lies - lied)
