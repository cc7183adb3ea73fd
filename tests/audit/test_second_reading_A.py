"""What a second reading of the 2020 and the Journal paper found, computed exactly or in closed form."""

import itertools
import math
from fractions import Fraction

import mpmath
import pytest
import sympy

CONTINUOUS_KS = (1, 2, 10, 25)


# What is not private as printed


def literal_split(k):
    """eps0 : eps1 = 1 : (2k)^(2/3), adding up to eps = 1, for the two names of Algorithm 1 themselves."""
    ratio = mpmath.mpf(2 * k) ** (mpmath.mpf(2) / 3)
    return 1 / (1 + ratio), ratio / (1 + ratio)


def density_of_gap_after_losers(eps0, eps1, losers, at, winner):
    """Algorithm 1 with k = 1 and T = 0: some losers with the answer `at`, then a winner, here with gap 0."""

    def below(x):
        return mpmath.exp(eps1 * x) / 2 if x < 0 else 1 - mpmath.exp(-eps1 * x) / 2

    def integrand(z):
        threshold = eps0 / 2 * mpmath.exp(-eps0 * abs(z))
        return threshold * below(z - at) ** losers * eps1 / 2 * mpmath.exp(-eps1 * abs(z - winner))

    corners = {0, at, winner}
    return mpmath.quad(integrand, [-300, -100, *sorted(corners | set(range(-40, 81, 6))), 200, 500])


@pytest.mark.parametrize("k", CONTINUOUS_KS)
def test_eps0_and_eps1_of_algorithm_1_in_the_ratio_of_section_7_3_cost_more_than_eps(k):
    """Section 7.3 of 2020 names eps0 and eps1 of Algorithm 1 as what stands in the ratio 1 : (2k)^(2/3), not 1 : 1.

    The ratio is that of the shares: eps0 to 2k eps1. Taken at its word, the alignment costs eps0 + 2k eps1 > eps.
    """
    eps0, eps1 = literal_split(k)
    assert eps0 + 2 * k * eps1 > mpmath.mpf("1.6")
    if k == 10:
        assert 17 < eps0 + 2 * k * eps1 < 18
    assert Fraction(1, 2) / Fraction(1, 4 * k) == 2 * k  # what Algorithm 1 has is not 1 : 1 in these names either


def test_eps0_and_eps1_in_the_ratio_of_section_7_3_lose_more_than_eps():
    """2020, Section 7.3: with k = 1 and eps = 1, ten losers and a winner lose more than 1.6."""
    eps0, eps1 = literal_split(1)
    on_d = density_of_gap_after_losers(eps0, eps1, 10, 20, 0)
    on_other = density_of_gap_after_losers(eps0, eps1, 10, 21, -1)
    assert 1.6 < mpmath.log(on_d / on_other) < eps0 + 2 * eps1 + mpmath.mpf("1e-9")


def loss_of_balanced_gaps(eps0, total_rate, height):
    """The loss of 2m gaps, m far above and m as far below their answers by `height`; m answers fall, m rise, by 1.

    Each winner has Laplace noise, and the rates of all of them add up to `total_rate`. Given the threshold's noise z,
    the density is exp(-total_rate max(height, |z|)), and with answers that moved, max(height + 1, |z|).
    """

    def integral(h):
        inside = mpmath.exp(-total_rate * h) * (1 - mpmath.exp(-eps0 * h))
        return inside + eps0 / (eps0 + total_rate) * mpmath.exp(-(eps0 + total_rate) * h)

    return mpmath.log(integral(height) / integral(height + 1))


def test_closed_form_of_the_loss_of_balanced_gaps():
    """The integral over the threshold's noise, for one pair of winners, by quadrature."""
    eps0, rate, height = mpmath.mpf(1) / 3, mpmath.mpf(1) / 4, 2

    def density(h):
        def integrand(z):
            return eps0 / 2 * mpmath.exp(-eps0 * abs(z) - rate / 2 * (abs(h + z) + abs(z - h)))

        return mpmath.quad(integrand, [-200, -h, 0, h, 200])

    expected = mpmath.log(density(height) / density(height + 1))
    assert abs(loss_of_balanced_gaps(eps0, rate, height) - expected) < 1e-9


