"""Events that show how tight the claims of docs/new_results.md are, with the losses that are certified for them.

    PYTHONPATH=tests python -m finding.new_results_losses

prints the table of that page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from finding.new_results import (
    HIGH,
    LOW,
    MIDDLE,
    NOBODY,
    gumbel_monotone_phi,
    gumbel_phi,
    nobody_phi,
    numeric_exponential_phi,
    numeric_phi,
    one_threshold_phi,
    threshold_exponential_phi,
    threshold_phi,
    two_sided_phi,
)

from alignkit import BELOW, Alignment
from alignkit.attacking import Event, Interval, certify
from alignkit.formatting import loss_shown
from alignkit.results import CertifiedLoss

ANY = Interval()
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Shown:
    """Adjacent answers and an event, at stated public parameters."""

    alignment: Alignment
    public: Mapping[str, Any]
    q: Sequence[int]
    q_: Sequence[int]
    output: Any

    @property
    def claim(self) -> Fraction:
        """The alignment's claim at these parameters and at the outputs of the event."""
        names = {"max": max, "min": min, "len": len, "omega": self.output, **self.public}
        return Fraction(eval(self.alignment.claim, {"__builtins__": {}}, names))

    def certified(self) -> CertifiedLoss:
        """The loss that the event shows."""
        return certify(self.alignment.mechanism, event=Event(self.output), q=self.q, q_=self.q_, **self.public)

    def line(self) -> str:
        """A row of the table."""
        public = ", ".join(f"{name} = {value}" for name, value in self.public.items())
        return (
            f"| `{self.alignment.name}` | {public} | {list(self.q)} | {list(self.q_)} | {Event(self.output)} | "
            f"{self.claim} | {loss_shown(self.certified().loss)} |"
        )


def _budgets(eps0: int | Fraction, eps1: int | Fraction, eps2: int | Fraction, k: int = 1) -> dict[str, Any]:
    return {"T": 0, "k": k, "eps0": eps0, "eps1": eps1, "eps2": eps2}


BAND = {"k": 1, "eps0": 1, "eps1": 1}

SHOWN = (
    Shown(numeric_phi, _budgets(1, 1, 1), [2, 2, 2, 1, 0], [3, 3, 3, 2, 0], (*[BELOW] * 4, (ANY, ANY))),
    Shown(
        numeric_phi,
        _budgets(1, 1, 1, k=2),
        [0, 0, 0, -5, -1],
        [0, 0, 0, -6, -2],
        (*[BELOW] * 3, (ANY, Interval(low=Fraction(-3))), (ANY, Interval(low=Fraction(3)))),
    ),
    Shown(numeric_phi, _budgets(1, 1, HALF), [2, 2, 1, 1, 1, 0], [3, 3, 2, 2, 2, 0], (*[BELOW] * 5, (ANY, ANY))),
    Shown(numeric_exponential_phi, _budgets(HALF, 1, 1), [0], [-1], ((ANY, Interval(low=Fraction(0))),)),
    Shown(two_sided_phi, {"low": -40, "high": 0, **BAND}, [80, -20], [81, -19], (MIDDLE, (LOW, ANY))),
    Shown(two_sided_phi, {"low": -40, "high": 0, **BAND}, [-120, -20], [-121, -21], (MIDDLE, (HIGH, ANY))),
    Shown(
        one_threshold_phi, {"low": -2, "high": 2, **BAND}, [4, 4, 4, 4, 0], [5, 5, 5, 5, 1], (*[MIDDLE] * 4, LOW)
    ),
    Shown(threshold_phi, {"T": 0, "k": 1, "eps": 1}, [16, 2, 8], [17, 1, 9], ((2, ANY),)),
    Shown(threshold_phi, {"T": -20, "k": 1, "eps": 1}, [0] * 5, [1] * 5, ((0, ANY),)),
    Shown(threshold_phi, {"T": -20, "k": 2, "eps": 1}, [0] * 5, [1] * 5, ((0, ANY),)),
    Shown(
        threshold_phi, {"T": -20, "k": 2, "eps": 1}, [-30, 0, 0, 0, 0, 0], [-31, 1, 1, 1, 1, 1], ((1, ANY), (0, ANY))
    ),
    Shown(threshold_exponential_phi, {"T": 0, "k": 2, "eps": 1}, [0, 0], [-1, 1], (1, 0)),
    Shown(nobody_phi, {"T": 0, "eps": 1}, [2, 2, 1, 8, 4], [3, 3, 0, 9, 5], 2),
    Shown(nobody_phi, {"T": -20, "eps": 1}, [0] * 5, [1] * 5, NOBODY),
    Shown(gumbel_phi, {"k": 1, "eps": 1}, [0, 0, 0, 0, -8], [1, 1, 1, 1, -9], ((4, ANY),)),
    Shown(
        gumbel_phi,
        {"k": 3, "eps": 1},
        [0, 8, 0, -4],
        [-1, 9, -1, -5],
        ((2, ANY), (3, Interval(low=Fraction(2), high=Fraction(9, 4))), (0, Interval(low=Fraction(3)))),
    ),
    Shown(
        gumbel_monotone_phi,
        {"k": 2, "eps": 1},
        [0, 0, 8, 0, 4],
        [1, 0, 9, 1, 4],
        ((4, Interval(low=Fraction(6), high=Fraction(25, 4))), (1, Interval(low=Fraction(3)))),
    ),
)


def main() -> None:
    print("| alignment | at | D | D′ | event | claim | certified loss |")
    print("|---|---|---|---|---|---|---|")
    for shown in SHOWN:
        print(shown.line(), flush=True)


if __name__ == "__main__":
    main()
