"""Rules 31 to 34: claims for analysts who choose each query after seeing the outputs so far.

Most programs here are private for fixed queries, by the alignment beside them. For analysts who choose they are not
shown to be: some leak, others are private by another argument. None may be proved.
"""

# Alignments under test ask what they do not need.
# ruff: noqa: RUF034

from __future__ import annotations

from typing import Annotated

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    InputError,
    Lattice,
    Noise,
    Queries,
    Query,
    Real,
    Reals,
    Tag,
    alignment,
    check,
    largest,
    mechanism,
)
from alignkit.errors import LanguageError
from alignkit.results import Verdict

SEEN = Tag("SEEN")
CONDITION = "adaptive_queries"


@mechanism
def gaps(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield q_i + eta_i - T - eta
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


# Shifts that read a later step


@alignment(gaps, epsilon="2 * eps", queries="adaptive")
def by_any_change(q, q_, omega, H):
    up = 1 if any(q[i] < q_[i] for i in range(len(q))) else 1
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gaps, epsilon="2 * eps", queries="adaptive")
def by_largest_change(q, q_, omega, H):
    up = max(abs(q[i] - q_[i]) for i in range(len(q)))
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gaps, epsilon="2 * eps", queries="adaptive")
def by_first_change(q, q_, omega, H):
    up = 1 + (abs(q[0] - q_[0]) if len(omega) > 0 else 0)
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gaps, epsilon="2 * eps", queries="adaptive")
def by_choice_of_first_change(q, q_, omega, H):
    up = 2 if len(omega) > 0 and q[0] > q_[0] else 1
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gaps, epsilon="2 * eps", queries="adaptive")
def by_sum_of_changes(q, q_, omega, H):
    up = 1 if sum(q[i] - q_[i] for i in range(len(q))) > 0 else 1
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gaps, epsilon="2 * eps", queries="adaptive")
def by_tag_at_an_index_of_answers(q, q_, omega, H):
    up = 2 if len(omega) == len(q) and omega[largest(q, 1)[0]] is BELOW else 1
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gaps, epsilon="2 * eps", queries="adaptive")
def by_number_of_questions(q, q_, omega, H):
    up = 1 if len(q) > 40 else 1.5
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gaps, epsilon="2 * eps", queries="adaptive")
def loser_by_next_answer(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[
            1 + q[i] - q_[i] if w is not BELOW else (-abs(q[i + 1] - q_[i + 1]) if i + 1 < len(q) else 0)
            for i, w in enumerate(omega)
        ],
    )


@alignment(gaps, epsilon="2 * eps", queries="adaptive")
def loser_by_last_answer(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is not BELOW else -abs(q[-1] - q_[-1]) for i, w in enumerate(omega)],
    )


@alignment(gaps, epsilon="2 * eps", queries="adaptive")
def loser_by_gap_of_next(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[
            1 + q[i] - q_[i] if w is not BELOW
            else (-1 if i + 1 < len(omega) and omega[i + 1] is not BELOW and omega[i + 1] > 5 else 0)
            for i, w in enumerate(omega)
        ],
    )  # fmt: skip


def change(one, other):
    return one - other


@alignment(gaps, epsilon="2 * eps", queries="adaptive")
def by_first_change_in_a_function(q, q_, omega, H):
    up = 1 + (abs(change(q[0], q_[0])) if len(omega) > 0 else 0)
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


# Mechanisms that are not asked question by question


@mechanism
def above_the_largest(q: Queries, eps: Epsilon, noise: Noise):
    top = max(q)
    eta = noise.laplace(2 / eps)
    for q_i in q:
        yield ABOVE if q_i - top + eta > 5 else BELOW


@alignment(above_the_largest, epsilon="eps", queries="adaptive")
def above_the_largest_phi(q, q_, omega, H):
    return H.shift(eta=0)


@mechanism
def by_length(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(len(q) / eps)
        yield q_i + e


@alignment(by_length, epsilon="eps", adjacency="one", queries="adaptive")
def by_length_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def by_index(q: Queries, eps: Epsilon, noise: Noise):
    for i in range(len(q)):
        e = noise.laplace(1 / eps)
        yield q[i] + e


@alignment(by_index, epsilon="eps", adjacency="l1", queries="adaptive")
def by_index_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def with_the_first(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(2 / eps)
        yield q_i + q[0] + e


@alignment(with_the_first, epsilon="eps * 1000", adjacency="l1", queries="adaptive")
def with_the_first_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] + q[0] - q_[0] for i in range(len(q))])


@mechanism
def twice_the_same_list(q: Queries, eps: Epsilon, noise: Noise):
    for q_i, again in zip(q, q):
        e = noise.laplace(2 / eps)
        yield q_i + again + e


