"""No mutant of a proved entry is proved unless an argument that is not the prover's own says why it is private."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from mutation import page
from mutation.entries import Entry, entries
from mutation.mutants import Mutant, chosen
from mutation.operators import OPERATORS
from mutation.outcomes import PROVED, REFUSED, REFUTED, Judges, judge
from support.examples import examples

SAMPLE = 30


@cache
def sample() -> tuple[Mutant, ...]:
    """Some mutants of the page, spread over the entries and the operators; always the same."""
    source = random.Random(0)
    shuffled = source.sample(entries(), len(entries()))
    used = Counter[str]()
    picked: list[Mutant] = []
    for number in range(SAMPLE):
        waiting = chosen(shuffled[number % len(shuffled)], OPERATORS)
        picked.append(min(source.sample(waiting, len(waiting)), key=lambda each: used[each.operator]))
        used[picked[-1].operator] += 1
    return tuple(picked)


@pytest.mark.parametrize("number", range(examples(10, SAMPLE)))
def test_a_sampled_mutant_is_not_proved_without_an_argument(number: int, tmp_path: Path):
    outcome = judge(sample()[number], tmp_path, effort=0)
    assert not outcome.fails, str(outcome)


def test_the_sample_is_spread():
    assert len({m.entry for m in sample()}) == min(SAMPLE, len(entries()))
    assert len({m.operator for m in sample()}) > len(OPERATORS) * 3 / 4


@pytest.fixture(scope="module")
def judges() -> Iterator[Judges]:
    with Judges() as each:
        yield each


@pytest.mark.slow
@pytest.mark.parametrize("entry", entries(), ids=lambda e: e.name)
def test_no_mutant_is_proved_without_an_argument(entry: Entry, judges: Judges):
    outcomes = judges.judge(chosen(entry, OPERATORS))
    failed = [str(o) for o in outcomes if o.fails]
    assert not failed, "\n".join(failed)
    assert sum(o.kind == REFUTED for o in outcomes) > len(outcomes) / 4, "most changes should show"
    assert sum(o.kind == REFUSED for o in outcomes) < len(outcomes) / 2, "too many are no programs at all"
    assert page.listed([o.mutant for o in outcomes if o.kind == PROVED]) == page.proved(entry.name)
