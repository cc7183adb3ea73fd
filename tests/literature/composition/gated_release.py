"""The answer is released only if a noisy count of people is large enough."""

from alignkit import Epsilon, Noise, Query, Real, Tag, alignment, mechanism

REFUSED = Tag("REFUSED")


@mechanism
def gated_release(size: Query, answer: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    f = noise.laplace(2 / eps)
    if size + e >= T:
        return answer + f
    else:
        return REFUSED


@alignment(gated_release, epsilon="eps")
def phi(size, size_, answer, answer_, omega, H):
    return H.shift(e=size - size_, f=0 if omega is REFUSED else answer - answer_)
