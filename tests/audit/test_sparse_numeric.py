"""Roth's lecture: what its Sparse releases, whom it answers, and how far off.

Lengths are in units of the sensitivity 1/n, so that the noise of the threshold has scale 2/eps and that of a query
sigma = 2c/eps.
"""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
import sympy
from support.counterexamples import excess_over_exp_eps, low_number_after_losers

from alignkit import BELOW
from alignkit.mechanisms.sparse_numeric import sparse_numeric_as_printed

# How often a test that looks at samples may fail though all is well.
ERROR = 1e-6


def margin(runs):
    """A mean of so many values in [0, 1] exceeds its expectation by more with probability ERROR at most (Hoeffding)."""
    return math.sqrt(math.log(1 / ERROR) / (2 * runs))


# --- Theorem 3: privacy -----------------------------------------------------------------------------


def below_then_low(m):
    """P(m losers, then a number of at most 0) where every answer and the threshold are 0 and c is 1.

    With u = exp(z/sigma) for a noisy threshold z < 0: each loser has probability u/2, the number (1 - u)/2.
    """
    u = sympy.symbols("u", positive=True)
    return Fraction(str(sympy.integrate(sympy.Rational(1, 2) * (u / 2) ** m * (1 - u) / 2, (u, 0, 1))))


@pytest.mark.parametrize("m", range(1, 9))
def test_a_released_number_bounds_the_threshold(m):
    """A number of at most 0 shows a threshold of at most 0; there each loser tells its answer from one 1 higher.

    The chance to stay below z <= 0 is exp(z/sigma)/2 for the answer 0, and exp((z - 1)/sigma)/2 for the answer 1. So
    with the answers 1, ..., 1, 0 the event is rarer by exp(m/sigma) = exp(m eps/2), exactly.
    """
    z, sigma = sympy.symbols("z sigma", real=True)
    loser, loser_ = sympy.exp(z / sigma) / 2, sympy.exp((z - 1) / sigma) / 2
    assert sympy.simplify((loser / loser_) ** m - sympy.exp(m / sigma)) == 0
    assert below_then_low(m) == Fraction(1, 2 ** (m + 2) * (m + 1) * (m + 2)) > 0
    assert low_number_after_losers(m, Fraction(2)) == below_then_low(m)


def test_the_event_happens_as_often_as_computed():
    """The transcription itself, run with one loser: 1 of 48 on D; with eps = 2 one of 48e on D'."""
    runs = 6_000
    for seed, loser, chance in [(1, 0, 1 / 48), (2, 1, 1 / 48 / math.e)]:
        seeds = np.random.default_rng(seed).integers(2**32, size=runs)
        hits = 0
        for each in seeds:
            out = sparse_numeric_as_printed.sample([loser, 0], T=0, c=1, delta=1, eps=2, seed=int(each))
            hits += len(out) == 2 and out[0] is BELOW and out[1] is not BELOW and out[1] <= 0
        each_side = math.log(2 / ERROR) / runs
        assert abs(hits / runs - chance) <= math.sqrt(2 * chance * each_side) + each_side, "Bernstein"


@pytest.mark.parametrize("m", range(1, 7))
def test_losers_after_a_number_lose_more_than_the_second_sum_allows(m):
    """The second sum of the proof with c = 2, answers and threshold 0: a number a <= 0 first, then m losers.

    Given the number, the noisy threshold is at most a. So with u = exp(z/sigma) and w = exp(a/sigma) the chance of m
    losers, given what came before, is an average over u in (0, w) of (u/2)^m on D, and of (u/2 exp(-1/sigma))^m where
    the losers' answers are 1. The sum is m/sigma = m eps/4, while the proof bounds it by eps/2.
    """
    u, w, sigma, eps = sympy.symbols("u w sigma epsilon", positive=True)

    def losers(step):
        # The threshold's noise has scale 2/eps = sigma/2 for c = 2, so that its density in u is 2u/w^2 below w.
        return sympy.integrate(2 * u / w**2 * (u / 2 * step) ** m, (u, 0, w))

    second_sum = sympy.log(sympy.simplify(losers(1) / losers(sympy.exp(-1 / sigma))))
    loss = sympy.expand_log(second_sum, force=True).subs(sigma, 4 / eps)
    assert sympy.simplify(loss - m * eps / 4) == 0
    assert (m * eps / 4 > eps / 2) == (m > 2)


