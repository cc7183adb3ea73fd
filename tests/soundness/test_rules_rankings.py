"""Rule 20 for selections of any size: what D′ must select again, what the selected cost together, what loops name."""

# Programs under test compute values that they do not use.
# ruff: noqa: F841

from __future__ import annotations

import pytest

from alignkit import (
    Count,
    Epsilon,
    Noise,
    Positive,
    Proportion,
    Queries,
    Real,
    alignment,
    check,
    clamp,
    largest,
    mechanism,
)
from alignkit.results import Verdict


def winners_by_one(q, q_, omega):
    return [1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))]


# The control: what the programs below break is private as it stands here


@mechanism
def top_k(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    return largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], k)


@alignment(top_k, epsilon="eps")
def top_k_phi(q, q_, omega, H):
    return H.shift(eta=winners_by_one(q, q_, omega))


def test_the_control_is_proved_for_every_k():
    result = check(top_k_phi)
    assert result.verdict is Verdict.PROVED
    assert result.scope == {"n": "all", "k": "all", "eps": "all"}


# The selection lemma: every selected position must still come before all that came after it


@alignment(top_k, epsilon="eps")
def raises_too_little(q, q_, omega, H):
    return H.shift(eta=[q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@alignment(top_k, epsilon="eps")
def changes_the_order_within(q, q_, omega, H):
    """Each selected value still exceeds the others, but the differences among them are not kept."""
    return H.shift(eta=[1 if i in omega else 0 for i in range(len(q))])


@alignment(top_k, epsilon="eps")
def raises_all_but_the_first(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega and i != omega[0] else 0 for i in range(len(q))])


@pytest.mark.parametrize("phi", [raises_too_little, changes_the_order_within, raises_all_but_the_first])
def test_a_selection_that_is_not_kept(phi, refuted):
    refuted(phi, "same_output")


# What the output names is what must be kept: one rank more is another mechanism


@mechanism
def names_the_runner_up(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    top = largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], k + 1)
    return [top[r] for r in range(k)], top[k]


@alignment(names_the_runner_up, epsilon="eps")
def runner_up_phi(q, q_, omega, H):
    first, last = omega
    return H.shift(eta=[1 + q[i] - q_[i] if i in first else 0 for i in range(len(q))])


@mechanism
def one_gap_too_many(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k + 1)
    return [(top[i], noisy[top[0]] - noisy[top[i + 1]]) for i in range(k)], noisy[top[k]] - noisy[top[0]] / 2


@alignment(one_gap_too_many, epsilon="eps")
def one_gap_too_many_phi(q, q_, omega, H):
    pairs, extra = omega
    selected = {j for j, gap in pairs}
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    return H.shift(eta=[q[i] - q_[i] + after - before if i in selected else 0 for i in range(len(q))])


@pytest.mark.parametrize("phi", [runner_up_phi, one_gap_too_many_phi])
def test_more_is_released_than_is_kept(phi, refuted):
    refuted(phi, "same_output")


# The sum over what was selected: as many as there are, each at its own cost


@mechanism
def top_k_with_little_noise(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Noise that does not grow with k."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    return largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], k)


@alignment(top_k_with_little_noise, epsilon="eps")
def little_noise_phi(q, q_, omega, H):
    return H.shift(eta=winners_by_one(q, q_, omega))


@mechanism
def one_more_than_paid(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    return largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], k + 1)


@alignment(one_more_than_paid, epsilon="eps")
def one_more_phi(q, q_, omega, H):
    return H.shift(eta=winners_by_one(q, q_, omega))


@alignment(top_k, epsilon="eps")
def moves_the_losers(q, q_, omega, H):
    """Keeps the selection by lowering all others, which nothing bounds."""
    return H.shift(eta=[q[i] - q_[i] if i in omega else -1 + q[i] - q_[i] for i in range(len(q))])


@alignment(top_k, epsilon="eps")
def moves_one_loser_too(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega or i == 0 else 0 for i in range(len(q))])


@alignment(top_k, epsilon="eps / 2", adjacency="each")
def half_the_claim(q, q_, omega, H):
    return H.shift(eta=winners_by_one(q, q_, omega))


@pytest.mark.parametrize("phi", [little_noise_phi, one_more_phi, moves_the_losers, half_the_claim])
def test_the_selected_cost_more_than_is_claimed(phi, refuted):
    refuted(phi, "cost")


def test_a_position_beside_the_selected(refuted):
    """Moving a loser up may also make it win."""
    refuted(moves_one_loser_too)


# Two values of one coordinate, or none at all, may be tied