@pytest.mark.parametrize("theta", [Fraction(1, 2), None])
def test_measuring_each_answer_of_adaptive_sparse_vector_with_scale_k_can_lose_more_than_eps(theta):
    """Journal, Section 5.3: half of eps for Adaptive SVT, half for measurements with Lap(k / (eps/2)) each.

    Algorithm 1 with bound k gives up to 2k - 1 answers, and each measurement costs eps/(2k): up to (3k - 1)/(2k) eps
    in all. With k = 10, eps = 1, a threshold far below and 18 queries, half of which fall and half rise, all answered
    by the top branch, gaps and measurements together lose more than 1. (With k for the number of answers that came
    out, which the text has in the next breath, they do not.)
    """
    k = 10
    share = mpmath.mpf(1) / (1 + mpmath.cbrt(16 * k * k)) if theta is None else mpmath.mpf(1) / 2
    eps0, eps2 = share / 2, (1 - share) / (4 * k)  # Algorithm 1 run with eps/2
    answers = 2 * k - 2
    assert eps0 + answers * eps2 <= mpmath.mpf(1) / 2
    gaps = loss_of_balanced_gaps(eps0, answers * eps2 / 2, 300)
    measurements = mpmath.mpf(answers) / (2 * k)
    assert gaps + measurements > 1
    if theta is None:
        assert gaps + measurements > mpmath.mpf("1.1")
    worst = Fraction(1, 2) + (2 * k - 1) * Fraction(1, 2 * k)
    assert worst == Fraction(3 * k - 1, 2 * k)


def test_measuring_each_answer_of_algorithm_4_of_2020_with_scale_k_can_lose_more_than_eps():
    """2020, Section 6.2: the same with Algorithm 4, which gives up to 2k - 2 answers.

    Budgets: eps/2 (1 - 1/(2k)) for the gaps and (2k - 2) eps/(2k) for the measurements, above eps from k = 3 on.
    """
    k = 10
    eps0, eps1 = mpmath.mpf(1) / 4, mpmath.mpf(1) / (16 * k)
    answers = 2 * k - 2
    gaps = loss_of_balanced_gaps(eps0, answers * eps1, 300)
    assert gaps + mpmath.mpf(answers) / (2 * k) > 1
    for many in range(1, 13):
        spent = Fraction(1, 2) * (1 - Fraction(1, 2 * many)) + Fraction(2 * many - 2, 2 * many)
        assert (spent > 1) == (many >= 3)


def probability_of_a_tie_above(r, first, others):
    """P(x1 = x2 > x0), geometric noise (1 - r) r^n for n = 0, 1, ... on the answers (first, others, others)."""
    least = max(first + 1, others)
    both = (1 - r) ** 2 * r ** (2 * (least - others)) / (1 - r**2)
    return both - (1 - r) ** 2 * r ** (2 * (least - others) + least - first) / (1 - r**3)


def test_noisy_max_with_gap_and_geometric_noise_loses_2_eps():
    """Section 9.2 of the Journal speaks of geometric noise for both mechanisms; for Top-K no algorithm is printed.

    Algorithm 4 with k = 1 and Geo(1 - exp(-eps/2)) in line 3, ties to the lowest index: the outcome "query 1 with gap
    0" (of queries 0, 1, 2) comes out if x1 = x2 > x0. If answer 0 rises by 1 and the others fall by 1, its probability
    falls by the factor r^4 = exp(-2 eps). If only answer 0 rises, which is monotone, it falls by r^2 = exp(-eps), where
    exp(-eps/2) is claimed for continuous noise.
    """
    for r in (Fraction(1, 2), Fraction(9, 10), Fraction(1, 10)):
        on_d = probability_of_a_tie_above(r, 0, 0)
        assert on_d > 0
        assert probability_of_a_tie_above(r, 1, -1) == r**4 * on_d
        assert probability_of_a_tie_above(r, 1, 0) == r**2 * on_d
    summed = sum(r ** (2 * v) * (1 - r) ** 2 * (1 - r**v) for v in range(1, 400))
    assert abs(summed - probability_of_a_tie_above(r, 0, 0)) < Fraction(1, 10**9)


def estimate_by_rank(answers, rank, threshold_noise, noise):
    """Gap plus T for the first query of Algorithm 2 of the Journal, with T the count of that rank; None if below."""
    threshold = sorted(answers, reverse=True)[rank - 1]
    gap = answers[0] + noise - (threshold + threshold_noise)
    return gap + threshold if gap >= 0 else None


