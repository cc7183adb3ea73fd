"""Alignments exactly as printed, run on exact numbers: what they keep, what they cost, whether they can be undone."""

import itertools
import math
import random
from fractions import Fraction

import pytest
import z3

ABOVE, BELOW = "above", "below"


def order(values):
    return sorted(range(len(values)), key=lambda i: (-values[i], i))


def top_k_with_gap(q, noise, k):
    """Noisy Top-K with Gap: the indices of the k largest noisy answers, each with its lead over the next."""
    noisy = [answer + each for answer, each in zip(q, noise)]
    ranked = order(noisy)
    return [(ranked[i], noisy[ranked[i]] - noisy[ranked[i + 1]]) for i in range(k)]


def best(q, noise, among):
    return max(among, key=lambda i: q[i] + noise[i])


def split(output, n):
    winners = [index for index, gap in output]
    return winners, [i for i in range(n) if i not in winners]


def random_pair(rng, n, direction):
    """Adjacent answers in steps of 1/4, so that equal answers and extreme changes occur."""
    q = [Fraction(rng.randint(-6, 6), 4) for _ in range(n)]
    low, high = {"each": (-4, 4), "up": (0, 4), "down": (-4, 0)}[direction]
    return q, [each + Fraction(rng.randint(low, high), 4) for each in q]


def random_noise(rng, n, one_sided):
    """Distinct parts far below 1/4, so that no two noisy answers tie."""
    low = 0 if one_sided else -20
    return [Fraction(rng.randint(low, 20), 4) + Fraction(i + 1, 1000) for i in range(n)]


def random_runs(one_sided, rounds=1500, seed=1):
    rng = random.Random(seed)
    for _ in range(rounds):
        k = rng.randint(1, 3)
        n = k + rng.randint(1, 4)
        direction = rng.choice(["each", "up", "down"])
        yield *random_pair(rng, n, direction), random_noise(rng, n, one_sided), k, direction


# --- Example 2 -----------------------------------------------------------------------------------------


def noisy_test(q, eta):
    return ABOVE if q + eta >= 10_000 else BELOW


@pytest.mark.parametrize(("shift", "kept"), [(100, True), (1, False)])
def test_example_2_pieced_alignment(shift, kept):
    """Salaries of 0 to 100. A shift of 100 keeps the output; the shift of 1 printed in 2020 does not."""
    q, q_ = 10_000, 9_900
    assert noisy_test(q, 0) == ABOVE
    assert (noisy_test(q_, 0 + shift) == ABOVE) is kept
    assert noisy_test(q_, 99) == BELOW
    assert (noisy_test(q, 99 - shift) == BELOW) is kept


# --- Lemma 1 of 2020 with discrete noise ---------------------------------------------------------------


def test_lemma_1_needs_noise_that_stays_on_the_lattice():
    """Answers 0 and 1/2 with discrete Laplace noise of base 1: the shift of -1/2 keeps the output, costs eps/2 and is
    undone by adding 1/2, but an output that D gives has probability 0 under D'."""
    q, q_ = Fraction(0), Fraction(1, 2)
    for eta in map(Fraction, range(-5, 6)):
        aligned = eta + q - q_
        assert q + eta == q_ + aligned
        assert aligned.denominator == 2


# --- Theorem 8 and its conditions ----------------------------------------------------------------------


def test_without_one_to_one_the_conclusion_of_theorem_8_fails():
    """A fair coin. On D the output is always the same, on D' only for tails; every coin is aligned with tails.
    The densities are equal, a/b = 1, and yet the probabilities are 1 and 1/2."""
    coin = ["heads", "tails"]
    on_d, on_d_ = dict.fromkeys(coin, ABOVE), {"heads": BELOW, "tails": ABOVE}
    aligned = dict.fromkeys(coin, "tails")
    assert all(on_d[each] == on_d_[aligned[each]] for each in coin)
    assert len(set(aligned.values())) < len(coin)
    assert sum(on_d[each] == ABOVE for each in coin) == 2 * sum(on_d_[each] == ABOVE for each in coin)


