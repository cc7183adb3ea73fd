"""Whatever the text of a mechanism and its proof says, alignkit ends with a verdict or with an error of its own."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from mutation import crashes
from mutation.crashes import passage
from mutation.entries import entry_named
from mutation.mutants import Mutant
from mutation.operators import OPERATORS
from mutation.wild import WILD, texts, wild
from support.examples import examples

from alignkit import InternalError
from alignkit.errors import Undefined

FEW, MANY, BATCH = 100, 5000, 50


def unchanged() -> Mutant:
    """An entry of the catalogue as it is, which is checked in no time."""
    entry = entry_named("laplace_mechanism/phi")
    return Mutant(entry.name, "none", "nothing", entry.files["phi"], 1, entry.source)


@pytest.mark.parametrize("seed", range(examples(25, FEW)))
def test_a_wild_mutant_gets_a_verdict_or_a_clear_error(seed: int, tmp_path: Path):
    passed = passage(wild(seed), tmp_path, timeout=1)
    assert not passed.crash, str(passed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(FEW, FEW + MANY, BATCH))
def test_wild_mutants_get_a_verdict_or_a_clear_error(first: int, tmp_path: Path):
    passed = [passage(wild(seed), tmp_path) for seed in range(first, first + BATCH)]
    crashed = [str(each) for each in passed if each.crash]
    assert not crashed, "\n".join(crashed)


def test_mutants_are_always_the_same_and_spread():
    mutants = [wild(seed) for seed in range(FEW)]
    assert mutants[:10] == [wild(seed) for seed in range(10)]
    assert len({m.source for m in mutants}) > 0.95 * FEW
    assert len({m.entry for m in mutants}) > len(texts()) / 3
    used = {name for m in mutants for name in m.operator.split(", ")}
    assert len(used) > (len(OPERATORS) + len(WILD)) * 3 / 4


@pytest.mark.parametrize("problem", [ZeroDivisionError("0"), InternalError("two engines disagree"), RecursionError()])
def test_a_check_that_breaks_down_is_a_crash(problem: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def broken(*arguments: object, **named: object) -> None:
        raise problem

    monkeypatch.setattr(crashes, "check", broken)
    passed = passage(unchanged(), tmp_path)
    assert type(problem).__name__ in passed.crash
    assert passed.mutant.source in str(passed)


def test_what_alignkit_raises_to_itself_is_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def undefined(alignment: object, **named: object) -> None:
        raise Undefined("division by zero", alignment.program.place)  # type: ignore[attr-defined]

    monkeypatch.setattr(crashes, "check", undefined)
    assert "division by zero" in passage(unchanged(), tmp_path).crash


def test_a_decorator_that_breaks_down_is_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # A function of C has no frame of its own, so that alignkit is what raises.
    monkeypatch.setattr("alignkit.running.mechanism_reader.find_draws", {}.__getitem__)
    assert "KeyError" in passage(unchanged(), tmp_path).crash


def test_what_the_checker_says_of_an_unchanged_entry_is_no_crash(tmp_path: Path):
    assert passage(unchanged(), tmp_path).outcome == "proved"
    assert passage(unchanged(), tmp_path).crash == ""


def test_a_check_that_does_not_end_is_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def endless(*arguments: object, **named: object) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            pass

    monkeypatch.setattr(crashes, "check", endless)
    monkeypatch.setattr(crashes, "MOST_SECONDS", 2)
    assert "not done after 2 seconds" in passage(unchanged(), tmp_path).crash
