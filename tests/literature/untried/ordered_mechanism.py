"""The Ordered Mechanism (He, Machanavajjhala and Ding, Blowfish Privacy, SIGMOD 2014).

Under the policy of a line graph a person may move to a neighbouring value only, which changes one cumulative count.
"""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def ordered_mechanism(s: Queries, eps: Epsilon, noise: Noise):
    """Put out noisy cumulative counts, made to rise by a running maximum."""
    best = 0
    for s_i in s:
        e = noise.laplace(1 / eps)
        best = max(best, s_i + e)
        yield best


@alignment(ordered_mechanism, epsilon="eps", adjacency="one")
def phi(s, s_, H):
    return H.shift(e=[s[i] - s_[i] for i in range(len(s))])
