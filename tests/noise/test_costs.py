"""The shift cost is the least upper bound of ln f(x)/f(x + shift): proved, and tight.

For noise whose density falls like exp(-|x|/scale), every pair x, y = x + shift of the support falls into one of a few
regions, told apart by the signs of x and y and by their order. Within a region all absolute values open up, and sympy
decides the sign of what is left.
"""

from fractions import Fraction

import pytest
import sympy
import z3
from hypothesis import given
from hypothesis import strategies as st

from alignkit.noise import DISCRETE_LAPLACE, EXPONENTIAL, GEOMETRIC, LAPLACE
from tests.noise.conftest import SCALED
from tests.noise.test_smooth_costs import SMOOTH

a, b = sympy.symbols("a b", nonnegative=True)
scale, lattice = sympy.symbols("scale lattice", positive=True)

SAME_SIDE_ABOVE = [(a, a + b), (a + b, a)]
ALL_REGIONS = [*SAME_SIDE_ABOVE, (-a, -a - b), (-a - b, -a), (a, -b), (-a, b)]


EXPONENTIAL_DECAY = [d for d in SCALED.values() if d not in SMOOTH]


@pytest.fixture(params=EXPONENTIAL_DECAY, ids=lambda d: d.name)
def distribution(request):
    """All whose density falls like exp(-|x|/scale); of the others the costs are proved in test_smooth_costs."""
    return request.param


def regions(distribution):
    return SAME_SIDE_ABOVE if distribution.support.one_sided else ALL_REGIONS


def symbols(distribution):
    return (scale, lattice)[: len(distribution.parameters)]


def loss(distribution, x, y):
    """ln f(x)/f(y), from the distribution's formula."""
    ratio = distribution.formula(x, *symbols(distribution)) / distribution.formula(y, *symbols(distribution))
    return sympy.expand(sympy.log(sympy.powsimp(ratio)))


def slack(distribution, x, y):
    return sympy.simplify(distribution.cost(y - x, *symbols(distribution)) - loss(distribution, x, y))


def test_regions_cover_every_pair():
    x, y, p, q = z3.Reals("x y p q")
    for pairs, support in ((ALL_REGIONS, z3.BoolVal(True)), (SAME_SIDE_ABOVE, z3.And(x >= 0, y >= 0))):
        covered = []
        for u, v in pairs:
            u_, v_ = (sympy.lambdify((a, b), e)(p, q) for e in (u, v))
            covered.append(z3.Exists([p, q], z3.And(p >= 0, q >= 0, x == u_, y == v_)))
        solver = z3.Solver()
        solver.add(support, z3.Not(z3.Or(covered)))
        assert solver.check() == z3.unsat


def test_cost_is_an_upper_bound(distribution):
    for x, y in regions(distribution):
        assert slack(distribution, x, y).is_nonnegative, (x, y)


def test_cost_is_attained_at_zero_noise_whatever_the_shift(distribution):
    """0 and the shift itself are both in the support, on lattices too; so no smaller bound would do."""
    shifts = [a] if distribution.support.one_sided else [a, -a]
    for shift in shifts:
        assert slack(distribution, sympy.Integer(0), shift) == 0


@pytest.mark.parametrize("one_sided", [EXPONENTIAL, GEOMETRIC], ids=lambda d: d.name)
def test_one_sided_noise_costs_the_same_everywhere(one_sided):
    """So it is attained for a shift down as well, which noise 0 cannot make."""
    for x, y in SAME_SIDE_ABOVE:
        assert slack(one_sided, x, y) == 0


@pytest.mark.parametrize("two_sided", [LAPLACE, DISCRETE_LAPLACE], ids=lambda d: d.name)
def test_a_smaller_cost_would_not_pass_this_proof(two_sided):
    short = Fraction(99, 100)
    verdicts = [
        (two_sided.cost(y - x, scale) * sympy.Rational(short) - loss(two_sided, x, y))
        .simplify()
        .is_nonnegative
        for x, y in ALL_REGIONS
    ]
    assert not all(verdicts)


def test_second_opinion_by_z3(distribution):
    """The cost itself run on z3 terms: no x and shift have a larger (|x + shift| - |x|) / scale."""
    x, shift, s = z3.Reals("x shift s")
    solver = z3.Solver()
    solver.add(s > 0)
    if distribution.support.one_sided:
        solver.add(x >= 0, x + shift >= 0)
    solver.add((abs(x + shift) - abs(x)) / s > distribution.cost(shift, s))
    assert solver.check() == z3.unsat


@given(shift=st.fractions(-50, 50), scale=st.fractions(Fraction(1, 50), 50))
def test_cost_of_fractions_is_exact(shift, scale):
    assert LAPLACE.cost(shift, scale) == DISCRETE_LAPLACE.cost(shift, scale) == abs(shift) / scale
    assert EXPONENTIAL.cost(shift, scale) == GEOMETRIC.cost(shift, scale) == shift / scale
    assert isinstance(LAPLACE.cost(shift, scale), Fraction)
    assert LAPLACE.cost(float(shift), float(scale)) == pytest.approx(abs(float(shift)) / float(scale))


def test_a_shift_down_of_one_sided_noise_costs_less_than_nothing():
    assert EXPONENTIAL.cost(-1, 2) == -0.5
    assert GEOMETRIC.cost(-1, 2, 1) == -0.5


def test_the_lattice_does_not_change_the_cost():
    for distribution in (GEOMETRIC, DISCRETE_LAPLACE):
        assert distribution.cost(Fraction(3, 2), 2) == distribution.cost(Fraction(3, 2), 2, Fraction(1, 2))
