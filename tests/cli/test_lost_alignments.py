"""Alignments whose name is given again further down in their file: nothing would check them, and that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignkit import TargetError, load

SECOND = """
@alignment(mine, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=0)
"""

LOST = "the alignment phi would not be checked, because line {} uses its name for something else; give each alignment"


@pytest.mark.parametrize("target", ["mine.py", "mine.py::mine", "folder"])
@pytest.mark.parametrize(
    ("more", "line"),
    [(SECOND, 3), ("\ndef phi():\n    pass\n", 2), ("\nphi = None\n", 2), ("\nimport os as phi\n", 2)],
)
def test_the_name_is_given_again(cli, mine: Path, target: str, more: str, line: int) -> None:
    text = mine.read_text()
    mine.write_text(text + more)
    if target == "folder":
        (mine.parent / "folder").mkdir()
        mine.rename(mine.parent / "folder" / "mine.py")
    ran = cli("check", target)
    assert ran.code == 2
    assert "mine.py:31: " + LOST.format(len(text.splitlines()) + line) in ran.err


def test_one_of_the_two_by_name(cli, mine: Path) -> None:
    mine.write_text(mine.read_text() + SECOND)
    ran = cli("check", "mine.py::phi")
    assert ran.code == 2
    assert "mine.py:31: the alignment phi would not be checked" in ran.err


def test_the_others_are_checked(cli, mine: Path, broken: Path) -> None:
    mine.write_text(mine.read_text() + SECOND)
    ran = cli("check", ".")
    assert ran.code == 2
    assert "mine.py:31: the alignment phi would not be checked" in ran.err
    assert "1 refuted" in ran.out


def test_load_refuses_it_too(mine: Path) -> None:
    mine.write_text(mine.read_text() + SECOND)
    with pytest.raises(TargetError, match="the alignment phi would not be checked"):
        load("mine.py::phi")


@pytest.mark.parametrize(
    "more",
    [
        SECOND.replace("phi", "psi"),
        "\nfirst = phi\n" + SECOND,  # both have a name
        "\nif mine is None:\n    phi = None\n",  # the name still stands for it
        "\nnumbers = [phi for phi in ()]\n",
    ],
)
def test_an_alignment_that_still_has_a_name(cli, mine: Path, more: str) -> None:
    mine.write_text(mine.read_text() + more)
    assert "would not be checked" not in cli("check", "mine.py").err


def test_another_name_for_the_decorator(cli, mine: Path) -> None:
    text = mine.read_text() + SECOND
    mine.write_text("import alignkit as ak\n" + text.replace("@alignment", "@ak.alignment"))
    assert "mine.py:32: the alignment phi would not be checked" in cli("check", "mine.py").err