# --- Maxima --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "least", "most"),
    [(-1, 1, -1, 1), (0, 1, 0, 1), (-1, 0, -1, 0)],
    ids=["each", "up", "down"],
)
def test_maximum_moves_no_more_than_its_arguments(low, high, least, most):
    """For every number of arguments: only the two maximisers s and t enter, which may be the same."""
    xs, xt, ys, yt = z3.Reals("xs xt ys yt")  # x before, y after; s maximises x, t maximises y
    moved = [z3.And(low <= after - before, after - before <= high) for before, after in ((xs, ys), (xt, yt))]
    solver = z3.Solver()
    solver.add(*moved, xs >= xt, yt >= ys, z3.Not(z3.And(least <= yt - xs, yt - xs <= most)))
    assert solver.check() == z3.unsat


def test_replacing_a_record_moves_counts_in_both_directions():
    """A person with item 0 is replaced by one with item 1: monotone holds for adding or removing a person only."""
    before, after = [1, 0], [0, 1]
    change = [b - a for a, b in zip(before, after)]
    assert min(change) < 0 < max(change)


# --- Top-k with Laplace noise --------------------------------------------------------------------------


def align_two_sided(q, q_, noise, winners, losers, second_max_over=None):
    """Equations (3) of the Journal paper and (4) of 2020: winners keep their lead over the best loser."""
    after = max(q_[i] + noise[i] for i in losers)
    before = max(q[i] + noise[i] for i in (second_max_over or losers))
    return [each + q[i] - q_[i] + after - before if i in winners else each for i, each in enumerate(noise)]


def test_top_k_alignment_keeps_the_output_within_the_claimed_cost():
    attained = set()
    for q, q_, noise, k, direction in random_runs(one_sided=False):
        output = top_k_with_gap(q, noise, k)
        winners, losers = split(output, len(q))
        aligned = align_two_sided(q, q_, noise, winners, losers)
        assert top_k_with_gap(q_, aligned, k) == output
        cost = sum(abs(b - a) for a, b in zip(noise, aligned)) / (2 * k)
        bound = 1 if direction == "each" else Fraction(1, 2)
        assert cost <= bound
        attained.add((direction, cost == bound))
    assert attained >= {("up", True), ("down", True)}


def test_equation_4_of_2020_with_its_second_maximum_as_printed():
    """The printed second maximum runs over the winners. Even for D' = D it moves the winner, and the gap with it."""
    q, noise = [Fraction(0), Fraction(0)], [Fraction(1), Fraction(0)]
    output = top_k_with_gap(q, noise, 1)
    winners, losers = split(output, 2)
    assert top_k_with_gap(q, align_two_sided(q, q, noise, winners, losers), 1) == output == [(0, 1)]
    printed = align_two_sided(q, q, noise, winners, losers, second_max_over=winners)
    assert printed == [0, 0]
    assert top_k_with_gap(q, printed, 1) == [(0, 0)]


# --- Top-k with exponential noise ----------------------------------------------------------------------


def align_one_sided_as_printed(q, q_, noise, winners, losers):
    """Equations (4) and (5) of the Journal paper."""
    s, t = best(q, noise, losers), best(q_, noise, losers)
    change = (q_[t] + noise[t]) - (q[s] + noise[s])
    least = min(q[i] - q_[i] for i in winners) + change
    aligned = list(noise)
    for i in winners:
        aligned[i] += q[i] - q_[i] + change - min(least, 0)
    aligned[t] -= min(least, 0)
    return aligned


