"""A second reading of the lecture and of Ilvento's paper: what they print, line by line, and what is true."""

import math
from fractions import Fraction
from itertools import pairwise, product

import pytest
import sympy
import z3
from support.private_selection import best_of, hard_stop, hard_stop_with_repeats, law_of, stopped_below

from alignkit import BELOW, Count, Eta, Noise, Positive, Queries, Real, clamp, law, mechanism
from alignkit.mechanisms.discrete_sampling import clamped_disc_lap, get_sum, get_sum_from, get_sum_up_to, lazy

HALF = Fraction(1, 2)


# --- Lecture: privacy -------------------------------------------------------------------------------


def losers_then_a_low_number(m, r):
    """P(m losers, then a number of at most 0) where answers and threshold are 0; r is sigma over the threshold's scale.

    With the noisy threshold at -x of its scales: each loser has exp(-x/r)/2, the number (1 - exp(-x/r))/2. So it is
    2^(-m - 2) times E[exp(-m x/r) - exp(-(m + 1) x/r)] for x with the density exp(-x).
    """
    return Fraction(1, 2 ** (m + 2)) * (1 / (1 + m / r) - 1 / (1 + (m + 1) / r))


@pytest.mark.parametrize("r", [sympy.Integer(1), sympy.Rational(7, 2)])
def test_the_closed_form_of_losers_then_a_low_number(r):
    x = sympy.symbols("x", positive=True)
    for m in (0, 5):  # the event's density: that of the threshold, m losers, a number between threshold and 0
        event = (sympy.exp(-x * (1 + m / r)) - sympy.exp(-x * (1 + (m + 1) / r))) / 2 ** (m + 2)
        factors = sympy.exp(-x) / 2 * (sympy.exp(-x / r) / 2) ** m * (1 - sympy.exp(-x / r)) / 2
        assert sympy.expand(sympy.powsimp(sympy.expand(event - factors), deep=True)) == 0
        assert sympy.integrate(event, (x, 0, sympy.oo)) == losers_then_a_low_number(m, Fraction(str(r)))


@pytest.mark.parametrize(("length", "m", "eps"), [(40, 41, 1), (40, 41, Fraction(1, 10)), (32, 34, 10), (80, 81, 1)])
def test_theorem_4_fails_for_a_small_delta(length, m, eps):
    """The lecture's Theorem 4 prints (eps, delta)-privacy of the modified Sparse, which still releases what it tested.

    Let c = 1 and delta = exp(-length^2/32), so that sigma = length/eps in units of the sensitivity; the threshold's
    noise has scale 2/eps. On D all answers are 0, on D' the m losers have 1: the event is rarer there by exp(m/sigma) =
    exp(m eps/length). Its P - e^eps P' exceeds delta. The same event refutes Theorem 3.
    """
    chance = losers_then_a_low_number(m, Fraction(length, 2))
    gain = 1 - sympy.exp(sympy.Rational(eps) * (1 - sympy.Rational(m, length)))
    delta = sympy.exp(-sympy.Rational(length**2, 32))
    assert m > length
    assert (sympy.Rational(chance.numerator, chance.denominator) * gain / delta).evalf() > 1


def test_theorem_4_fails_for_a_delta_near_1():
    """Theorem 4 names no range of delta. For one answer far above the threshold it is about a Laplace mechanism.

    For Laplace noise of scale sigma < 1/eps and answers 1 apart, P(E) - e^eps P'(E) is 1 - exp((eps - 1/sigma)/2) for a
    half-line E. With c = 1, eps = 12 and 32 ln(1/delta) = 1/4, sigma is 1/(2 eps).
    """
    eps, sigma = sympy.symbols("eps sigma", positive=True)
    end = (1 - eps * sigma) / 2  # of the half-line: there the densities differ by the factor exp(eps)
    on_d, on_other = 1 - sympy.exp(-end / sigma) / 2, sympy.exp(-(1 - end) / sigma) / 2
    gained = on_d - sympy.exp(eps) * on_other
    assert sympy.simplify(gained - (1 - sympy.exp((eps - 1 / sigma) / 2))) == 0
    delta = sympy.exp(-sympy.Rational(1, 128))
    found = gained.subs(sigma, sympy.sqrt(32 * sympy.log(1 / delta)) / eps).subs(eps, 12)
    no_number = sympy.Rational(1, 10**6)  # as small as one likes for an answer that is far enough above
    assert (found - no_number - delta).evalf() > 0.005


def posterior_losers(m, change):
    """P(m losers | a first number 0) for c = 2, threshold 0: given it, the noisy threshold is 0 at most.

    In units of the threshold's scale 2/eps it is -x, x of density exp(-x); sigma is 2 of them, so a loser with answer
    ``change`` (in units of sigma) has probability exp(-x/2 - change)/2.
    """
    x = sympy.symbols("x", positive=True)
    event = sympy.exp(-x) * sympy.exp(-m * x / 2) * sympy.exp(-m * change) / 2**m
    return sympy.integrate(event, (x, 0, sympy.oo))


