"""The noisy size and the noisy sum of each cluster; a person appears in both lists."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def k_means_step(size: Queries, total: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(2 / eps) for s in size]
    f = [noise.laplace(2 / eps) for t in total]
    return [t + f_j for t, f_j in zip(total, f)], [s + e_j for s, e_j in zip(size, e)]


@alignment(k_means_step, epsilon="eps", adjacency="one")
def phi(size, size_, total, total_, H):
    return H.shift(
        e=[size[j] - size_[j] for j in range(len(size))],
        f=[total[j] - total_[j] for j in range(len(total))],
    )
