"""What the plugin imports when pytest starts, and in a run that has nothing to do with alignkit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LOADED = """
import sys
import pytest
before = set(sys.modules)
import alignkit.pytest_plugin.hooks
new = {name for name in set(sys.modules) - before if name.partition(".")[0] not in sys.stdlib_module_names}
print(*sorted(new))
"""

# Prints what is loaded of alignkit when all tests have run.
CONFTEST = """
import sys

def pytest_unconfigure():
    print("loaded:", *sorted(name for name in sys.modules if name.partition(".")[0] in {"alignkit", "z3", "numpy"}))
"""

HOOKS = [
    "alignkit", "alignkit.errors", "alignkit.gating", "alignkit.gating.project_file", "alignkit.public_names",
    "alignkit.pytest_plugin", "alignkit.pytest_plugin.hooks", "alignkit.pytest_plugin.project", "alignkit.version",
]  # fmt: skip


def python(*arguments: str, folder: Path) -> list[str]:
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_the_hooks_bring_nothing_heavy(tmp_path: Path) -> None:
    assert python("-c", LOADED, folder=tmp_path) == [" ".join(HOOKS)]


def test_a_run_without_proofs_loads_no_more(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_sum.py").write_text("# Not about alignkit.\ndef test_sum():\n    assert 1 + 1 == 2\n")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'something'\n")
    (tmp_path / "script.py").write_text("raise SystemExit('imported')\n")
    for arguments in ([], ["test_sum.py"]):
        lines = python("-m", "pytest", "-p", "alignkit.pytest_plugin.hooks", *arguments, folder=tmp_path)
        assert lines[-1] == f"loaded: {' '.join(HOOKS)}"