def test_equation_5_forgets_the_noise_of_the_best_loser():
    """Two noise vectors with the same output and the same image, so neither acyclic nor one-to-one (Lemma 6)."""
    q, q_ = [Fraction(0), Fraction(1), Fraction(0)], [Fraction(0), Fraction(0), Fraction(1)]
    assert all(abs(a - b) <= 1 for a, b in zip(q, q_))
    images = []
    for third in (Fraction(1, 2), Fraction(3, 4)):
        noise = [Fraction(5), Fraction(1), third]
        output = top_k_with_gap(q, noise, 1)
        assert output == [(0, 3)]
        winners, losers = split(output, 3)
        aligned = align_one_sided_as_printed(q, q_, noise, winners, losers)
        assert top_k_with_gap(q_, aligned, 1) == output
        images.append(aligned)
    assert images == [[5, 1, 1], [5, 1, 1]]


def test_equation_5_forgets_it_on_a_set_of_positive_measure():
    """Wherever the best losers on D and D' differ and delta* < 0, the image of eta_t is eta_s plus a constant."""
    q, q_ = [Fraction(0), Fraction(1), Fraction(0)], [Fraction(0), Fraction(0), Fraction(1)]
    rng = random.Random(2)
    for _ in range(200):
        second = 1 + Fraction(rng.randint(0, 1000), 1000)
        third = second - Fraction(rng.randint(1, 999), 1000)
        winner = 4 + Fraction(rng.randint(0, 1000), 1000)
        aligned = align_one_sided_as_printed(q, q_, [winner, second, third], [0], [1, 2])
        assert aligned == [winner, second, second]


def test_equation_5_can_be_undone_with_one_loser():
    """With n = k + 1 the best loser is the same on D and D', delta* is a constant, and the shifts are constants."""
    rng = random.Random(3)
    for _ in range(300):
        k = rng.randint(1, 3)
        q, q_ = random_pair(rng, k + 1, "each")
        winners, losers = list(range(k)), [k]
        shifts = set()
        for _ in range(3):
            noise = random_noise(rng, k + 1, one_sided=True)
            aligned = align_one_sided_as_printed(q, q_, noise, winners, losers)
            shifts.add(tuple(b - a for a, b in zip(noise, aligned)))
        assert len(shifts) == 1


def test_equations_4_and_5_keep_the_output_and_the_cost():
    """What Lemma 6 says besides: same output, no negative noise, cost at most eps (eps/2 for monotone answers)."""
    for q, q_, noise, k, direction in random_runs(one_sided=True):
        output = top_k_with_gap(q, noise, k)
        winners, losers = split(output, len(q))
        aligned = align_one_sided_as_printed(q, q_, noise, winners, losers)
        assert top_k_with_gap(q_, aligned, k) == output
        assert all(b >= a for a, b in zip(noise, aligned))
        assert sum(b - a for a, b in zip(noise, aligned)) / (2 * k) <= (1 if direction == "each" else Fraction(1, 2))


def lift(q, q_, winners, i):
    """How far loser i rises where it is the best loser on D: by most of the winners' rise that it did not share."""
    rise = max(q_[w] - q[w] for w in winners)
    return max(0, rise - (q_[i] - q[i]))


def align_one_sided_repaired(q, q_, noise, winners, losers):
    """Lift the best loser on D (not on D'), then let the winners keep their lead over the best loser on D'."""
    s = best(q, noise, losers)
    aligned = list(noise)
    aligned[s] += lift(q, q_, winners, s)
    change = max(q_[i] + aligned[i] for i in losers) - (q[s] + noise[s])
    for i in winners:
        aligned[i] += q[i] - q_[i] + change
    return aligned


def undo_one_sided_repaired(q, q_, aligned, winners, losers):
    """The loser that was lifted is the best one when all lifts are taken off; then all shifts are known."""
    s = max(losers, key=lambda i: q[i] + aligned[i] - lift(q, q_, winners, i))
    noise = list(aligned)
    noise[s] -= lift(q, q_, winners, s)
    change = max(q_[i] + aligned[i] for i in losers) - (q[s] + noise[s])
    for i in winners:
        noise[i] -= q[i] - q_[i] + change
    return noise