def test_losers_after_a_number_lose_more_than_half_of_eps():
    """The proof of the lecture's Theorem 3 bounds the sum over the losers, given what came before, by eps/2.

    After a released number 0 each further loser tells the answer 0 from 1 by exp(1/sigma) = exp(eps/4) for c = 2; three
    lose 3 eps/4, m lose m eps/4. So both sums of the proof exceed their bound, not only the first.
    """
    eps = sympy.symbols("epsilon", positive=True)
    for m in range(1, 6):
        loss = sympy.log(posterior_losers(m, 0) / posterior_losers(m, eps / 4))
        assert sympy.simplify(sympy.expand_log(loss, force=True) - m * eps / 4) == 0


def test_a_product_of_conditional_chances_is_not_the_integral():
    """The proof sets the product of P(loser | prefix) equal to an integral over the threshold's law before any output.

    For a number 0, then a loser of answer 0, c = 2: the left side is 1/3. The right side is 1/2 if all thresholds
    count, and 1/6 if only those do under which the number can come out.
    """
    x = sympy.symbols("x", positive=True)
    low = sympy.integrate(sympy.exp(-x) / 2 * sympy.exp(-x / 2) / 2, (x, 0, sympy.oo))
    high = sympy.integrate(sympy.exp(-x) / 2 * (1 - sympy.exp(-x / 2) / 2), (x, 0, sympy.oo))
    assert posterior_losers(1, 0) == sympy.Rational(1, 3)
    assert (low + high, low) == (sympy.Rational(1, 2), sympy.Rational(1, 6))


def sparse(answers, noise, threshold, c):
    """Sparse of the lecture line by line, given the noisy threshold and the noise of each query."""
    outputs, count = [], 0
    for answer, nu in zip(answers, noise, strict=True):
        if answer + nu >= threshold:
            outputs.append(answer + nu)
            count += 1
        else:
            outputs.append(None)
        if count >= c:
            break
    return outputs


def test_a_cutoff_of_0_releases_an_exact_answer():
    """Nothing in the lecture excludes c = 0. Then sigma = 2c/(eps n) is 0, and the count is read after an output."""
    assert sparse([7, 9], [0, 0], threshold=3, c=0) == [7]


def test_a_tie_is_a_number():
    """The proof of Theorem 2 concludes from Q + nu <= T^ that the output is bottom; with equality it is a number."""
    assert sparse([2], [1], threshold=3, c=1) == [3]


def test_an_answer_between_the_thresholds_is_rarely_called_below():
    """After Theorem 3: all answers but those of at least T + alpha are reported as below. Those just under it are not.

    For k = c = 1 both noises have scale 2/eps, and alpha is t = 2 log(2/beta) of them. The sum of both noises exceeds t
    scales with probability exp(-t) (2 + t)/4, which is all that is left to bottom.
    """
    # The derivative of the claimed tail is the density of the sum: the convolution of exp(-|u|)/2 with itself at t > 0,
    # whose three parts are exp(-t)/8 for u < 0, t exp(-t)/4 between 0 and t, and exp(-t)/8 beyond.
    t, u = sympy.symbols("t u", positive=True)
    tail = sympy.exp(-t) * (2 + t) / 4
    outside = sympy.integrate(sympy.exp(-2 * u) / 4, (u, 0, sympy.oo)) * sympy.exp(-t)
    assert sympy.expand(sympy.diff(tail, t) + 2 * outside + t * sympy.exp(-t) / 4) == 0
    assert tail.subs(t, 0) == sympy.Rational(1, 2)
    assert tail.subs(t, 2 * sympy.log(40)).evalf() < 0.0015  # beta = 1/20


# --- Ilvento: privacy -------------------------------------------------------------------------------


def mass(k, B):
    """P(nu = k) for discrete Laplace noise of base B on the whole numbers."""
    return (1 - B) / (1 + B) * B ** abs(k)


def tail(k, B):
    """P(nu >= k)."""
    return B**k / (1 + B) if k > 0 else 1 - B ** (1 - k) / (1 + B)


def clamped_law(low, high, B):
    """The law of ClampedDiscLap."""
    return {z: mass(z, B) for z in range(low + 1, high)} | {low: tail(-low, B), high: tail(high, B)}


def chance(thresholds, outputs, levels, B):
    """P(outputs): the sum over thresholds z of P(z) times the chances of outputs, of which noise decides the i-th.

    It is above if its noise is at least ``levels(i, z)``.
    """
    total = Fraction(0)
    for z, p in thresholds.items():
        for i, above in enumerate(outputs):
            p *= tail(levels(i, z), B) if above else 1 - tail(levels(i, z), B)
        total += p
    return total


@mechanism
def as_section_4_has_it(
    q: Queries(lattice=1, sensitivity=1),
    low: Real,
    high: Real,
    w: Positive,
    c: Count,
    eta1: Eta,
    eta2: Eta,
    noise: Noise,
):
    """Algorithm 2 with lines 3 and 7 replaced as Section 4 prints them: line 7 compares rho, not rho_i."""
    rho = clamped_disc_lap(eta1, 1, low - w, high + w, noise)
    count = 0
    for q_i in q:
        answer = clamp(q_i, low, high)
        a_i = lazy(eta2, rho - answer, 1, noise)
        yield a_i
        if a_i is not BELOW:
            count = count + 1
        if count >= c:
            break


