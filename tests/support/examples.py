"""How many random examples a test takes: fewer in ``make test`` than in ``make test-all``."""

from __future__ import annotations

_run = {"all": True}


def leave_slow_tests_out(expression: str) -> None:
    """Told by tests/conftest.py, before tests are collected, by which marks pytest chooses them."""
    _run["all"] = expression != "not slow"


def examples(few: int, many: int) -> int:
    """``few`` where the slow tests are left out, else ``many``."""
    return many if _run["all"] else few
