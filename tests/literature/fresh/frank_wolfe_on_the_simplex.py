"""Frank-Wolfe on the simplex: each round steps towards the corner with the largest noisy gradient.

Talwar, Thakurta and Zhang, Nearly Optimal Private LASSO, NIPS 2015, Algorithm 2, with basic composition. The loss is
|w - c|² / 2 with private correlations c.
"""

from alignkit import Count, Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def frank_wolfe(c: Queries, k: Count, eps: Epsilon, noise: Noise):
    w = [0 for c_i in c]
    for t in range(k):
        e = [noise.laplace(2 * k / eps) for c_i in c]
        (corner,) = largest([c_i - w_i + e_i for c_i, w_i, e_i in zip(c, w, e)], 1)
        step = 2 / (t + 2)
        w = [(1 - step) * w_i + (step if i == corner else 0) for i, w_i in enumerate(w)]
        yield corner


@alignment(frank_wolfe, epsilon="eps")
def phi(c, c_, omega, H):
    return H.shift(e=[[1 + c[i] - c_[i] if i == corner else 0 for i in range(len(c))] for corner in omega])
