"""Commands run in this process: what they print, and their exit codes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.brief_checks import brief_checks as brief_checks

from alignkit.cli import main
from alignkit.cli.new_command import TEMPLATE


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


Cli = Callable[..., Ran]


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.delenv("COLUMNS", raising=False)  # as in a pipe: no line is broken

    def run(*arguments: str | Path) -> Ran:
        capfd.readouterr()
        code = main([str(a) for a in arguments])
        printed = capfd.readouterr()
        assert "Traceback" not in printed.out + printed.err
        return Ran(code, printed.out, printed.err)

    return run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty current folder; what is imported from it is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def mine(here: Path) -> Path:
    """The file that `alignkit new mine` writes."""
    path = here / "mine.py"
    path.write_text(TEMPLATE.format(name="mine"))
    return path


@pytest.fixture
def broken(mine: Path) -> Path:
    """The same mechanism with half the noise on its queries."""
    path = mine.with_name("broken.py")
    path.write_text(mine.read_text().replace("4 * k", "2 * k").replace("mine", "broken"))
    return path


@pytest.fixture
def baskets(here: Path) -> Path:
    """A transaction file: item 1 in all 300 transactions, 2 in 200, 3 in 100, 7 in one."""
    path = here / "baskets.dat"
    path.write_text("1 2 3\n" * 100 + "1 2\n" * 100 + "1\n" * 99 + "1 7\n")
    return path
