"""A budget that is overdrawn by a little is found overdrawn by just that."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from attacking.slightly_wrong import EXCESSES, PROGRAMS, slightly_wrong

from alignkit import check
from alignkit.results import Verdict

ENDS = (EXCESSES[0], EXCESSES[-1])
SOME = [e if e in ENDS else pytest.param(e, marks=pytest.mark.slow) for e in EXCESSES]


def percent(value: object) -> str:
    return f"{value * 100}%" if isinstance(value, Fraction) else str(value)


@pytest.mark.parametrize("excess", SOME, ids=percent)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_claim_is_refuted_by_a_run_that_costs_more(program: str, excess: Fraction, tmp_path: Path):
    result = check(slightly_wrong(tmp_path, program, excess))
    found = result.counterexample
    assert result.verdict is Verdict.REFUTED
    assert found.condition == "cost"
    assert found.claim == found.witness.public["eps"]
    assert found.cost == (1 + excess) * found.claim


@pytest.mark.parametrize("excess", SOME, ids=percent)
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_it_costs_is_proved_and_attained(program: str, excess: Fraction, tmp_path: Path):
    phi = slightly_wrong(tmp_path, program, excess, honest=True)
    result = check(phi)
    assert result.verdict is Verdict.PROVED
    assert set(result.scope.values()) == {"all"}
    assert result.cost == phi.claim
    assert result.attained
