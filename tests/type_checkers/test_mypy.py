"""mypy on users' files and on the catalogue; where everything is annotated, with --strict."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

# Strict, but for what has no annotations beside those of a mechanism's parameters.
CONFIGURATION = """\
[mypy]
strict = True
follow_imports = silent

[mypy-z3.*,sympy.*]
ignore_missing_imports = True

[mypy-my_svt,template,wrong,alignkit.mechanisms.*,alignkit.proofs.*]
check_untyped_defs = True
disallow_untyped_defs = False
disallow_untyped_calls = False
disallow_incomplete_defs = False
disallow_untyped_decorators = False
disallow_any_generics = False
"""

@pytest.fixture(scope="module")
def said(installed: Path, files: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[int, str]]]:
    """What one run of mypy says of each file: lines and messages."""
    folder = tmp_path_factory.mktemp("mypy")
    configuration = folder / "mypy.ini"
    configuration.write_text(CONFIGURATION)
    names = [path.stem for path in sorted(files.glob("*.py"))]
    targets = [part for name in names for part in ("-m", name)]
    packages = ["-p", "alignkit.mechanisms", "-p", "alignkit.proofs"]
    command = [sys.executable, "-m", "mypy", "--config-file", configuration, "--cache-dir", folder / "cache"]
    options = ["--no-error-summary", "--hide-error-context", "--no-pretty", "--no-color-output"]
    environment = {**os.environ, "MYPYPATH": str(installed)}
    done = subprocess.run(
        [*command, *options, *targets, *packages], cwd=files, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stdout + done.stderr  # wrong.py is wrong
    found = defaultdict(list)
    for line in done.stdout.splitlines():
        file, number, words = line.split(":", 2)
        found[Path(file).name].append((int(number), words))
    return found


def test_users_files_and_the_catalogue_are_clean(said):
    """wrong.py apart: the example of the README, what `alignkit new` writes, mechanisms/, proofs/."""
    assert set(said) <= {"wrong.py", "shown.py"}, said


def test_what_is_wrong_is_seen(said, wrong):
    """Else all would be clean because all is Any."""
    errors = [(number, words) for number, words in said["wrong.py"] if "error:" in words]
    assert {number for number, _ in errors} == set(wrong)
    for number, words in errors:
        assert re.search(wrong[number], words, re.IGNORECASE), (number, words)


def test_what_an_editor_shows(said):
    shown = [words.partition('"')[2].rstrip('"') for _, words in said["shown.py"]]
    assert shown[0].endswith("-> list[alignkit.language.tags.Tag]")
    assert shown[1:] == [
        "alignkit.running.alignment_decorator.Alignment", "alignkit.running.mechanism_decorator.Mechanism[Any]", "bool",
    ]  # fmt: skip
