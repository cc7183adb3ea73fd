"""Alignments that claim (epsilon, delta)-differential privacy: a key that is shown where its noisy count is large."""

from __future__ import annotations

from typing import Annotated

from alignkit import Count, Epsilon, Lattice, Noise, Query, Real, Tag, alignment, exp, mechanism, power

__all__ = ["exp", "power"]  # for the texts of the claims

NOTHING = Tag("NOTHING")

DELTA = "exp(-eps * (tau - 1)) / 2"
CLAIM = f"(eps, {DELTA})-differential privacy"


@mechanism
def noisy_key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@alignment(noisy_key, epsilon="eps", delta=DELTA)
def key_phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)


@alignment(noisy_key, epsilon="eps", delta="exp(-eps * tau) / 2")
def small_delta_phi(q, q_, H, tau):
    """A delta that is too small for its limit: the key of a count of 1 is shown with more probability."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)


@alignment(noisy_key, epsilon="eps", delta="power(exp(-eps * (tau - 1) / 2), 2) / 2", expect="undecided")
def delta_by_a_square_phi(q, q_, H, tau):
    """The delta is right, but the prover does not see that it is the tail."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)


@alignment(noisy_key, epsilon="eps / 2", delta=DELTA, expect="refuted")
def cheap_phi(q, q_, H, tau):
    """Within the limits the shifts cost more than is claimed."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)


@mechanism
def key_and_count(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    shown = noisy_key(q, tau, eps, noise)
    y = noise.laplace(1 / eps)
    return shown, q + y


@alignment(key_and_count, epsilon="2 * eps", delta=DELTA, lemmas=[key_phi])
def key_and_count_phi(q, q_, H):
    return H.shift(y=q - q_)


@mechanism
def whole_key(q: Annotated[Query, Lattice(1)], tau: Count, eps: Epsilon, noise: Noise):
    x = noise.discrete_laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@alignment(whole_key, epsilon="eps", delta="exp(-eps * (tau - 1)) / (1 + exp(-eps))")
def whole_key_phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)
