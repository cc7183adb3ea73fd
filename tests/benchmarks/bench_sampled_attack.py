"""How many samples an attack of 5 s takes of a mechanism without a closed form, made all at once and one by one.

The rows have the number of samples in `extra_info`; the runs that are made at once must be at least ten times as many.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, attack, mechanism
from alignkit.running.mechanism_decorator import Mechanism

SECONDS = 5
TIMES = 10


@mechanism
def product(q: Queries, eps: Epsilon, noise: Noise):
    """Whether the product of two noisy answers is large."""
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    return ABOVE if (q[0] + e) * (q[1] + f) >= 1 else BELOW


@mechanism
def products(q: Queries, eps: Epsilon, noise: Noise):
    """The product of each noisy answer with a noisy factor."""
    e = noise.laplace(1 / eps)
    for q_i in q:
        f = noise.laplace(1 / eps)
        yield (q_i + e) * (q_i + f)


def one_by_one(
    mechanism: Mechanism, public: Mapping[str, Any], data: Mapping[str, Any], size: int, rng: np.random.Generator
) -> list[Any]:
    return [mechanism.sample(**data, **public, seed=rng) for _ in range(size)]


@pytest.mark.parametrize("target", [product, products], ids=lambda x: x.name)
def bench_sampled_attack(benchmark, monkeypatch: pytest.MonkeyPatch, target: Mechanism) -> None:
    benchmark.group = "samples of an attack"

    def samples() -> int:
        return attack(target, eps=1, claim="eps", adjacency="each", timeout=SECONDS).samples or 0

    with monkeypatch.context() as patched:
        patched.setattr("alignkit.attacking.mechanism_attack.sampled_outputs", one_by_one)
        single = samples()
    at_once = benchmark.pedantic(samples)
    benchmark.extra_info["samples"], benchmark.extra_info["one by one"] = at_once, single
    assert at_once >= TIMES * single > 0
