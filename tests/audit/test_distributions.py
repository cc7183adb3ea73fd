"""Distributions in the papers: Table 1, Theorem 2's mass, and which noise meets the condition of Definition 7."""

from fractions import Fraction

import pytest
import sympy
import z3
from support.counterexamples import tie_under_geometric_noise

x, y, beta = sympy.symbols("x y beta", positive=True)
r = sympy.symbols("r", positive=True)
p = 1 - r


def moments_from_zero(density, variable):
    """Total, mean and variance of a density on [0, oo)."""
    total, first, second = (
        sympy.integrate(variable**power * density, (variable, 0, sympy.oo), conds="none") for power in (0, 1, 2)
    )
    return tuple(sympy.simplify(each) for each in (total, first, second - first**2))


def test_table_1_laplace():
    """Symmetric about 0, so the mean is 0 and the second moment is twice that of the half line."""
    half = sympy.exp(-x / beta) / (2 * beta)
    assert sympy.integrate(half, (x, 0, sympy.oo)) == sympy.Rational(1, 2)
    assert sympy.simplify(2 * sympy.integrate(x**2 * half, (x, 0, sympy.oo)) - 2 * beta**2) == 0


def test_table_1_exponential():
    assert moments_from_zero(sympy.exp(-x / beta) / beta, x) == (1, beta, beta**2)


def geometric_sum(power):
    """The sum of n^power r^n over n = 0, 1, ..., where 0 < r < 1: differentiate 1/(1 - r) as often as needed."""
    total = 1 / (1 - r)
    for _ in range(power):
        total = r * sympy.diff(total, r)
    return total


def test_table_1_geometric():
    """On {0, 1, ...} the mean is (1 - p)/p. The printed 1/p is the mean on {1, 2, ...}; both have the variance."""
    mass = [p * geometric_sum(power) for power in (0, 1, 2)]
    assert sympy.simplify(mass[0]) == 1
    assert sympy.simplify(mass[1] - (1 - p) / p) == 0
    assert sympy.simplify(mass[1] + 1 - 1 / p) == 0
    assert sympy.simplify(mass[2] - mass[1] ** 2 - (1 - p) / p**2) == 0


def test_theorem_2_mass_adds_up_to_one():
    """With r = exp(-gamma eps/Delta): the multiples above 0, twice, and 0 itself."""
    total = (1 - r) / (1 + r) * (2 * r * geometric_sum(0) + 1)
    assert sympy.simplify(total) == 1


def test_geometric_offsets_are_too_large_by_one_and_cancel_in_the_gap():
    """Section 5.2 subtracts 1/p from queries and threshold; the mean is 1/p - 1 for both, so the gap stays centred."""
    r_query, r_threshold = sympy.symbols("r_query r_threshold", positive=True)

    def mean_minus_offset(ratio):
        return ratio / (1 - ratio) - 1 / (1 - ratio)

    assert sympy.simplify(mean_minus_offset(r_query)) == -1
    assert sympy.simplify(mean_minus_offset(r_query) - mean_minus_offset(r_threshold)) == 0


def test_geometric_gap_is_not_an_integer():
    """Integer answers, threshold and noise: the gap is an integer plus b0 - b2, here 2 - 4/3."""
    r_threshold, r_query = Fraction(1, 2), Fraction(1, 4)
    b0, b2 = 1 / (1 - r_threshold), 1 / (1 - r_query)
    gap = (10 + 3 - b2) - (8 + 1 - b0)
    assert (b0, b2) == (2, Fraction(4, 3))
    assert gap.denominator == 3


def test_geometric_standard_deviations():
    """Section 5.2: exp(eps2/4)/(exp(eps2/2) - 1), and for counting queries exp(eps2/2)/(exp(eps2) - 1)."""
    eps2 = sympy.symbols("eps2", positive=True)
    for rate in (eps2 / 2, eps2):
        ratio = sympy.exp(-rate)
        printed = sympy.exp(rate / 2) / (sympy.exp(rate) - 1)
        assert sympy.simplify(ratio / (1 - ratio) ** 2 - printed**2) == 0