def test_section_4_compares_a_threshold_that_is_not_clamped_about_the_answer():
    """Section 4 replaces line 7 of Algorithm 2 by a comparison with rho - q, where line 7 has rho_i - q.

    Then rho_i of line 6 is never used, and the end of the range, to which rho is clamped, has no partner on D'. With
    answers 0 on D, 1 on D', range [0, 1], w = 1, eta1* = eta2* = 1, that is (for c = 1) eta1 = 1 and eta2 = 2, the
    claim allows 3 bits. 100 losers lose more than 32, and in the long run each one more loses log2(5/4), without end.
    With rho_i they lose 1 at most.
    """
    B = HALF
    thresholds = clamped_law(-1, 2, B)

    def losers(m, answer, width=None):
        def level(_, z):
            return (z if width is None else max(answer - width, min(answer + width, z))) - answer

        return chance(thresholds, [False] * m, level, B)

    values = {"low": 0, "high": 1, "w": 1, "c": 1, "eta1": 1, "eta2": 1}
    for answer in (0, 1):
        assert law(as_section_4_has_it, q=[answer] * 3, **values).at([BELOW] * 3) == losers(3, answer)
    assert losers(100, 0) / losers(100, 1) > 2**32
    assert losers(100, 0, 1) / losers(100, 1, 1) <= 2
    # At the end of the range a loser has the chance 1 - B^2/(1 + B) on D, 1 - B/(1 + B) on D', the largest of all.
    at_end, at_end_ = 1 - tail(2, B), 1 - tail(1, B)
    for m in (1, 10, 200):
        assert losers(m, 0) / losers(m, 1) >= tail(2, B) * (at_end / at_end_) ** m
    assert at_end / at_end_ == Fraction(5, 4)


def test_thresholds_of_section_4_leave_the_range_of_its_precision():
    """Section 4 takes the precision for thresholds in [Q_min - w, Q_max + w]; rho - q leaves it, rho_i - q does not."""
    low, high, w = -1, 1, 1
    answers, thresholds = range(low, high + 1), range(low - w, high + w + 1)
    assert max(rho - q for rho in thresholds for q in answers) == 3 > high + w
    assert {clamp(rho, q - w, q + w) - q for rho in thresholds for q in answers} == {-1, 0, 1}


def test_without_footnote_2_a_second_answer_is_not_protected():
    """Section 3 describes the sampling of rho by regions about q_i(D); only a footnote says that Q_min and Q_max serve.

    If rho is clamped about the first answer, then about each later one, D has 1 and then m answers 0, D' 0 and then m
    answers 1, w = 1: m losers after the first lose without bound.
    """
    B = HALF

    def event(first, later, m):
        thresholds = clamped_law(first - 1, first + 1, B)

        def level(i, z):
            answer = later if i else first
            return max(answer - 1, min(answer + 1, z)) - answer

        return chance(thresholds, [False] * (m + 1), level, B)

    losses = [event(1, 0, m) / event(0, 1, m) for m in (1, 10, 50, 100)]
    assert losses == sorted(losses)
    assert losses[-1] > 2**30


def test_noise_for_eta_1_and_eta_2_themselves_is_too_little():
    """Section 3 says that rho and nu are drawn by Equation (1) for eta_1 or eta_2; lines 3 and 7 have less than these.

    With Delta = c = 1, eta_1 = eta_2 = 1 and w = 12, answers 0, ..., 0, 1 against 1, ..., 1, 0 lose more than 2.9 bits,
    where the claim allows 2; with the noise of the algorithm less than 2.
    """
    sharp, root = HALF, Fraction(7072, 10000)  # root is just above 2^(-1/2)

    def ratio(B):
        thresholds = clamped_law(-12, 13, sharp)
        outputs = [False] * 9 + [True]

        def event(losers, winner):
            def level(i, z):
                answer = winner if i == 9 else losers
                return max(answer - 12, min(answer + 12, z)) - answer

            return chance(thresholds, outputs, level, B)

        return event(0, 1) / event(1, 0)

    assert math.log2(ratio(sharp)) > 2.9
    assert math.log2(ratio(root)) < 2


# --- Ilvento, Section 4: exact powers, rounding ------------------------------------------------------


def is_dyadic(number):
    """Whether a number is whole over a power of 2, so that binary digits hold it."""
    return number.is_rational and sympy.Integer(number.q).is_Integer and number.q & (number.q - 1) == 0


