"""basedpyright, which editors run, on users' files and on the catalogue, in the mode that pyright has by default."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def said(installed: Path, files: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[int, str]]]:
    """What one run of basedpyright says of each file: lines and messages."""
    folder = tmp_path_factory.mktemp("basedpyright")
    package = installed / "alignkit"
    configuration = {
        "typeCheckingMode": "standard",
        "include": [str(files), str(package / "mechanisms"), str(package / "proofs")],
        "extraPaths": [str(installed), str(files)],
        "pythonVersion": "3.11",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(configuration))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--project", folder]
    done = subprocess.run(
        [*command, "--pythonpath", sys.executable], cwd=folder, capture_output=True, text=True
    )
    report = json.loads(done.stdout)
    catalogue = len([*(package / "mechanisms").glob("*.py"), *(package / "proofs").glob("*.py")])
    assert report["summary"]["filesAnalyzed"] == len([*files.glob("*.py")]) + catalogue
    found = defaultdict(list)
    for each in report["generalDiagnostics"]:
        found[Path(each["file"]).name].append((each["range"]["start"]["line"] + 1, each["message"]))
    return found


def test_users_files_and_the_catalogue_are_clean(said):
    """wrong.py apart: the example of the README, what `alignkit new` writes, mechanisms/, proofs/."""
    assert set(said) <= {"wrong.py", "shown.py"}, said


def test_what_is_wrong_is_seen(said, wrong):
    """Else all would be clean because all is Unknown."""
    assert {number for number, _ in said["wrong.py"]} == set(wrong)
    for number, words in said["wrong.py"]:
        assert re.search(wrong[number], words, re.IGNORECASE), (number, words)


def test_what_an_editor_shows(said):
    """pyright infers what an unannotated generator yields."""
    shown = [re.search(r'is "([^"]*)"$', words)[1] for _, words in said["shown.py"]]
    assert shown[0].endswith("-> list[Tag]")
    assert shown[1:] == ["Alignment", "Mechanism[list[float | Tag]]", "bool"]
