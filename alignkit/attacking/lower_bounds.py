"""Certified losses beside one another: the one that is always true, and which of two says more."""

from __future__ import annotations

from alignkit.output_events import ANY_OUTPUT
from alignkit.results import CertifiedLoss, Method, Witness


def nothing_found(*notes: str) -> CertifiedLoss:
    """The bound that every mechanism has, 0, with notes on why there is no better one."""
    return CertifiedLoss(0.0, Method.EXACT, ANY_OUTPUT, Witness({}, {}, {}), notes=notes)


def weight(bound: CertifiedLoss) -> tuple[bool, float]:
    """How much a certified loss says: whether it is above its claim, and its share of the claim, or without one itself.

    A claim of 0 has no shares: a loss above it says more than any below a claim at other public parameters. What
    differs by rounding alone is alike.
    """
    return bound.violates, round(bound.loss if not bound.claim else bound.loss / bound.claim, 9)
