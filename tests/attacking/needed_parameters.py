"""Simple public parameters for the page's attacks on entries that lose more than their claim at some of them only."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

_NEEDED: dict[str, dict[str, Any]] = {
    "black_box_phi_as_printed": {"delta": 1, "eps": Fraction(1, 10), "rounds": 1},
    "selection_phi_as_printed": {"tau": 1, "gamma": Fraction(1, 10), "eps0": Fraction(1, 4), "T": 80, "eps1": 2},
    "nvflare_before_phi_as_claimed": {"c": 4, "ratio": 4, "gamma": 1},
    "nvflare_before_phi": {"c": 4, "ratio": 4, "gamma": 1},
    "nvflare_unsampled_after_phi": {"sampled": [1], "gamma": 1, "delta": 2},
    "nvflare_release_before_phi_as_claimed": {"gamma": 1, "delta": 4},
    "lower_bound_phi_as_claimed": {"lower": 1, "largest_square": 4},
    "regression_before_phi_as_claimed": {"share": Fraction(1, 2)},
}


def needed_parameters(alignment: str) -> dict[str, Any] | None:
    """The parameters for the attack on the mechanism of this alignment; None if the attack chooses them."""
    return _NEEDED.get(alignment)
