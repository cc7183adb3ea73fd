"""The exponential mechanism with a gap drawn beside it: logistic noise makes up for the location that moves."""

from alignkit import alignment
from alignkit.mechanisms.black_box_gap import (
    black_box_gap_as_printed,
    black_box_gap_in_one_round,
    printed_location,
)


@alignment(black_box_gap_in_one_round, epsilon="eps")
def one_round_phi(m, m_, omega, H):
    """The same outcome is drawn, and its noise makes up for the change of its location, which is at most eps."""
    s, gap = omega
    return H.shift(e=m[s] - m_[s])


@alignment(black_box_gap_as_printed, epsilon="(1 + rounds) * eps", expect="refuted")
def black_box_phi_as_printed(u, u_, omega, eps, delta, rounds, H):
    """The chosen outcome is raised; the noise of each round makes up for the location, which may move by 1 > eps."""
    s, gap = omega
    return H.shift(
        g=[eps * (delta + u[i] - u_[i]) / (2 * delta) if i == s else 0 for i in range(len(u))],
        e=[printed_location(u, s, delta) - printed_location(u_, s, delta) for j in range(rounds)],
    )
