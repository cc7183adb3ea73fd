"""DP-ANT: Wang, Bater, Nayak and Machanavajjhala, DP-Sync, SIGMOD 2021; records are uploaded at a noisy threshold."""

from alignkit import BELOW, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def above_noisy_threshold(x: Queries, theta: Real, eps: Epsilon, noise: Noise):
    eps1 = eps / 2
    eps2 = eps / 2
    first = noise.laplace(2 / eps1)
    level = theta + first
    waiting: float = 0
    for x_t in x:
        waiting += x_t
        v_t = noise.laplace(4 / eps1)
        if waiting + v_t >= level:
            e_t = noise.laplace(1 / eps2)
            yield waiting + e_t
            waiting = 0
            fresh_t = noise.laplace(2 / eps1)
            level = theta + fresh_t
        else:
            yield BELOW


@alignment(above_noisy_threshold, epsilon="eps", adjacency="one")
def phi(x, x_, omega, H):
    """Only the stretch between two uploads with the changed record raises its threshold and moves its upload."""
    n = len(omega)
    lost = 0
    tests = []
    uploads = []
    for i, w in enumerate(omega):
        lost += x[i] - x_[i]
        tests = [*tests, 1 + lost if w is not BELOW and lost != 0 else 0]
        uploads = [*uploads, lost if w is not BELOW else 0]
        lost = lost if w is BELOW else 0
    return H.shift(
        first=1 if any(x[j] != x_[j] and all(omega[m] is BELOW for m in range(j)) for j in range(n)) else 0,
        v_t=tests,
        e_t=uploads,
        fresh_t=[
            1
            if any(x[j] != x_[j] and all(omega[m] is BELOW for m in range(i + 1, j)) for j in range(i + 1, n))
            else 0
            for i in range(n)
        ],
    )
