"""What a mechanism of the student's own must put out, seen from sample runs; each function says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from alignkit import Mechanism, Tag

SEEDS = range(20)


def releases_a_report(mechanism: Mechanism[Any]) -> str:
    """Whether the report of exercise 7 has tags for both lists, and between them one noisy number."""
    kinds = set()
    for seed in SEEDS:
        output = mechanism.sample([1000, -1000], 50, [-1000, 1000], T=0, U=0, k=1, eps=100, seed=seed)
        kinds.add("".join("t" if isinstance(item, Tag) else "n" for item in output))
    if kinds != {"tntt"}:
        return "The report must hold the tags of the first list, the noisy count, and the tags of the second list."
    return ""


def releases_a_gap(mechanism: Mechanism[Any]) -> str:
    """Whether some outputs hold a number that depends on the noise, beside a tag or a position."""
    outputs = [mechanism.sample([-40, 60, 0, 45, -5, 80], T=20, k=2, eps=1, seed=seed) for seed in SEEDS]
    found = [list(_items(output)) for output in outputs]
    numbers = {item for items in found for item in items if isinstance(item, float) and not item.is_integer()}
    if len(numbers) < 2:
        return "The mechanism is private, but it releases no gap: no output holds a number that depends on the noise."
    if not any(isinstance(item, Tag | int) for items in found for item in items):
        return "The mechanism is private, but it selects nothing: no output holds a tag or a position."
    return ""


def releases_numbers(mechanism: Mechanism[Any]) -> str:
    """Whether the mechanism of exercise 10 puts out noisy numbers near the answers that are far above."""
    for seed in SEEDS:
        output = mechanism.sample([-1000, 1000], T=0, k=1, eps=100, seed=seed)
        if len(output) != 2 or not isinstance(output[0], Tag) or isinstance(output[1], Tag | int):
            return "The mechanism must put out a tag for a loser, and a noisy number for a winner."
    return ""


def _items(output: Any) -> Iterator[Any]:
    if isinstance(output, list | tuple):
        for item in output:
            yield from _items(item)
    else:
        yield output
