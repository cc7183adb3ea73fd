"""The counterexamples at the head of docs/paper_audit.md: each as numbers, from exact laws or closed forms.

`python tests/audit/counterexamples.py E23` prints those of an erratum; the tests of tests/audit hold them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from support.private_selection import adversarial, law_above

from alignkit import BELOW, law
from alignkit.mechanisms.discrete_simulation import simulated_gap_as_printed

HALF = Fraction(1, 2)


def low_number_after_losers(losers: int, spread: Fraction) -> Fraction:
    """P(losers, then a number of at most 0) in the lecture's Sparse with answers and threshold 0, c = 1, eps = 1.

    The threshold's noise has scale 2 and that of a query ``spread``; lengths are in units of the sensitivity. For a
    noisy threshold z < 0 each loser has the chance exp(z/spread)/2 and the number (1 - exp(z/spread))/2. Where the
    losers' answers are 1, each of the chances is smaller by exp(-1/spread), for every z.
    """
    rate, lose = HALF, 1 / spread
    return Fraction(1, 4) * HALF ** (losers + 1) * (1 / (rate + losers * lose) - 1 / (rate + (losers + 1) * lose))


def excess_over_exp_eps(losers: int, spread: Fraction) -> Fraction:
    """A lower bound on P(E) - e P'(E) for the event of ``low_number_after_losers``: the least delta for eps = 1."""
    beyond = losers / spread - 1
    return low_number_after_losers(losers, spread) * (beyond - beyond**2 / 2)  # 1 - exp(-x) >= x - x^2/2


def gap_of_algorithm_8(eps: float, lead: float, u: tuple[int, int], *, printed: bool) -> float:
    """P(outcome 0 comes out with a gap above ``lead``), of two utilities with sensitivity 1."""
    scaled = eps * (u[0] - u[1]) / 2
    location = (u[0] - u[1]) / 2 if printed else scaled
    return (1 + math.exp(-location)) / (1 + math.exp(-scaled)) / (1 + math.exp(lead - location))


def all_gaps_reached(losers: int, gaps: int, made: Any = simulated_gap_as_printed) -> Fraction:
    """P(losers, then a winner that reaches all gaps) on answers 0, ..., 0, 2, over the same on 1, ..., 1, 1."""
    values = {"G": tuple(range(1, gaps + 1)), "low": 0, "high": 2, "delta": 1, "c": 1, "w": 6, "gamma": 1}
    output = [BELOW] * losers + [[True] * gaps]
    on_d, on_other = (
        law(made, q=q, eta1=1, eta2=4, **values)[output] for q in ([0] * losers + [2], [1] * losers + [1])
    )
    return Fraction(on_d.at(()) / on_other.at(()))


def rare_pair(rounds: int | None) -> Fraction:
    """How much likelier a rare pair becomes in Ilvento's Algorithm 6: candidates of ratio 2, gamma = 1/100."""
    laws = (law_above(each, 1, Fraction(1, 100), rounds) for each in adversarial(Fraction(2), Fraction(1, 10_000)))
    on_d, on_other = (each["rare", 1] for each in laws)
    return on_d / on_other


def losers_without_clamp(losers: int, answer: int) -> Fraction:
    """P(all lose) where the threshold's noise is clamped to [-1, 2] only, as line 7 of Ilvento's Section 4 has it.

    All answers are the same, from the range 0 to 1; w = gamma = Delta = c = 1, eta1 = 1, eta2 = 2: both bases are 1/2.
    """
    ends = {-1: Fraction(1, 3), 0: Fraction(1, 3), 1: Fraction(1, 6), 2: Fraction(1, 6)}

    def below(t: int) -> Fraction:
        return HALF ** (1 - t) * 2 / 3 if t <= 0 else 1 - HALF**t * 2 / 3

    return sum((chance * below(z - answer) ** losers for z, chance in ends.items()), Fraction(0))


def tie_under_geometric_noise(r: Fraction, q: tuple[int, int, int], most: int = 400) -> Fraction:
    """P(the second of three wins with gap 0) in Noisy Max with Gap, noise Geo(1 - r); the first position wins ties."""

    def mass(k: int) -> Fraction:
        return (1 - r) * r**k if k >= 0 else Fraction(0)

    def up_to(k: int) -> Fraction:
        return 1 - r ** (k + 1) if k >= 0 else Fraction(0)

    values = range(max(q), max(q) + most)
    return sum((up_to(v - 1 - q[0]) * mass(v - q[1]) * mass(v - q[2]) for v in values), Fraction(0))