def test_a_threshold_taken_from_the_counts_shows_in_the_estimates():
    """2020, Section 7.2, and Journal, Section 9.2: T is a quantile, or a count of high rank, of the data themselves.

    The estimate gap + T is never below T. With the counts (0, 0) on D and (1, 1) on D', T the second largest, it lies
    in [0, 1) with probability above 1/5 on D (eps0 = eps1 = 1, by Lemma 7) and never on D': no eps bounds the loss.
    """
    gap_of_at_least_1 = sympy.Rational(3, 4) * sympy.exp(-1)  # Lemma 7 with t = 1; by symmetry the upper tail
    assert sympy.Rational(1, 2) - gap_of_at_least_1 > sympy.Rational(1, 5)
    steps = [Fraction(step, 4) for step in range(-16, 17)]
    pairs = list(itertools.product(steps, steps))
    on_d = {estimate_by_rank((0, 0), 2, *pair) for pair in pairs} - {None}
    on_other = {estimate_by_rank((1, 1), 2, *pair) for pair in pairs} - {None}
    assert Fraction(1, 2) in on_d
    assert min(on_other) == 1


def test_lemma_1_of_the_journal_needs_local_alignments_with_valid_noise():
    """Journal, Lemma 1: Definition 5, which it uses, does not ask for valid noise; only Definition 4 does.

    M outputs q + eta with eta from Exp(1/eps), q = 0 on D and 1 on D'. The alignment eta - 1 keeps the output, is
    acyclic, costs eps, and there is one; all five conditions hold. But an output below 1 is impossible on D'.
    """
    eps = sympy.Symbol("eps", positive=True)
    x = sympy.Symbol("x", positive=True)
    density = eps * sympy.exp(-eps * x)
    on_d = sympy.integrate(density, (x, 0, 1))
    assert sympy.simplify(on_d - (1 - sympy.exp(-eps))) == 0
    for noise in (Fraction(1, 10), Fraction(1, 2), Fraction(3)):
        aligned = noise - 1
        assert 0 + noise == 1 + aligned  # the output is kept
        assert (aligned >= 0) == (noise >= 1)  # but the noise is valid only for outputs of at least 1


def test_a_base_that_does_not_divide_1_raises_the_sensitivity():
    """2020, Section 5.1: "round a query answer to the nearest multiple" of a base; negative powers of 2 are examples.

    With base 2/3, answers 0.32 and 1.32 are rounded to 0 and 4/3. Noisy Max with Gap (two queries, one up, one down,
    scale 2/eps) then loses up to 4/3 eps: for eps = 1 more than 1.3 at a large gap. A base 1/m keeps sensitivity 1.
    """
    base = Fraction(2, 3)
    low, high = Fraction(32, 100), Fraction(132, 100)
    assert base * round(low / base) == 0
    assert base * round(high / base) == Fraction(4, 3)
    for m in (2, 3, 4, 1024):
        for step in range(-50, 50):
            answer = Fraction(step, 7 * m) + Fraction(1, 11 * m)
            assert round((answer + 1) * m) - round(answer * m) == m

    rate = base / 2  # eps = 1, in steps of the base
    r = sympy.exp(-sympy.Rational(rate.numerator, rate.denominator))

    def weight(steps):  # P(difference of two discrete Laplace variables = steps * base) up to a constant
        return r**steps * ((1 + r**2) / (1 - r**2) + steps)

    moved = 4  # one answer 2 steps up, the other 2 steps down
    loss = sympy.log(weight(1000) / weight(1000 + moved))
    assert loss.evalf() > 1.3


def test_doubles_are_not_multiples_of_a_base_near_2_to_the_minus_52():
    """2020, Section 5.1 and A.2: a base near machine epsilon; a double of size 2 or more has a coarser last place.

    Between 2^19 and 2^20, where the counts of Kosarak end (990,002 records), it is 2^-33. The paper's bound on a tie,
    eps times the base times n^2, is then 0.14 for the 41,270 items and the eps = 0.7 of Section 7, not negligible.
    """
    assert math.ulp(1.0) == 2.0**-52
    assert math.ulp(2.0) == 2.0**-51
    assert math.ulp(990_002.0) == 2.0**-33
    assert 990_002.0 + 2.0**-52 == 990_002.0
    assert Fraction(7, 10) * Fraction(1, 2**33) * 41_270**2 > Fraction(13, 100)
    assert Fraction(7, 10) * Fraction(1, 2**52) * 41_270**2 < Fraction(1, 10**6)


