"""The scale was passed as the location, so that the noise has the scale 1 whatever eps is."""

from typing import Annotated

from alignkit import Epsilon, Noise, Query, Sensitivity, mechanism


@mechanism
def noise_of_scale_one(q: Annotated[Query, Sensitivity(2)], eps: Epsilon, noise: Noise):
    eta = noise.laplace(1)
    return q + 1 / eps + eta