# --- Definition 7: is there a c with ln f(x)/f(y) <= c |x - y| ? ----------------------------------------


def test_geometric_loss_is_linear():
    """ln g(x)/g(y) = (y - x) (-ln(1 - p)), which is at most -ln(1 - p) |x - y|."""
    mass = (1 - sympy.exp(-beta)) * sympy.exp(-beta * x)
    loss = sympy.expand(sympy.log(sympy.powsimp(mass / mass.subs(x, y))))
    assert sympy.simplify(loss - beta * (y - x)) == 0


@pytest.mark.parametrize("r", [Fraction(1, 2), Fraction(9, 10)])
def test_gaps_of_the_largest_under_geometric_noise_lose_twice_the_claim_for_counts(r):
    """Noise Geo(1 - r), r = exp(-eps/2), counts (3, 2, 0) and (4, 2, 0): the second wins and is tied with the third.

    The first must then be lower. The sum over the common value v of r^(2v) P(first < v) is shifted by one step on D',
    so that the ratio is r^-2 = exp(eps), where exp(eps/2) is claimed. With as many terms in both sums it is exact.
    """
    ratio = tie_under_geometric_noise(r, (3, 2, 0)) / tie_under_geometric_noise(r, (4, 2, 0))
    assert ratio == r**-2


def staircase_steps(value, gamma, width):
    """The density of staircase noise is a exp(-eps m), where m counts the steps down between 0 and |value|."""
    value = abs(value)
    return (value + (1 - gamma) * width) // width


GAMMAS = [Fraction(1, 3), Fraction(1, 2), Fraction(3, 4)]


@pytest.mark.parametrize("gamma", GAMMAS)
def test_staircase_steps_are_those_of_the_definition(gamma):
    """No step down on [0, gamma Delta), one on [gamma Delta, Delta), and one more for each further Delta."""
    width = Fraction(2)
    for part in range(48):
        value = width * part / 24
        assert staircase_steps(value, gamma, width) == (0 if value < gamma * width else 1)
        assert staircase_steps(value + width, gamma, width) == staircase_steps(value, gamma, width) + 1
        if value >= width:
            break


@pytest.mark.parametrize("gamma", GAMMAS)
def test_staircase_loss_is_not_bounded_by_the_distance(gamma):
    """Across a step the loss is eps however near the two points lie: no c will do."""
    width, edge = Fraction(1), gamma
    for digits in range(1, 40):
        near = Fraction(1, 10**digits)
        loss_in_eps = staircase_steps(edge, gamma, width) - staircase_steps(edge - near, gamma, width)
        assert loss_in_eps == 1
        assert loss_in_eps / near == 10**digits


def test_staircase_loss_is_at_most_eps_within_the_sensitivity():
    """What does hold, for all gamma: floor(|x|/Delta + 1 - gamma) moves by at most 1 when x moves by Delta or less."""
    x1, x2, share = z3.Reals("x1 x2 share")
    m1, m2 = z3.Ints("m1 m2")
    solver = z3.Solver()
    for value, steps in ((x1, m1), (x2, m2)):
        size = z3.If(value >= 0, value, -value) + 1 - share
        solver.add(steps <= size, size < steps + 1)
    solver.add(x1 - x2 <= 1, x2 - x1 <= 1, m2 - m1 >= 2)
    assert solver.check() == z3.unsat


@pytest.mark.parametrize("gamma", GAMMAS)
def test_staircase_noise_on_two_answers_can_lose_twice_eps(gamma):
    """Theorem 1's setting, l1 sensitivity 1: each of two answers moves by 1/2, and each crosses a step."""
    q, q_ = (Fraction(0), Fraction(0)), (Fraction(-1, 2), Fraction(-1, 2))
    assert sum(abs(one - other) for one, other in zip(q, q_)) == 1
    for near in (Fraction(1, 10), Fraction(1, 1000)):  # an open set of outputs, not a single one
        output = (gamma - near, gamma - near)
        steps = [sum(staircase_steps(o - each, gamma, 1) for o, each in zip(output, run)) for run in (q, q_)]
        assert steps[1] - steps[0] == 2
