"""What an attack certifies within 10 s on one core, at a claimed ε of 0.1.

The figures to reach are the lower bounds that DP-Sniper reports for the same mechanisms at a claim of 0.1; it takes one
to two minutes for each. docs/benchmarks.md has the outcome.

The rule: a single attack of 10 s must certify the figure. Where one falls short another is begun with other random
choices, up to `ATTACKS` in all, so that the outcome does not hang on one seed; how many it took is in the row's
`extra_info`. None may certify more than what is proved.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from alignkit import attack
from alignkit.mechanisms import noisy_max, noisy_max_broken, sparse_vector, sparse_vector_broken
from alignkit.running.mechanism_decorator import Mechanism

# The mechanism, the loss that must be certified, and the one that is proved.
TARGETS = [
    (noisy_max.noisy_max, 0.084, 0.1),
    (sparse_vector.sparse_vector, 0.078, 0.1),
    (sparse_vector_broken.sparse_vector_with_answer, 0.170, math.inf),
    (sparse_vector_broken.sparse_vector_without_bound, 0.260, math.inf),
    (noisy_max_broken.noisy_max_with_maximum, 0.238, math.inf),
    # Half the noise loses 0.2 at most, which `2 * eps` proves; 0.238 cannot be had.
    (noisy_max_broken.noisy_max_with_half_the_noise, 0.199, 0.2),
    (sparse_vector_broken.sparse_vector_without_query_noise, math.inf, math.inf),
]


ATTACKS = 3


@pytest.mark.parametrize(("mechanism", "least", "most"), TARGETS, ids=lambda x: getattr(x, "name", ""))
def bench_attack(benchmark, mechanism: Mechanism, least: float, most: float) -> None:
    benchmark.group = "attack"
    losses: list[float] = []

    def attacks() -> None:
        while len(losses) < ATTACKS and max(losses, default=0) < least:
            found = attack(mechanism, eps=Fraction(1, 10), claim="eps", timeout=10, seed=len(losses))
            losses.append(found.loss)

    benchmark.pedantic(attacks)
    benchmark.extra_info["losses"], benchmark.extra_info["attacks"] = losses, len(losses)
    assert least <= max(losses) <= most