def test_conditions_for_exact_powers_are_for_multiples_of_1_over_gamma():
    """Section 4 asks that z be a multiple of gamma, or y be and x^gamma be exact, for an exact 2^(-eta gamma).

    It is (x/2^y)^(z gamma), so z gamma must be whole, or y gamma whole and x^gamma exact. For gamma = 1/2 every z and y
    is a multiple of gamma, but x = 3, y = 2, z = 1 give sqrt(3)/2, and x = 1, y = 1, z = 1 give 1/sqrt(2).
    """
    gamma = sympy.Rational(1, 2)

    def power(x, y, z):
        return (sympy.Rational(x) / 2**y) ** (z * gamma)

    for x, y, z in [(3, 2, 1), (1, 1, 1)]:
        assert (z / gamma).is_integer
        assert (y / gamma).is_integer
        assert power(x, y, z).is_irrational
    assert is_dyadic(power(3, 2, 2)), "z gamma is whole"
    assert is_dyadic(power(9, 4, 1)), "y gamma is whole, and the root of 9 is"
    assert is_dyadic(power(9, 4, 3)), "and for any z"


def test_a_whole_gamma_needs_no_condition_on_z():
    """For a whole gamma the printed condition excludes what is exact: gamma = 2, x = 3, y = 2, z = 1 give 9/16."""
    gamma, x, y, z = 2, 3, 2, 1
    assert z % gamma != 0
    assert is_dyadic(sympy.Rational(x, 2**y) ** (z * gamma))
    assert not is_dyadic(sympy.Rational(2**y, x) ** (z * gamma)), "2^(eta gamma) itself, which Section 4 prints, is not"


def test_algorithm_2_takes_a_root_of_the_base():
    """Lines 2, 3 and 7 halve eta and divide it by Delta and 2c Delta: exact powers of 2^(-eta) need no longer be."""
    eta, delta, c = sympy.Integer(1), 1, 1  # x = y = z = 1
    assert is_dyadic(2**-eta)
    assert (2 ** (-(eta / 2) / delta)).is_irrational
    assert (2 ** (-(eta / 2) / (2 * c * delta))).is_irrational
    assert is_dyadic(2 ** (-(4 * c * delta * eta / 2) / (2 * c * delta)))


def half_up(x):
    return math.floor(x + HALF)


@pytest.mark.parametrize("rounding", [math.floor, math.ceil, half_up])
def test_rounding_to_the_lattice_of_delta_adds_nothing(rounding):
    """Section 4 has it cost up to 2 gamma. Delta is a multiple of gamma, say m: rounding moves with shifts by m steps.

    A rounding that grows with its argument and has r(x + m) = r(x) + m maps answers m apart or less to such answers.
    """
    grid = [Fraction(k, 12) for k in range(-36, 37)]
    assert all(rounding(x) <= rounding(y) for x, y in pairwise(grid))
    for m in (1, 2, 3):
        assert all(rounding(x + m) == rounding(x) + m for x in grid)
        assert max(abs(rounding(x) - rounding(y)) for x in grid for y in grid if abs(x - y) <= m) == m


def test_rounding_halves_to_even_adds_one_step():
    """Python's round, and that of IEEE 754, is the one that adds gamma: 1/2 and 3/2 become 0 and 2."""
    assert round(Fraction(3, 2)) - round(HALF) == 2


# --- Ilvento, Section 2 and 3: formulas -------------------------------------------------------------


def equation_2(low, high, gamma, B):
    """The probabilities of Equation (2), by its cases, where low < high; B stands for 2^(-eta gamma)."""
    far = 40
    whole = (1 + B) / (1 - B)
    found = {}
    for k in range(-far, far + 1):
        if k * gamma == low:
            found[k] = tail(-k, B) * whole
        elif k * gamma == high:
            found[k] = tail(k, B) * whole
        elif low < k * gamma < high:
            found[k] = B ** abs(k)
    return {k: weight / whole for k, weight in found.items()}


def test_equation_2_loses_probability_if_an_end_is_off_the_lattice():
    """Equation (2) gives the rest of the probability to k gamma = A and k gamma = B, which may not exist."""
    assert sum(equation_2(-1, 2, 1, HALF).values()) == 1
    assert sum(equation_2(-1, Fraction(3, 2), 1, HALF).values()) == 1 - tail(2, HALF)


def test_a_sum_over_the_lattice_is_not_one_over_its_indices():
    """Before Lemma 3.2 the divisor of Equation (1) is a sum over t in O = gamma Z, where t is an index: Z is meant."""
    gamma, B = 2, HALF**2  # eta = 1
    by_index = sum(B ** abs(t) for t in range(-200, 201))
    over_lattice = sum(B ** abs(t) for t in range(-200, 201, gamma))
    assert by_index > Fraction(16, 10) > Fraction(12, 10) > over_lattice


def test_lazy_threshold_favours_top():
    """Section 3 calls NoisyThreshold unbiased. For an answer at the threshold top has 1/(1 + B), bottom B/(1 + B).

    Nor do an answer d steps above and one d below mirror each other: the first is right more often than the second.
    """
    for B in (HALF, Fraction(9, 10)):
        assert get_sum_from(B, 0) / (1 + B) == 1 / (1 + B) > HALF
        for d in (1, 2, 5):
            right_above, right_below = tail(-d, B), 1 - tail(d, B)
            assert right_above - right_below == B**d * (1 - B) / (1 + B) > 0


