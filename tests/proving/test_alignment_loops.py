"""Loops of alignments over sequences of symbolic length: what is proved of them, and what a report says."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.defining import define_in

from alignkit import Epsilon, Noise, Proportion, Queries, alignment, check, mechanism
from alignkit.explaining import explain
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.results import Verdict
from alignkit.symbolic.z3_solver import Z3Solver


@mechanism
def fading(q: Queries, r: Proportion, eps: Epsilon, noise: Noise):
    total = 0
    for q_i in q:
        total = r * total + q_i
        eta = noise.laplace(1 / ((1 - r) * eps))
        yield total + eta


@alignment(fading, epsilon="eps", adjacency="one")
def fading_phi(q, q_, r, omega, H):
    lost = 0
    shifts = []
    for i in range(len(omega)):
        lost = r * lost + q[i] - q_[i]
        shifts = [*shifts, lost]
    return H.shift(eta=shifts)


def test_a_difference_that_fades_is_paid_for_once():
    result = check(fading_phi, effort=0)
    assert result.verdict is Verdict.PROVED
    assert result.conditions["countable"].how == (
        "the shifts read tags, indices, lengths, and what the mechanism's loop keeps"
    )
    assert any("the alignment's lost == total - total_" in note for note in result.notes)


def test_the_written_proof_says_what_the_alignment_keeps():
    assert "`the alignment's lost == total - total′`" in str(explain(fading_phi))


def test_a_replay_moves_the_noise_by_what_the_loop_makes():
    moved = fading_phi.replay(q=[1, 0, 0], q_=[0, 0, 0], r=Fraction(1, 2), eps=1, H={"eta": [0, 0, 0]}).trial.H_
    assert moved == {"eta": (1, Fraction(1, 2), Fraction(1, 4))}


ONE_LOOP = """
@mechanism
def first_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    seen = 0
    for q_i in q:
        e = noise.laplace(4 / eps)
        seen = seen + 1
        if q_i + e >= T + eta:
            yield ABOVE
            break
        else:
            yield BELOW

@alignment(first_above, epsilon="eps")
def phi(q, q_, omega, H):
    {body}
"""

PROVED = {
    "a list of shifts": """
        shifts = []
        for i, w in enumerate(omega):
            shifts = [*shifts, 1 + q[i] - q_[i] if w is ABOVE else 0]
        return H.shift(eta=1, e=shifts)
    """,
    "pairs of answers": """
        shifts = []
        for x, x_, w in zip(q, q_, omega):
            if w is ABOVE:
                shifts = [*shifts, 1 + x - x_]
            else:
                shifts = [*shifts, 0]
        return H.shift(eta=1, e=shifts)
    """,
    "a counter": """
        shifts = []
        i = 0
        for w in omega:
            shifts = [*shifts, 1 + q[i] - q_[i] if w is ABOVE else 0]
            i += 1
        return H.shift(eta=1, e=shifts)
    """,
    "a variable of the mechanism's loop": """
        shifts = []
        seen = 0
        for w in omega:
            seen = seen + 1
            shifts = [*shifts, 1 + q[seen - 1] - q_[seen - 1] if w is ABOVE else 0]
        return H.shift(eta=1, e=shifts)
    """,
    "a list that another loop reads": """
        changes = []
        for i in range(len(omega)):
            changes = [*changes, q[i] - q_[i]]
        shifts = []
        for i in range(len(omega)):
            shifts = [*shifts, 1 + changes[i] if omega[i] is ABOVE else 0]
        return H.shift(eta=1, e=shifts)
    """,
    "its own length": """
        shifts = []
        for w in omega:
            i = len(shifts)
            shifts = [*shifts, 1 + q[i] - q_[i] if w is ABOVE else 0]
        return H.shift(eta=1, e=shifts)
    """,
}


@pytest.mark.parametrize("body", PROVED)
def test_what_is_proved(body, tmp_path):
    source = ONE_LOOP.replace("    {body}\n", PROVED[body].replace("\n    ", "\n"))
    assert check(define_in(tmp_path, source).phi, effort=0).proved


# What the loop does, what moves the noise before it, and the reason.
REASONS = [
    (
        "shifts = [*shifts, 0]",
        "eta=shifts[0] + 1",
        "an item of `shifts`, which a loop of the alignment makes, that is not of the iteration at hand",
    ),
    (
        "shifts = [*shifts, c]; c = c + q[0]",
        "eta=1",
        "the alignment's c, which its loop changes, is not shown to be a number of the mechanism's loop",
    ),
    ("shifts = [*shifts, 0]; c = w", "eta=1", "the alignment's c, which its loop changes, is not a number"),
    (
        "shifts = [*shifts, 0, 0]",
        "eta=1",
        "a loop of the alignment that does not append just one item to `shifts` in every iteration",
    ),
    ("shifts = [*shifts, 0]; c = c + 1", "eta=c", "depends on c once the loop is over, which does not come before it"),
    ("shifts = [0]", "eta=1", "`shifts` of the alignment changes in the loop and is not a number"),
]


@pytest.mark.parametrize(("body", "eta", "words"), REASONS)
def test_why_a_loop_is_not_covered(body, eta, words, tmp_path):
    loop = f"c = 0\n    shifts = []\n    for w in omega:\n        {body}\n    return H.shift({eta}, e=shifts)"
    phi = define_in(tmp_path, ONE_LOOP.replace("{body}", loop)).phi
    proof = prove(phi, Decider(Z3Solver.of_one_check(), 60), range(100))
    assert not proof.complete
    assert any(words in condition.how for condition in proof.conditions.values())
