"""The page on gaps: its examples run, and it names every function."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import alignkit.utility

PAGE = Path(__file__).parents[2] / "docs" / "utility.md"


def test_the_examples_run() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 30
    assert not failed


def test_every_function_is_there() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE.read_text(encoding="utf-8")))
    assert set(alignkit.utility.__all__) - {"Combined"} <= named