def test_the_caveat_moves_a_threshold_above_9_too():
    """The caveat: with w = 1, q = -10 and q'' = 10, any rho of at least -9 counts as -9 on D and as 9 on D''."""
    on_d = [clamp(rho, -11, -9) for rho in range(-9, 15)]
    on_other = {rho: clamp(rho, 9, 11) for rho in range(-9, 15)}
    assert set(on_d) == {-9}
    assert [rho for rho, value in on_other.items() if value != 9] == [10, 11, 12, 13, 14]


def test_the_caveat_needs_little_noise_in_a_step():
    """It has bottom nearly as often for q'' = 10 as for q = -10. It is B^2 times as often, where B is a step's base."""
    for B in (Fraction(1, 4), Fraction(99, 100)):
        bottom, bottom_ = 1 - tail(-9 + 10, B), 1 - tail(9 - 10, B)
        assert bottom_ / bottom == B**2


# --- Ilvento, Lemmas 3.1 and 3.2, their proofs ------------------------------------------------------


def test_lemma_3_1_proof_needs_w_of_at_least_alpha():
    """The third and fifth case of the appendix have values of a branch that need not apply: w = 1, alpha = 2, q = 0.

    For z = -1 the third has z + 2 alpha - q = 3, where CLAMP gives w = 1; for z = -2 the fifth has z - q = -2, where
    CLAMP gives -w. For w >= alpha both cases hold; the lemma itself holds for every w.
    """

    def lead(z, q, w):
        return clamp(z, q - w, q + w) - q

    w, alpha, q = 1, 2, 0
    z = -1  # in [q - w - 2 alpha, q - w]
    assert lead(z + alpha, q - alpha, w) == w != z + 2 * alpha - q
    z = -2  # in [q - 2 alpha + w, q + w]
    assert q - 2 * alpha + w <= z <= q + w
    assert lead(z, q, w) == -w != z - q


def test_lemma_3_1_proof_holds_for_w_of_at_least_alpha():
    z, q, w, alpha = z3.Reals("z q w alpha")

    def lead(z, q):
        return z3.If(z < q - w, -w, z3.If(z > q + w, w, z - q))

    third = z3.And(q - w - 2 * alpha <= z, z <= q - w)
    fifth = z3.And(q - 2 * alpha + w <= z, z <= q + w)
    solver = z3.Solver()
    solver.add(alpha >= 0, w >= alpha)
    wrong_in_third = lead(z + alpha, q - alpha) != z + 2 * alpha - q
    solver.add(z3.Or(z3.And(third, wrong_in_third), z3.And(fifth, lead(z, q) != z - q)))
    assert solver.check() == z3.unsat


def test_lemma_3_2_outline_a_is_turned_round():
    """Outline (A) has P(q' + nu >= CLAMP(z - alpha)) at least P(q' + nu >= CLAMP(z - Delta)), as CLAMP increases.

    A higher threshold is reached less often, so it is at most that; the end of (B) needs it, and uses it, that way.
    """
    q, z, w, delta, alpha = 0, 0, 5, 3, 0
    nearer, farther = (tail(clamp(z - s, q - w, q + w) - q, HALF) for s in (alpha, delta))
    assert nearer == Fraction(2, 3) < farther == Fraction(23, 24)


