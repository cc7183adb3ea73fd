"""The audit page is truthful about how to reproduce it: what its rows name exists, and no check is left unnamed."""

import ast
import json
import re
from pathlib import Path

import pytest
from support.audit_page import (
    BOLD,
    CHECK,
    COLUMNS,
    COMMAND,
    FINDINGS,
    PAGE,
    PYTEST,
    ROOT,
    Expected,
    expectations,
    findings,
    problem,
    rows,
)
from support.counterexamples import ERRATA, printed

from alignkit.catalogue import mechanisms

OUTCOMES = ("holds", "does not hold", "transcription doubtful", "not checkable")


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
    """What is not checkable or was found by eye has no command; prose gives its reason instead."""
    for cells in rows():
        if "by eye" in cells[2]:
            assert cells[4] == "none", cells
        elif not cells[3].startswith("not checkable"):
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
    headed = [int(number) for number in re.findall(r"^### E(\d+)$", text, flags=re.MULTILINE)]
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


def test_every_erratum_is_linked_where_it_is_referred_to():
    for cells in rows():
        for number in re.findall(r"\bE(\d+)\b", cells[3]):
            assert f"[E{number}](#e{number})" in cells[3], cells


def test_findings_are_linked_and_their_numbers_are_those_that_are_computed():
    """The bold numbers of a finding are printed by its command; those of alignkit commands `make audit` compares."""
    assert len(findings()) >= 8
    for cells in findings():
        assert len(cells) == len(FINDINGS), cells
        [erratum] = re.findall(r"\[(E\d+)\]\(#e\d+\)", cells[0])
        [command] = COMMAND.findall(cells[-1])
        assert BOLD.findall(cells[2]), cells
        if command.startswith("python"):
            assert command == f"python tests/audit/counterexamples.py {erratum}"
            assert problem(command, expectations()[command], 0, "\n".join(printed(erratum))) == ""


def test_every_counterexample_that_can_be_printed_is_a_finding():
    commands = {command for cells in findings() for command in COMMAND.findall(cells[-1])}
    assert commands >= {f"python tests/audit/counterexamples.py {erratum}" for erratum in ERRATA}


@pytest.mark.parametrize(
    ("command", "expected", "code", "printed", "wrong"),
    [
        ("pytest tests/a.py", Expected(), 0, "3 passed in 1.0s", ""),
        ("pytest tests/a.py", Expected(), 1, "1 failed, 3 passed", "exit code 1"),
        ("pytest tests/a.py", Expected(), 0, "2 passed, 1 skipped", "not every test passed"),
        ("pytest tests/a.py", Expected(), 0, "3 deselected", "not every test passed"),
        ("alignkit check a", Expected([{"proved"}]), 0, "1 proved, 0 refuted; all as expected", ""),
        ("alignkit check a", Expected([{"refuted"}]), 0, "1 proved, 0 refuted; all as expected", "nothing is refuted"),
        ("alignkit check a", Expected([{"proved"}]), 0, "1 proved, 1 not as expected", "nothing is proved"),
        ("alignkit check a", Expected(texts={"all n"}), 0, "1 proved, n <= 4", "does not print all n"),
        ("python a.py", Expected(texts={"2.0"}), 0, "ratio: 2.0", ""),
        ("python a.py", Expected(texts={"2.0"}), 0, "ratio: 12.0, 2.05", "does not print 2.0"),
    ],
)
def test_what_is_wrong_with_a_command(command, expected, code, printed, wrong):
    assert problem(command, expected, code, printed) == wrong


def test_every_command_has_an_expectation():
    """`make audit` runs each command once; a row that says that something is proved or refuted is compared."""
    assert set(expectations()) == {
        command for cells in rows() + findings() for command in COMMAND.findall(cells[-1])
    }
    for command, expected in expectations().items():
        assert not command.startswith("alignkit") or expected.counts or expected.texts, command


STATEMENTS = json.loads((Path(__file__).parent / "statements.json").read_text(encoding="utf-8"))
PLURAL = re.compile(r"\b(Lemma|Theorem|Definition|Algorithm|Example|Figure|Table|Equation|Mechanism)s\b")


def named_by(cell):
    """The statements that the first cell of a row names: "Lemmas 4 to 6 and Equation (2)" names four."""
    cell = PLURAL.sub(r"\1", cell.replace("Corollaries", "Corollary"))
    found = set()
    for kind, numbers in re.findall(r"\b([A-Z][a-z]+) ((?:\(?(?:[A-Z]\.)?\d+(?:\.\d+)?\)?(?:, | and | to )?)+)", cell):
        each = re.findall(r"(?:[A-Z]\.)?\d+(?:\.\d+)?", numbers)
        for part, first, last in re.findall(r"\b(\d+\.)?(\d+)\)? to \(?(?:\d+\.)?(\d+)", numbers):
            each += [f"{part}{number}" for number in range(int(first), int(last) + 1)]
        found |= {f"{kind} ({number})" if kind == "Equation" else f"{kind} {number}" for number in each}
    return found


@pytest.mark.parametrize("paper", STATEMENTS)
def test_every_numbered_statement_has_a_row(paper):
    """The lists follow the numbers that the texts print; the published page of the Journal has rows among its own."""
    title = "Journal" if paper.startswith("Journal") else paper
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = "\n".join(section for section in sections if section.startswith(title))
    named = set().union(*(named_by(cells[0]) for cells in rows() if "| " + cells[0] + " |" in text))
    assert named.issuperset(STATEMENTS[paper]), [each for each in STATEMENTS[paper] if each not in named]