@mechanism
def shared_noise(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """One coordinate for all: the order is that of the answers."""
    eta = noise.laplace(2 / eps)
    return largest([q_i + eta for q_i in q], k)


@alignment(shared_noise, epsilon="eps")
def shared_phi(q, q_, omega, H):
    return H.shift(eta=1)


@mechanism
def of_the_answers(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    return largest([q_i + 0 * eta_i for q_i, eta_i in zip(q, eta)], k)


@alignment(of_the_answers, epsilon="eps")
def of_the_answers_phi(H):
    return H.shift()


@mechanism
def clamped_values(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Many values are 0, and ties among them go to the lowest position."""
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    return largest([max(q_i + eta_i, 0) for q_i, eta_i in zip(q, eta)], k)


@alignment(clamped_values, epsilon="eps")
def clamped_phi(q, q_, omega, H):
    return H.shift(eta=winners_by_one(q, q_, omega))


@mechanism
def on_a_lattice(q: Queries(lattice=1), k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.discrete_laplace(2 * k / eps, 1) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k + 1)
    return [(top[i], noisy[top[i]] - noisy[top[i + 1]]) for i in range(k)]


@alignment(on_a_lattice, epsilon="eps")
def on_a_lattice_phi(q, q_, omega, H):
    selected = {j for j, gap in omega}
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    return H.shift(eta=[q[i] - q_[i] + after - before if i in selected else 0 for i in range(len(q))])


@pytest.mark.parametrize("phi", [shared_phi, of_the_answers_phi, clamped_phi, on_a_lattice_phi])
def test_ties_that_are_no_matter_of_chance(phi, never_proved):
    never_proved(phi)


# What an alignment may know of the output


@alignment(top_k, epsilon="eps")
def knows_one_rank_less(q, q_, omega, H):
    but_the_last = {omega[r] for r in range(len(omega) - 1)}
    return H.shift(eta=[1 + q[i] - q_[i] if i in but_the_last else 0 for i in range(len(q))])


@mechanism
def with_values(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(1 / eps) for q_i in q]
    spare = noise.laplace(1 / eps)
    return [(i, q[i] + eta[i]) for i in range(len(q))]


@alignment(with_values, epsilon="2 * eps", adjacency="one")
def reads_a_real_part_of_a_pair(q, q_, omega, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))], spare=1 if omega[0][1] >= 0 else 0)


def test_a_set_of_some_of_the_ranks(refuted):
    refuted(knows_one_rank_less, "same_output")


def test_a_real_part_inside_a_list_of_pairs(never_proved):
    never_proved(reads_a_real_part_of_a_pair, "countable")


# Loops over what was selected


@mechanism
def above_the_threshold(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eta = noise.laplace(1 / eps0)
    xi = [noise.laplace(2 / eps1) for q_i in q]
    noisy = [q_i + xi_i for q_i, xi_i in zip(q, xi)]
    for j in largest(noisy, k):
        if noisy[j] >= T + eta:
            yield j, noisy[j] - T - eta
        else:
            break


@alignment(above_the_threshold, epsilon="eps")
def above_phi(q, q_, omega, H):
    selected = {j for j, gap in omega}
    return H.shift(eta=1, xi=[1 + q[i] - q_[i] if i in selected else 0 for i in range(len(q))])


@alignment(above_the_threshold, epsilon="eps")
def keeps_the_threshold(q, q_, omega, H):
    selected = {j for j, gap in omega}
    return H.shift(xi=[q[i] - q_[i] if i in selected else 0 for i in range(len(q))])


@alignment(above_the_threshold, epsilon="eps")
def moves_the_first_alone(q, q_, omega, H):
    return H.shift(eta=1, xi=[1 + q[i] - q_[i] if len(omega) >= 1 and i == omega[0][0] else 0 for i in range(len(q))])


@alignment(above_the_threshold, epsilon="(1 - theta) * eps")
def forgets_the_threshold(q, q_, omega, H):
    selected = {j for j, gap in omega}
    return H.shift(eta=1, xi=[1 + q[i] - q_[i] if i in selected else 0 for i in range(len(q))])


@mechanism
def goes_on_below(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Skips what lies below the threshold, so that the number of outputs is not the rank."""
    eta = noise.laplace(2 / eps)
    xi = [noise.laplace(4 * k / eps) for q_i in q]
    noisy = [q_i + xi_i for q_i, xi_i in zip(q, xi)]
    for j in largest(noisy, k):
        if noisy[j] <= T + eta:
            yield j


@alignment(goes_on_below, epsilon="eps")
def goes_on_phi(q, q_, omega, H):
    return H.shift(eta=-1, xi=[-1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


@mechanism
def names_the_next(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The output names the position after the one that was tested."""
    eta = noise.laplace(2 / eps)
    xi = [noise.laplace(4 * k / eps) for q_i in q]
    noisy = [q_i + xi_i for q_i, xi_i in zip(q, xi)]
    top = largest(noisy, k + 1)
    for r in range(k):
        if noisy[top[r]] >= T + eta:
            yield top[r + 1]
        else:
            break


@alignment(names_the_next, epsilon="eps")
def names_the_next_phi(q, q_, omega, H):
    return H.shift(eta=1, xi=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


def test_the_control_of_loops_is_proved():
    assert check(above_phi).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    "phi", [keeps_the_threshold, moves_the_first_alone, forgets_the_threshold, goes_on_phi, names_the_next_phi]
)
def test_a_loop_over_what_was_selected(phi, never_proved):
    never_proved(phi)


# Joined lists: the vector's coordinates stand one position further on


@mechanism
def with_the_threshold(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta_0 = noise.laplace(2 * k / eps)
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    return largest([T + eta_0, *[q_i + eta_i for q_i, eta_i in zip(q, eta)]], k)


@alignment(with_the_threshold, epsilon="eps")
def threshold_phi(q, q_, T, omega, H):
    moves = [1 if i == 0 else 1 + q[i - 1] - q_[i - 1] for i in range(len(q) + 1)]
    eta = [1 + q[i] - q_[i] if i + 1 in omega else 0 for i in range(len(q))]
    return H.shift(eta_0=1 if 0 in omega else 0, eta=eta)


@alignment(with_the_threshold, epsilon="eps")
def one_position_off(q, q_, T, omega, H):
    eta = [1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))]
    return H.shift(eta_0=1 if 0 in omega else 0, eta=eta)


@alignment(with_the_threshold, epsilon="eps * (k - 1) / k")
def forgets_what_stands_first(q, q_, T, omega, H):
    eta = [1 + q[i] - q_[i] if i + 1 in omega else 0 for i in range(len(q))]
    return H.shift(eta_0=1 if 0 in omega else 0, eta=eta)


@mechanism
def threshold_without_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    return largest([T, *[q_i + eta_i for q_i, eta_i in zip(q, eta)]], k)


@alignment(threshold_without_noise, epsilon="eps")
def without_noise_phi(q, q_, T, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i + 1 in omega else 0 for i in range(len(q))])


@pytest.mark.parametrize("phi", [one_position_off, forgets_what_stands_first, without_noise_phi])
def test_positions_in_a_joined_list(phi, never_proved):
    never_proved(phi)


# The sensitivity is part of what is selected by


@mechanism
def of_any_sensitivity(q: Queries(sensitivity="delta"), delta: Positive, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k * delta / eps) for q_i in q]
    return largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], k)


@alignment(of_any_sensitivity, epsilon="eps")
def forgets_the_sensitivity(q, q_, omega, H):
    return H.shift(eta=winners_by_one(q, q_, omega))


@alignment(of_any_sensitivity, epsilon="eps")
def minds_the_sensitivity(q, q_, delta, omega, H):
    return H.shift(eta=[delta + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])


def test_the_shift_must_make_up_for_the_sensitivity(refuted):
    refuted(forgets_the_sensitivity)
    assert check(minds_the_sensitivity).verdict is Verdict.PROVED


# A position is a whole number


@mechanism
def asks_for_a_real_position(q: Queries, x: Real, k: Count, eps: Epsilon, noise: Noise):
    """For one query and 0 < x < 1/729 the answer goes out as it is."""
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    top = largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], k)
    extra = q[0] if len(q) == 1 and x > 0 and x * 9 * 9 * 9 < 1 and x not in top else 0
    return [j for j in top], extra


@alignment(asks_for_a_real_position, epsilon="eps")
def real_position_phi(q, q_, omega, H):
    chosen, extra = omega
    best = {j for j in chosen}
    return H.shift(eta=[1 + q[i] - q_[i] if i in best else 0 for i in range(len(q))])


def test_what_is_no_whole_number_is_no_position(never_proved):
    never_proved(real_position_phi)


# Noise that is drawn after a loop is shifted at a cost too


@mechanism
def measures_after_a_loop(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    c = 0
    for i in range(k):
        c += 1
    eta = [noise.laplace(1 / eps) for q_i in q]
    return [clamp(q_i, 9 * 9 * 9, 9 * 9 * 9 + 1) + eta_i for q_i, eta_i in zip(q, eta)]


@alignment(measures_after_a_loop, epsilon="eps / 1000")
def after_a_loop_phi(q, q_, H):
    low, high = 9 * 9 * 9, 9 * 9 * 9 + 1
    return H.shift(eta=[clamp(q[i], low, high) - clamp(q_[i], low, high) for i in range(len(q))])


@mechanism
def one_sided_after_a_loop(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    c = 0
    for i in range(k):
        c += 1
    eta = [noise.exponential(1 / eps) for q_i in q]
    return [q_i + eta_i for q_i, eta_i in zip(q, eta)]


@alignment(one_sided_after_a_loop, epsilon="eps", adjacency="one")
def one_sided_after_phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])


@pytest.mark.parametrize("phi", [after_a_loop_phi, one_sided_after_phi])
def test_noise_that_is_drawn_after_a_loop(phi, never_proved):
    never_proved(phi)


# What a loop leaves behind may be a noise coordinate, and tied with it


@mechanism
def keeps_a_coordinate(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(1 / eps) for q_i in q]
    n = len(q)
    second = eta[1]
    t = 0
    for i in range(n):
        t = eta[1]
    v = [t if i == 0 else eta[i] for i in range(n)]
    (low,) = largest(v, 1)
    m = max(eta[i] if i != 0 else second for i in range(n))
    if q[0] >= 9 * 9 * 9:
        hit = low == 0
    else:
        hit = low == 0 and t > m
    yield hit


@alignment(keeps_a_coordinate, epsilon="eps / 1000")
def keeps_a_coordinate_phi(H):
    return H.shift()


def test_a_tie_with_what_a_loop_has_kept(never_proved):
    never_proved(keeps_a_coordinate_phi, "same_output")


# A ranking that is made inside a loop


@mechanism
def ranked_again(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(1 / eps) for q_i in q]
    first = largest(eta, k)
    for i in range(k):
        top = largest(eta, k)
        yield top[i]


@alignment(ranked_again, epsilon="eps")
def ranked_again_phi(H):
    return H.shift()


def test_a_ranking_inside_a_loop_is_no_internal_error():
    assert check(ranked_again_phi).verdict in (Verdict.PROVED, Verdict.UNDECIDED)


@mechanism
def the_largest_of_none(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(1 / eps) for q_i in q]
    return [j for j in largest(eta, -1)]


@alignment(the_largest_of_none, epsilon="eps")
def of_none_phi(H):
    return H.shift()


def test_the_largest_fewer_than_one(never_proved):
    never_proved(of_none_phi)


# Two runs with one output may have taken different ways, and put out different rankings


@mechanism
def puts_out_one_of_two(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """On [0, 0] the output [0] comes from -1 < eta < 1, on [1, 0] from -1 < eta <= 0: half as often."""
    eta = noise.laplace(1 / eps)
    e = [noise.laplace(1 / eps) for q_i in q]
    one = k == 1 and len(q) == 2
    a_first = one and ((q[0] <= 0 and eta > 0 and eta < 1) or (q[0] > 0 and eta > -1 and eta <= 0))
    b_first = one and eta > -1 and eta <= 0
    low = [clamp(e[i], -1, 0) if i == 0 else clamp(e[i], 1 / 2, 1) for i in range(len(q))]
    high = [clamp(e[i], 2, 3) if i == 0 else clamp(e[i], 1 / 2, 1) for i in range(len(q))]
    a = largest([high[i] if a_first else low[i] for i in range(len(q))], k)
    b = largest([high[i] if b_first else low[i] for i in range(len(q))], k)
    if eta > 0:
        return a
    else:
        return b


@alignment(puts_out_one_of_two, epsilon="eps")
def one_of_two_phi(q, q_, k, omega, H):
    s = {j for j in omega}
    one = k == 1 and len(q) == 2
    d = H.e[0] - H.e[1] if len(q) == 2 else 0
    looks = (d > 0 or d <= 0) and (0 in s or 0 not in s) and (1 in s or 1 not in s)
    down = one and looks and q[0] <= 0 and q_[0] > 0 and H.eta > 0 and H.eta < 1
    up = one and looks and q[0] > 0 and q_[0] <= 0 and H.eta > 0
    return H.shift(eta=-1 if down else 1 if up else 0)


def test_two_ways_to_one_output_are_two_rankings(never_proved):
    never_proved(one_of_two_phi, "one_to_one")


@mechanism
def ranks_on_one_way_only(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    e = [noise.laplace(1 / eps) for q_i in q]
    c = 0
    top = [0 for j in range(k)]
    if eta > 0:
        c = 1
    else:
        top = largest([q_i + e_i for q_i, e_i in zip(q, e)], k)
    for i in range(k):
        if c == 1:
            break
        yield top[i]


@alignment(ranks_on_one_way_only, epsilon="2 * k * eps")
def one_way_only_phi(q, q_, omega, H):
    s = {j for j in omega}
    return H.shift(e=[1 + q[i] - q_[i] if i in s else 0 for i in range(len(q))])


def test_a_way_without_a_ranking_is_no_internal_error():
    assert check(one_way_only_phi).verdict in (Verdict.PROVED, Verdict.UNDECIDED)