def test_repaired_one_sided_alignment():
    """Same output, no negative noise, the claimed cost, and a way back from the image: what Theorem 8 asks. The runs
    include lifted losers, with the best loser on D the best on D' too, and not."""
    seen = set()
    for q, q_, noise, k, direction in random_runs(one_sided=True, rounds=2000):
        output = top_k_with_gap(q, noise, k)
        winners, losers = split(output, len(q))
        aligned = align_one_sided_repaired(q, q_, noise, winners, losers)
        assert top_k_with_gap(q_, aligned, k) == output
        assert all(b >= a for a, b in zip(noise, aligned))
        assert sum(b - a for a, b in zip(noise, aligned)) / (2 * k) <= (1 if direction == "each" else Fraction(1, 2))
        assert undo_one_sided_repaired(q, q_, aligned, winners, losers) == noise
        s = best(q, noise, losers)
        seen.add((lift(q, q_, winners, s) > 0, s == best(q_, noise, losers), s == best(q_, aligned, losers)))
    assert len(seen) >= 5


@pytest.mark.parametrize(("low", "high"), [(-1, 1), (0, 1), (-1, 0)], ids=["each", "up", "down"])
def test_best_loser_after_the_repaired_shift(low, high):
    """For any number of losers: t, the best on D', ends between `rise` and max(rise, high) above s, the best on D.

    z is a loser's noisy answer on D, d what its answer changes by; only s is lifted, and t may be s.
    """
    rise, zs, zt, ds, dt = z3.Reals("rise zs zt ds dt")
    lifted = z3.If(rise > ds, rise - ds, 0)
    most = z3.If(rise > high, rise, high)
    for t_is_s in (True, False):
        end_s = zs + ds + lifted
        end_t = end_s if t_is_s else zt + dt
        solver = z3.Solver()
        solver.add([z3.And(low <= each, each <= high) for each in (rise, ds, dt)])
        solver.add(zt <= zs, end_s <= end_t)
        solver.add(z3.Not(z3.And(rise <= end_t - zs, end_t - zs <= most)))
        assert solver.check() == z3.unsat


@pytest.mark.parametrize(("low", "high", "claim"), [(-1, 1, 2), (0, 1, 1), (-1, 0, 1)], ids=["each", "up", "down"])
def test_cost_of_the_repaired_alignment_for_every_k(low, high, claim):
    """In units of eps/(2k), with `rise` the most that a winner rises. One winner rises by just that much; the best
    loser on D' ends between `rise` and max(rise, high) above where the best on D was. Sum over k winners."""
    k, rise, lifted, change, others, loser = z3.Reals("k rise lifted change others loser")
    solver = z3.Solver()
    solver.add(k >= 1, low <= rise, rise <= high, low <= loser, loser <= high)
    solver.add(lifted == z3.If(rise > loser, rise - loser, 0))
    solver.add(rise <= change, change <= z3.If(rise > high, rise, high))
    solver.add(others <= (k - 1) * (change - low))  # each of the other winners moves by change - its own rise
    solver.add(lifted + (change - rise) + others > claim * k)
    assert solver.check() == z3.unsat


# --- Sparse vector for monotone answers ----------------------------------------------------------------


def winner_shifts(q, q_, footnote):
    """Equation (2), or footnote 5 of the Journal paper: where answers fall the threshold stays as it is."""
    if footnote and q >= q_:
        return 0, q - q_
    return 1, 1 + q - q_


@pytest.mark.parametrize(("footnote", "most"), [(True, 1), (False, 2)])
def test_cost_of_a_winner_under_half_the_noise(footnote, most):
    """In units of the winner's budget. Equation (2) alone costs 2 where an answer falls by 1; footnote 5 costs 1."""
    steps = [Fraction(i, 20) for i in range(-20, 21)]
    assert max(winner_shifts(Fraction(0), change, footnote)[1] for change in steps) == most


