"""The answers as alignments of a file: what `alignkit check` makes of notebooks and solutions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.exercises import COURSE, EXERCISES, exercise, number, solved

from alignkit import LanguageError, check_all
from alignkit.errors import TargetError

pytest.importorskip("marimo", reason="the notebooks need marimo: python -m pip install '.[course]'")

WITH_ALIGNMENTS = [path for path in EXERCISES if number(path) > 1]
IDS = [path.stem for path in WITH_ALIGNMENTS]


@pytest.mark.slow
def test_the_solutions_are_as_they_declare() -> None:
    results = check_all([str(COURSE / "solutions")])
    assert len(results) == 13
    assert all(result.as_expected for result in results)


@pytest.mark.slow
@pytest.mark.parametrize("path", WITH_ALIGNMENTS, ids=IDS)
def test_a_blank_is_no_proof(path: Path) -> None:
    with pytest.raises((LanguageError, TargetError), match="TODO"):
        check_all([f"{path}::phi"])


def test_a_blank_does_not_keep_what_stands_beside_it_from_a_check() -> None:
    notebook = str(exercise(2))
    [result] = check_all([f"{notebook}::raised_together"], effort=0)
    assert result.as_expected
    for target in (f"{notebook}::phi", f"{notebook}::sparse_vector_with_gap", notebook):
        with pytest.raises(LanguageError, match=r"mend_the_alignment\.py:77:16: replace `TODO` by your answer"):
            check_all([target])


@pytest.mark.slow
@pytest.mark.parametrize("path", WITH_ALIGNMENTS, ids=IDS)
def test_a_solved_notebook_is_proved(path: Path, tmp_path: Path) -> None:
    shutil.copytree(COURSE / "course_kit", tmp_path / "course_kit", ignore=shutil.ignore_patterns("__pycache__"))
    notebook = tmp_path / path.name
    notebook.write_text(solved(path), encoding="utf-8")
    [result] = check_all([f"{notebook}::phi"])
    assert result.proved
    assert result.file == str(notebook)
