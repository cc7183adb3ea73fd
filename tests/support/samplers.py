"""Samplers that other processes can import."""

from __future__ import annotations

from typing import Any

import numpy as np


def noisy_counts(data: Any, size: int, rng: np.random.Generator, scale: float = 1.0) -> Any:
    """A histogram with Laplace noise, private where the scale is the sensitivity over ε."""
    return data + rng.laplace(scale=scale, size=(size, len(data)))


def noisy_count(data: Any, rng: np.random.Generator) -> float:
    """One run of a noisy count."""
    return float(data[0] + rng.laplace())


def legacy_count(data: Any) -> float:
    """One run of a noisy count, by numpy's global generator."""
    return float(data[0] + np.random.laplace())


class Remembering:
    """A sampler with a generator of its own, of which every worker gets a copy."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(1)

    def __call__(self, data: Any, size: int) -> Any:
        return data[0] + self.rng.laplace(size=size)
