"""What the free gaps are worth where they decide what is measured: `python docs/experiments/close_calls.py`.

Two mechanisms with the same budget in the same shares look for winners above a threshold. One measures all of them;
the other knows their gaps for free, measures the close ones only, and has budget left for more winners.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from alignkit import BELOW
from alignkit.mechanisms.measured_close_calls import FAR, sparse_vector_measuring_close_calls
from alignkit.mechanisms.sparse_numeric import sparse_numeric_by_shares
from alignkit.utility import inverse_variance

EPS, THETA = Fraction(7, 10), Fraction(1, 4)
SCALES = 4  # of the noise of a test: a gap of so many is far
RUNS, SEED = 1000, 20
HEAD = """| k | winners | measured | their error | error of the others | winners, all measured | their error |
|---:|---:|---:|---:|---:|---:|---:|"""


def counts() -> list[int]:
    """400 counts that fall like rank^(-0.8), in a random order."""
    falling = [int(20_000 / rank**0.8) for rank in range(1, 401)]
    return [int(count) for count in np.random.default_rng(SEED).permutation(falling)]


@dataclass(frozen=True)
class Comparison:
    """Averages over all runs: numbers of winners in a run, and root mean squared errors of what is said of them."""

    k: int
    winners: float
    measured: float
    error_measured: float
    error_far: float
    winners_all_measured: float
    error_all_measured: float

    @property
    def row(self) -> str:
        """The row of the table on docs/experiments.md."""
        return (
            f"| {self.k} | {self.winners:.1f} | {self.measured:.1f} | {self.error_measured:.0f} | "
            f"{self.error_far:.0f} | {self.winners_all_measured:.1f} | {self.error_all_measured:.0f} |"
        )


def compare(k: int, runs: int = RUNS) -> Comparison:
    """Compare the two for a threshold at the count of rank 4 k + 1."""
    q = counts()
    threshold = sorted(q, reverse=True)[4 * k]
    per_winner = (1 - THETA) * EPS / (2 * k)
    variance = 2 / float(per_winner) ** 2
    gap_variance = 4 * variance + 2 / float(THETA * EPS) ** 2
    close, beyond, everything = [], [], []
    for outputs in sparse_vector_measuring_close_calls.sample_many(
        runs=runs, seed=SEED, q=q, T=threshold, scales=SCALES, k=k, eps=EPS, theta=THETA
    ):
        for answer, (tag, gap, number) in zip(q, outputs, strict=False):
            if tag is FAR:
                beyond.append(threshold + gap - answer)
            elif tag is not BELOW:
                best = inverse_variance([number, threshold + gap], (variance, gap_variance)).value
                close.append(float(best) - answer)
    share = (1 - THETA) * EPS / 2
    for outputs in sparse_numeric_by_shares.sample_many(
        runs=runs, seed=SEED, q=q, T=threshold, c=k, delta=1, eps0=THETA * EPS, eps1=share, eps2=share
    ):
        everything += [number - answer for answer, number in zip(q, outputs, strict=False) if number is not BELOW]
    return Comparison(
        k, (len(close) + len(beyond)) / runs, len(close) / runs, _error(close), _error(beyond),
        len(everything) / runs, _error(everything),
    )  # fmt: skip


def _error(errors: list[float]) -> float:
    return math.sqrt(np.mean(np.square(errors)))


if __name__ == "__main__":
    print(HEAD)
    for k in (5, 10, 20):
        print(compare(k).row)
