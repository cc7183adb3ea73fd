"""Alignments by hand, which `check` proves, of mechanisms for which the search once found none or a dearer one.

docs/finding_results.md refers to them by name.
"""

from __future__ import annotations

from finding.further_mechanisms import (
    AGREES,
    counts_by_level,
    mean_of_two_measurements,
    noisy_max_or_nobody,
    noisy_max_then_measured,
    noisy_ratio_test,
    sparse_vector_about_guesses,
    sparse_vector_below,
    suppressed_histogram,
)

from alignkit import ABOVE, BELOW, alignment


@alignment(mean_of_two_measurements, epsilon="eps1 + eps2")
def both_measurements(q, q_, H):
    """Each measurement makes up for the change of the count."""
    return H.shift(e=q - q_, f=q - q_)


@alignment(mean_of_two_measurements, epsilon="min(eps1 / theta, eps2 / (1 - theta))")
def one_measurement(q, q_, theta, eps1, eps2, H):
    """The measurement that does it more cheaply makes up for both."""
    first = eps1 / theta <= eps2 / (1 - theta)
    return H.shift(e=(q - q_) / theta if first else 0, f=0 if first else (q - q_) / (1 - theta))


@alignment(noisy_ratio_test, epsilon="min(1 + r, 1 + 1 / r) * eps / 2")
def one_count(omega, r, H):
    """The count that does it more cheaply keeps the answer by itself."""
    sign = 1 if omega is ABOVE else -1
    return H.shift(e=sign * (1 + r) if r <= 1 else 0, f=0 if r <= 1 else -sign * (1 + 1 / r))


@alignment(counts_by_level, epsilon="eps", adjacency="l1")
def levels(q, q_, omega, H):
    """Every count keeps its noisy value."""
    return H.shift(e_i=[q[i] - q_[i] for i in range(len(omega))])


@alignment(suppressed_histogram, epsilon="eps", adjacency="one")
def suppressed(q, q_, omega, H):
    """Every count keeps its noisy value, suppressed or not."""
    return H.shift(e_i=[q[i] - q_[i] for i in range(len(omega))])


@alignment(noisy_max_then_measured, epsilon="eps")
def measured(q, q_, omega, H):
    """The winner rises as in noisy max; the measurement makes up for the change of the winner's answer."""
    best, answer = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))], xi=q[best] - q_[best])


@alignment(noisy_max_or_nobody, epsilon="eps")
def or_nobody(q, q_, omega, H):
    """The threshold rises, and with it the winner, if there is one."""
    return H.shift(rho=1, eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@alignment(sparse_vector_below, epsilon="eps", adjacency="monotone")
def below(q, q_, omega, H):
    """If the answers fall, the threshold falls too; if they rise, it stays."""
    down = 0 if all(q[i] <= q_[i] for i in range(len(q))) else 1
    return H.shift(eta=-down, nu_i=[q[i] - q_[i] - down if w is BELOW else 0 for i, w in enumerate(omega)])


@alignment(sparse_vector_about_guesses, epsilon="eps0 + eps1 + eps2")
def about_guesses(q, q_, omega, H):
    """The threshold rises by 1, and a winner by 2, since its distance from the guess may fall by 1."""
    return H.shift(
        rho=1,
        nu_i=[0 if w is AGREES else 2 for w in omega],
        xi_i=[0 if w is AGREES else q[i] - q_[i] for i, w in enumerate(omega)],
    )


BY_HAND = (
    both_measurements,
    levels,
    suppressed,
    measured,
    or_nobody,
    below,
    about_guesses,
)

CHEAPER_THAN_A_TEXTBOOK = (one_measurement, one_count)
