"""Alignments of sparse vectors and noise in released code: what was claimed, and what holds."""

from alignkit import BELOW, alignment, clamp
from alignkit.mechanisms.in_the_wild import (
    nvflare_release_after,
    nvflare_release_before,
    nvflare_selection_after,
    nvflare_selection_before,
    nvflare_unsampled_after,
    nvflare_unsampled_before,
    sparse_vector_fresh_thresholds,
    sparse_vector_scale_as_location,
    sparse_vector_scale_as_scale,
    sparse_vector_tested_answer,
)


@alignment(nvflare_selection_before, epsilon="eps", expect="refuted")
def nvflare_before_phi_as_claimed(q, q_, omega, H, gamma):
    """The threshold costs eps / 2 and the winners eps ratio / 2, which is more than eps if ratio is above 1."""
    return H.shift(rho=gamma, nu_i=[gamma + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(nvflare_selection_before, epsilon="eps / 2 * (1 + ratio)")
def nvflare_before_phi(q, q_, omega, H, gamma):
    """What the threshold and c winners cost together."""
    return H.shift(rho=gamma, nu_i=[gamma + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(nvflare_selection_after, epsilon="eps")
def nvflare_after_phi(q, q_, omega, H, gamma):
    """The threshold costs eps_t and the winners eps_q, which add up to eps."""
    return H.shift(rho=gamma, nu_i=[gamma + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(nvflare_unsampled_before, epsilon="delta / (2 * gamma) * eps", adjacency="l1", expect="refuted")
def nvflare_unsampled_before_phi(w, w_, H):
    """No noise can make up for the change of a weight that is released without any."""
    return H.shift(e=[w[i] - w_[i] for i in range(len(w))])


@alignment(nvflare_unsampled_after, epsilon="delta / (2 * gamma) * eps", adjacency="l1")
def nvflare_unsampled_after_phi(w, w_, H):
    """Each weight makes up for its change; this is eps only if weights move by at most 2 gamma in all."""
    return H.shift(e=[w[i] - w_[i] for i in range(len(w))])


@alignment(nvflare_release_before, epsilon="eps", expect="refuted")
def nvflare_release_before_phi_as_claimed(w, w_, H):
    """A weight that is not clipped before the noise may change by more than 2 gamma."""
    return H.shift(e=w - w_)


@alignment(nvflare_release_before, epsilon="delta / (2 * gamma) * eps")
def nvflare_release_before_phi(w, w_, H):
    """What holds: the cost grows with the change that a weight may make."""
    return H.shift(e=w - w_)


@alignment(nvflare_release_after, epsilon="eps")
def nvflare_release_after_phi(w, w_, gamma, H):
    """A clipped weight changes by at most 2 gamma."""
    return H.shift(e=clamp(w, -gamma, gamma) - clamp(w_, -gamma, gamma))


@alignment(sparse_vector_scale_as_location, epsilon="eps", expect="refuted")
def scale_as_location_phi_as_claimed(q, q_, omega, H):
    """The noise has scale 1, so that the cost does not depend on eps."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_scale_as_location, epsilon="1 + 2 * c")
def scale_as_location_phi(q, q_, omega, H):
    """What holds: 1 for the threshold, 2 for each winner, whatever eps is."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_scale_as_scale, epsilon="eps")
def scale_as_scale_phi(q, q_, omega, H):
    """Half of eps for the threshold, half for the winners."""
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_fresh_thresholds, epsilon="eps", expect="refuted")
def fresh_thresholds_phi(q, q_, H):
    """Every answer costs, above or below, and nothing bounds their number."""
    return H.shift(nu_i=[q[i] - q_[i] for i in range(len(q))])


@alignment(sparse_vector_tested_answer, epsilon="eps", expect="refuted")
def tested_answer_phi(q, q_, omega, H):
    """The shift that keeps a winner above changes the answer that is released."""
    return H.shift(eta=1, nu_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