def test_the_second_sum_holds_where_the_losers_come_before_every_number():
    """With c = 1 each loser comes before the only number, and its sum is ln P(m losers)/P'(m losers).

    On D' the answers are 1 higher, the worst case. The threshold's noise has scale 2/eps = sigma; a loser at the
    threshold z has the chance F(z), for the answer 1 it is F(z - 1). The ratio stays below exp(eps/2), here 2.
    """
    z = sympy.symbols("z", real=True)
    rate = sympy.log(2)  # 1/sigma, so that exp(eps/2) = 2
    low, high = sympy.exp(rate * z) / 2, 1 - sympy.exp(-rate * z) / 2
    below, above = rate * sympy.exp(rate * z) / 2, rate * sympy.exp(-rate * z) / 2

    def integral(density, chance, m, start, end):
        return sympy.integrate(sympy.expand(density * chance**m), (z, start, end))

    for m in (1, 2, 5):
        on_d = integral(below, low, m, -sympy.oo, 0) + integral(above, high, m, 0, sympy.oo)
        on_d_ = (
            integral(below, low.subs(z, z - 1), m, -sympy.oo, 0)
            + integral(above, low.subs(z, z - 1), m, 0, 1)
            + integral(above, high.subs(z, z - 1), m, 1, sympy.oo)
        )
        assert 1 < float(on_d / on_d_) < 2


def winner_after_losers(m):
    """P(m losers, then a winner), all answers and the threshold 0, c = 1: the parts with z > 0 and with z < 0."""
    u = sympy.symbols("u", positive=True)
    above = sympy.integrate(sympy.expand(u / 4 * (1 - u / 2) ** m), (u, 0, 1))
    below = sympy.integrate(sympy.expand((u / 2) ** m * (1 - u / 2) / 2), (u, 0, 1))
    return Fraction(str(above)), Fraction(str(below))


def test_without_numbers_the_printed_noise_can_lose_three_halves_of_eps():
    """Take eps = 2 ln 2, so that exp(1/sigma) = 2. On D' the losers' answers are 1 higher, the winner's is 1 lower.

    For a threshold above 1 substitute z + 1: the density of the threshold loses a factor 2, the winner 2 * 2. Below 1
    no loser stays below with more than 1/2.
    """
    m = 40
    above, below = winner_after_losers(m)
    at_most = above / 8 + Fraction(1, 2**m)
    assert (above + below) / at_most > Fraction(799, 100)
    assert math.exp(2 * math.log(2)) < 4.01, "what eps allows"


# --- Theorem 2: accuracy ----------------------------------------------------------------------------


def failures(answers, threshold, c, eps, sigma, alpha, runs, seed):
    """How many runs abort before the last query, or are off by more than alpha (Definition 1)."""
    rng = np.random.default_rng(seed)
    noisy_threshold = threshold + rng.laplace(scale=2 / eps, size=runs)
    count = np.zeros(runs, dtype=int)
    failed = np.zeros(runs, dtype=bool)
    for q_i in answers:
        failed |= count >= c
        noisy = q_i + rng.laplace(scale=sigma, size=runs)
        winner = noisy >= noisy_threshold
        off = np.where(winner, np.abs(noisy - q_i) > alpha, q_i > threshold + alpha)
        failed |= (count < c) & off
        count += winner & (count < c)
    return int(failed.sum())


