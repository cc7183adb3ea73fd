"""DP-ANT of Wang and others, DP-Sync, SIGMOD 2021, with one threshold that is drawn once for all uploads."""

from alignkit import BELOW, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def one_threshold(x: Queries, theta: Real, eps: Epsilon, noise: Noise):
    eps1 = eps / 2
    eps2 = eps / 2
    rho = noise.laplace(2 / eps1)
    waiting: float = 0
    for x_t in x:
        waiting += x_t
        v_t = noise.laplace(4 / eps1)
        if waiting + v_t >= theta + rho:
            e_t = noise.laplace(1 / eps2)
            yield waiting + e_t
            waiting = 0
        else:
            yield BELOW


@alignment(one_threshold, epsilon="eps", adjacency="one", expect="refuted")
def phi(x, x_, omega, H):
    """The raised threshold has to be made up for at every upload."""
    lost = 0
    tests = []
    uploads = []
    for i, w in enumerate(omega):
        lost += x[i] - x_[i]
        tests = [*tests, 1 + lost if w is not BELOW else 0]
        uploads = [*uploads, lost if w is not BELOW else 0]
        lost = lost if w is BELOW else 0
    return H.shift(rho=1, v_t=tests, e_t=uploads)
