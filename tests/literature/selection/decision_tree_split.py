"""A split is chosen by Gumbel noise, and then the sizes of its two sides are counted."""

from alignkit import Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def split(gain: Queries, left: Queries, right: Queries, eps: Epsilon, noise: Noise):
    g = [noise.gumbel(4 / eps) for x in gain]
    (best,) = largest([x + g_i for x, g_i, a, b in zip(gain, g, left, right)], 1)
    e = noise.laplace(4 / eps)
    f = noise.laplace(4 / eps)
    return best, left[best] + e, right[best] + f


@alignment(split, epsilon="eps")
def phi(gain, gain_, left, left_, right, right_, omega, H):
    best, size_left, size_right = omega
    return H.shift(
        g=[1 + gain[i] - gain_[i] if i == best else 0 for i in range(len(gain))],
        e=left[best] - left_[best],
        f=right[best] - right_[best],
    )
