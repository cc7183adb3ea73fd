"""What importing alignkit costs: the solvers and the terminal are loaded by those who use them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_import_is_light(tmp_path: Path) -> None:
    program = (
        "import sys, alignkit; print(*{'z3', 'sympy', 'rich', 'hypothesis', 'pytest'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