def test_equation_2_alone_costs_more_than_eps_under_half_the_noise():
    """k = 1, eps = 1, theta = 1/2: the threshold costs 1/2 and a winner that falls by 1 costs 2 times 1/2."""
    theta, eps = Fraction(1, 2), Fraction(1)
    eps0, eps1 = theta * eps, (1 - theta) * eps
    assert eps0 * 1 + eps1 * winner_shifts(1, 0, footnote=False)[1] == Fraction(3, 2) > eps


def test_shifts_of_footnote_5_are_never_negative():
    """So they serve one-sided noise too, and losers stay below: q' - q is at most the threshold's shift."""
    for change in (Fraction(i, 20) for i in range(-20, 21)):
        threshold, winner = winner_shifts(Fraction(0), change, footnote=True)
        assert threshold >= 0
        assert winner >= 0
        assert change <= threshold
        assert change + winner == threshold  # the gap is kept


# --- Hybrid by estimates -------------------------------------------------------------------------------


def hybrid_estimates(q, T, eta, noise, k):
    """Algorithm 6 of the Journal paper; the constants b0 and b1 are left out, as they shift both sides alike."""
    noisy = [answer + each for answer, each in zip(q, noise)]
    output = []
    for j in order(noisy)[:k]:
        if noisy[j] < T + eta:
            break
        output.append((j, noisy[j] - (T + eta)))
    return output


def test_hybrid_estimates_alignment():
    """Lemma 8: the threshold rises by 1, each of the t winners by 1 + q - q'; in budgets, 1 and at most t."""
    counts = set()
    for q, q_, noise, k, _ in random_runs(one_sided=True):
        T, eta = Fraction(5, 2), noise[0]
        answers, answers_ = q[1:], q_[1:]
        output = hybrid_estimates(answers, T, eta, noise[1:], k)
        winners = [j for j, gap in output]
        aligned = [each + (1 + answers[i] - answers_[i] if i in winners else 0) for i, each in enumerate(noise[1:])]
        assert hybrid_estimates(answers_, T, eta + 1, aligned, k) == output
        assert all(b >= a for a, b in zip(noise[1:], aligned))
        assert sum(b - a for a, b in zip(noise[1:], aligned)) / 2 <= len(winners)
        counts.add(len(winners))
    assert counts == {0, 1, 2, 3}


# --- Ties ---------------------------------------------------------------------------------------------


def discrete_gaps(q, r, far=60):
    """The law of winner and gap in Noisy Max with Gap, noise of mass (1 - r)/(1 + r) r^abs(k) on the integers.

    The first of equals wins. Runners-up and gaps of more than ``far`` are left out.
    """

    def mass(k):
        return (1 - r) / (1 + r) * r ** abs(k)

    def below(k):
        return r ** (1 - k) / (1 + r) if k <= 0 else 1 - r**k / (1 + r)

    law = {}
    for winner, gap in itertools.product(range(len(q)), range(far + 1)):
        others = [i for i in range(len(q)) if i != winner]
        # Which of the others may be as high as the runner-up's value v: those after the winner where the gap is 0.
        law[winner, gap] = sum(
            mass(v + gap - q[winner])
            * (
                math.prod(below(v - q[i] + (gap > 0 or i > winner)) for i in others)
                - math.prod(below(v - q[i]) for i in others)
            )
            for v in range(-far, far + 1)
        )
    return law


def test_discrete_noisy_max_with_gap_exceeds_eps_by_less_than_the_chance_of_a_tie():
    """2020, Section 5.1: eps = 1, noise of scale 2/eps on the integers, answers (2, 2, 0, 0) and (3, 3, -1, -1).

    P - e P' is summed over the outputs where it is above 0: the least delta. A tie is a gap of 0.
    """
    on_d, on_other = (discrete_gaps(q, math.exp(-0.5)) for q in ((2, 2, 0, 0), (3, 3, -1, -1)))
    assert 1 - 1e-9 < sum(on_d.values()) < 1 + 1e-9
    excess = sum(max(0.0, p - math.e * on_other[event]) for event, p in on_d.items())
    tie = sum(p for (_, gap), p in on_d.items() if gap == 0)
    assert 0.001 < excess < tie
