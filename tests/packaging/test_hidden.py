"""A folder called alignkit does not hide the package, from wherever Python is started."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The same object by import and by path, from the catalogue, which an editable installation maps to other folders.
PROGRAM = """
import alignkit.mechanisms.sparse_vector as mechanisms
from alignkit import check, load
from alignkit.proofs.sparse_vector import gap_phi
import alignkit
assert callable(check)
assert load(mechanisms.__file__ + "::sparse_vector_with_gap") is gap_phi.mechanism
print(alignkit.__file__)
print(mechanisms.__file__)
"""


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    """Places to start Python from; two of them hold a folder called alignkit that is no package."""
    (tmp_path / "a folder with spaces").mkdir()
    (tmp_path / "beside a folder" / "alignkit").mkdir(parents=True)
    above = tmp_path / "above the checkout"
    above.mkdir()
    (above / "alignkit").symlink_to(ROOT)
    return {
        "root": ROOT,
        "elsewhere": tmp_path / "a folder with spaces",
        "beside": tmp_path / "beside a folder",
        "above": above,
    }


def run(*arguments: str, folder: Path) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("place", ["root", "elsewhere", "beside", "above"])
def test_the_checkout_is_imported(folders: dict[str, Path], place: str) -> None:
    printed = run("-c", PROGRAM, folder=folders[place])
    assert printed == [str(ROOT / "alignkit/__init__.py"), str(ROOT / "mechanisms/sparse_vector.py")]


def test_the_command_line_as_a_module(folders: dict[str, Path]) -> None:
    [line] = run("-m", "alignkit", "--version", folder=folders["above"])
    assert line.startswith("alignkit ")


def test_another_checkout_on_the_path_comes_first(tmp_path: Path) -> None:
    (tmp_path / "alignkit").mkdir()
    (tmp_path / "alignkit/__init__.py").write_text("")
    [file] = run("-c", "import alignkit; print(alignkit.__file__)", folder=tmp_path)
    assert file == str(tmp_path / "alignkit/__init__.py")


def test_nothing_else_of_the_checkout_becomes_importable(folders: dict[str, Path]) -> None:
    program = "from importlib.util import find_spec as find; print([find(name) for name in {names}])"
    names = ["mechanisms", "proofs"]
    assert run("-c", program.format(names=names), folder=folders["elsewhere"]) == [str([None] * len(names))]
