"""The audit page is truthful about how to reproduce it: what its rows name exists, and no check is left unnamed."""

import ast
import re
from pathlib import Path

import pytest

from alignkit.catalogue import mechanisms

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "paper_audit.md"
COLUMNS = ["where", "what is claimed", "how it was checked", "outcome", "reproduce with"]
OUTCOMES = ("holds", "does not hold", "transcription doubtful", "not checkable")
COMMAND = re.compile(r"`((?:pytest|alignkit) [^`]*)`")
PYTEST = re.compile(r"pytest (?P<file>tests/[\w/]+\.py)(?:::(?P<name>\w+))?(?: -k (?P<word>\w+))?")
CHECK = re.compile(r"alignkit check (?P<name>\w+)")


def rows():
    """The rows of all tables with the audit's five columns."""
    found, inside = [], False
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")] if line.startswith("|") else []
        if cells == COLUMNS:
            inside = True
        elif not cells:
            inside = False
        elif inside and not set(cells[0]) <= set("-|"):
            found.append(cells)
    return found


def commands(kind):
    return sorted({each for cells in rows() for each in COMMAND.findall(cells[-1]) if each.startswith(kind)})


def test_names(path):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return [each.name for each in tree.body if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")]


test_names.__test__ = False


def test_every_row_has_five_columns_and_an_outcome():
    assert len(rows()) > 80
    for cells in rows():
        assert len(cells) == len(COLUMNS), cells
        assert all(cells), cells
        assert cells[3].startswith(OUTCOMES), cells


def test_every_row_that_was_checked_can_be_reproduced():
    """Only what is not checkable has no command; prose gives its reason instead."""
    for cells in rows():
        if not cells[3].startswith("not checkable"):
            assert COMMAND.search(cells[4]), cells


@pytest.mark.parametrize("command", commands("pytest"))
def test_pytest_commands_name_existing_tests(command):
    found = PYTEST.fullmatch(command)
    assert found, command
    assert (ROOT / found["file"]).is_file(), command
    names = test_names(found["file"])
    assert names
    if found["name"]:
        assert found["name"] in names
    if found["word"]:
        assert any(found["word"] in name for name in names)


def test_check_commands_name_mechanisms_of_the_catalogue():
    named = set()
    for command in commands("alignkit"):
        found = CHECK.fullmatch(command)
        assert found, command
        named.add(found["name"])
    assert named
    missing = named - {each.name for each in mechanisms()}
    assert not missing, f"not in the catalogue: {', '.join(sorted(missing))}"


def test_every_erratum_is_numbered_and_referred_to_by_a_row():
    """Errata are headed E1, E2, ...; a row that does not hold points to its erratum."""
    text = PAGE.read_text(encoding="utf-8")
    headed = [int(number) for number in re.findall(r"^\*\*E(\d+)\b", text, flags=re.MULTILINE)]
    assert headed == list(range(1, len(headed) + 1))
    for cells in rows():
        referred = {int(number) for number in re.findall(r"\bE(\d+)\b", cells[3])}
        assert referred <= set(headed), cells
        if cells[3].startswith("does not hold"):
            assert referred, cells
    assert set(headed) == {int(n) for cells in rows() for n in re.findall(r"\bE(\d+)\b", cells[3])}


def test_every_audit_test_is_named_by_a_row():
    """A check that no row points to would never be found."""
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        file = f"tests/audit/{path.name}"
        found = [PYTEST.fullmatch(command) for command in commands("pytest")]
        picks = [(each["name"], each["word"]) for each in found if each and each["file"] == file]
        for name in test_names(file) if path.name != Path(__file__).name else []:
            assert any(name == exact or (word and word in name) for exact, word in picks), f"{file}::{name}"


def test_what_a_paper_does_not_print_is_not_said_to_fail_as_printed():
    own = [cells for cells in rows() if cells[1].startswith("(not in the ")]
    assert len(own) >= 5
    for cells in own:
        assert "as printed" not in cells[3], cells
