"""The page on the Python interface: its examples run, and it names everything that is public."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import alignkit

PAGE = Path(__file__).parents[2] / "docs" / "python_api.md"


def test_the_examples_run() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 8
    assert not failed


def test_every_public_name_is_there() -> None:
    reference = PAGE.read_text(encoding="utf-8").partition("\n## Same law\n")[0]
    named = set(re.findall(r"\w+", "".join(re.findall(r"`[^`]*`", reference))))
    assert {name for name in alignkit.__all__ if not name.startswith("_")} <= named
