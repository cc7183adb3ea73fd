"""The best linear unbiased estimate from measurements and gaps (Theorem 3 of 2020, Theorem 4 of the Journal paper).

Matrices of unknown size are handled entry by entry: an entry is a formula in its row i and column j, and an
indicator such as "i > j" is a number once it is known how i and j stand to each other.
"""

import functools
import random

import pytest
import sympy

k, j, lam = sympy.symbols("k j lambda", positive=True)

# How row i can stand to column j, as i = j + offset; beyond 2 nothing changes any more.
OFFSETS = [-2, -1, 0, 1, 2]


def y_entry(column, below):
    """Entry of (1 + lambda) k Y: k - j, less k below the diagonal."""
    return k - column - k * below


def is_below(offset, columns_further):
    """Is i > j + columns_further, where i = j + offset?"""
    return int(offset > columns_further)


# --- For every k ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", OFFSETS)
def test_blue_satisfies_the_normal_equations_for_every_k(offset):
    """Y E(theta theta^T) = E(xi theta^T): column j of the left side is a second difference along row i.

    The columns 0 and k, which do not exist, have entries 0 by the formula, so the ends need no case of their own.
    """
    left = (
        2 * y_entry(j, is_below(offset, 0)) - y_entry(j - 1, is_below(offset, -1)) - y_entry(j + 1, is_below(offset, 1))
    )
    transposed_n = {0: 1, 1: -1}.get(offset, 0)
    assert sympy.simplify(left / ((1 + lam) * k) * (1 + lam) - transposed_n) == 0
    assert y_entry(0, 1) == 0  # column 0 lies left of every row
    assert y_entry(k, 0) == 0  # column k lies right of every row but the last, whose entry is not below it


@pytest.mark.parametrize("offset", OFFSETS)
def test_blue_is_unbiased_for_every_k(offset):
    """X = I - Y N: entry (i, j) of Y N is the difference of two neighbours in row i of Y."""
    difference = y_entry(j, is_below(offset, 0)) - y_entry(j - 1, is_below(offset, -1))
    diagonal = int(offset == 0)
    printed = 1 + lam * k * diagonal
    assert sympy.simplify((diagonal - difference / ((1 + lam) * k)) * (1 + lam) * k - printed) == 0


def test_corollary_for_every_k():
    """Row i of X and of Y N has one entry on the diagonal and k - 1 equal ones beside it."""
    unit = (1 + lam) * k
    x_part = ((1 + lam * k) ** 2 + (k - 1)) / unit**2
    y_part = ((k - 1) ** 2 + (k - 1)) / unit**2
    assert sympy.expand(x_part * unit**2 - (k**2 * lam**2 + 2 * k * lam + k)) == 0  # Var(x_i) of the Journal paper
    assert sympy.expand(y_part * unit**2 - (k**2 - k)) == 0  # Var(y_i)/lambda
    assert sympy.simplify(x_part + lam * y_part - (1 + lam * k) / (k + lam * k)) == 0


def test_corollary_in_terms_of_the_two_variances():
    xi, eta = sympy.symbols("xi eta", positive=True)
    printed = (xi + k * eta) / (k * (xi + eta))
    assert sympy.simplify(printed - ((1 + lam * k) / (k + lam * k)).subs(lam, eta / xi)) == 0


def test_variances_of_2020():
    """lambda = 4: Var(x_i) = (16k^2 + 9k), Var(y_i) = (4k^2 - 4k), their sum over 25k^2 is (4k + 1)/(5k)."""
    x_part, y_part = (k - 1) + (4 * k + 1) ** 2, 4 * (k - 1) + 4 * (k - 1) ** 2
    assert sympy.expand(x_part - (16 * k**2 + 9 * k)) == 0
    assert sympy.expand(y_part - (4 * k**2 - 4 * k)) == 0
    assert sympy.simplify((x_part + y_part) / (25 * k**2) - (4 * k + 1) / (5 * k)) == 0


def test_variances_of_measurements_and_gaps():
    """Lap(2k/eps) has variance 8k^2/eps^2, Lap(4k/eps) 32k^2/eps^2 (printed with eps in A.7 of 2020), Exp(2k/eps) half
    of the first; so lambda is 4, for counting queries 1, with exponential noise 1/2. A gap of two has 16k^2/eps^2."""
    eps = sympy.symbols("eps", positive=True)
    xi, eta, one_sided = 2 * (2 * k / eps) ** 2, 2 * (4 * k / eps) ** 2, (2 * k / eps) ** 2
    assert xi == 8 * k**2 / eps**2
    assert eta == 32 * k**2 / eps**2
    assert (eta / xi, xi / xi, one_sided / xi) == (4, 1, sympy.Rational(1, 2))
    assert 2 * xi == 16 * k**2 / eps**2


