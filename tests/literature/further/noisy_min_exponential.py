"""Report noisy min with one-sided noise: permute and flip over losses."""

from alignkit import Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def noisy_min(loss: Queries, eps: Epsilon, noise: Noise):
    e = [noise.exponential(2 / eps) for x in loss]
    (best,) = largest([e_i - x for x, e_i in zip(loss, e)], 1)
    return best


@alignment(noisy_min, epsilon="eps")
def phi(loss, loss_, omega, H):
    return H.shift(e=[1 + loss_[i] - loss[i] if i == omega else 0 for i in range(len(loss))])