def hockey_stick(eps, law, other):
    """The least delta of (eps, delta) in this direction, for two finite laws."""
    return sum(max(law[output] - math.exp(eps) * other.get(output, 0.0), 0.0) for output in law)


def law_of_noisy_max_with_gap(answers, ratio, reach):
    """Winner and gap with discrete Laplace noise on the integers, ties to the lowest index; the tails are left out."""
    mass = {n: (1 - ratio) / (1 + ratio) * ratio ** abs(n) for n in range(-reach, reach + 1)}
    law, tie = {}, 0.0
    for noise in itertools.product(mass, repeat=len(answers)):
        values = [a + n for a, n in zip(answers, noise, strict=True)]
        ordered = sorted(range(len(values)), key=lambda i: (-values[i], i))
        output = (ordered[0], values[ordered[0]] - values[ordered[1]])
        probability = math.prod(mass[n] for n in noise)
        law[output] = law.get(output, 0.0) + probability
        tie += probability if output[1] == 0 else 0.0
    return law, tie


@pytest.mark.parametrize("eps", [2.0, 3.0])
def test_discrete_noise_gives_eps_delta_with_the_probability_of_a_tie(eps):
    """2020, Section 5.1: with discrete noise, Noisy Max with Gap is (eps, delta), delta the probability of a tie.

    Three queries with equal answers, base 1, three neighbours; what the sums leave out is added. For any sizes it
    follows from the alignment, which serves each outcome with a positive gap.
    """
    ratio, reach = math.exp(-eps / 2), 10
    left_out = 3 * 2 * ratio ** (reach + 1)
    law, tie = law_of_noisy_max_with_gap((0, 0, 0), ratio, reach)
    assert tie <= eps * 3**2
    for other in ((1, -1, -1), (-1, 1, 1), (1, -1, 0)):
        assert hockey_stick(eps, law, law_of_noisy_max_with_gap(other, ratio, reach)[0]) <= tie + left_out


def test_discrete_laplace_noise_alone_is_not_eps_private_at_a_tie():
    """2020, Section 5.1: delta cannot be 0. Six losers of lower index with answer 4, then two queries with answer 0.

    Discrete Laplace noise with ratio r = 1/2 = exp(-eps/2), ties to the lowest index. "Query 6 with gap 0" comes out if
    the last two are equal and above the six; if these rise by 1 and the two fall by 1, it is more than exp(1.9 eps)
    times as unlikely.
    """
    r = Fraction(1, 2)

    def mass(n):
        return (1 - r) / (1 + r) * r ** abs(n)

    def below(n):  # P(noise < n)
        return r ** (1 - n) / (1 + r) if n <= 0 else 1 - r**n / (1 + r)

    def probability(losers, winners):
        return sum(mass(v - winners) ** 2 * below(v - losers) ** 6 for v in range(-60, 61))

    assert below(1) - below(0) == mass(0)
    assert below(3) - below(2) == mass(2)
    odds = probability(4, 0) / probability(5, -1)
    eps = 2 * math.log(2)
    assert math.log(odds) > 1.9 * eps


# Conditions of the lemmas and theorems


def test_the_alignments_must_be_countable():
    """Lemma 1, condition (v), and Theorem 4 (Theorem 8 of the Journal): without it, no eps holds.

    Noise from Lap(1). D outputs its noise if that lies in [0, eps], D' its noise divided by s if that lies in
    [0, s eps]; else both say "above" or "below". Adding (s - 1) w for output w, 0 for "above" on D and for "below", and
    the reverse for D', costs at most eps and is acyclic. But P([0, eps]) on D over that on D' tends to infinity.
    """
    s = sympy.Symbol("s", positive=True)
    for eps in (Fraction(1, 10), Fraction(1)):
        budget = sympy.Rational(eps.numerator, eps.denominator)
        on_d, on_other = (1 - sympy.exp(-budget)) / 2, (1 - sympy.exp(-s * budget)) / 2
        assert sympy.limit(on_d / on_other, s, 0, "+") == sympy.oo
        for scale in (Fraction(1, 2), Fraction(1, 1000)):
            for output in (Fraction(0), eps / 3, eps):
                aligned = output + (scale - 1) * output
                assert 0 <= aligned <= scale * eps
                assert aligned / scale == output  # D' gives the same output
                assert abs(aligned - output) <= eps
            least_above_on_d, least_above_on_other = eps, scale * eps
            assert least_above_on_d >= least_above_on_other  # unmoved, "above" on D is "above" on D'
            assert least_above_on_other + (1 - scale) * eps == least_above_on_d  # and back, for at most eps


