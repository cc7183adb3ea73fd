"""Where `alignkit check` bounds losses from below: where a report shows it, and then the same whatever ran before."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.cached_programs import SPARSE

from alignkit.attacking import brackets
from alignkit.errors import InternalError


@pytest.fixture
def file(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ALIGNKIT_CACHE_DIR", str(here / "cache"))
    path = here / "mine.py"
    path.write_text(SPARSE)
    return path


@pytest.fixture
def no_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every attack beside a check be noticed: workers are forks, in which it fails."""

    def attacked(alignment: Any, result: Any, effort: int | None, *rest: Any) -> Any:
        if effort == 0:
            return result
        raise InternalError("an attack was made")

    monkeypatch.setattr(brackets, "attacked", attacked)


def documents(ran: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(ran.out)["results"]
    return [{**result, "cached": None, "seconds": None} for result in found]


@pytest.mark.parametrize("flags", [(), ("--quiet",), ("-j", "2")], ids=lambda flags: " ".join(flags) or "none")
def test_no_loss_is_bounded_where_no_report_shows_it(flags, cli: Any, file: Path, no_attack: None) -> None:
    assert cli("check", "--no-cache", *flags, file).code == 0


@pytest.mark.parametrize("flags", [("--verbose",), ("--format", "json"), ("--format", "junit")], ids=" ".join)
def test_the_loss_is_bounded_where_every_report_is_full(flags, cli: Any, file: Path, no_attack: None) -> None:
    assert cli("check", "--no-cache", *flags, file).code == 4


def test_a_single_alignment_is_shown_with_the_bound(cli: Any, file: Path) -> None:
    assert "at least" in cli("check", f"{file}::phi").out


def test_a_bound_that_one_report_left_out_is_there_for_the_next(cli: Any, file: Path) -> None:
    fresh = cli("check", "--format", "json", "--no-cache", file)
    assert cli("check", file).out.count(" cached ") == 0
    assert cli("check", file).out.count(" cached ") == 2
    later = [cli("check", "--format", "json", file) for _ in range(2)]
    bounds = [result["privacy"]["lower"] for result in documents(fresh)]
    assert None not in bounds
    assert [documents(ran) for ran in later] == [documents(fresh)] * 2


def test_what_is_not_as_expected_is_shown_with_the_bound(cli: Any, file: Path) -> None:
    file.write_text(SPARSE.replace('epsilon="eps"', 'epsilon="eps / 4"'))
    shown = cli("check", "--no-cache", file)
    assert shown.code == 1
    for result in documents(cli("check", "--format", "json", "--no-cache", file)):
        if result["verdict"] != result["expected"]:
            assert result["privacy"]["lower"] is not None
            assert re.search(rf"at least {re.escape(result['privacy']['lower'])}", shown.out)


def test_the_only_one_that_is_left_of_several_is_shown_with_the_bound(cli: Any, file: Path, monkeypatch) -> None:
    import alignkit.checking as checking

    check = checking.check_with_proof

    def failing(alignment: Any, **more: Any) -> Any:
        if alignment.name == "phi":
            raise InternalError("a failure")
        return check(alignment, **more)

    monkeypatch.setattr(checking, "check_with_proof", failing)
    shown = cli("check", "--no-cache", file)
    assert shown.code == 4
    assert "at least" in shown.out
