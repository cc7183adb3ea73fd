"""No mutant of a proved entry is proved unless an argument that is not the prover's own says why it is private."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from mutation import page
from mutation.entries import Entry, entries
from mutation.mutants import Mutant, mutants
from mutation.operators import OPERATORS
from mutation.outcomes import PROVED, REFUSED, REFUTED, Judges, judge

# At least one of every entry.
SAMPLE = max(40, len(entries()))


@cache
def sample() -> tuple[Mutant, ...]:
    """Some mutants, spread over the entries and the operators; always the same."""
    source = random.Random(0)
    shuffled = source.sample(entries(), len(entries()))
    used = dict.fromkeys(source.sample(list(OPERATORS), len(OPERATORS)), 0)
    chosen = []
    for number in range(SAMPLE):
        for name in sorted(used, key=lambda each: used[each]):
            found = mutants(shuffled[number % len(shuffled)], {name: OPERATORS[name]})
            if found:
                chosen.append(source.choice(found))
                used[name] += 1
                break
    return tuple(chosen)


@pytest.mark.parametrize("number", range(SAMPLE))
def test_a_sampled_mutant_is_not_proved_without_an_argument(number: int, tmp_path: Path):
    outcome = judge(sample()[number], tmp_path)
    assert not outcome.fails, str(outcome)


def test_the_sample_is_spread():
    assert {m.entry for m in sample()} == {e.name for e in entries()}
    assert len({m.operator for m in sample()}) == len(OPERATORS)


@pytest.fixture(scope="module")
def judges() -> Iterator[Judges]:
    with Judges() as each:
        yield each


@pytest.mark.slow
@pytest.mark.parametrize("entry", entries(), ids=lambda e: e.name)
def test_no_mutant_is_proved_without_an_argument(entry: Entry, judges: Judges):
    outcomes = judges.judge(mutants(entry, OPERATORS))
    failed = [str(o) for o in outcomes if o.fails]
    assert not failed, "\n".join(failed)
    assert sum(o.kind == REFUTED for o in outcomes) > len(outcomes) / 4, "most changes should show"
    assert sum(o.kind == REFUSED for o in outcomes) < len(outcomes) / 2, "too many are no programs at all"
    assert page.listed([o.mutant for o in outcomes if o.kind == PROVED]) == page.proved(entry.name)
