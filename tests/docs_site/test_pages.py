"""The pages that begin the site, followed word by word: their files, their changes, and what their commands print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.walkthrough import PageCommand, PageFile, PagePatch, steps

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ["index", "ten_minutes", "read_a_counterexample"]
MORE_PAGES = ["tutorial", "prove_your_own", "choose_a_noise", "number_models"]


@dataclass(frozen=True)
class Reader:
    """Somebody who follows a page in an empty folder."""

    folder: Path

    def run(self, command: str) -> tuple[int, str]:
        """The exit code of a command and what it printed."""
        scripts = self.folder.parent / "scripts"
        scripts.mkdir(exist_ok=True)
        for name, module in (("alignkit", "-m alignkit"), ("python", "")):
            script = scripts / name
            script.write_text(f"#!/bin/sh\nexec '{sys.executable}' {module} \"$@\"\n")
            script.chmod(0o755)
        dropped = ("COLUMNS", "NO_COLOR", "FORCE_COLOR")
        environment = {name: value for name, value in os.environ.items() if name not in dropped}
        environment |= {
            "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
            "ALIGNKIT_CACHE_DIR": "",
            # Python tells a compiled file from a newer source by size and second, and edits here are faster than that.
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        shell = ["bash", "-c", command]
        done = subprocess.run(shell, cwd=self.folder, env=environment, stdout=subprocess.PIPE, text=True)
        return done.returncode, done.stdout

    def write(self, file: PageFile) -> None:
        """Write a file that the page has, with the comment that names it."""
        path = self.folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8")

    def change(self, patch: PagePatch) -> None:
        """Apply a change that the page has."""
        (self.folder.parent / "change.diff").write_text(patch.text, encoding="utf-8")
        code, _ = self.run("git apply ../change.diff")
        assert code == 0, patch.text


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    folder = tmp_path / "followed"
    folder.mkdir()
    return Reader(folder)


@pytest.mark.parametrize("page", [*PAGES, *(pytest.param(page, marks=pytest.mark.slow) for page in MORE_PAGES)])
def test_a_page_is_followed(reader: Reader, page: str) -> None:
    found = steps((DOCS / f"{page}.md").read_text(encoding="utf-8"))
    assert any(isinstance(step, PageCommand) for step in found)
    for step in found:
        match step:
            case PageFile():
                reader.write(step)
            case PagePatch():
                reader.change(step)
            case PageCommand():
                code, printed = reader.run(step.text)
                assert code == step.code, printed
                assert shows(step, printed), f"{step.text}\n{printed}"


def shows(command: PageCommand, printed: str) -> bool:
    """Whether the page shows what was printed, but for times, which also make the columns of tables wider."""
    return PageCommand(command.text, narrow(command.printed)).shows(narrow(printed))


def narrow(text: str) -> str:
    """A text in which runs of blanks within a line are one blank."""
    return re.sub(r"(?<=\S) +", " ", text)


def test_the_examples_of_interactive_use_run(reader: Reader) -> None:
    """What a reader pastes into a file from "Asked query by query" runs as it stands."""
    page = (DOCS / "theory" / "adaptive-queries.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", page.partition("\n## Asked query by query\n")[2], flags=re.DOTALL)
    assert len(examples) == 2
    for number, example in enumerate(examples):
        (reader.folder / f"example_{number}.py").write_text(example, encoding="utf-8")
        code, printed = reader.run(f"python example_{number}.py")
        assert code == 0, printed