@pytest.mark.parametrize(
    ("ratio", "reduction", "limit"),
    [
        (4, 1 - (4 * k + 1) / (5 * k), sympy.Rational(1, 5)),
        (1, (k - 1) / (2 * k), sympy.Rational(1, 2)),
        (sympy.Rational(1, 2), (2 * k - 2) / (3 * k), sympy.Rational(2, 3)),
    ],
    ids=["laplace", "laplace monotone", "exponential monotone"],
)
def test_error_reduction_and_its_limit(ratio, reduction, limit):
    """20 %, 50 % and 66 %: each is approached from below and not reached."""
    exact = 1 - ((1 + lam * k) / (k + lam * k)).subs(lam, ratio)
    assert sympy.simplify(exact - reduction) == 0
    assert sympy.limit(exact, k, sympy.oo) == limit
    assert sympy.simplify(limit - exact - limit / k) == 0


@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 2])
def test_inverse_for_every_k(offset):
    """The matrix with 2 on and -1 beside the diagonal has the inverse (k - row) column / k where row >= column.

    Appendix A.1 prints this formula for row <= column, where row and column must be exchanged.
    """

    def inverse(row, column, row_is_larger):
        return (k - row) * column / k if row_is_larger else (k - column) * row / k

    row = j + offset
    left = (
        2 * inverse(row, j, offset >= 0) - inverse(row - 1, j, offset - 1 >= 0) - inverse(row + 1, j, offset + 1 >= 0)
    )
    assert sympy.simplify(left - int(offset == 0)) == 0
    assert inverse(0, j, False) == 0  # row 0 and row k do not exist; by the formula they are 0
    assert inverse(k, j, True) == 0


# --- For small k, from whole matrices ------------------------------------------------------------------


def difference_matrix(size):
    return sympy.Matrix(size - 1, size, lambda row, column: {0: 1, 1: -1}.get(column - row, 0))


def printed_y(size, ratio):
    return sympy.Matrix(size, size - 1, lambda row, column: size - 1 - column - (size if row > column else 0)) / (
        (1 + ratio) * size
    )


def printed_x(size, ratio):
    return (sympy.ones(size) + ratio * size * sympy.eye(size)) / ((1 + ratio) * size)


SIZES = range(2, 9)
RATIOS = [4, 1, sympy.Rational(1, 2), sympy.Rational(7, 3)]


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("size", SIZES)
def test_blue_from_whole_matrices(size, ratio):
    """Least squares with known covariances gives the printed X and Y, and every estimate has the printed variance."""
    n = difference_matrix(size)
    design = sympy.eye(size).col_join(n)
    covariance = sympy.diag(sympy.eye(size), ratio * n * n.T)
    weighted = design.T * covariance.inv()
    best = (weighted * design).inv() * weighted
    x_matrix, y_matrix = printed_x(size, ratio), printed_y(size, ratio)
    assert best == x_matrix.row_join(y_matrix)
    spread = x_matrix * x_matrix.T + ratio * y_matrix * n * n.T * y_matrix.T
    assert set(spread.diagonal()) == {sympy.Rational(1 + ratio * size) / (size + ratio * size)}


@pytest.mark.parametrize("size", SIZES)
def test_blue_by_the_linear_algorithm(size):
    """Steps 1 to 3 give X alpha + Y g, for any numbers (all prime here, so that no terms cancel by chance)."""
    ratio = sympy.Rational(3, 2)
    rng = random.Random(size)
    alpha = [sympy.prime(rng.randint(1, 200)) for _ in range(size)]
    gaps = [sympy.prime(rng.randint(1, 200)) for _ in range(size - 1)]
    total, p = sum(alpha), sum((size - 1 - at) * gap for at, gap in enumerate(gaps))
    prefix = [0]
    for gap in gaps:
        prefix.append(prefix[-1] + gap)
    by_steps = [(total + ratio * size * alpha[at] + p - size * prefix[at]) / ((1 + ratio) * size) for at in range(size)]
    by_matrices = printed_x(size, ratio) * sympy.Matrix(alpha) + printed_y(size, ratio) * sympy.Matrix(gaps)
    assert list(by_matrices) == by_steps