def test_a_pieced_alignment_may_have_a_jacobian_although_its_pieces_are_uncountable():
    """2020, Section 8, condition 4 (Journal, Section 10): (i) and (ii) are called equivalent to the condition.

    M draws two variables and outputs q + x. The pieces (x + d, y + sin(w)) for output w are all different, so (ii)
    fails; pieced together they are (x + d, y + sin(q + x)), one-to-one with determinant 1: condition 4 holds.
    """
    first, second, d, q = sympy.symbols("x y d q", real=True)
    pieced = sympy.Matrix([first + d, second + sympy.sin(q + first)])
    assert pieced.jacobian([first, second]).det() == 1
    image = sympy.symbols("u v", real=True)
    back = (image[0] - d, image[1] - sympy.sin(q + image[0] - d))
    assert pieced.subs(dict(zip((first, second), back, strict=True)), simultaneous=True).expand() == sympy.Matrix(image)
    assert len({math.sin(w / 1000) for w in range(1000)}) == 1000


def test_the_jacobian_of_an_acyclic_alignment_is_lower_triangular():
    """Proof of Lemma 1 in both papers: "upper triangular"; with d phi_i / d eta_j in row i it is lower triangular."""
    a, b, c = sympy.symbols("a b c")
    psi_2, psi_3 = sympy.Function("psi_2")(a), sympy.Function("psi_3")(a, b)
    jacobian = sympy.Matrix([a + 1, b + psi_2, c + psi_3]).jacobian([a, b, c])
    assert jacobian.is_lower
    assert not jacobian.is_upper
    assert jacobian.det() == 1


def test_gumbel_noise_has_no_rate_for_lemma_1():
    """Journal, Section 8.2: alignment "can be used" for Algorithm 7. Condition 3 of Lemma 1 does not hold for it.

    ln f(x)/f(y) for Gumbel noise has the slope exp(-x) - 1 in -x, which is unbounded as x falls. For shifts upwards,
    which is what an alignment may use, ln f(x)/f(x + d) <= d holds.
    """
    x, d = sympy.symbols("x d", real=True)
    log_density = -x - sympy.exp(-x)
    assert sympy.limit(sympy.diff(log_density, x), x, -sympy.oo) == sympy.oo
    loss = log_density - log_density.subs(x, x + d)
    assert sympy.expand(loss - (d + sympy.exp(-x) * (sympy.exp(-d) - 1))) == 0  # at most d for d >= 0


def test_alignments_are_at_most_as_many_as_the_sets_of_winners():
    """2020, Lemmas 8 and 11 (Journal, Lemma 4): "n distinct", "n choose k distinct". At most; one if D and D' agree."""
    answers, n, k = [Fraction(1), Fraction(2), Fraction(5)], 3, 1
    noise = [Fraction(0), Fraction(7), Fraction(1)]

    def aligned(winners, before, after):
        losers = [i for i in range(n) if i not in winners]
        rise = max(after[i] + noise[i] for i in losers) - max(before[i] + noise[i] for i in losers)
        return tuple(noise[i] + (before[i] - after[i] + rise if i in winners else 0) for i in range(n))

    sets = list(itertools.combinations(range(n), k))
    assert len(sets) == math.comb(n, k)
    assert {aligned(each, answers, answers) for each in sets} == {tuple(noise)}


# Numbers and limits


def best_share(eps, k):
    """The share of the threshold that minimises the variance of a gap with geometric noise, for counting queries."""
    with mpmath.workdps(40):

        def slope(theta):  # of log of the two terms' sum: the variance is convex, so its derivative has one zero
            def derivative(rate):  # of e^r/(e^r - 1)^2
                grown = mpmath.exp(rate)
                return -grown * (grown + 1) / (grown - 1) ** 3

            return eps * derivative(theta * eps) - eps / k * derivative((1 - theta) * eps / k)

        low, high = mpmath.mpf("1e-6"), 1 - mpmath.mpf("1e-6")
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if slope(middle) < 0 else (low, middle)
        return high


def geometric_variance(theta, eps, k):
    rates = theta * eps, (1 - theta) * eps / k
    return sum(mpmath.exp(rate) / (mpmath.exp(rate) - 1) ** 2 for rate in rates)


