"""Several loops in one mechanism: each loop has the alignment that it would have alone, and the costs add up."""

from alignkit import ABOVE, alignment
from alignkit.mechanisms.several_loops import (
    answers_at_thresholds,
    answers_in_rounds,
    noisy_max_then_sparse_vector,
    sparse_vector_then_answers,
    sparse_vector_twice,
    top_k_then_measure,
)


@alignment(sparse_vector_twice, epsilon="eps")
def twice_phi(q, q_, r, r_, omega, H):
    """Equation (2) of the VLDB 2020 paper in both loops; the second loop's outputs follow those of the first."""
    first = len(H.eta_i)
    second = min(len(r), len(omega) - first)
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if omega[i] is ABOVE else 0 for i in range(first)],
        rho=1,
        rho_j=[1 + r[j] - r_[j] if omega[first + j] is ABOVE else 0 for j in range(second)],
    )


@alignment(sparse_vector_twice, epsilon="3 * eps / 4", expect="refuted")
def one_threshold_phi(q, q_, r, r_, omega, H):
    """Both thresholds are paid for, the second although it has the value of the first."""
    first = len(H.eta_i)
    second = min(len(r), len(omega) - first)
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if omega[i] is ABOVE else 0 for i in range(first)],
        rho=1,
        rho_j=[1 + r[j] - r_[j] if omega[first + j] is ABOVE else 0 for j in range(second)],
    )


@alignment(sparse_vector_then_answers, epsilon="eps", adjacency="l1")
def then_answers_phi(q, q_, omega, H):
    """Equation (2) of the VLDB 2020 paper; then noise makes up for the change of each answer."""
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if omega[i] is ABOVE else 0 for i in range(len(H.eta_i))],
        e=[q[i] - q_[i] for i in range(len(q))],
    )


@alignment(top_k_then_measure, epsilon="eps")
def measure_phi(q, q_, omega, H):
    """The selected answers are raised over all others; fresh noise makes up for the change of each."""
    selected = {i for i, measured in omega}
    return H.shift(
        eta=[1 + q[i] - q_[i] if i in selected else 0 for i in range(len(q))],
        e=[q[i] - q_[i] for i, measured in omega],
    )


@alignment(noisy_max_then_sparse_vector, epsilon="eps")
def then_sparse_vector_phi(q, q_, omega, H):
    """The maximum is raised by 2; then Equation (2) of the VLDB 2020 paper."""
    return H.shift(
        xi=[2 if i == omega[0] else 0 for i in range(len(q))],
        eta=1,
        eta_i=[1 + q[i] - q_[i] if omega[1 + i] is ABOVE else 0 for i in range(len(omega) - 1)],
    )


@alignment(answers_in_rounds, epsilon="eps", adjacency="l1")
def rounds_phi(q, q_, k, H):
    """In every round, noise makes up for the change of each answer."""
    return H.shift(e=[[q[i] - q_[i] for i in range(len(q))] for j in range(k)])


@alignment(answers_at_thresholds, epsilon="eps", adjacency="one")
def thresholds_phi(q, q_, k, H):
    """At every threshold, noise makes up for the change of the answer."""
    return H.shift(e=[[q[i] - q_[i] for t in range(k)] for i in range(len(q))])