def printed_alpha(k, beta, sigma):
    return 2 * sigma * (math.log(k) + math.log(2 / beta))


def test_an_early_winner_ends_the_run():
    """Theorem 2 allows L = c. With k = 2, c = 1 and a first answer far above, Sparse aborts before the second query.

    The chance that an answer at T + 20 sigma loses is (2 + 20)/4 exp(-20), for noises of equal scale.
    """
    k, c, beta, sigma = 2, 1, 0.05, 1.0
    alpha = printed_alpha(k, beta, sigma)
    answers = (20 * sigma, -alpha - 1)
    assert sum(q_i >= -alpha for q_i in answers) <= c
    assert (2 + 20) / 4 * math.exp(-20) < 2e-8
    assert failures(answers, 0, c, 2, sigma, alpha, 1_000, seed=3) == 1_000


@pytest.mark.parametrize(("k", "c", "beta"), [(1, 2, 0.5), (20, 2, 0.2), (50, 5, 0.05)])
def test_theorem_2_with_fewer_than_c_answers_near_the_threshold(k, c, beta):
    """The rest just below T - alpha, the others at, near and above it: at most beta of the runs fail."""
    eps, runs = 1, 100_000
    sigma = 2 * c / eps
    alpha = printed_alpha(k, beta, sigma)
    answers = [-alpha - 1e-9] * k
    near = [-alpha, 0, alpha, 3 * alpha]
    for i in range(min(c - 1, k)):
        answers[(7 * i + 3) % k] = near[i % len(near)]
    assert sum(q_i >= -alpha for q_i in answers) < c
    assert failures(answers, 0, c, eps, sigma, alpha, runs, seed=4) / runs <= beta + margin(runs)


def test_theorem_2_tails():
    """Each half of alpha is exceeded with probability beta/2 at most: (beta/(2k))^c, and k times beta/(2k)."""
    k, c, n, eps, beta = sympy.symbols("k c n epsilon beta", positive=True)
    sigma = 2 * c / (eps * n)
    alpha = 2 * sigma * (sympy.log(k) + sympy.log(2 / beta))
    assert sympy.simplify(alpha - 4 * c * (sympy.log(k) + sympy.log(2 / beta)) / (eps * n)) == 0
    threshold = sympy.exp(-eps * n * alpha / 4)
    assert sympy.simplify(sympy.log(threshold) - c * sympy.log(beta / (2 * k)), force=True).expand(force=True) == 0
    query = sympy.exp(-alpha / 2 / sigma)
    assert sympy.simplify(sympy.log(query) - sympy.log(beta / (2 * k)), force=True).expand(force=True) == 0
    for beta_ in (0.001, 0.3, 1):
        for k_ in (1, 2, 50):
            for c_ in (1, 3):
                assert (beta_ / (2 * k_)) ** c_ <= beta_ / 2 * (1 + 1e-12)


def test_laplace_tail():
    t, x, b = sympy.symbols("t x b", positive=True)
    beyond = 2 * sympy.integrate(sympy.exp(-x / b) / (2 * b), (x, t * b, sympy.oo))
    assert sympy.simplify(beyond - sympy.exp(-t)) == 0


def test_sums_of_the_noise_bound_the_error():
    """Where max |nu_i| + |T - T^| <= alpha, no answer is off by more, exactly, on random runs; and L alone wins."""
    source = random.Random(5)
    for _ in range(2_000):
        k, c = source.randint(1, 6), source.randint(1, 4)
        alpha = Fraction(source.randint(1, 20))
        nu = [Fraction(source.randint(-100, 100), 100) * alpha for _ in range(k)]
        room = alpha - max(map(abs, nu))
        eta = Fraction(source.randint(-100, 100), 100) * room
        q = [Fraction(source.randint(-300, 300), 100) * alpha for _ in range(k)]
        out = sparse_numeric_as_printed.replay(q, T=0, c=c, delta=1, eps=1, H={"eta": eta, "nu_i": nu})
        for q_i, w in zip(q, out, strict=False):
            assert q_i <= alpha if w is BELOW else abs(w - q_i) <= alpha
            assert w is BELOW or q_i >= -alpha
        if sum(q_i >= -alpha for q_i in q) < c:
            assert len(out) == k


