"""docs/in_the_wild.md: what is proved, what is certified, and every number on the page."""

import math
import random
from fractions import Fraction
from itertools import pairwise, permutations, product
from pathlib import Path

import pytest
from support.examples import examples

from alignkit import ABOVE, BELOW, check, law, same_law
from alignkit.attacking import Event, Interval, certify
from alignkit.laws import vectors
from alignkit.mechanisms import in_the_wild as noisy
from alignkit.mechanisms import in_the_wild_selection as selecting
from alignkit.proofs import in_the_wild, in_the_wild_selection
from alignkit.results import Verdict
from alignkit.running.alignment_decorator import Alignment

PAGE = (Path(__file__).parents[2] / "docs" / "in_the_wild.md").read_text(encoding="utf-8")
HALF = Fraction(1, 2)
ENTRIES = [
    value
    for home in (in_the_wild, in_the_wild_selection)
    for value in vars(home).values()
    if isinstance(value, Alignment)
]

MANY = Event((BELOW,) * 8 + (ABOVE,) * 4)
NVFLARE = {"q": [6] * 8 + [0] * 4, "q_": [7] * 8 + [-1] * 4, "tau": 0, "c": 4, "gamma": 1, "ratio": 4, "eps": 1}
LOSERS = {"T": 0, "eps": 1}
JAM = {"e": [0, 16, 0, 0, 0], "e_": [2, 18, 2, 2, -2], "p": [0, -8, 0, 0, 0], "p_": [-2, -10, -2, -2, 2], "eps": 1}
GUMBEL = {"u": [0, -8, -8, -8, -8], "u_": [1, -9, -9, -9, -9], "delta": 1, "eps": 1}
ROWS = {"q": [1, 0], "q_": [0, 1], "rows": 100, "delta": 2, "eps": 1}
PREFIXES = {"s": [8] * 6 + [9, 9], "s_": [8] * 8, "t": 1, "t_": 0, "d": 1, "eps": 1}
FALLING = Event((Interval(high=0),) * 3)
MEANS = {"x": 0, "x_": 1, "y": 0, "y_": 1, "z": 0, "z_": 1, "share": HALF, "eps": 1}
BITS = {"bits": [0, 0, 1], "f": HALF}

