"""The noisy size and the noisy sum of each cluster; a person counts once in both lists, which change by 1 each."""

from typing import Annotated

from alignkit import Epsilon, Noise, Queries, Sensitivity, alignment, mechanism

Shared = Annotated[Queries, Sensitivity(2)]


@mechanism
def k_means_step(size: Shared, total: Shared, eps: Epsilon, noise: Noise):
    e = [noise.laplace(2 / eps) for s in size]
    f = [noise.laplace(2 / eps) for t in total]
    return [t + f_j for t, f_j in zip(total, f)], [s + e_j for s, e_j in zip(size, e)]


@alignment(k_means_step, epsilon="eps", adjacency="l1")
def phi(size, size_, total, total_, H):
    return H.shift(
        e=[size[j] - size_[j] for j in range(len(size))],
        f=[total[j] - total_[j] for j in range(len(total))],
    )
