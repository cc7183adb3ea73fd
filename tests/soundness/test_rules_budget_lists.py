"""Rules 16, 36 and 45: claims that sum up a public list of budgets, one for each answer."""

from __future__ import annotations

import pytest

from alignkit import BELOW, Epsilon, Noise, Queries, Reals, alignment, attack, check, mechanism
from alignkit.errors import LanguageError
from alignkit.worst_case.claim_order import ClaimOrder, compare_claims

POSITIVE = "sum(max(s, 0) for s in share)"


def each_answer(q, q_, H):
    return H.shift(e=[x - y for x, y in zip(q, q_)])


def each_output(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(omega))])


def each_number(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


def both_draws(q, q_, omega, H):
    moved = [q[i] - q_[i] for i in range(len(omega))]
    return H.shift(e=moved, x=moved)


def with_a_first(q, q_, omega, H):
    return H.shift(first=q[0] - q_[0], e=[q[i - 1] - q_[i - 1] if i > 0 else 0 for i in range(len(omega))])


@mechanism
def until_spent(q: Queries, share: Reals, noise: Noise):
    for q_i, s in zip(q, share):
        if s <= 0:
            break
        e = noise.laplace(1 / s)
        yield q_i + e


@mechanism
def skipping(q: Queries, share: Reals, noise: Noise):
    for q_i, s in zip(q, share):
        if s > 0:
            e = noise.laplace(1 / s)
            yield q_i + e
        else:
            yield BELOW


@mechanism
def vector(q: Queries, share: Reals, noise: Noise):
    e = [noise.laplace(1 / (1 + abs(s))) for q_i, s in zip(q, share)]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@mechanism
def scaled(q: Queries, share: Reals, eps: Epsilon, noise: Noise):
    for q_i, s in zip(q, share):
        e = noise.laplace(1 / (eps * (1 + abs(s))))
        yield q_i + e


@pytest.mark.parametrize(
    ("program", "claim", "phi"),
    [
        (until_spent, POSITIVE, each_output),
        (until_spent, "sum([abs(s) for s in share])", each_output),
        (skipping, POSITIVE, each_number),
        (vector, "sum(1 + abs(s) for s in share)", each_answer),
        (scaled, "eps * sum(1 + abs(s) for s in share)", each_output),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_a_list_of_budgets_pays_for_the_answers(program, claim, phi, proved):
    proved(alignment(program, epsilon=claim)(phi))


@mechanism
def spent_twice(q: Queries, share: Reals, noise: Noise):
    for q_i, s in zip(q, share):
        if s <= 0:
            break
        e = noise.laplace(1 / s)
        x = noise.laplace(1 / s)
        yield q_i + e, q_i + x


@mechanism
def next_budget(q: Queries, share: Reals, noise: Noise):
    """Answer i spends what was meant for answer i + 1, and the last one more than that."""
    for i, q_i in enumerate(q):
        s = 1 + abs(share[i + 1]) if i + 1 < len(share) else 2
        e = noise.laplace(1 / s)
        yield q_i + e


@mechanism
def unpaid_answers(q: Queries, share: Reals, noise: Noise):
    """Answers beyond the last budget spend 1 each."""
    for i, q_i in enumerate(q):
        s = 1 + abs(share[i]) if i < len(share) else 1
        e = noise.laplace(1 / s)
        yield q_i + e


@mechanism
def largest_budget(q: Queries, share: Reals, noise: Noise):
    top = max([1 + abs(s) for s in share])
    for q_i, s in zip(q, share):
        e = noise.laplace(1 / top)
        yield q_i + e


@mechanism
def two_lists(q: Queries, share: Reals, other: Reals, noise: Noise):
    for q_i, s in zip(q, other):
        e = noise.laplace(1 / (1 + abs(s)))
        yield q_i + e


@mechanism
def budget_of_the_state(q: Queries, share: Reals, noise: Noise):
    """The greatest budget so far is spent again and again."""
    top = 1
    for q_i, s in zip(q, share):
        top = max(top, abs(s))
        e = noise.laplace(1 / top)
        yield q_i + e


@mechanism
def a_first_answer_more(q: Queries, share: Reals, noise: Noise):
    first = noise.laplace(1)
    yield q[0] + first
    for q_i, s in zip(q, share):
        e = noise.laplace(1 / (1 + abs(s)))
        yield q_i + e


WRONG = [
    (until_spent, "sum(share)", each_output),
    (until_spent, "sum(max(s, 0) / 2 for s in share)", each_output),
    (until_spent, "sum(s * s for s in share)", each_output),
    (until_spent, "sum(1 - s for s in share)", each_output),
    (until_spent, f"{POSITIVE} - 1", each_output),
    (until_spent, f"{POSITIVE} / len(share)", each_output),
    (skipping, "sum(share)", each_number),
    (vector, "sum(abs(s) for s in share)", each_answer),
    (vector, "sum(share) + len(q)", each_answer),
    (vector, "sum(1 + s for s in share)", each_answer),
    (scaled, "sum(1 + abs(s) for s in share)", each_output),
    (spent_twice, POSITIVE, both_draws),
    (next_budget, "sum(1 + abs(s) for s in share)", each_output),
    (unpaid_answers, "sum(1 + abs(s) for s in share)", each_output),
    (largest_budget, "sum(1 + abs(s) for s in share)", each_output),
    (two_lists, "sum(1 + abs(s) for s in share)", each_output),
    (budget_of_the_state, "len(share) + sum(abs(s) for s in share)", each_output),
    (a_first_answer_more, "sum(1 + abs(s) for s in share)", with_a_first),
]


@pytest.mark.parametrize(("program", "claim", "phi"), WRONG, ids=lambda x: getattr(x, "name", ""))
def test_what_the_list_does_not_cover_is_never_proved(program, claim, phi, never_proved):
    never_proved(alignment(program, epsilon=claim)(phi))


@pytest.mark.parametrize(
    "claim",
    ["sum(q)", "share[0]", "max(share)", "sum(x for x in q)", "sum(s * q[0] for s in share)",
     "sum(s for s in share if s > 0)", "sum(share) + len([s for s in share])"],
)  # fmt: skip
def test_a_claim_reads_the_sum_of_a_public_list_and_no_more(claim):
    with pytest.raises(LanguageError, match="reads the list"):
        alignment(until_spent, epsilon=claim)(each_output)


def test_a_list_that_is_chosen_along_is_no_claim_on_adaptive_queries(never_proved):
    never_proved(alignment(until_spent, epsilon=POSITIVE, queries="adaptive")(each_output), "adaptive_queries")


def test_an_attack_holds_the_sum_against_the_loss():
    claimed = alignment(until_spent, epsilon="sum(max(s, 0) / 2 for s in share)")(each_output)
    assert attack(claimed, effort=30, parameters={"share": [1, 2]}).violates
    right = alignment(until_spent, epsilon=POSITIVE)(each_output)
    found = attack(right, effort=30, parameters={"share": [1, 2]})
    assert not found.violates
    assert found.claim == 3


def test_a_replay_and_a_report_say_the_sum():
    right = alignment(until_spent, epsilon=POSITIVE)(each_output)
    ran = right.replay(q=[1, 2], q_=[2, 3], share=[1, 2], H={"e": [0, 1]})
    assert ran.violation is None
    assert str(ran).count(f"claim 3 ({POSITIVE})") == 1
    assert check(right, effort=0).cost == POSITIVE


@pytest.mark.parametrize(
    ("other", "expected"),
    [(POSITIVE, ClaimOrder.SAME), (f"{POSITIVE} + 1", ClaimOrder.SMALLER), ("sum(share)", ClaimOrder.OPEN)],
)
def test_claims_with_sums_are_compared(other, expected):
    assert compare_claims(until_spent, "each", POSITIVE, other) is expected
