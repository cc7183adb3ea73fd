"""The binary attribute with the best score is selected, and its two counts are measured.

Zhang, Cormode, Procopiuc, Srivastava and Xiao, PrivBayes, SIGMOD 2014, Algorithms 2 and 1 for one attribute: selection
by the exponential mechanism, then the noisy table. A person who changes moves between the two counts.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Sensitivity, alignment, largest, mechanism


@mechanism
def most_telling_attribute(
    u: Annotated[Queries, Sensitivity("delta")],
    zeros: Queries,
    ones: Queries,
    delta: Positive,
    eps1: Epsilon,
    eps2: Epsilon,
    noise: Noise,
):
    g = [noise.gumbel(2 * delta / eps1) for u_i, a, b in zip(u, zeros, ones)]
    (best,) = largest([u_i + g_i for u_i, g_i in zip(u, g)], 1)
    e = noise.laplace(2 / eps2)
    f = noise.laplace(2 / eps2)
    return best, zeros[best] + e, ones[best] + f


@alignment(most_telling_attribute, epsilon="eps1 + eps2")
def phi(u, u_, zeros, zeros_, ones, ones_, delta, omega, H):
    best = omega[0]
    return H.shift(
        g=[delta + u[i] - u_[i] if i == best else 0 for i in range(len(H.g))],
        e=zeros[best] - zeros_[best],
        f=ones[best] - ones_[best],
    )
