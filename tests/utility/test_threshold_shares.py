"""Shares of the budget: the papers' values, grids, the catalogue's own noise, and refusals."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from audit.test_allocation import PRINTED
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit import InputError
from alignkit.mechanisms.adaptive_sparse_vector import TOP, adaptive_sparse_vector, adaptive_sparse_vector_monotone
from alignkit.mechanisms.geometric_sparse_vector import sparse_vector_with_gap_geometric_monotone
from alignkit.mechanisms.sparse_vector import (
    sparse_vector_with_gap_by_theta,
    sparse_vector_with_gap_exponential,
    sparse_vector_with_gap_monotone,
)
from alignkit.noise import DISCRETE_LAPLACE, EXPONENTIAL, GEOMETRIC, LAPLACE
from alignkit.utility import best_theta, gap_variance

K = np.arange(1, 51)
ADJACENCIES = ["each", "monotone"]
BRANCHES = ["middle", "top"]
few = settings(max_examples=examples(20, 100))


@pytest.mark.parametrize("name", PRINTED)
def test_variances_and_shares_that_the_journal_prints(name):
    """The audit derives these by sympy: factor/ε² (1/θ² + c/(1 − θ)²), least at 1/(1 + ∛c), with (1 + ∛c)³."""
    noise, *monotone, branch = name.split()
    adjacency = "monotone" if monotone else "each"
    *_, factor, ratio = PRINTED[name]
    c = np.array([float(ratio.subs(sympy.Symbol("k", positive=True), int(k))) for k in K])
    theta = best_theta(K, noise, adjacency, branch)
    assert np.allclose(theta, 1 / (1 + np.cbrt(c)))
    assert np.allclose(gap_variance(K, 0.7, 0.4, noise, adjacency, branch), factor / 0.49 * (6.25 + c / 0.36))
    assert np.allclose(gap_variance(K, 0.7, theta, noise, adjacency, branch), factor * (1 + np.cbrt(c)) ** 3 / 0.49)


def test_ratios_that_the_papers_print():
    """1 : (2k)^(2/3), and 1 : k^(2/3) for monotone answers."""
    for adjacency, ratio in [("each", (2 * K) ** (2 / 3)), ("monotone", K ** (2 / 3))]:
        theta = best_theta(K, adjacency=adjacency)
        assert np.allclose((1 - theta) / theta, ratio)


@pytest.mark.parametrize("noise", ["laplace", "exponential", "geometric", "discrete_laplace"])
@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("branch", BRANCHES)
@pytest.mark.parametrize("eps", [0.1, 5.0])
def test_no_share_of_a_grid_does_better(noise, adjacency, branch, eps):
    """On whole numbers, or on the reals; the best of the grid is the share itself, to within a step."""
    grid = np.linspace(0, 1, 801)[1:-1]
    for k in (1, 7):
        theta = best_theta(k, noise, adjacency, branch, eps=eps)
        variances = gap_variance(k, eps, grid, noise, adjacency, branch)
        assert gap_variance(k, eps, theta, noise, adjacency, branch) <= variances.min() * (1 + 1e-12)
        assert abs(grid[variances.argmin()] - theta) < 1 / 800


@few
@given(st.integers(1, 100), st.floats(0.01, 3), st.sampled_from(ADJACENCIES), st.sampled_from(BRANCHES))
def test_shares_on_a_lattice_tend_to_the_closed_form(k, eps, adjacency, branch):
    """Noise on a fine lattice is that on the reals. The share depends on ε · lattice, and is that of both noises."""
    near = best_theta(k, "geometric", adjacency, branch, eps=eps, lattice=1e-4)
    assert near == pytest.approx(best_theta(k, "geometric", adjacency, branch), rel=1e-6)
    assert best_theta(k, "geometric", adjacency, branch) == best_theta(k, "exponential", adjacency, branch)
    coarse = best_theta(k, "geometric", adjacency, branch, eps=eps)
    assert best_theta(k, "discrete_laplace", adjacency, branch, eps=eps) == coarse
    assert best_theta(k, "geometric", adjacency, branch, eps=eps / 4, lattice=4) == pytest.approx(coarse)
    variance = gap_variance(k, eps, 0.3, "geometric", adjacency, branch, lattice=1e-4)
    assert variance == pytest.approx(gap_variance(k, eps, 0.3, "exponential", adjacency, branch), rel=1e-6)


def test_the_condition_for_the_share_on_a_lattice():
    """The variance of geometric noise is a quarter of lattice²/sinh²(lattice/(2 scale)), that of discrete Laplace noise
    twice as large; both have the slope −2 cosh/sinh³ in their argument, up to the factor, which grows."""
    scale, lattice, x = sympy.symbols("scale lattice x", positive=True)
    quarter = lattice**2 / (4 * sympy.sinh(lattice / (2 * scale)) ** 2)
    for distribution, times in [(GEOMETRIC, 1), (DISCRETE_LAPLACE, 2)]:
        apart = distribution.variance(scale, lattice) - times * quarter
        assert sympy.simplify(apart.rewrite(sympy.exp)) == 0
    slope = sympy.diff(1 / sympy.sinh(x) ** 2, x)
    assert sympy.simplify(slope + 2 * sympy.cosh(x) / sympy.sinh(x) ** 3) == 0
    second = sympy.diff(slope, x)  # 2 (2 cosh² + 1)/sinh⁴, above 0
    assert sympy.simplify((second - 2 * (2 * sympy.cosh(x) ** 2 + 1) / sympy.sinh(x) ** 4).rewrite(sympy.exp)) == 0


def test_variances_are_those_of_the_distributions():
    scale, query = 1 / (0.25 * 0.8), 2 * 3 / (0.75 * 0.8)
    for distribution in (LAPLACE, EXPONENTIAL, GEOMETRIC, DISCRETE_LAPLACE):
        expected = distribution.variance(scale) + distribution.variance(query)
        assert gap_variance(3, 0.8, 0.25, distribution.name) == pytest.approx(expected)


CATALOGUE = {
    "laplace": (sparse_vector_with_gap_by_theta, "laplace", "each", "middle"),
    "laplace monotone": (sparse_vector_with_gap_monotone, "laplace", "monotone", "middle"),
    "exponential": (sparse_vector_with_gap_exponential, "exponential", "each", "middle"),
    "geometric monotone": (sparse_vector_with_gap_geometric_monotone, "geometric", "monotone", "middle"),
    "adaptive": (adaptive_sparse_vector, "laplace", "each", "top"),
    "adaptive monotone": (adaptive_sparse_vector_monotone, "laplace", "monotone", "top"),
}


@pytest.mark.parametrize(("mechanism", "noise", "adjacency", "branch"), CATALOGUE.values(), ids=list(CATALOGUE))
def test_the_catalogue_draws_such_noise(mechanism, noise, adjacency, branch):
    """Far above the threshold every gap comes out. With k = 3 the mean square of 3,000 gaps is within a third of the
    variance: the standard error of a square is at most √(9 − 1)/√3000, which is a sixth of that third.
    """
    eps, k, far, squares = 1.0, 3, 10**6, []
    for seed in range(3000):
        first = mechanism.sample([far], T=0, k=k, eps=eps, theta=0.3, seed=seed)[0]
        if isinstance(first, tuple):
            tag, first, _ = first
            assert tag is TOP
        squares.append((first - far) ** 2)
    variance = gap_variance(k, eps, 0.3, noise, adjacency, branch)
    assert np.mean(squares) == pytest.approx(variance, rel=1 / 3)


BAD = {
    "k 0": ((0,), {}, "k must be a whole number, at least 1; write 10, not 0"),
    "k 2.5": ((2.5,), {}, "k must be a whole number"),
    "no k": (([],), {}, "k must not be empty"),
    "noise": ((2,), {"noise": "gumbel"}, "noise must be one of 'laplace', 'exponential', .* not 'gumbel'"),
    "adjacency": ((2,), {"adjacency": "one"}, "adjacency must be 'each' or 'monotone', not 'one'"),
    "branch": ((2,), {"branch": "bottom"}, "branch must be 'middle' or 'top', not 'bottom'"),
    "eps": ((2,), {"eps": 0}, "eps must be above 0"),
    "lattice": ((2,), {"lattice": -1}, "lattice must be above 0"),
    "shapes": (([1, 2],), {"eps": [1.0, 2.0, 3.0]}, "do not fit together"),
}


@pytest.mark.parametrize(("k", "changed", "words"), BAD.values(), ids=list(BAD))
def test_bad_input_is_refused(k, changed, words):
    with pytest.raises(InputError, match=words):
        best_theta(*k, **changed)
    with pytest.raises(InputError, match=words):
        gap_variance(*k, **{"eps": 1.0, "theta": 0.5, **changed})


@pytest.mark.parametrize("theta", [0, 1, np.nan, "half"])
def test_bad_shares_are_refused(theta):
    with pytest.raises(InputError, match="theta must"):
        gap_variance(2, 1.0, theta)
