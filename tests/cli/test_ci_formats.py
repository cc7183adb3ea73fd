"""`alignkit check` in the formats for CI systems: real runs, their exit codes, and errors."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

CI_FORMATS = ("junit", "sarif", "github")


def places(text: str, kind: str) -> list[tuple[str | None, int | None]]:
    """The file and line of each problem."""
    if kind == "junit":
        cases = [case for case in ET.fromstring(text).iter("testcase") if len(case.findall("*")) > 0]
        bad = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
        return [(case.get("file"), int(case.get("line", "0")) or None) for case in bad]
    if kind == "sarif":
        found = []
        for result in json.loads(text)["runs"][0]["results"]:
            place = result["locations"][0]["physicalLocation"]
            found.append((place["artifactLocation"]["uri"], place.get("region", {}).get("startLine")))
        return found
    commands = [line.removeprefix("::error ").partition("::")[0] for line in text.splitlines()]
    read = [dict(part.partition("=")[::2] for part in command.split(",")) for command in commands]
    return [(each.get("file"), int(each["line"]) if "line" in each else None) for each in read]


@pytest.mark.parametrize("kind", CI_FORMATS)
def test_a_refutation_a_proof_and_files_that_fail(cli, mine: Path, broken: Path, kind: str) -> None:
    (broken.parent / "unread.py").write_text("x = 1\ndef f(:\n")
    (broken.parent / "raises.py").write_text("x = 1\n\n1 / 0\n")
    (broken.parent / "dies.py").write_text("import os\nos._exit(7)\n")
    ran = cli("check", ".", "--format", kind)
    assert ran.code == 2
    found = places(ran.out, kind)
    line = next(n for n, text in enumerate(broken.read_text().splitlines(), 1) if "eta_i=[" in text)
    head = next(n for n, text in enumerate(broken.read_text().splitlines(), 1) if "@alignment" in text)
    assert {name for name, _ in found} == {"broken.py", "unread.py", "raises.py", "dies.py"}
    at = dict(found)
    assert at["broken.py"] in ((line,) if kind != "junit" else (head, head + 1))
    assert (at["unread.py"], at["raises.py"], at["dies.py"]) == (2, 3, None)


@pytest.mark.parametrize("kind", CI_FORMATS)
def test_paths_are_relative_to_the_repository(cli, broken: Path, kind: str, monkeypatch, tmp_path_factory) -> None:
    (broken.parent / ".git").mkdir()
    below = broken.parent / "sub %"
    below.mkdir()
    monkeypatch.chdir(below)
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "other.py"
    elsewhere.write_text("def f(:\n")
    ran = cli("check", "../broken.py", elsewhere, "--format", kind)
    assert ran.code == 2
    outside = f"file://{elsewhere}" if kind == "sarif" else str(elsewhere)
    assert [name for name, _ in places(ran.out, kind)] == ["broken.py", outside]


def test_an_expected_refutation_is_no_failure(cli, here: Path) -> None:
    ran = cli("check", "sparse_vector_broken::short_shift_phi", "--format", "github")
    assert (ran.code, ran.out) == (0, "")


@pytest.mark.skipif(os.name != "posix", reason="the name is no file name elsewhere")
@pytest.mark.parametrize("kind", CI_FORMATS)
def test_a_name_cannot_pass_for_a_command(cli, here: Path, kind: str) -> None:
    name = "a\n::error file=x::it's 100%, \"bad\":.py"
    folder = here / "folder"
    folder.mkdir()
    (folder / name.replace("/", "")).write_text("def f(:\n")
    ran = cli("check", "folder", "--format", kind)
    assert ran.code == 2
    assert len(places(ran.out, kind)) == 1
    if kind == "github":
        assert len((ran.out + ran.err).splitlines()) == 1


def test_errors_in_json_have_their_place(cli, here: Path) -> None:
    (here / "unread.py").write_text("x = 1\ndef f(:\n")
    [error] = json.loads(cli("check", "unread.py", "--format", "json").out)["errors"]
    assert (error["file"], error["line"], error["column"]) == ("unread.py", 2, 7)


ENDS_AT_ITS_SECOND_IMPORT = """
import os
if os.path.exists("imported"):
    os._exit(7)
open("imported", "w").close()
"""


@pytest.mark.parametrize("kind", CI_FORMATS)
def test_a_lost_worker_is_reported_at_its_alignment(cli, mine: Path, kind: str) -> None:
    """The second of two alignments is given to a second worker, which imports its file again."""
    (mine.parent / "twice.py").write_text(mine.read_text().replace("mine", "twice") + ENDS_AT_ITS_SECOND_IMPORT)
    ran = cli("check", "mine.py", "twice.py", "--format", kind, "-j", "2")
    assert ran.code == 2
    [(file, line)] = places(ran.out, kind)
    assert file == "twice.py"
    assert line is not None
