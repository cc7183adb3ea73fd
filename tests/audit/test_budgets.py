"""Budgets and stopping rules as printed: how many answers a sparse vector gives, and what they cost, by exact counting.

A run is a sequence of branches: top (many noise), middle (less noise) or below. All sequences are followed at once
by following the sets of states that they can reach.
"""

import math
import random
from fractions import Fraction

import pytest
import sympy

from alignkit import BELOW
from alignkit.mechanisms.adaptive_sparse_vector import MIDDLE, adaptive_sparse_vector
from alignkit.mechanisms.sparse_vector import (
    sparse_vector,
    sparse_vector_with_gap,
    sparse_vector_with_gap_by_theta,
)

KS = range(1, 13)


def reachable(start, top, middle, stops, rounds):
    """All (tops, middles, cost) at which a run stops, or that it holds after so many queries; "below" costs nothing."""
    running, stopped = {(0, 0, start)}, set()
    for _ in range(rounds):
        following = set()
        for tops, middles, cost in running:
            following |= {(tops + 1, middles, cost + top), (tops, middles + 1, cost + middle), (tops, middles, cost)}
        stopped |= {state for state in following if stops(state[2])}
        running = {state for state in following if not stops(state[2])}
    return stopped, running


def adaptive_2020(k):
    """Algorithm 4 of the 2020 paper with eps = 1."""
    eps0, eps1, eps2 = Fraction(1, 2), Fraction(1, 8 * k), Fraction(1, 4 * k)
    return reachable(eps0, 2 * eps1, 2 * eps2, lambda cost: cost >= 1 - 2 * eps2, 2 * k + 1)


def adaptive_journal(k, theta=Fraction(1, 3)):
    """Algorithm 1 (and 3) of the Journal paper with eps = 1."""
    eps0, eps1 = theta, (1 - theta) / k
    return reachable(eps0, eps1 / 2, eps1, lambda cost: cost > 1 - eps1, 2 * k + 1)


def answers(states):
    return [tops + middles for tops, middles, cost in states]


@pytest.mark.parametrize("k", KS)
def test_algorithm_4_of_2020_gives_at_most_2k_minus_2_answers(k):
    """Not 2k; and k - 1 if all come from the middle branch. With k = 1 the one query that is asked may be answered."""
    stopped, running = adaptive_2020(k)
    assert max(answers(stopped | running)) == max(1, 2 * k - 2)
    assert max(middles for tops, middles, cost in stopped if tops == 0) == max(1, k - 1)


def test_algorithm_4_of_2020_with_k_1_stops_after_one_query_even_below():
    stopped, running = adaptive_2020(1)
    assert (0, 0, Fraction(1, 2)) in stopped
    assert running == set()


@pytest.mark.parametrize("k", KS)
def test_algorithm_4_of_2020_leaves_a_part_of_eps_unused(k):
    """Lemma 14's bound eps is attained for k = 1 only; for larger k at least eps/(4k) is never spent."""
    stopped, running = adaptive_2020(k)
    most = max(cost for tops, middles, cost in stopped | running)
    assert most == (1 if k == 1 else 1 - Fraction(1, 4 * k))


def test_algorithm_4_of_2020_can_give_more_than_k_answers_in_its_top_branch():
    """The proof of Lemma 13 says |I| <= k; for k = 4 it may be 6."""
    stopped, _ = adaptive_2020(4)
    assert max(tops for tops, middles, cost in stopped) == 6


@pytest.mark.parametrize("k", KS)
def test_algorithm_1_of_the_journal_gives_k_to_2k_minus_1_answers(k):
    """Before it stops for lack of budget: at least k answers, as its input line says; at most 2k - 1, not 2k."""
    stopped, running = adaptive_journal(k)
    assert min(answers(stopped)) == k
    assert max(answers(stopped | running)) == 2 * k - 1


@pytest.mark.parametrize("k", KS)
def test_algorithm_1_of_the_journal_can_spend_all_of_eps(k):
    """The loop invariant of Theorem 2: never more than eps, and eps is attained."""
    stopped, running = adaptive_journal(k)
    assert max(cost for tops, middles, cost in stopped | running) == 1