# What a mechanism loses at least, its claim, and what is proved of it at these parameters (None where nothing is).
CERTIFIED = {
    "1 before": (noisy.nvflare_selection_before, MANY, NVFLARE, 1, 2.5, "2.493"),
    "1 after": (noisy.nvflare_selection_after, MANY, NVFLARE, 1, 1, "0.980"),
    "3 before": (
        noisy.nvflare_unsampled_before, Event((-1, 0)),
        {"w": [0, 0], "w_": [0, 2], "sampled": [1, 0], "gamma": 1, "delta": 2, "eps": 1}, 1, None, "infinite",
    ),
    "3 after": (
        noisy.nvflare_unsampled_after, Event((Interval(high=0), 0)),
        {"w": [0, 0], "w_": [2, 0], "sampled": [1, 0], "gamma": 1, "delta": 2, "eps": 1}, 1, 1, "0.999",
    ),
    "4 before": (
        noisy.sparse_vector_scale_as_location, Event((BELOW,) * 4 + (ABOVE,)),
        {"q": [1] * 4 + [0], "q_": [2] * 4 + [-1], "c": 1, **LOSERS}, 1, 3, "2.995",
    ),
    "4 after": (
        noisy.sparse_vector_scale_as_scale, Event((BELOW,) * 4 + (ABOVE,)),
        {"q": [0, 8, 8, 8, -2], "q_": [1, 9, 9, 9, -3], "c": 1, **LOSERS}, 1, 1, "0.962",
    ),
    "5 fresh thresholds": (
        noisy.sparse_vector_fresh_thresholds, Event((ABOVE,) + (BELOW,) * 4),
        {"q": [0, 12, 16, 8, 24], "q_": [-1, 13, 17, 9, 25], **LOSERS}, 1, None, "2.052",
    ),
    "5 tested answer": (
        noisy.sparse_vector_tested_answer, Event((BELOW,) * 4 + (Interval(high=0),)),
        {"q": [0] * 4 + [-2], "q_": [1] * 4 + [-3], "c": 1, **LOSERS}, 1, None, "4.999",
    ),
    "6 before": (
        selecting.mwem_measurement_before, Event(Interval(high=1)),
        {"q": 1, "q_": 2, "dimensions": 4, "eps": 1}, 1, 4, "3.999",
    ),
    "6 after": (
        selecting.mwem_measurement_after, Event(Interval(high=1)),
        {"q": 1, "q_": 2, "dimensions": 4, "eps": 1}, 1, 1, "0.999",
    ),
    "8 before": (selecting.jam_selection_before, Event(4), JAM, 1, 2, "1.997"),
    "8 after": (selecting.jam_selection_after, Event(4), JAM, 1, 1, "0.973"),
    "9 before": (
        selecting.bit_vector_response_before, Event((0, 0, 1)), {**BITS, "bits_": [0, 0, 0]}, 2.1973, None, "infinite",
    ),
    "9 after": (
        selecting.bit_vector_response_after, Event((0, 0, 1)), {**BITS, "bits_": [0, 1, 0]}, 2.1973, None, "2.197",
    ),
    "10 before": (selecting.gumbel_max_inverted, Event(0), GUMBEL, 1, 1, "0.997"),
    "10 after": (
        selecting.gumbel_max, Event(0),
        {"u": [0, 8, 8, 8, 8], "u_": [-1, 9, 9, 9, 9], "delta": 1, "eps": 1}, 1, 1, "0.997",
    ),
    "12": (selecting.prefix_sum_threshold, Event((BELOW,) * 6 + (ABOVE,)), PREFIXES, 4, 3, "2.977"),
    "13 before": (
        noisy.nvflare_release_before, Event(1), {"w": 0, "w_": -10, "gamma": 1, "delta": 10, "eps": 1}, 1, 5, "4.999",
    ),
    "13 after": (
        noisy.nvflare_release_after, Event(Interval(high=-2)),
        {"w": -2, "w_": 8, "gamma": 1, "delta": 10, "eps": 1}, 1, 1, "0.999",
    ),
    "15 before": (
        selecting.conditional_counts_before, Event((Interval(low=1), Interval(high=0))), ROWS, 1, 100, "99.999",
    ),
    "15 after": (selecting.conditional_counts_after, Event((Interval(low=1), Interval(high=0))), ROWS, 1, 2, "1.999"),
    "16 before": (
        selecting.sum_of_squares_lower_bound, Event(Interval(high=4)),
        {"s": 4, "s_": 104, "lower": 1, "largest_square": 100, "eps": 1}, 1, 100, "99.999",
    ),
    "16 after": (
        selecting.sum_of_squares_both_bounds, Event(Interval(high=100)),
        {"s": 100, "s_": 200, "lower": 1, "largest_square": 100, "eps": 1}, 1, 1, "0.999",
    ),
    "17 before": (selecting.regression_shares_before, FALLING, MEANS, 1, 1.5, "1.499"),
    "17 after": (selecting.regression_shares_after, FALLING, MEANS, 1, 1, "0.999"),
}  # fmt: skip


@pytest.mark.parametrize("phi", ENTRIES[:: examples(2, 1)], ids=lambda phi: phi.name)
def test_every_alignment_has_the_verdict_of_its_page(phi):
    assert check(phi).verdict is Verdict(phi.expect)
    assert f"`{phi.mechanism.name}`" in PAGE


@pytest.mark.parametrize("row", CERTIFIED)
def test_certified_losses(row):
    mechanism, event, inputs, claim, proved, printed = CERTIFIED[row]
    loss = certify(mechanism, event=event, **inputs).loss
    shown = "infinite" if math.isinf(loss) else f"{math.floor(loss * 1000) / 1000:.3f}"
    assert shown == printed
    assert proved is None or loss <= proved
    (line,) = [line for line in PAGE.splitlines() if line.startswith(f"| {row} | `")]
    cells = [cell.strip() for cell in line.split("|")]
    assert printed in cells
    assert f"`{mechanism.name}`" in cells
    assert (loss > claim) == ("violated" in cells[-2])


# --- Entry 2: what the subset that is released loses -------------------------------------------------------


