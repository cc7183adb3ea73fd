"""docs/thresholded_keys.md: what is proved, and every number on the page."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from support.examples import examples

from alignkit import check
from alignkit.proofs import thresholded_keys
from alignkit.running.alignment_decorator import Alignment

PAGE = (Path(__file__).parents[2] / "docs" / "thresholded_keys.md").read_text(encoding="utf-8")
ENTRIES = [value for value in vars(thresholded_keys).values() if isinstance(value, Alignment)]
T = 5
R = math.exp(-1)
Law = dict[int | None, float]


def discrete_laplace(k: int) -> float:
    return (1 - R) / (1 + R) * R ** abs(k)


def laplace_above(x: float) -> float:
    return math.exp(-x) / 2 if x > 0 else 1 - math.exp(x) / 2


def rounded_laplace(k: int) -> float:
    return laplace_above(k - 1 / 2) - laplace_above(k + 1 / 2)


def law(q: int, noise: Callable[[int], float], above: int) -> Law:
    """The output's law at ε = 1: the noisy count from ``above`` on, else None."""
    kept: Law = {y: noise(y - q) for y in range(above, 120)} if q > 0 else {}
    return kept | {None: 1 - math.fsum(kept.values())}


def delta(noise: Callable[[int], float], above: int = T, rows: int = 1) -> float:
    """The largest δ at which a pair of counts that are ``rows`` apart at most needs more than rows · ε."""

    def of(q: int, q_: int) -> float:
        p, p_ = law(q, noise, above), law(q_, noise, above)
        return math.fsum(max(0, p.get(w, 0) - math.exp(rows) * p_.get(w, 0)) for w in p.keys() | p_.keys())

    pairs = ((q, q + d) for q in range(15) for d in range(-rows, rows + 1) if q + d >= 0)
    return max(of(q, q_) for q, q_ in pairs)


def shown(number: float, digits: int = 4) -> str:
    text = f"{number:.{digits}f}"
    assert text in PAGE
    return text


@pytest.mark.parametrize("alignment", ENTRIES[:: examples(2, 1)], ids=lambda alignment: alignment.name)
def test_each_entry_has_the_verdict_that_it_expects(alignment):
    assert check(alignment).verdict.value == alignment.expect


def test_ties_of_opendp():
    assert shown(R**T / (1 + R)) == "0.0049"
    assert delta(discrete_laplace) == pytest.approx(R ** (T - 1) / (1 + R))
    assert shown(delta(discrete_laplace)) == "0.0134"
    assert delta(discrete_laplace, above=T + 1) == pytest.approx(R**T / (1 + R))


def test_many_small_counts_of_opendp():
    tau, n = 10, 1000
    assert shown(math.exp(-(tau - 1)) / 2, 6) == "0.000062"
    one = laplace_above(tau - 1 / n)
    assert 0.0224 < 1 - (1 - one) ** n < 0.0225
    assert "0.0224" in PAGE
    assert 1 - (1 - laplace_above(tau - 1e-6)) ** 10**6 > 0.999


def test_tumult():
    one = R ** (T - 1) / (1 + R)
    assert shown(2 * math.exp(2) * one) == "0.1979"
    assert delta(discrete_laplace, rows=2) == pytest.approx(R ** (T - 2) / (1 + R))
    assert shown(delta(discrete_laplace, rows=2)) == "0.0364"


def test_large_delta_of_google():
    each = 1 - 0.4**0.1
    kept = laplace_above(math.log(2 * (1 - each)))
    assert kept == pytest.approx(1 / (4 * (1 - each)))
    assert shown(kept, 3) == "0.274"
    assert shown(1 - (1 - kept) ** 10) == "0.9593"


def test_rounded_noise_of_google():
    assert shown(laplace_above(T - 1)) == "0.0092"
    assert delta(rounded_laplace) == pytest.approx(math.exp(1 / 2) * laplace_above(T - 1))
    assert shown(delta(rounded_laplace)) == "0.0151"
    threshold = 1 + math.log(1 / 2e-5)
    assert shown(laplace_above(threshold - 1), 7) == "0.0000100"
    assert 1.37e-5 < delta(rounded_laplace, above=math.ceil(threshold)) < 1.38e-5
    assert "0.0000137" in PAGE
    assert shown(delta(rounded_laplace, above=math.floor(threshold)), 7) == "0.0000374"


def test_the_rounded_threshold_that_would_do():
    threshold = 1 + math.log(1 / 2e-5)
    assert delta(rounded_laplace, above=math.ceil(threshold + 1 / 2)) <= 1e-5
    assert delta(rounded_laplace, above=T + 1) <= laplace_above(T - 1)


@pytest.mark.parametrize("m", [1, 4, 9])
def test_optimal_selection_is_truncated_noise_for_some_delta(m):
    kept_mass = math.fsum(R ** abs(k) for k in range(-m, m + 1))
    lost = R**m / kept_mass
    assert lost == pytest.approx((1 - R) * R**m / (1 + R - 2 * R ** (m + 1)))
    kept = 0.0
    for q in range(1, 2 * m + 3):
        kept = min(kept / R + lost, 1 - R * (1 - kept - lost), 1)
        assert kept == pytest.approx(math.fsum(R ** abs(k) for k in range(max(m - q + 1, -m), m + 1)) / kept_mass)
    if m == 4:
        assert shown(lost) == "0.0085"


def test_the_page_names_the_entries():
    names = {alignment.mechanism.name for alignment in ENTRIES}
    named = {"opendp_each_phi", "opendp_group_by_each_phi", "google_selection_each_phi"}
    assert named <= {alignment.name for alignment in ENTRIES}
    told = {"google_count_mended", "key_with_retries", "truncated_selection"}
    assert told <= names
    assert all(f"`{name}`" in PAGE for name in named | told)
