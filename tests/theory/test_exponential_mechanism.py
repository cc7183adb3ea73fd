"""docs/theory/selections.md: Theorems 5 to 7, Lemmas 9 and 10 and Algorithms 7 and 8 of the Journal paper.

x_i stands for eps u_i / (2 delta). S = exp(x_s) for the outcome s that is selected, and A is the sum of exp(x_i) over
all others: with these two, a statement is about every number of outcomes.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
import z3
from hypothesis import given
from hypothesis import strategies as st

from alignkit import Epsilon, Noise, Positive, Queries, largest, mechanism
from alignkit.mechanisms.black_box_gap import black_box_gap_in_one_round
from alignkit.mechanisms.exponential_mechanism import exponential_mechanism_with_gap
from alignkit.noise import GUMBEL, LOGISTIC

S, A, t, u, eps, gamma = sympy.symbols("S A t u eps gamma", positive=True)
z, location, other = sympy.symbols("z location other", real=True)
odds = sympy.Symbol("odds", nonnegative=True)


def gumbel_density(x):
    return GUMBEL.formula(x, 1)


def gumbel_cdf(x):
    return sympy.exp(-sympy.exp(-x))


def logistic_survival(x, at):
    """P(X >= x)."""
    return 1 / (1 + sympy.exp(x - at))


def same(one, another):
    return sympy.simplify(one - another) == 0


def selected_with_gap_at_least(lead):
    """P(X_s >= lead + the largest of the others), as an integral over that largest; t = exp(-z)."""
    density = gumbel_density(z + lead - sympy.log(S)) * sympy.exp(-A * sympy.exp(-z))
    integrand = sympy.simplify(density.subs(z, -sympy.log(t)) / t)
    return sympy.simplify(sympy.integrate(integrand, (t, 0, sympy.oo)))


# Gumbel-max


def test_gumbel_cdf_is_that_of_the_density():
    assert same(sympy.diff(gumbel_cdf(z), z), gumbel_density(z))


def test_the_maximum_of_the_others_depends_on_the_sum_alone():
    """By induction: one more with exp(x_i) = u takes exp(-A exp(-z)) to the same with A + u."""
    one = sympy.exp(-A * sympy.exp(-z))
    assert same(sympy.log(gumbel_cdf(z - sympy.log(u))), -u * sympy.exp(-z))
    assert same(one * sympy.exp(-u * sympy.exp(-z)), sympy.exp(-(A + u) * sympy.exp(-z)))


def test_theorem_6_the_index_of_the_largest():
    assert same(selected_with_gap_at_least(0), S / (S + A))


def test_theorem_6_the_largest():
    """It is Gumbel about the logarithm of the sum."""
    assert same(sympy.expand_log(sympy.log(gumbel_cdf(z - sympy.log(A))), force=True), -A * sympy.exp(-z))


def test_index_and_largest_are_independent():
    """P(s is selected, largest <= z) is the product of the two."""
    product = S / (S + A) * sympy.exp(-(S + A) * sympy.exp(-z))
    density = gumbel_density(z - sympy.log(S)) * sympy.exp(-A * sympy.exp(-z))
    assert same(sympy.diff(product, z), density)
    assert sympy.limit(product.subs({S: 2, A: 3}), z, -sympy.oo) == 0


# The gap


def test_theorem_7_joint_law():
    assert same(selected_with_gap_at_least(gamma), S * sympy.exp(-gamma) / (S * sympy.exp(-gamma) + A))


def test_theorem_7_the_gap_is_a_logistic_variable_that_is_not_negative():
    """Given s, P(gap >= g) = P(L >= g) / P(L >= 0) with L logistic about ln S - ln A; and P(L >= 0) = P(s)."""
    at = sympy.log(S) - sympy.log(A)
    joint, chosen = selected_with_gap_at_least(gamma), selected_with_gap_at_least(0)
    assert same(joint, logistic_survival(gamma, at))
    assert same(chosen, logistic_survival(0, at))
    assert same(joint / chosen, logistic_survival(gamma, at) / logistic_survival(0, at))


def test_equations_10_and_11():
    at = sympy.log(S) - sympy.log(A)
    density = -sympy.diff(selected_with_gap_at_least(gamma), gamma)
    assert same(density, LOGISTIC.formula(gamma - at, 1))
    assert same(density, S / (S + A) * LOGISTIC.formula(gamma - at, 1) / logistic_survival(0, at))
    assert same(-sympy.diff(logistic_survival(z, location), z), LOGISTIC.formula(z - location, 1))


def test_the_mean_gap():
    """The integral of P(gap >= g | s): (1 + exp(-m)) ln(1 + exp(m)) with m = ln S - ln A; t = exp(-g)."""
    joint = selected_with_gap_at_least(gamma).subs(gamma, -sympy.log(t))
    mean = sympy.integrate(sympy.simplify(joint / t), (t, 0, 1)) / selected_with_gap_at_least(0)
    assert same(sympy.expand_log(mean, force=True), sympy.expand_log((1 + A / S) * sympy.log((A + S) / A), force=True))


# Privacy


def test_lemma_9_for_every_number_of_outcomes():
    """Where each of the summands is at most c times the other, so are the sums; c is exp(eps / 2), both ways."""
    one, other_, total, total_, c = z3.Reals("one other total total_ c")
    solver = z3.Solver()
    solver.add(one <= c * other_, total <= c * total_, z3.Not(total + one <= c * (total_ + other_)))
    assert solver.check() == z3.unsat


def test_lemma_9_is_attained_where_all_utilities_rise():
    assert same(sympy.expand_log(sympy.log(sympy.exp(eps / 2) * A) - sympy.log(A), force=True), eps / 2)


@pytest.mark.parametrize("side", [1, -1])
def test_lemma_10(side):
    """With exp(location - other) = 1 + odds >= 1 and u = exp(other - x): the ratio lies between its inverse and it."""
    ratio = LOGISTIC.formula(z - location, 1) / LOGISTIC.formula(z - other, 1)
    ratio = sympy.simplify(ratio.subs(location, other + sympy.log(1 + odds)).subs(z, other - sympy.log(u)))
    numerator, denominator = sympy.fraction(sympy.factor(sympy.together(side * ((1 + odds) ** side - ratio))))
    assert all(c >= 0 for c in sympy.Poly(sympy.expand(numerator), u, odds).coeffs())
    assert sympy.expand(denominator).is_positive


def test_lemma_10_as_it_is_written_out():
    """The two displays of its proof, with a = exp(-x) and the exponentials of both parameters."""
    a, m, m_ = sympy.symbols("a m m_", positive=True)
    left = (1 + a * m_) / (1 + a * m)
    assert same(left, m_ / m * (m / m_ + a * m) / (1 + a * m))
    ratio = (LOGISTIC.formula(z - location, 1) / LOGISTIC.formula(z - other, 1)).subs(
        {z: -sympy.log(a), location: sympy.log(m), other: sympy.log(m_)}
    )
    assert same(ratio, m / m_ * left**2)


def test_the_last_display_of_theorem_7_needs_a_plus():
    """Budget 1: the chosen rises by 1/2 and all others fall by 1/2; the printed middle term is 0, the left one is 1."""
    change, change_of_sum = Fraction(1, 2), Fraction(-1, 2)
    left = abs(change - change_of_sum)
    assert left == 1
    assert not left <= abs(change) - abs(change_of_sum)
    assert left <= abs(change) + abs(change_of_sum)


def test_theorem_5_no_smaller_budget_would_do():
    """The chosen falls by delta, the others rise by delta: the loss comes as near to eps as A / S is large."""
    p = S / (S + A)
    p_ = S * sympy.exp(-eps / 2) / (S * sympy.exp(-eps / 2) + A * sympy.exp(eps / 2))
    assert same(sympy.limit(p / p_, A, sympy.oo), sympy.exp(eps))
    assert sympy.factor(sympy.simplify((sympy.exp(eps) - p / p_).subs(eps, sympy.log(1 + u)))).is_nonnegative


# The program of the catalogue, and Algorithm 7 line by line


@mechanism
def line_by_line(u: Queries(sensitivity="delta"), delta: Positive, eps: Epsilon, noise: Noise):
    """Algorithm 7 as printed."""
    g = [noise.gumbel(1) for u_i in u]
    x = [eps * u_i / (2 * delta) + g_i for u_i, g_i in zip(u, g)]
    s, t = largest(x, 2)
    return s, x[s] - x[t]


numbers = st.fractions(-5, 5, max_denominator=8)
above_zero = st.fractions(Fraction(1, 8), 4, max_denominator=8)


@given(data=st.lists(st.tuples(numbers, numbers), min_size=2, max_size=5), delta=above_zero, budget=above_zero)
def test_the_catalogue_has_algorithm_7_on_noise_that_is_scaled(data, delta, budget):
    utilities, noise = zip(*data)
    printed = line_by_line.replay(utilities, delta=delta, eps=budget, H={"g": noise})
    scaled = [2 * delta / budget * x for x in noise]
    assert exponential_mechanism_with_gap.replay(utilities, delta=delta, eps=budget, H={"g": scaled}) == printed


def test_gumbel_noise_times_a_number_is_gumbel_noise_of_that_scale():
    assert same(GUMBEL.formula(z / A, 1) / A, GUMBEL.formula(z, A))


# Algorithm 8


def printed_law(x, x_, budget, lead):
    """P(0 is selected with a gap of at least lead) among two, as Algorithm 8 is printed: its location has no eps.

    ``x`` and ``x_`` are u / (2 delta) of the two outcomes.
    """
    chosen = logistic_survival(0, budget * (x - x_))
    return chosen * logistic_survival(lead, x - x_) / logistic_survival(0, x - x_)


def test_algorithm_8_as_printed_has_the_law_of_algorithm_7_for_budget_1_only():
    right = logistic_survival(gamma, eps * (location - other))
    printed = printed_law(location, other, eps, gamma)
    assert same(printed.subs(eps, 1), right.subs(eps, 1))
    values = {eps: 2, location: 1, other: 0, gamma: 1}
    assert sympy.N(abs(printed - right).subs(values), 30) > 0.1


def test_algorithm_8_as_printed_is_not_private_below_budget_1():
    """Utilities (0, 0) and (1, -1), sensitivity 1: far out, the loss tends to ln((1 + e) / (1 + exp(-eps))).

    That is above eps just where eps < 1.
    """
    half = sympy.Rational(1, 2)
    ratio = sympy.simplify(printed_law(half, -half, eps, gamma) / printed_law(0, 0, eps, gamma))
    worst = sympy.limit(ratio, gamma, sympy.oo)
    assert same(worst, (1 + sympy.E) / (1 + sympy.exp(-eps)))
    assert same((worst - sympy.exp(eps)) * (1 + sympy.exp(-eps)), sympy.E - sympy.exp(eps))
    loss = sympy.log(ratio.subs({eps: sympy.Rational(1, 10), gamma: 10}))
    assert sympy.N(loss, 30) > 0.6


def test_algorithm_8_with_its_budget_restored_is_private_there():
    """The same event and databases, with the location of Theorem 7: the loss is at most eps."""
    ratio = logistic_survival(gamma, eps) / logistic_survival(gamma, 0)
    assert same(sympy.limit(ratio, gamma, sympy.oo), sympy.exp(eps))
    slack = sympy.factor(sympy.simplify((sympy.exp(eps) - ratio).subs({eps: sympy.log(1 + odds), gamma: sympy.log(u)})))
    assert slack.is_nonnegative


@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_round_that_chooses_anew_releases_the_law_of_theorem_7_with_probability_one_over_n(n):
    """For each outcome, drawn evenly, and each g >= 0: P(s, L >= g) is 1/n times P(s, gap >= g) of Theorem 7.

    So the first round that releases a gap has the law of Algorithm 8. As rounds release one equally often on D and on
    D', the loss of that law is at most the loss of a round, which is proved to be at most eps.
    """
    weights = sympy.symbols(f"w:{n}", positive=True)
    even, released, joint = sympy.Rational(1, n), 0, selected_with_gap_at_least(gamma)
    for s, weight in enumerate(weights):
        rest = sum(w for i, w in enumerate(weights) if i != s)
        survival = even * logistic_survival(gamma, sympy.log(weight) - sympy.log(rest))
        assert same(survival, even * joint.subs({S: weight, A: rest}))
        released += survival.subs(gamma, 0)
    assert same(released, even)


def test_a_round_takes_the_outcome_of_the_largest_noise_and_its_own_location():
    for e, gap in ((2, 1), (Fraction(1, 2), 0)):
        noise = {"g": [0, 1], "e": e}
        assert black_box_gap_in_one_round.replay([3, -1], noise, eps=1) == (1, gap)


# How long it runs


@pytest.mark.parametrize("n", [2, 3, 5])
def test_as_many_rounds_on_average_as_there_are_outcomes(n):
    """A round ends the loop with the probability p_s of the outcome; the mean of a geometric number is 1 / p_s."""
    p, x = sympy.symbols("p x", positive=True)
    # The sum of r x^(r - 1) is the derivative of the geometric series.
    mean = (p * sympy.diff(1 / (1 - x), x)).subs(x, 1 - p)
    assert same(mean, 1 / p)
    weights = sympy.symbols(f"w:{n}", positive=True)
    chances = [w / sum(weights) for w in weights]
    assert same(sum(chance * mean.subs(p, chance) for chance in chances), n)


def test_the_number_of_rounds_is_not_private():
    """Utilities (0, 0) and (1, -1), sensitivity 1, budget 1: ten rounds are more than e times as likely."""

    def rounds(chances, r):
        return sum(p**2 * (1 - p) ** (r - 1) for p in chances)

    even = [sympy.Rational(1, 2)] * 2
    tilted = [1 / (1 + sympy.exp(-1)), 1 / (1 + sympy.E)]
    losses = [sympy.N(sympy.log(rounds(tilted, r) / rounds(even, r)), 30) for r in (10, 20, 40)]
    assert losses[0] > 1
    assert losses[1] > losses[0] + 3
    assert losses[2] > losses[1] + 7