def passes(groups, wanted):
    """The chance that just ``wanted[g]`` items of each group are accepted when their number first reaches the sum.

    ``groups`` lists how many items there are of each kind, and the chance of one to be accepted in a pass; a pass tries
    every item that is not accepted yet. The result is for one particular set of items, not for any set of that size.
    """
    target = sum(wanted)
    chances = {tuple(0 for _ in groups): Fraction(1)}
    found = Fraction(0)
    for size in range(target):
        for state in [state for state in chances if sum(state) == size]:
            weight = chances.pop(state)
            stay = math.prod((1 - p) ** (n - k) for (n, p), k in zip(groups, state))
            for more in _steps(state, wanted):
                if more == state:
                    continue
                way = math.prod(
                    math.comb(w - k, m - k) * p ** (m - k) * (1 - p) ** (n - m)
                    for (n, p), w, k, m in zip(groups, wanted, state, more)
                )
                chance = weight * way / (1 - stay)
                if sum(more) == target:
                    found += chance
                else:
                    chances[more] = chances.get(more, Fraction(0)) + chance
    return found


def _steps(state, wanted):
    grown = [()]
    for k, w in zip(state, wanted):
        grown = [(*head, m) for head in grown for m in range(k, w + 1)]
    return grown


def test_the_subset_that_passes_release_loses_more_than_the_claim():
    """Four weights of twelve, ratio 4, eps = 1: accepted one by one, since the threshold is far above all of them."""
    high, n, c = math.exp(1 / 4), 12, 4
    on_d = _one_by_one(high, 1.0, n, c)
    on_d_ = _one_by_one(1.0, high, n, c)
    error = c * (n + 2) * math.exp(-34) + math.exp(-30)
    loss = math.log((on_d - error) / (on_d_ + error))
    assert 1.53 < loss < 1.54
    assert "1.53" in PAGE


def _one_by_one(mine, other, n, c):
    """The chance that the c items of weight ``mine`` are drawn before any of the n - c others."""
    total = c * mine + (n - c) * other
    return math.prod((c - k) * mine / (total - k * mine) for k in range(c))


def test_rare_acceptance_is_acceptance_one_by_one():
    """The exact chance of the passes, at the largest acceptance probability that the page allows."""
    tiny = Fraction(1, 10**14)
    high = Fraction(math.exp(1 / 4)).limit_denominator(10**6)
    exact = passes([(4, tiny * high), (8, tiny)], (4, 0))
    assert abs(float(exact) - _one_by_one(float(high), 1.0, 12, 4)) < 1e-11


@pytest.mark.parametrize("seed", range(examples(10, 40)))
def test_the_step_of_the_bound_on_the_subset(seed):
    """If each chance falls by a factor of at most R, then so does that of a released subset by at most R^c."""
    source = random.Random(seed)
    n, c, largest = source.randint(2, 5), source.randint(1, 2), Fraction(source.randint(2, 8))
    p = [Fraction(source.randint(1, 99), 100) for _ in range(n)]
    p_ = [p_i / (1 + (largest - 1) * Fraction(source.randint(0, 4), 4)) for p_i in p]
    for replace in (False, True):
        before, after = (_released(chances, c, replace) for chances in (p, p_))
        assert sum(before.values()) == sum(after.values()) == 1
        assert all(before[subset] <= largest**c * after[subset] for subset in before)


def test_the_factor_of_the_bound_is_approached():
    """One of many rare weights that alone becomes twice as rare: it loses all of the factor 2 but 5 percent."""
    tiny = Fraction(1, 10**6)
    before = _released([tiny] * 12, 1, False)
    after = _released([tiny / 2] + [tiny] * 11, 1, False)
    assert Fraction(19, 10) < before[0,] / after[0,] < 2


def _released(p, c, replace):
    """The exact law of the release: c of the accepted items, in order, with or without replacement."""
    result = dict.fromkeys(product(range(len(p)), repeat=c) if replace else permutations(range(len(p)), c), Fraction(0))
    for accepted, chance in _accepted(p, c).items():
        draws = list(product(accepted, repeat=c) if replace else permutations(accepted, c))
        for draw in draws:
            result[draw] += chance / len(draws)
    return result


def _accepted(p, c):
    """The exact law of the accepted items, after the pass in which their number reaches c."""
    waiting, done = {(): Fraction(1)}, {}
    for size in range(c):
        for state in [state for state in waiting if len(state) == size]:
            weight = waiting.pop(state)
            rest = [i for i in range(len(p)) if i not in state]
            stay = math.prod(1 - p[i] for i in rest)
            for mask in range(1, 2 ** len(rest)):
                new = [i for at, i in enumerate(rest) if mask >> at & 1]
                way = math.prod(p[i] if i in new else 1 - p[i] for i in rest)
                reached = tuple(sorted((*state, *new)))
                home = done if len(reached) >= c else waiting
                home[reached] = home.get(reached, Fraction(0)) + weight * way / (1 - stay)
    return done


