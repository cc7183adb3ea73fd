"""An answer with noise that is uniform on an interval."""

from alignkit import Epsilon, Noise, Positive, Query, mechanism


@mechanism
def uniform(q: Query, width: Positive, eps: Epsilon, noise: Noise):
    eta = noise.uniform(-width, width)
    return q + eta
