"""A table of two by two from its noisy Walsh coefficients.

Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar, Privacy, Accuracy, and Consistency Too, PODS 2007: the Fourier
coefficients get Laplace noise, and the table is computed from them.
"""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


def coefficients(x):
    return [
        x[0] + x[1] + x[2] + x[3],
        x[0] + x[1] - x[2] - x[3],
        x[0] - x[1] + x[2] - x[3],
        x[0] - x[1] - x[2] + x[3],
    ]


@mechanism
def walsh(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(4 / eps) for j in range(4)]
    c = coefficients(q)
    noisy = [c[j] + e[j] for j in range(4)]
    return [y / 4 for y in coefficients(noisy)]


@alignment(walsh, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(e=coefficients([q[i] - q_[i] for i in range(4)]))
