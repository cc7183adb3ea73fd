"""Selective sharing of gradients: Shokri and Shmatikov, Privacy-Preserving Deep Learning, CCS 2015."""

from typing import Annotated

from alignkit import BELOW, Count, Epsilon, Noise, Positive, Queries, Real, Sensitivity, alignment, clamp, mechanism

Gradients = Annotated[Queries, Sensitivity("delta")]


@mechanism
def selective_gradients(
    g: Gradients, gamma: Positive, tau: Real, c: Count, delta: Positive, eps: Epsilon, noise: Noise
):
    eps1 = 8 * eps / 9
    eps2 = 2 * eps / 9
    sigma1 = 2 * c * delta / eps1
    sigma2 = 2 * c * delta / eps2
    rho = noise.laplace(sigma1)
    level = tau + rho
    count = 0
    for g_i in g:
        nu_i = noise.laplace(2 * sigma1)
        if abs(clamp(g_i, -gamma, gamma)) + nu_i >= level:
            xi_i = noise.laplace(sigma2)
            yield clamp(g_i + xi_i, -gamma, gamma)
            count += 1
            if count >= c:
                break
            rho_i = noise.laplace(sigma1)
            level = tau + rho_i
        else:
            yield BELOW


@alignment(selective_gradients, epsilon="eps")
def phi(g, g_, gamma, delta, omega, H):
    """Every threshold rises by delta; what is shared is kept above it, and its own noise makes up for its change."""
    size = [abs(clamp(x, -gamma, gamma)) for x in g]
    size_ = [abs(clamp(x, -gamma, gamma)) for x in g_]
    return H.shift(
        rho=delta,
        rho_i=[delta if w is not BELOW else 0 for w in omega],
        nu_i=[delta + size[i] - size_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
        xi_i=[g[i] - g_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )
