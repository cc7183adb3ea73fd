"""Checks with little work for what stands beside them, for folders of which no test reads it."""

from __future__ import annotations

import pytest

from alignkit.attacking import brackets
from alignkit.checking import second_opinions


@pytest.fixture(autouse=True)
def brief_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give little work to the attack beside a check, and to the second opinion that nobody asked for.

    Workers are forks and do the same.
    """
    monkeypatch.setattr(brackets, "PROVED", 4)
    monkeypatch.setattr(brackets, "UNPROVED", 60)
    monkeypatch.setattr(second_opinions, "LITTLE", 4)