def test_lemma_3_2_part_c_is_an_inequality():
    """Part (C) sets the product of 2^(eta_2/c) over the winners equal to 2^eta_2: with fewer than c it is less."""
    eta2, c = 4, 2
    assert [2 ** (eta2 // c * winners) for winners in range(c + 1)] == [1, 4, 2**eta2]


# --- Ilvento, Section 5 -----------------------------------------------------------------------------


def gap_outputs(rho, nu, q, gaps, w):
    """Algorithm 4 on one answer: a^0, then one comparison for each gap."""
    rho_0 = clamp(rho, q - w, q + w)
    return (nu + q >= rho_0, *(nu + q >= rho_0 + g for g in gaps)) if nu + q >= rho_0 else (False,)


def test_a_winner_that_reaches_no_gap_is_a_winner():
    """Section 5 has outputs in {bottom, top}^|G|, and calls an index a winner if one of these is top.

    So a^0 does not count, and a winner that reaches no gap would keep its noise while the threshold rises: with
    G = {5}, q = q' = 0, rho = nu = 0 it becomes a loser. With a^0, |G| + 1 entries, it is raised, and the output stays.
    """
    gaps, w, delta, rho, nu = [5], 9, 1, 0, 0
    output = gap_outputs(rho, nu, 0, gaps, w)
    assert output == (True, False), "no top but a^0"
    assert gap_outputs(rho + delta, nu, 0, gaps, w) == (False,) != output
    raised = nu + clamp(rho + delta, -w, w) - clamp(rho, -w, w)
    assert gap_outputs(rho + delta, raised, 0, gaps, w) == output


def test_a_gap_is_reached_by_a_number_below():
    """Part 1(b) has CLAMP(rho) - q - nu >= g_j where gap j is reached; it is at most -g_j, and never above 0 there."""
    gaps, w = [1, 2], 9
    for rho, nu, q in product(range(-4, 5), repeat=3):
        lead = clamp(rho, q - w, q + w) - q - nu
        output = gap_outputs(rho, nu, q, gaps, w)
        if output[0]:
            assert output[1:] == tuple(lead <= -g for g in gaps)
            assert not any(lead >= g for g in gaps)


def test_the_largest_gap_of_none_is_not_defined():
    """A winner's gap is the largest gap reached. With the example's G = {gamma, 2 gamma, ...}, gap 0 reaches none."""
    gaps = [1, 2, 3]
    output = gap_outputs(0, 0, 0, gaps, 5)
    assert output == (True, False, False, False)
    with pytest.raises(ValueError, match="empty"):
        max(g for g, reached in zip(gaps, output[1:], strict=True) if reached)


def test_noise_on_another_lattice_than_the_answers_gives_them_away():
    """Line 5 of Algorithm 4 has DiscLap without gamma. Whole-numbered noise does not hide halves, for gamma = 1/2.

    The gaps of two winners then differ by q_1 - q_2 but for a whole number, whatever the noise: answers 0, 0 and
    0, 1/2 have no pair of gaps in common where clamping changes nothing.
    """
    w = 9
    whole, halves = [Fraction(k) for k in range(-2, 3)], [Fraction(k, 2) for k in range(-4, 5)]

    def gaps(q, nu, rho):
        return [answer + noise - clamp(rho, answer - w, answer + w) for answer, noise in zip(q, nu, strict=True)]

    for lattice, apart in [(whole, True), (halves, False)]:
        pairs = [
            {tuple(gaps(q, nu, rho)) for nu in product(lattice, repeat=2) for rho in halves}
            for q in [(0, 0), (0, HALF)]
        ]
        assert pairs[0].isdisjoint(pairs[1]) is apart


def test_one_to_one_must_mean_the_noise_that_is_used():
    """Theorem 5.5 asks for a map of R^infinity that is one-to-one, and bounds f(H)/f(phi(H)) for the mass f of H.

    Of an infinite H no mass is above 0. If f is the mass of the noise that is used, the theorem fails: M draws one of
    0, 1, 2, 3 and says a for all but 3 on D, for 0 alone on D'. Let phi write a value that gives the same output in
    front of H, and keep all of H behind it. It is one-to-one, each ratio is 1; but P(a) is 3/4 against 1/4.
    """
    outcome = {"D": "aaab", "D'": "abbb"}
    others = {"D": "D'", "D'": "D"}

    def align(on, noise):
        return (outcome[others[on]].index(outcome[on][noise[0]]), *noise)

    for on, other in others.items():
        images = {align(on, noise) for noise in product(range(4), repeat=3)}
        assert len(images) == 4**3
        assert all(outcome[other][image[0]] == outcome[on][image[1]] for image in images)
    assert outcome["D"].count("a") == 3 * outcome["D'"].count("a")


def test_two_costs_of_one_name():
    """Definition 5.3 has a cost that is a ratio, its example one that is a sum of logarithms.

    Theorem 5.5 takes a ratio. With the sum, 1 for Mechanism 2 with eta = 1 and sensitivity 1, its ln(a) would be 0; the
    loss is ln 2.
    """
    eta, shift = 1, 1
    as_sum, as_ratio = abs(shift) * eta, max(mass(k, HALF) / mass(k + shift, HALF) for k in range(-9, 10))
    assert (as_sum, as_ratio) == (1, 2)
    assert math.log(as_sum) == 0 < math.log(as_ratio)


def test_an_alignment_need_not_be_onto():
    """The proof of Theorem 5.5 says that every H' that gives the event on D' is the image of one that gives it on D.

    For one loser of answer 0 on both, rho' = rho + 1 and nu' = nu: of rho' = 1 and nu' = 0, a loser, rho = nu = 0 would
    be the preimage, a winner. The chain of inequalities needs no such thing.
    """
    assert gap_outputs(1, 0, 0, [], 5) == (False,)
    assert gap_outputs(0, 0, 0, [], 5) == (True,)


# --- Ilvento, Section 6 -----------------------------------------------------------------------------


def test_a_clamped_score_changes_no_more_than_the_score():
    """Lemma 6.1, proof, and the clamping of answers to [Q_min, Q_max] before noise: clamping is 1-Lipschitz."""
    x, y, low, high = z3.Reals("x y low high")

    def cut(number):
        return z3.If(number < low, low, z3.If(number > high, high, number))

    solver = z3.Solver()
    distance, distance_ = z3.If(x > y, x - y, y - x), z3.If(cut(x) > cut(y), cut(x) - cut(y), cut(y) - cut(x))
    solver.add(low <= high, distance_ > distance)
    assert solver.check() == z3.unsat


def test_algorithm_7_after_enough_rounds_is_like_endless_rounds():
    """Algorithm 7 gives no T. For T >= 2 and T >= ln(2/eps0)/gamma, eps0 <= 1, it loses 3 eps1 + 3 eps0 at most.

    A best pair is 1 - eps0/2 to 1 + 13 eps0/20 times as likely as with endless rounds, which lose 3 eps1: its chance is
    an integral of the derivative of G(F) = E[F^J], J the number of rounds, and the ratio of the two derivatives is
    1 + (1 - gamma)^T h(F). Here (1 - gamma)^T <= eps0/2, and the largest values of (1 - F)^2 F^(T - 1) and (1 - F) F^T,
    with T/gamma <= T^2/ln 2, bound h. It is never below -1.
    """
    F, g, T, power = sympy.symbols("F gamma T power", positive=True)  # power is (1 - gamma)^T
    u = (1 - g) * F
    last = power * F**T / u
    endless, stopped = g * F / (1 - u), g * F * (1 - last) / (1 - u) + last * F
    h = T * (1 - F) ** 2 * F ** (T - 1) / g + T * (1 - F) * F**T - F**T
    assert sympy.simplify(sympy.diff(stopped, F) / sympy.diff(endless, F) - 1 - power * h) == 0
    for summand, at in [((1 - F) ** 2 * F ** (T - 1), (T - 1) / (T + 1)), ((1 - F) * F**T, T / (T + 1))]:
        assert sympy.simplify(sympy.diff(sympy.log(summand), F).subs(F, at)) == 0
    for rounds in range(2, 3000):  # the first factor of each falls, the others stay below 1
        falling = ((rounds - 1) / (rounds + 1)) ** (rounds - 1)
        assert 4 / math.log(2) * (rounds / (rounds + 1)) ** 2 * falling + (rounds / (rounds + 1)) ** (rounds + 1) < 1.3
    assert 4 / math.log(2) * falling + math.exp(-1) < 1.3, "and for all larger T"
    for eps0 in (1, 0.5, 0.1, 1e-6):
        assert (1 + 13 * eps0 / 20) / (1 - eps0 / 2) <= math.exp(3 * eps0 / 2)


# --- Ilvento, Section 6: ties -----------------------------------------------------------------------


class Ties:
    """The law of a candidate x in Algorithm 7 among ``others`` candidates of x's score, which come with chance r each.

    A round draws x with chance p, a worse pair with chance ``worse``, else a better one. S lists the tied pairs as they
    were first drawn, and a coin decides between the best so far and the next. So x wins with chance 2^(-after) if it is
    the first of them, else 2^(-after - 1), where ``after`` counts those that come after it.
    """

    def __init__(self, p, r, others, worse):
        self.p, self.r, self.others, self.worse = p, r, others, worse

    def stopped(self, gamma, rounds):
        """P(x comes out) for at most so many rounds, by following the numbers of tied pairs seen before and after x."""
        without, having, total = {0: Fraction(1)}, {}, Fraction(0)
        for number in range(rounds):
            having, without = self._drawn(having, without)
            stops = gamma if number < rounds - 1 else 1
            total += stops * sum(mass / 2 ** (after + (before > 0)) for (before, after), mass in having.items())
            without = {k: (1 - gamma) * mass for k, mass in without.items()}
            having = {state: (1 - gamma) * mass for state, mass in having.items()}
        return total

    def _drawn(self, having, without):
        next_without, next_having = {}, {}
        for k, mass in without.items():
            for to, chance in [(k, self.worse + k * self.r), (k + 1, (self.others - k) * self.r)]:
                next_without[to] = next_without.get(to, 0) + mass * chance
            next_having[k, 0] = next_having.get((k, 0), 0) + mass * self.p
        for (k, j), mass in having.items():
            stays, grows = self.p + self.worse + (k + j) * self.r, (self.others - k - j) * self.r
            for to, chance in [((k, j), stays), ((k, j + 1), grows)]:
                next_having[to] = next_having.get(to, 0) + mass * chance
        return next_having, next_without

    def endless(self, gamma):
        """P(x comes out) for endless rounds: each state is left at last, so that its visits are a geometric series."""
        total, draws = Fraction(0), 1 / (1 - (1 - gamma) * self.worse)  # expected draws while x and k others are ...
        for k in range(self.others + 1):
            entered = draws * self.p
            for j in range(self.others - k + 1):
                visits = entered / (1 - (1 - gamma) * (self.p + self.worse + (k + j) * self.r))
                total += gamma * visits / 2 ** (j + (k > 0))
                entered = (1 - gamma) * visits * (self.others - k - j) * self.r
            entered = (1 - gamma) * draws * (self.others - k) * self.r
            draws = entered / (1 - (1 - gamma) * (self.worse + (k + 1) * self.r))
        return total


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_law_of_ties_is_that_of_the_transcription(rounds):
    candidates = {("x", 1): Fraction(1, 10), ("a", 1): Fraction(1, 5), ("b", 1): Fraction(1, 5)}
    candidates |= {("worse", 0): Fraction(1, 5), ("better", 2): Fraction(3, 10)}
    found = law_of(hard_stop, candidates, Fraction(1, 3), rounds)
    assert found["x", 1] == Ties(Fraction(1, 10), Fraction(1, 5), 2, Fraction(1, 5)).stopped(Fraction(1, 3), rounds)


def test_the_law_of_ties_for_endless_rounds_is_the_limit():
    ties = Ties(Fraction(1, 10), Fraction(1, 5), 2, Fraction(1, 5))
    assert 0 <= abs(ties.endless(HALF) - ties.stopped(HALF, 30)) <= HALF**29


@pytest.mark.parametrize(
    ("others", "better", "eps0", "bits"), [(2, 0.3, 0.01, 3), (10, 0.7, 0.1, 3.6), (30, 0.7, 0.1, 4.2)]
)
def test_three_ties_lose_more_than_three_times_a_candidate(others, better, eps0, bits):
    """Algorithm 7 keeps a set S and tosses a coin between two equal scores. If S has the order of the draws, not even
    3 eps1 + 3 eps0 holds for three equal scores, and the loss grows with their number.

    On D', x has 10^-6, the others 1/10 together, a better pair ``better`` times as much as one of them. On D, x and
    each other tied pair are twice as likely and the better one half as likely, so that eps1 = ln 2. For gamma = 10^-6
    and endless rounds x is more than 2^bits times as likely on D. Hardly anything changes with the T of Algorithm 6.
    """
    gamma, better = Fraction(1, 10**6), Fraction(str(better))
    r, p = Fraction(1, 10 * others), Fraction(1, 10**6)
    worse, worse_ = 1 - 2 * others * r - better * r / 2 - 2 * p, 1 - others * r - better * r - p
    assert worse_ / 2 < worse < 2 * worse_
    on_d, on_other = Ties(2 * p, 2 * r, others, worse).endless(gamma), Ties(p, r, others, worse_).endless(gamma)
    assert on_d / on_other > 2**bits
    rounds = math.ceil(max(math.log(2 / eps0) / gamma, 1 + 1 / (math.e * gamma)))
    rest = math.exp(-(rounds - 1) * better * r / 2)  # at least P(no better pair in T - 1 rounds), on D and on D'
    assert rest < 1e-40
    assert math.log((on_d - rest) / (on_other + rest)) > 3 * math.log(2) + 3 * eps0


def test_a_fixed_order_of_ties_is_a_random_order_of_preference():
    """If S has an order that the draws do not change, say by mechanism, coins choose as by one order drawn beforehand.

    Each next pair is put first or last of the order with chance 1/2. So what holds for scores that differ holds then.
    """
    pairs = [(name, 1) for name in "abcd"]
    orders = [[]]
    for pair in pairs:  # the first pair stands twice, which changes no share
        orders = [put for order in orders for put in ([pair, *order], [*order, pair])]
    for kept in product([True, False], repeat=4):
        seen = [pair for pair, is_kept in zip(pairs, kept, strict=True) if is_kept]
        if seen:
            first = [next(pair for pair in order if pair in seen) for order in orders]
            assert law_of(best_of, seen) == {pair: Fraction(first.count(pair), len(orders)) for pair in seen}


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_ties_that_are_kept_as_often_as_drawn_share_like_their_chances(rounds):
    """Then one of equal scores, which come with chance P together, has its share p/P of G(L + P) - G(L).

    L is the chance of a worse pair and G(F) = E[F^J] for J rounds. That is p times the mean of G'(L + s P) for s from 0
    to 1. As L + s P is the chance of "worse, or equal and a coin of chance s", it is as private as a candidate, and the
    bound for scores that differ holds.
    """
    gamma, worse, tied = Fraction(1, 3), Fraction(1, 5), Fraction(1, 2)
    candidates = {("x", 1): Fraction(1, 10), ("a", 1): Fraction(1, 5), ("b", 1): Fraction(1, 5)}
    candidates |= {("worse", 0): worse, ("better", 2): Fraction(3, 10)}
    found = law_of(hard_stop_with_repeats, candidates, gamma, rounds)
    together = stopped_below(worse + tied, gamma, rounds) - stopped_below(worse, gamma, rounds)
    for pair in [("x", 1), ("a", 1), ("b", 1)]:
        assert found[pair] == candidates[pair] / tied * together


# --- Ilvento, appendix ------------------------------------------------------------------------------


def test_the_finite_geometric_sum_of_the_appendix():
    """The proof of A.1 recalls that a sum over A (1 - r^n)/(1 - r) is A/(1 - r). The sum over A r^k is the summand."""
    n, A, r = 3, 2, HALF
    summand = A * (1 - r**n) / (1 - r)
    assert sum(A * r**k for k in range(n)) == summand
    assert sum(summand for _ in range(n)) == Fraction(21, 2) != A / (1 - r) == 4


def test_get_sum_of_an_empty_range():
    """Proposition A.1 for u < l - 1: the sum has no terms; GetSum is below 0. The proof has no range of two ends."""
    for ell, u in [(2, 0), (5, -1), (0, -2)]:
        empty = (1 - HALF) * sum((HALF ** abs(k) for k in range(ell, u + 1)), Fraction(0))
        assert get_sum(HALF, ell, u) < 0 == empty


def test_get_sum_needs_a_base_above_minus_1():
    """Algorithm 3 asks for B < 1, Proposition A.1 for |B| < 1. For B = -2 the sum has no limit; GetSum gives 1."""
    B = -2
    partial = [(1 - B) * sum(B**k for k in range(n)) for n in (5, 6, 7)]
    assert get_sum_from(B, 0) == 1
    assert partial == [33, -63, 129]
    assert get_sum_up_to(B, 0) == 1