def test_the_share_for_exponential_noise_is_not_that_of_geometric_noise_for_large_eps():
    """Journal, Section 5.2 and Figure 1: the best theta is almost 1/(1 + k^(2/3)), so it may be used for both.

    For large eps it tends to 1/(1 + k). With k = 10 it is 0.177 by the formula; at eps = 100 the best is near 0.11, and
    the formula's variance is 1.7 times the least. Up to eps = 1 the two agree.
    """
    k = 10
    formula = 1 / (1 + mpmath.cbrt(k * k))
    assert abs(best_share(1, k) - formula) < 0.001
    assert 0.17 < formula < 0.18
    assert 0.10 < best_share(100, k) < 0.12
    assert geometric_variance(formula, 100, k) > 1.7 * geometric_variance(best_share(100, k), 100, k)
    assert abs(best_share(10_000, k) - mpmath.mpf(1) / 11) < 0.001


def test_second_moments_in_a_1_are_variances_for_laplace_noise_only():
    """Journal, A.1: E(eta^2) is set to lambda sigma^2. Theorem 4 is applied to exponential noise (lambda = 1/2) too.

    There E(eta^2) is 2 lambda sigma^2, and E(eta_i eta_j) is not 0. The matrix is right all the same, because theta
    contains only differences, in which the mean cancels.
    """
    mean = sympy.Symbol("b", positive=True)  # of Exp(b); its variance is b^2
    x = sympy.Symbol("x", positive=True)
    second = sympy.integrate(x**2 * sympy.exp(-x / mean) / mean, (x, 0, sympy.oo))
    assert sympy.simplify(second - 2 * mean**2) == 0
    size = 4
    differences = sympy.Matrix(size - 1, size, lambda i, j: {0: 1, 1: -1}.get(j - i, 0))
    moments = mean**2 * (sympy.eye(size) + sympy.ones(size, size))  # E(eta eta^T), not diagonal
    assert differences * moments * differences.T == mean**2 * differences * differences.T


@pytest.mark.parametrize(
    ("top", "noise", "limit", "middle_limit"),
    [
        (16, 2, Fraction(1, 17), Fraction(1, 5)),  # Laplace noise
        (4, 2, Fraction(1, 5), Fraction(1, 2)),  # the same, monotone
        (4, 1, Fraction(1, 3), Fraction(2, 3)),  # exponential noise, monotone
    ],
)
def test_gaps_of_the_top_branch_improve_less(top, noise, limit, middle_limit):
    """Sections 6.2 of 2020 and 5.3 of the Journal: measurements are improved by 20 %, 50 % or 66 % in the limit.

    That is for SVT with Gap and the middle branch. A gap of the adaptive version's top branch has twice the scale; at
    the best theta for that branch the limits are 1/17, 1/5 and 1/3.
    """
    root = sympy.Symbol("r", positive=True)  # the cube root of k; eps = 1, half of it for the gaps
    k = root**3

    def improvement(factor):  # variance of the gap: noise (1 + cbrt(factor k^2))^3 / (1/2)^2
        gap = noise * (1 + sympy.cbrt(factor) * root**2) ** 3 * 4
        return sympy.limit(8 * k**2 / (8 * k**2 + gap), root, sympy.oo)

    assert sympy.nsimplify(improvement(top)) == sympy.Rational(limit.numerator, limit.denominator)
    assert sympy.nsimplify(improvement(sympy.Rational(top, 4))) == sympy.Rational(
        middle_limit.numerator, middle_limit.denominator
    )


def test_geometric_noise_varies_less_than_exponential_noise():
    """Journal, Section 5.2: the variances for exponential noise "apply to geometric noise as well"; as upper bounds.

    The variance e^x/(e^x - 1)^2 at the rate x is 1/(2 sinh(x/2))^2, which is below 1/x^2 and tends to it for small x.
    """
    x = sympy.Symbol("x", positive=True)
    variance = sympy.exp(x) / (sympy.exp(x) - 1) ** 2
    assert sympy.simplify((variance - 1 / (2 * sympy.sinh(x / 2)) ** 2).rewrite(sympy.exp)) == 0
    assert sympy.limit(variance * x**2, x, 0, "+") == 1
    grown = sympy.sinh(x / 2) - x / 2  # 0 at 0, with a derivative (cosh - 1)/2 that is never negative
    assert grown.subs(x, 0) == 0
    assert sympy.simplify(sympy.diff(grown, x) - (sympy.cosh(x / 2) - 1) / 2) == 0