def test_accuracy_against_knowing_which_queries_are_large():
    """With c Laplace answers of scale c/eps the error at level beta is x with 1 - (1 - exp(-eps x/c))^c = beta.

    For beta <= 1/2 and k >= max(c, 2) Sparse's alpha is at most 18 log k times that.
    """
    for c in (1, 2, 5, 20):
        for k in (max(c, 2), 10 * c, 10_000):
            for beta in (0.5, 0.1, 1e-6):
                known = -c * math.log(-math.expm1(math.log1p(-beta) / c))
                assert printed_alpha(k, beta, 2 * c) <= 18 * math.log(k) * known


# --- Theorems 4 and 5 -------------------------------------------------------------------------------


@pytest.mark.parametrize("losers", [1, 3])
def test_the_chance_of_a_low_number_for_any_scale_of_the_queries(losers):
    """Threshold noise of scale 2, query noise of scale 40: the integral over thresholds z < 0, by its density."""
    z = sympy.symbols("z", negative=True)
    lose, number = sympy.exp(z / 40) / 2, (1 - sympy.exp(z / 40)) / 2
    whole = sympy.integrate(sympy.expand(sympy.exp(z / 2) / 4 * lose**losers * number), (z, -sympy.oo, 0))
    assert low_number_after_losers(losers, Fraction(40)) == Fraction(str(sympy.nsimplify(whole)))


def test_theorem_4_fails_for_a_small_delta():
    """c = 1, eps = 1, delta = exp(-50), so that sigma = sqrt(32 * 50) = 40: 49 losers, then a number of at most 0.

    With the losers' answers 1 higher the event is rarer by exp(-49/40), exactly. So P - e P' is P (1 - exp(1 - 49/40)),
    more than 1,000 times delta.
    """
    assert sympy.sqrt(32 * 50) == 40
    assert excess_over_exp_eps(49, Fraction(40)) > 1_000 * math.exp(-50)


def test_theorem_5_alpha():
    c, n, eps, delta = sympy.symbols("c n epsilon delta", positive=True)
    sigma = sympy.sqrt(32 * c * sympy.log(1 / delta)) / (eps * n)
    assert sympy.simplify(2 * sigma - sympy.sqrt(128 * c * sympy.log(1 / delta)) / (eps * n)) == 0


@pytest.mark.parametrize(("k", "c", "delta"), [(20, 2, 0.1), (20, 3, math.exp(-1 / 8))])
def test_theorem_5_with_fewer_than_c_answers_near_the_threshold(k, c, delta):
    eps, beta, runs = 1, 0.2, 100_000
    sigma = math.sqrt(32 * c * math.log(1 / delta)) / eps
    alpha = printed_alpha(k, beta, sigma)
    answers = [alpha] * (c - 1) + [-alpha - 1e-9] * (k - c + 1)
    assert failures(answers, 0, c, eps, sigma, alpha, runs, seed=6) / runs <= beta + margin(runs)


def test_theorem_5_needs_a_delta_below_1():
    """The threshold's noise keeps its scale 2/eps, but alpha falls with sigma, to 0 as delta goes to 1.

    With one answer at T + alpha and delta = 1 - 1e-9, it is lost, though it may not be, in more than beta of the runs.
    """
    k, c, eps, beta, runs = 1, 2, 1, 0.05, 20_000
    sigma = math.sqrt(32 * c * -math.log1p(-1e-9)) / eps
    alpha = printed_alpha(k, beta, sigma)
    failed = failures([1.01 * alpha], 0, c, eps, sigma, alpha, runs, seed=7)
    assert failed / runs >= 8 * beta