@pytest.mark.parametrize("size", SIZES)
def test_y_i_of_the_corollary(size):
    """The weights -1, ..., -(i - 1), k - i, ..., 1 of the gaps weigh the noisy answers with k - 1 and -1."""
    for row in range(1, size + 1):
        weights = [-at for at in range(1, row)] + [size - at for at in range(row, size)]
        answers = sympy.Matrix([weights]) * difference_matrix(size)
        assert list(answers) == [size - 1 if at == row else -1 for at in range(1, size + 1)]


def test_range_of_the_inverse_as_printed():
    """k = 3, row 1, column 2: printed (3 - 1) 2 / 3 = 4/3, but the entry is 1/3."""
    inverse = sympy.Matrix([[2, -1], [-1, 2]]).inv()
    assert inverse[0, 1] == sympy.Rational(1, 3)
    assert sympy.Rational((3 - 1) * 2, 3) == sympy.Rational(4, 3)


# --- Selected by the same noise ------------------------------------------------------------------------


@functools.cache
def top_spacing_moments():
    """Mean and second moment of the lead of the largest of three independent Laplace(1) variables over the second.

    The lead exceeds g where, for one of 3 * 2 choices of the first two, the second is at y, the third below y, and
    the first above y + g.
    """
    size, g = sympy.symbols("size g", positive=True)
    density = sympy.exp(-size) / 2  # of the second, at y = size and at y = -size
    parts = [
        (density * (1 - sympy.exp(-size) / 2) * sympy.exp(-(size + g)) / 2, 0, sympy.oo),  # y = size
        (density * sympy.exp(-size) / 2 * sympy.exp(size - g) / 2, 0, g),  # y = -size, y + g > 0
        (density * sympy.exp(-size) / 2 * (1 - sympy.exp(g - size) / 2), g, sympy.oo),  # y = -size, y + g < 0
    ]
    exceeds = sympy.expand(6 * sum(sympy.integrate(sympy.expand(part), (size, low, high)) for part, low, high in parts))
    assert exceeds.subs(g, 0) == 1
    return tuple(sympy.integrate(sympy.expand(weight * exceeds), (g, 0, sympy.oo)) for weight in (1, 2 * g))


def test_gap_of_selected_answers_is_not_that_of_fixed_ones():
    """Three equal answers, k = 2: a gap of fixed indices has mean 0 and variance 4 (16k^2/eps^2 in units of the scale);
    the released gap between the first two has mean 9/8 and variance 71/64."""
    mean, second = top_spacing_moments()
    assert mean == sympy.Rational(9, 8)
    assert second - mean**2 == sympy.Rational(71, 64)


def test_estimates_of_selected_answers_are_not_unbiased():
    """The same three answers, k = 2, lambda = 1: beta_1 is alpha_1 3/4 + alpha_2 1/4 + g_1 1/4, so it is on average
    9/32 scales too large. Its mean squared error is 179/128, where the corollary gives 3/4 of 2, or 192/128."""
    mean, second = top_spacing_moments()
    weights, gap_weight = list(printed_x(2, 1)[0, :]), printed_y(2, 1)[0, 0]
    assert weights == [sympy.Rational(3, 4), sympy.Rational(1, 4)]
    assert gap_weight * mean == sympy.Rational(9, 32)
    assert 2 * sum(weight**2 for weight in weights) + gap_weight**2 * second == sympy.Rational(179, 128)


def test_gaps_of_neighbours_are_as_accurate_from_k_separate_runs():
    """A gap has two noises of scale 2k/eps in one run of Top-K, and of 2/(eps/k) in a run of Noisy Max at eps/k."""
    eps = sympy.symbols("eps")
    top_k, noisy_max = 2 * k / eps, 2 / (eps / k)
    assert sympy.simplify(2 * 2 * top_k**2 - 16 * k**2 / eps**2) == 0 == sympy.simplify(top_k - noisy_max)


def test_gaps_of_k_separate_runs():
    """k runs of Noisy Max with Gap at eps/k have noise Lap(2k/eps) as well. Adding b - a of their gaps adds b - a
    variances; the gaps of one run of Top-K telescope to a single pair of noises. Fixed indices."""
    eps, steps = sympy.symbols("eps steps", positive=True)
    noise = 2 * (2 / (eps / k)) ** 2
    assert sympy.simplify(noise - 2 * (2 * k / eps) ** 2) == 0
    separate, together = steps * 2 * noise, 2 * noise
    assert sympy.simplify(separate / together - steps) == 0