@alignment(twice_the_same_list, epsilon="eps", adjacency="l1", queries="adaptive")
def twice_the_same_list_phi(q, q_, omega, H):
    return H.shift(e=[2 * q[i] - 2 * q_[i] for i in range(len(q))])


@mechanism
def copied(q: Queries, eps: Epsilon, noise: Noise):
    halves = [q_i / 2 for q_i in q]
    for half in halves:
        e = noise.laplace(1 / eps)
        yield half + e


@alignment(copied, epsilon="eps / 2", adjacency="l1", queries="adaptive")
def copied_phi(q, q_, omega, H):
    return H.shift(e=[(q[i] - q_[i]) / 2 for i in range(len(q))])


@mechanism
def first_alone(q: Query, r: Queries, eps: Epsilon, noise: Noise):
    first = noise.laplace(2 / eps)
    for r_i in r:
        yield ABOVE if q + first > 0 else BELOW


@alignment(first_alone, epsilon="eps / 2", queries="adaptive")
def first_alone_phi(q, q_, r, r_, omega, H):
    return H.shift(first=q - q_)


@mechanism
def noise_beforehand(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for q_i in q]
    for q_i, e_i in zip(q, e):
        yield q_i + e_i


@alignment(noise_beforehand, epsilon="eps", adjacency="l1", queries="adaptive")
def noise_beforehand_phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


@mechanism
def best(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(2 / eps) for q_i in q]
    return largest([q_i + e_i for q_i, e_i in zip(q, e)], 1)[0]


