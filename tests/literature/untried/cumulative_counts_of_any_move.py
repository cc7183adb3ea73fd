"""The Ordered Mechanism (He et al., SIGMOD 2014) outside its policy: a person may move to any value."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def cumulative_counts_of_any_move(s: Queries, eps: Epsilon, noise: Noise):
    """Put out noisy cumulative counts."""
    for s_i in s:
        e = noise.laplace(1 / eps)
        yield s_i + e


@alignment(cumulative_counts_of_any_move, epsilon="eps", expect="refuted")
def phi(s, s_, H):
    return H.shift(e=[s[i] - s_[i] for i in range(len(s))])