@pytest.mark.parametrize("theta", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("k", KS)
def test_algorithm_2_of_the_journal_stops_at_k_answers(k, theta):
    eps1 = (1 - theta) / k
    count, cost = 0, theta
    while not cost > 1 - eps1:
        count, cost = count + 1, cost + eps1
    assert (count, cost) == (k, 1)


def test_sparse_vector_answers_the_same_queries_with_and_without_gap():
    """Section 7.3 of 2020 and 9.3 of the Journal paper: on the same noise, the same queries come out above."""
    rng = random.Random(4)
    for _ in range(100):
        q = [Fraction(rng.randint(-4, 4), 2) for _ in range(5)]
        k = rng.randint(1, 3)
        noise = [Fraction(rng.randint(-4, 4), 3) for _ in q]
        count = [sum(answer + each >= 0 for answer, each in zip(q[:n], noise)) for n in range(1, 6)]
        asked = next((n for n in range(1, 6) if count[n - 1] >= k), 5)
        runs = [
            mechanism.replay(q, T=0, k=k, eps=1, H={"eta": 0, "eta_i": noise[:asked]})
            for mechanism in (sparse_vector, sparse_vector_with_gap)
        ]
        above = [[each is not BELOW for each in run] for run in runs]
        assert above[0] == above[1] == [answer + each >= 0 for answer, each in zip(q[:asked], noise)]


def test_hybrid_by_estimates_has_more_noise_than_hybrid_by_identity():
    """Exp(2/eps1) with eps1 = (1 - theta) eps/k, against Exp(2k/eps): larger by 1/(1 - theta)."""
    theta, eps, k = sympy.symbols("theta eps k", positive=True)
    assert sympy.simplify((2 / ((1 - theta) * eps / k)) / (2 * k / eps) - 1 / (1 - theta)) == 0


def test_lemma_8_budget_is_the_sum_of_its_parts():
    theta, eps, t, k = sympy.symbols("theta eps t k", positive=True)
    assert sympy.simplify(theta * eps + t * (1 - theta) * eps / k - (theta + t / k * (1 - theta)) * eps) == 0


def test_lemma_7_counts_the_threshold_among_the_t():
    """k = n = 1, and the threshold wins: the gap T - q has density exp(-|g - T + q|/b)/(2b) with b = 2/eps, so the loss
    is eps/2 for a change of q by 1. No query was returned; with t = 1 for the threshold the bound is eps."""
    b, g, u = sympy.symbols("b g u", positive=True)
    c = sympy.symbols("c", nonnegative=True)  # T - q

    def gap_density(difference):
        """The density at g of difference + eta_0 - eta_1, both exponential with scale b, where g >= difference."""
        noise = sympy.exp(-(u + g - difference) / b) / b * sympy.exp(-u / b) / b
        return sympy.integrate(noise, (u, 0, sympy.oo))

    assert sympy.simplify(gap_density(c) - sympy.exp(-(g - c) / b) / (2 * b)) == 0
    loss = sympy.expand_log(sympy.log(sympy.simplify(gap_density(c + 1) / gap_density(c))), force=True)
    assert sympy.simplify(loss - 1 / b) == 0  # with b = 2/eps: eps/2, above 0 and below eps


def test_remaining_budget_after_k_answers_is_at_most_half():
    """Section 9.3: k answers, all from the top branch, leave (1 - theta)/2 of eps: 31 % for k = 2, 45 % for k = 24."""
    theta, k = sympy.symbols("theta k", positive=True)
    assert sympy.simplify(1 - (theta + k * ((1 - theta) / k) / 2) - (1 - theta) / 2) == 0

    def left(k):
        return (1 - 1 / (1 + k ** (2 / 3))) / 2

    assert 0.30 < left(2) < 0.31
    assert 0.44 < left(24) < 0.45


def chance_to_be_returned(lead, threshold_scale, query_scale):
    """P(q + x - E x >= T + y - E y) for exponential x and y of these scales, where q is T + lead."""
    beyond = query_scale - threshold_scale - lead
    share = query_scale / (query_scale + threshold_scale)
    if beyond >= 0:
        return share * math.exp(-beyond / query_scale)
    return 1 - (1 - share) * math.exp(beyond / threshold_scale)


def test_the_hybrid_for_estimates_is_right_about_the_threshold_more_often_for_k_10():
    """Section 7 calls Algorithm 5 more accurate in what it returns, as it adds less noise to each query.

    It adds more to the threshold. One query at T + 20 or T - 20, the others far below, k = 10, eps = 1, the best theta.
    """
    k, theta = 10, 1 / (1 + 400 ** (1 / 3))
    by_identity = {lead: chance_to_be_returned(lead, 2 * k, 2 * k) for lead in (-20, 20)}
    by_estimates = {lead: chance_to_be_returned(lead, 1 / theta, 2 * k / (1 - theta)) for lead in (-20, 20)}
    assert by_identity[20] < 0.82 < 0.86 < by_estimates[20]
    assert by_identity[-20] > 0.18 > 0.17 > by_estimates[-20]


def test_variances_of_the_hybrids_comparisons():
    """With c = 4k^2 and the best theta: a query against the threshold has 2 c against (1 + c^(1/3))^3, which is less
    for k >= 4; two queries against one another have 2 c against 2 c (1 + c^(-1/3))^2, which is more for every k."""
    root = sympy.symbols("root", positive=True)  # the cube root of 4 k^2
    theta, k = 1 / (1 + root), sympy.sqrt(root**3 / 4)
    threshold, query = 1 / theta, 2 * k / (1 - theta)
    assert sympy.simplify(threshold**2 + query**2 - (1 + root) ** 3) == 0
    assert sympy.simplify(query**2 - root**3 * (1 + 1 / root) ** 2) == 0
    for k_ in range(1, 60):
        c = 4 * k_**2
        assert ((1 + c ** (1 / 3)) ** 3 < 2 * c) == (k_ >= 4)


def test_an_infinite_sigma_leaves_svt_with_gap():
    """Journal, Section 5.1: where the top branch is never taken, as for an infinite sigma, the gaps are those of SVT.

    The noise of the top branch is so low here that it is never taken.
    """
    source = random.Random(11)
    for _ in range(200):
        q = [Fraction(source.randint(-5, 5)) for _ in range(source.randint(1, 6))]
        values = {"T": 0, "k": source.randint(1, 3), "eps": 1, "theta": Fraction(1, 2)}
        draws = [Fraction(source.randint(-50, 50), 7) for _ in q]
        noise = {"eta": Fraction(source.randint(-20, 20), 7), "eta_i": draws}
        plain = sparse_vector_with_gap_by_theta.replay(q, **values, H=noise)
        adaptive = adaptive_sparse_vector.replay(q, **values, H=noise | {"xi_i": [-(10**6)] * len(q)})
        assert [w[1] if w[0] is MIDDLE else w[0] for w in adaptive] == list(plain)


def endless_run_probability(terms):
    """A lower bound on the chance that no query of an endless stream comes out above: q_i = T - 2i, scales 2 and 4.

    With k = 1, eps = 1 the threshold's noise has scale 2, a query's 4. Let the threshold's noise be at least 0; then
    query i stays below if its noise is below 2i, of probability 1 - exp(-i/2)/2.
    """
    product = 0.5
    for i in range(1, terms):
        product *= 1 - 0.5 * 2.718281828459045 ** (-i / 2)
    # What is left out is at least 1 - the sum of its terms exp(-i/2)/2, a geometric series.
    tail = 0.5 * 2.718281828459045 ** (-terms / 2) / (1 - 2.718281828459045**-0.5)
    return product * (1 - tail)


def test_an_endless_stream_may_never_end():
    """Algorithm 1 of 2020 on q_i = T - 2i: it does not end with probability above 1/10, so Lemma 1's first condition
    needs finitely many queries (the proofs allow infinitely many)."""
    assert endless_run_probability(60) > 0.1
