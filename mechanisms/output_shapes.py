"""The sparse vector technique in other shapes of output: an index, a list of indices, Booleans, numbers and zeros."""

from alignkit import Count, Epsilon, Noise, Queries, Real, Tag, mechanism

NOTHING = Tag("NOTHING")


@mechanism
def above_threshold_index(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """AboveThreshold (Dwork and Roth 2014, Algorithm 1), which returns the index of the first answer above, or -1."""
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            return i
    return -1


@mechanism
def first_above_with_gap(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """AboveThreshold that returns the index of the first answer above together with its gap, or a tag."""
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        gap = q_i + nu - (T + rho)
        if gap >= 0:
            return i, gap
    return NOTHING


@mechanism
def winners_as_list(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector that returns the list of the indices of up to k winners."""
    rho = noise.laplace(2 / eps)
    winners: list[int] = []
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            winners = [*winners, i]
            if len(winners) >= k:
                break
    return winners


@mechanism
def winners_one_by_one(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector that yields the index and the gap of each of up to k winners, and nothing for the others."""
    rho = noise.laplace(2 / eps)
    count = 0
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 * k / eps)
        gap = q_i + nu - (T + rho)
        if gap >= 0:
            yield i, gap
            count += 1
            if count >= k:
                break


@mechanism
def numeric_or_zero(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """NumericSparse (Dwork and Roth 2014, Algorithm 3), in three equal shares, which yields 0 for every loser."""
    rho = noise.laplace(3 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(6 * k / eps)
        if q_i + nu >= T + rho:
            upsilon = noise.laplace(3 * k / eps)
            yield q_i + upsilon
            count += 1
            if count >= k:
                break
        else:
            yield 0
