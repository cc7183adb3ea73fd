"""The examples of docs/code_that_runs.md run one after the other and print what stands below them."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from alignkit.implementing import Conformity, NoiseDraw, patches

PAGE = (Path(__file__).parents[2] / "docs" / "code_that_runs.md").read_text(encoding="utf-8")

# The library of the page whose sampler and counts are named.
LIBRARY = """
import numpy as np


def draw(scale, size):
    raise NotImplementedError("compiled")


def histogram(data, epsilon):
    counts = np.bincount(data, minlength=3)
    return counts + draw(1 / epsilon, len(counts))
"""


def test_the_examples_print_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mylib.py").write_text(LIBRARY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mylib", raising=False)
    examples = re.findall(r"```python\n(.*?)```(?:\n\n```\n(.*?)```)?", PAGE, flags=re.DOTALL)
    assert [bool(shown) for _, shown in examples] == [True, True, True, False]
    names: dict[str, Any] = {"__name__": "example"}
    for number, (code, shown) in enumerate(examples):
        exec(compile(code, "example.py", "exec"), names)
        assert capsys.readouterr().out == shown
        if number == 0:
            assert names["claim"].replay(names["found"]) == (2, 1)
    with pytest.raises(AssertionError):
        names["test_what_ships_is_what_was_proved"]()
    # What the page says of the first example with the mechanism's noise.
    right = examples[0][0].replace("scale=1 / epsilon", "scale=2 / epsilon").partition("print")[0]
    exec(compile(right, "example.py", "exec"), names)
    found = names["found"]
    assert (found.verdict, found.paths, found.float_runs) == (Conformity.IMPLEMENTS, 7, 88)
    names["test_what_ships_is_what_was_proved"]()
    sys.modules.pop("mylib", None)


def test_every_verdict_is_explained() -> None:
    assert re.findall(r"^\| `(\w+)` \| [A-Z]", PAGE, flags=re.MULTILINE) == [str(verdict) for verdict in Conformity]


def test_the_noise_of_the_page_is_known() -> None:
    """What a row names is a method of the generator that stands for numpy's and Python's."""
    rows = re.findall(r"^\| (`numpy\.random`|Python's `random`|`scipy\.stats`)[^|]*\| ([^|]*) \|", PAGE, re.MULTILINE)
    assert len(rows) == 3
    for source, told in rows:
        if source == "`scipy.stats`":
            continue
        for name in set(re.findall(r"`(\w+)`", told)) - {"p"}:
            assert hasattr(patches.Generator, name), name
    drawn = PAGE.partition("what is drawn: ")[2].partition(" of `NoiseDraw`")[0]
    for name in re.findall(r"`(\w+)`", drawn):
        assert hasattr(NoiseDraw, name), name
