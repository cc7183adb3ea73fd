"""Which files and alignments are collected, under which ids, and how they are selected."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_plugin.users_programs import HEAD, KNOWN_TO_BE_TOO_CHEAP, PROVED, TOO_CHEAP


def ids(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line and " " not in line]


def test_every_alignment_of_a_folder_is_a_test(run, project: Path) -> None:
    (project / "proofs" / "further" / "more.py").write_text(HEAD + PROVED)
    (project / "proofs" / "__init__.py").write_text("")
    collected = ids(run("--collect-only", "-q", "proofs"))
    assert collected == ["proofs/answers.py::phi", "proofs/answers.py::known_phi", "proofs/further/more.py::phi"]


def test_without_arguments_only_proof_files_and_tests_are_imported(run, project: Path) -> None:
    (project / "mine_proofs.py").write_text(HEAD + PROVED)
    (project / "test_mine.py").write_text("def test_nothing():\n    pass\n")
    result = run("--collect-only", "-q")
    assert sorted(ids(result)) == [
        "mine_proofs.py::phi", "proofs/answers.py::known_phi", "proofs/answers.py::phi", "test_mine.py::test_nothing",
    ]  # fmt: skip
    assert result.ret == 0


def test_a_folder_called_proofs_below_another_is_not_meant(run, project: Path) -> None:
    (project / "other" / "proofs").mkdir(parents=True)
    (project / "other" / "proofs" / "x.py").write_text(HEAD + PROVED)
    assert ids(run("--collect-only", "-q", "other")) == []
    assert ids(run("--collect-only", "-q", "other", "-o", "alignkit_files=**/proofs/*.py")) == [
        "other/proofs/x.py::phi"
    ]


def test_the_setting_replaces_the_default(run, project: Path) -> None:
    (project / "claims").mkdir()
    (project / "claims" / "x.py").write_text(HEAD + PROVED)
    assert ids(run("--collect-only", "-q", "-o", "alignkit_files=claims/*.py")) == ["claims/x.py::phi"]


def test_a_file_that_the_command_line_names_is_collected_with_its_tests(run, project: Path) -> None:
    (project / "mine.py").write_text(HEAD + PROVED + "\ndef test_mine():\n    assert phi.claim == 'eps'\n")
    assert ids(run("--collect-only", "-q", "mine.py")) == ["mine.py::phi", "mine.py::test_mine"]
    run("mine.py::phi").assert_outcomes(passed=1)
    run("mine.py::test_mine").assert_outcomes(passed=1)


def test_a_test_file_is_left_to_pytest(run, project: Path) -> None:
    (project / "test_mine.py").write_text(HEAD + PROVED + "\ndef test_mine():\n    pass\n")
    assert ids(run("--collect-only", "-q", "test_mine.py")) == ["test_mine.py::test_mine"]


def test_an_alignment_that_a_file_imports_is_not_its_own(run, project: Path) -> None:
    (project / "proofs" / "more.py").write_text("from answers import phi\n")
    assert ids(run("--collect-only", "-q", "proofs/more.py")) == []


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("known", ["proofs/answers.py::known_phi"]),
        ("noisy_answer and not known", ["proofs/answers.py::phi"]),
        ("another_mechanism", []),
    ],
    ids=["alignment", "mechanism", "neither"],
)
def test_names_of_alignments_and_mechanisms_select(run, project: Path, words: str, chosen: list[str]) -> None:
    assert ids(run("--collect-only", "-q", "-k", words, "proofs")) == chosen


def test_markers_of_files_and_alignments_select(run, project: Path) -> None:
    (project / "proofs" / "more.py").write_text(HEAD + "pytestmark = pytest.mark.slow\n" + PROVED)
    (project / "proofs" / "one.py").write_text(
        HEAD + PROVED.replace("def phi", "@pytest.mark.slow\ndef phi") + KNOWN_TO_BE_TOO_CHEAP
    )
    assert ids(run("--collect-only", "-q", "-m", "slow")) == ["proofs/more.py::phi", "proofs/one.py::phi"]


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("import nothing_such\n", "the file cannot be imported: ModuleNotFoundError: No module named 'nothing_such'"),
        ("def f(:\n", "Python cannot read this: invalid syntax"),
        (HEAD + PROVED.replace("H.shift(eta", "H.shift(xi"), "noisy_answer draws no `xi`"),
        (HEAD + PROVED + "\nphi = None\n", "the alignment phi would not be checked"),
        (HEAD + PROVED.replace("\n@", "\n@pytest.mark.slow\n@"), "write @pytest.mark.… below @alignment(…)"),
    ],
    ids=["missing module", "syntax", "language", "lost alignment", "marker of an alignment"],
)
@pytest.mark.parametrize("place", ["proofs/bad.py", "bad.py"])
def test_a_file_that_cannot_be_used_is_one_error_without_traceback(
    run, project: Path, place: str, file: str, words: str
) -> None:
    (project / place).write_text(f"# of alignkit\n{file}")
    result = run(place)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*ERROR collecting {place}*", f"{place}:*"])
    assert words in result.stdout.str()
    assert "proof_files.py" not in result.stdout.str()


def test_an_alignment_with_two_names_is_one_test_and_two_of_one_name_are_two(run, project: Path) -> None:
    made = TOO_CHEAP.replace("\n", "\n    ")
    (project / "proofs" / "answers.py").write_text(
        f"{HEAD}{PROVED}\nsecond = phi\ndef make():{made}\n    return cheap_phi\none, other = make(), make()\n"
    )
    assert ids(run("--collect-only", "-q")) == [f"proofs/answers.py::{name}" for name in ("phi", "one", "other")]


def test_a_file_may_skip_itself(run, project: Path) -> None:
    (project / "proofs" / "answers.py").write_text("import pytest\npytest.importorskip('nothing_such')\n")
    run("proofs").assert_outcomes(skipped=1)


def test_what_a_class_or_a_list_holds_is_a_test_too(run, project: Path) -> None:
    in_a_class = "\nclass Proofs:" + PROVED.replace("\n", "\n    ")
    in_a_list = KNOWN_TO_BE_TOO_CHEAP + "\nLISTED = [known_phi]\ndel known_phi\n"
    (project / "proofs" / "held.py").write_text(HEAD + in_a_class + in_a_list)
    names = ["proofs/held.py::Proofs.phi", "proofs/held.py::LISTED.0"]
    assert ids(run("--collect-only", "-q", "proofs/held.py")) == names
    run(*names).assert_outcomes(passed=2)


def test_an_alignment_that_nothing_holds_is_an_error(run, project: Path) -> None:
    hides = "\ndef hide():" + PROVED.replace("\n", "\n    ") + "\nhide()\n"
    (project / "proofs" / "hidden.py").write_text(HEAD + hides)
    result = run("proofs/hidden.py")
    result.assert_outcomes(errors=1)
    assert "the alignment phi would not be checked, because no name at the top level leads to it" in result.stdout.str()
