"""An answer is measured with a budget that doubles each time, until the measurement is large beside its noise.

Ligett, Neel, Roth, Waggoner and Wu, Accuracy First: Selecting a Differential Privacy Level for Accuracy-Constrained
ERM, NIPS 2017, the doubling method that they compare with. At most five measurements.
"""

from alignkit import Epsilon, Noise, Positive, Query, alignment, mechanism


@mechanism
def doubling_until_accurate(q: Query, goal: Positive, eps: Epsilon, noise: Noise):
    budget = eps
    for r in range(5):
        e_r = noise.laplace(1 / budget)
        answer = q + e_r
        yield answer
        if answer >= goal / budget:
            break
        budget = 2 * budget


@alignment(doubling_until_accurate, epsilon="31 * eps")
def phi(q, q_, omega, H):
    return H.shift(e_r=[q - q_ for r in range(len(omega))])
