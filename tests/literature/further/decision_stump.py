"""A threshold learner: of public thresholds the one with the fewest errors, by noisy max."""

from alignkit import Epsilon, Noise, Queries, Reals, alignment, largest, mechanism


def errors(positive, negative, T):
    return [sum(1 for v in positive if v < t) + sum(1 for v in negative if v >= t) for t in T]


@mechanism
def decision_stump(positive: Queries, negative: Queries, T: Reals, eps: Epsilon, noise: Noise):
    e = [noise.laplace(2 / eps) for t in T]
    (best,) = largest([e_t - wrong for wrong, e_t in zip(errors(positive, negative, T), e)], 1)
    return best


@alignment(decision_stump, epsilon="eps", adjacency="one")
def phi(positive, positive_, negative, negative_, T, omega, H):
    before = errors(positive, negative, T)
    after = errors(positive_, negative_, T)
    return H.shift(e=[1 + after[i] - before[i] if i == omega else 0 for i in range(len(T))])