def test_reduction_by_exponential_noise_for_answers_that_are_not_monotone():
    """Journal, Section 6.3, has exponential noise for counting queries, with lambda = 1/2: a limit of 2/3.

    For other answers half of eps needs Exp(4k/eps), so lambda = 2, and Corollary 1 gives (k - 1)/(3k), tending to 1/3.
    """
    k, eps = sympy.symbols("k eps", positive=True)
    ratio = (4 * k / eps) ** 2 / (2 * (2 * k / eps) ** 2)
    assert ratio == 2
    reduction = 1 - (1 + ratio * k) / (k + ratio * k)
    assert sympy.simplify(reduction - (k - 1) / (3 * k)) == 0
    assert sympy.limit(reduction, k, sympy.oo) == sympy.Rational(1, 3)


def lower_tail(at, eps0, eps1):
    """Lemma 7 of 2020 for different scales."""
    weighted = eps0**2 * math.exp(-eps1 * at) - eps1**2 * math.exp(-eps0 * at)
    return 1 - weighted / (2 * (eps0**2 - eps1**2))


def test_lemma_7_finds_a_t_for_levels_of_at_least_one_half_only():
    """2020, Section 6.2, and Journal, Section 5.3: "for any confidence level". At t = 0 the probability is 1/2.

    For t < 0 the formula is no probability: with eps0 = 2 and eps1 = 1 it is above 1 at t = -3.
    """
    a, b = sympy.symbols("a b", positive=True)
    at_0 = 1 - (a**2 - b**2) / (2 * (a**2 - b**2))
    assert sympy.simplify(at_0) == sympy.Rational(1, 2)
    assert 1 - sympy.Rational(2, 4) == sympy.Rational(1, 2)  # equal scales
    assert lower_tail(-3, 2, 1) > 1


def test_eps1_of_section_6_2_is_not_that_of_lemma_7():
    """2020, Section 6.2: eps1 is the scale of the gap in Lemma 7, and, in the next paragraph, half of the budget.

    Sparse Vector with Gap run with eps/2 = 1/2 and k = 10 has eps0 = 1/4, eps1 = 1/80. With eps1 = 1/2 put into the
    lemma, its 95 % bound holds with probability below 0.56.
    """
    low, high = 0.0, 1000.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if lower_tail(middle, 1 / 4, 1 / 2) < 0.95 else (low, middle)
    assert lower_tail(high, 1 / 4, 1 / 80) < 0.56


def test_sigma_of_the_monotone_version_is_two_standard_deviations():
    """Journal, Section 5.1: for monotone answers lines 7 and 8 change, line 3 does not; footnote 4 says one.

    Lap(1/eps2) has the standard deviation sqrt(2)/eps2; line 3 has 2 sqrt(2)/eps2. Privacy does not depend on it.
    """
    eps2 = sympy.Symbol("eps2", positive=True)
    assert sympy.simplify(2 * sympy.sqrt(2) / eps2 / sympy.sqrt(2 * (1 / eps2) ** 2)) == 2


# Edges


def algorithm_5(values, k):
    """Lines 5 to 10 of Algorithm 5 of the Journal; the first value is the noisy threshold."""
    ordered = sorted(range(len(values)), key=lambda i: -values[i])[: k + 1]
    pairs = []
    for i in range(k):
        pairs.append((ordered[i], values[ordered[i]] - values[ordered[i + 1]]))
        if ordered[i] == 0:
            break
    return pairs


def test_by_lemma_7_algorithm_5_saves_nothing_if_one_query_fewer_than_k_is_returned():
    """Journal, Sections 1 and 7: budget is saved if fewer than k queries are returned.

    With m < k queries Algorithm 5 returns the threshold too, so t = m + 1, and Lemma 7's cost (t/k) eps is all of eps
    for m = k - 1. For k = 1 it never saves anything.
    """
    for n, k in ((3, 1), (3, 2), (4, 3), (4, 4)):
        costs = {}
        for values in itertools.permutations(range(n + 1)):
            pairs = algorithm_5(values, k)
            queries = sum(1 for index, _ in pairs if index != 0)
            costs.setdefault(queries, set()).add(Fraction(len(pairs), k))
        assert costs[k - 1] == {Fraction(1)}
        assert costs == {m: {Fraction(min(m + 1, k), k)} for m in range(k + 1)}