@alignment(best, epsilon="eps", queries="adaptive")
def best_phi(q, q_, omega, H):
    return H.shift(e=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


@mechanism
def constant_afterwards(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    for q_i in q:
        yield BELOW
    x = noise.laplace(1 / eps)
    yield x + eta


@alignment(constant_afterwards, epsilon="0 * eps", queries="adaptive")
def constant_afterwards_phi(omega, H):
    return H.shift(eta=0)


# What the analyst sees is not the output


@mechanism
def winners_only(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """A leak for analysts who see after which answer a winner came: each answer without an output is one."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        if q_i + eta > T:
            yield SEEN
            break


@alignment(winners_only, epsilon="eps", queries="adaptive")
def winners_only_phi(q, q_, omega, H):
    return H.shift(eta=1)


@mechanism
def silent(q: Queries, eps: Epsilon, noise: Noise):
    """The list is always empty; the number of answers until the end is not."""
    for q_i in q:
        if q_i > 0:
            break


@alignment(silent, epsilon="0 * eps", queries="adaptive")
def silent_phi(H):
    return H.shift()


@mechanism
def twice_each(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield SEEN
        yield q_i + e


@alignment(twice_each, epsilon="eps", adjacency="l1", queries="adaptive")
def twice_each_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


# Null sets of remembered noise (rule 32)


@mechanism
def equals_remembered_noise(q: Queries, eps: Epsilon, noise: Noise):
    """Costs 0 for fixed queries. The analyst asks the query worth rho on D, and rho + 1 on D'."""
    rho = noise.laplace(1 / eps)
    yield rho
    for q_i in q:
        yield ABOVE if q_i == rho else BELOW


@alignment(equals_remembered_noise, epsilon="0 * eps", queries="adaptive")
def equals_remembered_noise_phi(omega, H):
    return H.shift(rho=0)


@mechanism
def undefined_at_remembered_noise(q: Queries, eps: Epsilon, noise: Noise):
    rho = noise.laplace(1 / eps)
    yield rho
    for q_i in q:
        x = 1 / (q_i - rho)
        yield BELOW if x == x else ABOVE


@alignment(undefined_at_remembered_noise, epsilon="0 * eps", queries="adaptive")
def undefined_at_remembered_noise_phi(omega, H):
    return H.shift(rho=0)


# Public lists that are chosen along the way


@mechanism
def own_thresholds(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    for q_i, T_i in zip(q, T):
        e = noise.laplace(2 / eps)
        if q_i + e >= T_i + eta:
            yield q_i + e - T_i - eta
            break
        else:
            yield BELOW


@alignment(own_thresholds, epsilon="2 * eps", queries="adaptive")
def own_thresholds_phi(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(own_thresholds, epsilon="3 * eps", queries="adaptive")
def by_first_threshold_phi(q, q_, T, omega, H):
    up = 2 if len(omega) > 0 and T[0] > 0 else 1
    return H.shift(eta=up, e=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@mechanism
def threshold_before(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    first = T[0]
    for q_i, T_i in zip(q, T):
        e = noise.laplace(2 / eps)
        if q_i + e >= T_i + first + eta:
            yield ABOVE
            break
        else:
            yield BELOW


@alignment(threshold_before, epsilon="2 * eps", queries="adaptive")
def threshold_before_phi(q, q_, omega, H):
    return H.shift(eta=1, e=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


# Claims that do not hold for fixed queries either


@alignment(gaps, epsilon="eps / 2", queries="adaptive")
def too_cheap(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(gaps, epsilon="eps", queries="adaptive")
def threshold_stays(q, q_, omega, H):
    return H.shift(eta_i=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@mechanism
def half_the_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """For answers that change in one direction. Somebody who moves from one group to another changes two both ways."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(2 * k / eps)
        if q_i + eta_i >= T + eta:
            yield q_i + eta_i - T - eta
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(half_the_noise, epsilon="eps", queries="adaptive")
def half_the_noise_both_ways(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(half_the_noise, epsilon="eps", adjacency="monotone", queries="adaptive")
def wrong_direction(q, q_, omega, H, direction):
    up = 1 if direction < 0 else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


@alignment(half_the_noise, epsilon="eps", adjacency="monotone", queries="adaptive")
def one_direction(q, q_, omega, H, direction):
    up = 1 if direction > 0 else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


NOT_COVERED = [
    by_any_change, by_largest_change, by_first_change, by_choice_of_first_change, by_sum_of_changes,
    by_tag_at_an_index_of_answers, by_number_of_questions, loser_by_next_answer, loser_by_last_answer,
    by_first_change_in_a_function, above_the_largest_phi, by_length_phi, by_index_phi, with_the_first_phi,
    twice_the_same_list_phi, copied_phi, first_alone_phi, noise_beforehand_phi, best_phi, constant_afterwards_phi,
    winners_only_phi, silent_phi, twice_each_phi, equals_remembered_noise_phi, undefined_at_remembered_noise_phi,
    by_first_threshold_phi, threshold_before_phi,
]  # fmt: skip
WRONG = [loser_by_gap_of_next, too_cheap, threshold_stays, half_the_noise_both_ways, wrong_direction]


@pytest.mark.parametrize("phi", NOT_COVERED, ids=lambda phi: phi.name)
def test_what_analysts_who_choose_may_break_is_not_proved(phi, never_proved) -> None:
    never_proved(phi, CONDITION)
    result = check(phi, effort=0)
    if CONDITION in result.conditions:
        assert "leak" not in result.conditions[CONDITION].how
    assert result.scope.get("analysts") == "none"


@pytest.mark.parametrize("phi", WRONG, ids=lambda phi: phi.name)
def test_what_does_not_hold_for_fixed_queries_is_not_proved(phi, never_proved) -> None:
    never_proved(phi)


@alignment(gaps, epsilon="eps", queries="adaptive")
def by_tags(q, q_, omega, H):
    """Right: the tags of the whole output may be read, those to come included."""
    up = 1 if any(w is BELOW for w in omega) else 0
    return H.shift(eta=up, eta_i=[up + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])


Whole = Annotated[Queries, Lattice(1)]


@mechanism
def on_a_lattice(q: Whole, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.discrete_laplace(1 / eps, 1)
        yield q_i + e


@alignment(on_a_lattice, epsilon="eps", adjacency="l1", queries="adaptive")
def on_a_lattice_phi(q, q_, omega, H):
    """Right: with countably many outputs a shift may read anything that it may read for fixed queries."""
    return H.shift(e=[q[i] - q_[i] + (0 if sum(q) > 0 else 0) for i in range(len(q))])


@pytest.mark.parametrize("phi", [by_tags, own_thresholds_phi, one_direction, on_a_lattice_phi], ids=lambda p: p.name)
def test_what_holds_for_all_analysts_is_proved(phi, proved_by_check) -> None:
    result = proved_by_check(phi)
    assert result.scope["analysts"] == "all"
    assert result.conditions[CONDITION].status is Verdict.PROVED
    assert not any("fixed in advance" in text for text in result.assumptions)


def test_a_fixed_claim_says_so() -> None:
    @alignment(gaps, epsilon="eps")
    def phi(q, q_, omega, H):
        return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])

    result = check(phi, effort=0)
    assert CONDITION not in result.conditions
    assert "analysts" not in result.scope
    assert any("fixed in advance" in text for text in result.assumptions)


def test_bad_words_are_errors() -> None:
    with pytest.raises(InputError, match="queries must be one of fixed, adaptive, not 'any'"):
        alignment(gaps, epsilon="eps", queries="any")
    with pytest.raises(LanguageError, match="no parameter `direction`"):

        @alignment(gaps, epsilon="eps")
        def phi(q, q_, omega, H, direction):
            return H.shift(eta=direction)