def logarithm(number: Fraction) -> float:
    """ln of a number that may be too small or too large for a float."""
    return math.log(number.numerator) - math.log(number.denominator)


def share_covered(distance: float, missed: float = 0.05) -> float:
    """Of the gaps that are released for an answer ``distance`` >= 0 below the threshold, the share that a bound covers.

    The bound covers all but ``missed`` of all noise; scales 1 for the threshold and the query (Lemma 3 of the Journal).
    """
    released = (2 + distance) / 4 * math.exp(-distance)
    return max(0.0, 1 - missed / released)


def printed(erratum: str) -> list[str]:
    """The lines that `python tests/audit/counterexamples.py ERRATUM` prints."""
    return [f"{what}: {number}" for what, number in _NUMBERS[erratum]()]


def _lecture() -> list[tuple[str, str]]:
    lines = []
    for losers in (4, 40):
        on_d = low_number_after_losers(losers, Fraction(2))
        lines.append((f"{losers} losers, then a number of at most 0, c = 1: P on D", f"exp({logarithm(on_d):.2f})"))
        lines.append(("  the losers' answers are 1 higher on D', the loss is (claim: 1)", f"{losers / 2:.1f}"))
    return lines


def _lecture_with_delta() -> list[tuple[str, str]]:
    # Rounded up, and down: what is printed is a bound.
    assert math.exp(-50) < 2e-22 < 3.6e-19 < excess_over_exp_eps(49, Fraction(40))
    return [("delta, for which sigma is 40, is below", "2e-22"), ("P - e P' is above", "3.6e-19")]


def _two_gaps() -> list[tuple[str, str]]:
    return [
        (f"loss in bits with {gaps} gaps (claim: 5)", f"{math.log2(all_gaps_reached(2, gaps)):.2f}") for gaps in (2, 3)
    ]


def _without_clamp() -> list[tuple[str, str]]:
    ratios = {losers: losers_without_clamp(losers, 0) / losers_without_clamp(losers, 1) for losers in (12, 20)}
    return [(f"{losers} losers: ratio (claim: 8)", f"{float(ratio):.1f}") for losers, ratio in ratios.items()]


def _candidates() -> list[tuple[str, str]]:
    claim = 2 * math.exp(0.2)
    return [("ratio of the claim, exp(2/10 + ln 2)", f"{claim:.2f}"), ("ratio", f"{float(rare_pair(1001)):.2f}")]


def _algorithm_8() -> list[tuple[str, str]]:
    def loss(*, printed: bool) -> float:
        on_d, on_other = (gap_of_algorithm_8(0.1, 10, u, printed=printed) for u in ((0, 0), (1, -1)))
        return math.log(on_other / on_d)

    return [("loss as printed (claim: 0.1)", f"{loss(printed=True):.2f}"), ("with eps", f"{loss(printed=False):.2f}")]


def _ties() -> list[tuple[str, str]]:
    on_d, on_other = (tie_under_geometric_noise(HALF, q) for q in ((3, 2, 0), (4, 2, 0)))
    return [("ratio of the claim, exp(eps/2)", "2.0"), ("ratio", f"{float(on_d / on_other):.1f}")]


def _covered() -> list[tuple[str, str]]:
    return [(f"share covered {d} below the threshold (claim: 0.95)", f"{share_covered(d):.2f}") for d in (0, 1, 3)]


def _early_winner() -> list[tuple[str, str]]:
    # Noises of equal scale: an answer 20 scales above the threshold loses with probability (2 + 20)/4 exp(-20).
    return [("probability of reaching the second query (the theorem: 1 - beta)", f"{22 / 4 * math.exp(-20):.1e}")]


_NUMBERS: dict[str, Callable[[], list[tuple[str, str]]]] = {
    "E23": _lecture,
    "E35": _lecture_with_delta,
    "E33": _two_gaps,
    "E36": _without_clamp,
    "E27": _candidates,
    "E31": _algorithm_8,
    "E37": _ties,
    "E12": _covered,
    "E24": _early_winner,
}
ERRATA = tuple(_NUMBERS)
