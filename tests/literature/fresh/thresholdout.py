"""Thresholdout: a holdout value is told, with noise, only where it is far from the public training value.

Dwork, Feldman, Hardt, Pitassi, Reingold and Roth, Generalization in Adaptive Data Analysis and Holdout Reuse, NIPS
2015, Thresholdout. BELOW stands for the training value. The threshold gets fresh noise after each answer but the last.
"""

from alignkit import BELOW, Count, Noise, Positive, Queries, Real, Reals, alignment, mechanism


@mechanism
def thresholdout(q: Queries, t: Reals, T: Real, B: Count, sigma: Positive, noise: Noise):
    gamma = noise.laplace(2 * sigma)
    threshold = T + gamma
    used = 0
    for q_i, t_i in zip(q, t):
        eta_i = noise.laplace(4 * sigma)
        if abs(q_i - t_i) > threshold + eta_i:
            xi_i = noise.laplace(sigma)
            yield q_i + xi_i
            used += 1
            if used >= B:
                break
            fresh_i = noise.laplace(2 * sigma)
            threshold = T + fresh_i
        else:
            yield BELOW


@alignment(thresholdout, epsilon="2 * B / sigma")
def phi(q, q_, t, omega, H):
    n = len(omega)
    return H.shift(
        gamma=1,
        eta_i=[abs(q_[i] - t[i]) - abs(q[i] - t[i]) - 1 if omega[i] is not BELOW else 0 for i in range(n)],
        xi_i=[q[i] - q_[i] for i in range(n)],
        fresh_i=[1 for i in range(n)],
    )
