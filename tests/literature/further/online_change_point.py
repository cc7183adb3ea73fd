"""A change is awaited by AboveThreshold, and then placed in the last window by noisy max."""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Real, alignment, largest, mechanism


@mechanism
def online_change_point(score: Queries, window: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(4 / eps)
    for s in score:
        nu_i = noise.laplace(8 / eps)
        if s + nu_i >= T + rho:
            yield ABOVE
            break
        else:
            yield BELOW
    e = [noise.laplace(4 / eps) for x in window]
    (start,) = largest([x + e_j for x, e_j in zip(window, e)], 1)
    yield start


@alignment(online_change_point, epsilon="eps")
def phi(score, score_, window, window_, omega, H):
    return H.shift(
        rho=1,
        nu_i=[1 + score[i] - score_[i] if omega[i] is ABOVE else 0 for i in range(len(omega) - 1)],
        e=[1 + window[j] - window_[j] if j == omega[-1] else 0 for j in range(len(window))],
    )