def test_lists_of_k_answers_have_no_k_plus_first():
    """No algorithm states its least n: arg max over k + 1 of n values needs n >= k + 1 (for Noisy Max n >= 2).

    Algorithm 5 of the Journal, with the threshold among the values, needs n >= k. Algorithm 8 needs n >= 2: for one
    outcome, the sum in line 4 is empty, and its logarithm is not defined.
    """

    def gaps(values, k):  # lines 5 to 7 of Algorithm 3 of 2020, lines 4 to 6 of Algorithm 4 of the Journal
        ordered = sorted(values, reverse=True)[: k + 1]
        return [ordered[i] - ordered[i + 1] for i in range(k)]

    for k in range(1, 5):
        assert gaps(range(k + 1), k) == [1] * k
        with pytest.raises(IndexError):
            gaps(range(k), k)
    with pytest.raises(IndexError):
        algorithm_5([0, 1], 2)  # one query, k = 2, the threshold below
    assert len(algorithm_5([0, 1, 2], 2)) == 2
    with pytest.raises(ValueError, match=r"domain|positive"):
        math.log(sum(math.exp(utility) for utility in []))


@pytest.mark.parametrize("theta", [Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)])
def test_algorithm_4_of_2020_with_shares_in_another_ratio_costs_at_most_eps(theta):
    """2020, Section 7.3: privacy does not change with the ratio, read as that of shares: eps0 = theta eps."""
    for k in range(1, 9):
        eps2 = (1 - theta) / (2 * k)
        running, costs = {theta}, set()
        while running:
            following = {cost + spent for cost in running for spent in (eps2, 2 * eps2)}
            costs |= following | running
            running = {cost for cost in following if not cost >= 1 - 2 * eps2}
        assert max(costs) <= 1


def test_a_later_mechanism_may_spend_what_a_run_did_not():
    """Journal, Sections 7 and 9.3: for every output the losses of both mechanisms add up to at most eps.

    Randomised response with a hidden first stage: output w of the first loses at most c(w), and the second is run with
    eps - c(w). In exact odds 2^loss, the joint odds never exceed 2^eps.
    """
    eps = 3
    first = {"a": (Fraction(4, 8), Fraction(2, 8), 1), "b": (Fraction(2, 8), Fraction(1, 8), 1)}
    rest_d = 1 - sum(pair[0] for pair in first.values())
    rest_other = 1 - sum(pair[1] for pair in first.values())
    first["c"] = (rest_d, rest_other, 2)
    assert max(rest_d / rest_other, rest_other / rest_d) <= 2**2
    for on_d, on_other, cost in first.values():
        assert max(on_d / on_other, on_other / on_d) <= 2**cost
        odds = Fraction(2 ** (eps - cost))
        yes_d, yes_other = odds / (odds + 1), 1 / (odds + 1)
        for second_d, second_other in ((yes_d, yes_other), (1 - yes_d, 1 - yes_other)):
            joint = on_d * second_d / (on_other * second_other)
            assert max(joint, 1 / joint) <= 2**eps


def answers_of_algorithm_2(eps, theta, k):
    """How many answers Algorithm 2 of the Journal gives, if all are above, and its cost; in the arithmetic of eps."""
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    cost, count = eps0, 0
    while True:
        cost, count = cost + eps1, count + 1
        if cost > eps - eps1:
            return count, cost


def test_in_doubles_the_budget_of_algorithm_2_may_end_after_k_minus_1_answers():
    """Journal, line 12 of Algorithm 2 (line 17 of Algorithm 1): the sum of budgets is compared with eps - eps1.

    After k - 1 answers the two are equal. In doubles, for eps = 0.7 and theta = 1/2, the sum is rounded above for 23 of
    the k up to 50, so that the k-th answer is not given. It is never one too many.
    """
    counts = {k: answers_of_algorithm_2(0.7, 0.5, k)[0] for k in range(1, 51)}
    assert all(answers_of_algorithm_2(Fraction(7, 10), Fraction(1, 2), k) == (k, Fraction(7, 10)) for k in counts)
    assert {k - count for k, count in counts.items()} == {0, 1}
    assert [k for k, count in counts.items() if count < k][:6] == [4, 6, 7, 10, 11, 12]
    assert sum(1 for k, count in counts.items() if count < k) == 23
