"""Several loops in one mechanism: sparse vector twice, selection with fresh measurements, rounds of answers."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, largest, mechanism


@mechanism
def sparse_vector_twice(q: Queries, r: Queries, T: Real, k: Count, m: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector on one list of queries and then, with a new threshold, on another; each has half the budget."""
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(8 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break
    rho = noise.laplace(4 / eps)
    found = 0
    for r_j in r:
        rho_j = noise.laplace(8 * m / eps)
        if r_j + rho_j >= T + rho:
            yield ABOVE
            found += 1
        else:
            yield BELOW
        if found >= m:
            break


@mechanism
def sparse_vector_then_answers(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector with half the budget, then every answer with the other half."""
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(8 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break
    for q_i in q:
        e = noise.laplace(2 / eps)
        yield q_i + e


@mechanism
def top_k_then_measure(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K with half the budget; each of the selected answers comes with fresh noise of the other half."""
    eta = [noise.laplace(4 * k / eps) for q_i in q]
    for i in largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], k):
        e = noise.laplace(2 * k / eps)
        yield i, q[i] + e


@mechanism
def noisy_max_then_sparse_vector(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Max with half the budget, then Sparse Vector on the same queries with the other half."""
    xi = [noise.laplace(4 / eps) for q_i in q]
    top = largest([q_i + xi_i for q_i, xi_i in zip(q, xi)], 1)
    yield top[0]
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(8 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def answers_in_rounds(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Every answer in each of k rounds, with the k-th part of the budget for a round."""
    for j in range(k):
        for q_i in q:
            e = noise.laplace(k / eps)
            yield q_i + e


@mechanism
def answers_at_thresholds(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Every answer is held against the thresholds 0, …, k - 1, with fresh noise for each of them."""
    for q_i in q:
        for t in range(k):
            e = noise.laplace(k / eps)
            if q_i + e >= t:
                yield ABOVE
            else:
                yield BELOW
