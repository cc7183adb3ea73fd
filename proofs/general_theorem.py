"""An alignment that stretches noise, and pays for what it contracts."""

from alignkit import ABOVE, alignment, clamp
from alignkit.mechanisms.general_theorem import one_sided_threshold_test


@alignment(one_sided_threshold_test, epsilon="max(eps, log(2))")
def contracted_phi(q, q_, omega, H):
    """Noise above the level moves with it; noise in [0, level) is stretched or contracted onto [0, level').

    Contracting costs no shift, but the logarithm of 1 / |det J| = level / level' <= 2.
    """
    level, level_ = clamp(q, 1, 2), clamp(q_, 1, 2)
    return H.shift(eta=level_ - level if omega[0] is ABOVE else H.eta * (level_ / level - 1))
