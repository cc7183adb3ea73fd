"""The hybrids: what was put out keeps its lead; the claims depend on how much that is."""

from alignkit import alignment
from alignkit.mechanisms.hybrids import (
    hybrid_estimates,
    hybrid_estimates_in_steps,
    hybrid_identity,
    hybrid_identity_in_steps,
)


@alignment(hybrid_identity, epsilon="len(omega) / k * eps")
def identity_phi(q, q_, T, omega, H):
    """Lemma 7 of the VLDB Journal paper, by the alignment of one-sided Noisy Top-K; the threshold is query 0.

    What was put out, and D's best of the others where it would fall behind, are raised to one level.
    """
    selected = {j for j, gap in omega}
    answers, answers_ = [T, *q], [T, *q_]
    before = max(answers[j] + H.eta[j] for j in range(len(answers)) if j not in selected)
    after = max(answers_[j] + H.eta[j] for j in range(len(answers)) if j not in selected)
    level = max(after, before + max(answers_[j] - answers[j] for j in range(len(answers)) if j in selected))
    return H.shift(
        eta=[
            answers[j] - answers_[j] + level - before
            if j in selected or (after < level and answers[j] + H.eta[j] == before)
            else 0
            for j in range(len(answers))
        ]
    )


@alignment(hybrid_estimates, epsilon="(theta + len(omega) / k * (1 - theta)) * eps")
def estimates_phi(q, q_, omega, H):
    """Lemma 8 of the VLDB Journal paper: Equation (2), where the winners are the queries that the output names."""
    selected = {j for j, gap in omega}
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if i in selected else 0 for i in range(len(q))])


@alignment(hybrid_identity_in_steps, epsilon="len(omega) / k * eps")
def identity_in_steps_phi(q, q_, T, omega, H):
    """Raise what was put out by 1 + q_i - q'_i, the threshold as a query that never changes: no distance changes."""
    named = {j for j, behind in omega}
    answers, answers_ = [T, *q], [T, *q_]
    return H.shift(eta=[1 + answers[j] - answers_[j] if j in named else 0 for j in range(len(answers))])


@alignment(hybrid_estimates_in_steps, epsilon="(theta + len(omega) / k * (1 - theta)) * eps")
def estimates_in_steps_phi(q, q_, omega, H):
    """Lemma 8 of the VLDB Journal paper; ties among the queries are won as before, since all winners rise by 1."""
    selected = {j for j, gap in omega}
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if i in selected else 0 for i in range(len(q))])