# --- Entries 7 and 11: loops that reject ---------------------------------------------------------------------


def same_length(u, measured, **_):
    """as many flags as queries"""
    return len(u) == len(measured)


def test_drawing_until_the_query_is_new_is_the_choice_among_the_rest():
    flags = [[1, 0], [0, 1], [1, 0, 0], [0, 1, 1]]
    assert same_law(
        selecting.mwem_selection_until_new, selecting.mwem_selection_among_rest,
        u=vectors([-2, 0, 1], [2, 3]), measured=flags, where=same_length,
    )  # fmt: skip


def test_giving_up_is_an_event_that_loses_more_than_the_claim():
    """Entry 14: the draws are independent, so that giving up has the chance of one repeated draw to their number."""
    tries, base = 1002, HALF
    repeated = [
        law(selecting.mwem_selection_giving_up, u=u, measured=[1, 0], tries=1).at(selecting.GAVE_UP, B=base)
        for u in ([9, 0], [8, 1])
    ]
    three = law(selecting.mwem_selection_giving_up, u=[9, 0], measured=[1, 0], tries=3).at(selecting.GAVE_UP, B=base)
    assert three == repeated[0] ** 3
    loss = tries * (math.log(repeated[0]) - math.log(repeated[1]))
    chance = float(repeated[0]) ** tries
    assert f"{math.floor(loss * 100) / 100}" == "5.84"
    assert "5.84" in PAGE
    assert 0.14 < chance < 0.15
    assert loss > 2 * math.log(2)  # the claim: two bits at eta = 1


def test_uniform_candidates_with_rejection_are_the_exponential_mechanism():
    scores = vectors([-2, 0, 1], [1, 2, 3])
    assert same_law(selecting.noisy_max_by_rejection, selecting.exponential_mechanism_base2, u=scores)
    two = vectors([-1, 0, 1], [2])
    assert not same_law(selecting.permute_and_flip_of_two, selecting.exponential_mechanism_base2, u=two)


def test_the_report_of_four_times_the_budget_would_hold_for_permute_and_flip_alone():
    """Divergences of order 2 at scale 1, against the claim of 2 rho = (2 / 1)^2 / 4 = 1."""

    def divergence(p, q):
        return math.log(sum(a * a / b for a, b in zip(p, q)))

    flipped, exponential = 1 - math.exp(-2) / 2, 1 / (1 + math.exp(-2))
    assert 1.37 < divergence((0.5, 0.5), (flipped, 1 - flipped)) < 1.38
    assert 0.86 < divergence((0.5, 0.5), (exponential, 1 - exponential)) < 0.87
    assert "1.37" in PAGE
    assert "0.86" in PAGE


# --- Entries 9, 10, 12 -----------------------------------------------------------------------------------------


def test_randomised_response_attains_its_claim_and_no_more():
    """All vectors of three bits of weight at most 1, f = 1/2: the largest ratio is 3^2, the claim 2 ln 3."""
    light = [bits for bits in vectors([0, 1], [3]) if sum(bits) <= 1]
    laws = [law(selecting.bit_vector_response_after, bits=list(bits), f=HALF) for bits in light]
    outputs = [tuple(bits) for bits in vectors([0, 1], [3])]
    assert max(a.at(o) / b.at(o) for a in laws for b in laws for o in outputs) == 9


@pytest.mark.parametrize("scores", [[0, 1, 2, 100], [5, 1, 2], [0, 3, 1]])
def test_without_noise_the_largest_score_is_reported(scores):
    silent = {"g": [0] * len(scores)}
    public = {"delta": 1, "eps": 1}
    largest, smallest = scores.index(max(scores)), scores.index(min(scores))
    assert selecting.gumbel_max.replay(scores, H=silent, **public) == largest
    assert selecting.gumbel_max_inverted.replay(scores, H=silent, **public) == smallest != largest


def test_the_counts_behind_the_prefix_sums_differ_by_one_in_one_place():
    counts, counts_ = ([sums[0], *(b - a for a, b in pairwise(sums))] for sums in (PREFIXES["s"], PREFIXES["s_"]))
    assert min(counts + counts_) >= 0
    assert sum(abs(a - b) for a, b in zip(counts, counts_)) == 1
    assert [int(0.12 * PREFIXES[name][-1]) for name in ("s", "s_")] == [PREFIXES["t"], PREFIXES["t_"]]
