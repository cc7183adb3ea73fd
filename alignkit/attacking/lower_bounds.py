"""Certified losses beside one another: the one that is always true, and which of two says more."""

from __future__ import annotations

from alignkit.output_events import ANY_OUTPUT
from alignkit.results import CertifiedLoss, Method, Witness


def nothing_found(*notes: str) -> CertifiedLoss:
    """The bound that every mechanism has, 0, with notes on why there is no better one."""
    return CertifiedLoss(0.0, Method.EXACT, ANY_OUTPUT, Witness({}, {}, {}), notes=notes)


def share(bound: CertifiedLoss) -> float:
    """A certified loss as a share of the claim; without a claim, the loss."""
    return bound.loss if not bound.claim else bound.loss / bound.claim
