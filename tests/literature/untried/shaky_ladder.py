"""The Shaky Ladder (Hardt, Climbing a Shaky Ladder, 2017): a leaderboard that moves only where a model improves."""

from alignkit import BELOW, Count, Epsilon, Noise, Positive, Queries, Real, alignment, mechanism


@mechanism
def shaky_ladder(q: Queries, start: Real, step: Positive, k: Count, eps: Epsilon, noise: Noise):
    """Put out a noisy loss where it seems to lie a step below the last one that was put out, at most k times."""
    best = start
    count = 0
    eta = noise.laplace(3 / eps)
    for q_i in q:
        e = noise.laplace(6 * k / eps)
        if q_i + e <= best - step + eta:
            a = noise.laplace(3 * k / eps)
            best = q_i + a
            yield best
            count += 1
            if count >= k:
                break
        else:
            yield BELOW


@alignment(shaky_ladder, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        eta=-1,
        e=[q[i] - q_[i] - 1 if w is not BELOW else 0 for i, w in enumerate(omega)],
        a=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )
