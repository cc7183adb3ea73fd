"""marimo itself: what it says of the notebooks, and how it runs them in a process of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.exercises import COURSE, EXERCISES, solved
from support.installed import as_installed

pytest.importorskip("marimo", reason="the notebooks need marimo: python -m pip install '.[course]'")

IDS = [path.stem for path in EXERCISES]
pytestmark = pytest.mark.slow


def python(*arguments: str | Path, folder: Path, alignkit: Path) -> str:
    """What Python prints in a folder, with alignkit as it is installed and nothing else of this environment."""
    kept = ("PATH", "LANG", "TMPDIR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= {"HOME": str(folder), "PYTHONPATH": str(alignkit), "ALIGNKIT_CACHE_DIR": ""}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def alignkit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return as_installed(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def student(tmp_path: Path) -> Path:
    """A copy of the folder, as a student makes it."""
    return Path(shutil.copytree(COURSE, tmp_path / "my-course", ignore=shutil.ignore_patterns("__pycache__")))


@pytest.mark.parametrize("path", EXERCISES, ids=IDS)
def test_in_the_server_it_judges_as_in_a_script(path: Path, student: Path, alignkit: Path) -> None:
    """Exporting runs the cells as the editor does, where each cell has a file name of its own."""
    notebook = student / path.name
    for text, shown in ((path.read_text(encoding="utf-8"), "Not answered yet."), (solved(path), "Solved.")):
        notebook.write_text(text, encoding="utf-8")
        page = student / "page.html"
        python("-m", "marimo", "export", "html", notebook, "-o", page, "-f", folder=student, alignkit=alignkit)
        html = page.read_text(encoding="utf-8")
        assert shown in html
        assert "Traceback" not in html
        assert "marimo-error" not in html
        printed = python(notebook, folder=student, alignkit=alignkit)
        assert re.search(rf"^{shown.upper().removesuffix('.')}: ", printed, re.MULTILINE)


def test_marimo_finds_nothing_to_mend(student: Path, alignkit: Path) -> None:
    names = [path.name for path in EXERCISES]
    assert python("-m", "marimo", "check", "--strict", *names, folder=student, alignkit=alignkit).strip() == ""
