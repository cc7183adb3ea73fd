"""The README, and pages that show a run, show what the commands print, but for times and folders."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAM = re.search(r"```python\n(# my_svt\.py\n.*?)```", README, re.DOTALL)
PAGES = ("docs/command_line.md", "docs/theory/proof-for-all-n.md", "docs/release.md")
SHOWN = README + "".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
BLOCKS = [text.partition("\n")[2] for text in SHOWN.split("```")[1::2]]


@pytest.fixture(autouse=True)
def brief_checks() -> None:
    """The README shows what attacks with all their work certify."""


def block(start: str) -> str:
    [found] = [text for text in BLOCKS if text.startswith(start)]
    return str(found)


def timeless(text: str) -> list[str]:
    """The lines without times, and with files by their names alone."""
    bare = re.sub(r"[\d.e+-]+ s\b", "_ s", text)
    return re.sub(r'load\("[^"]*my_svt', 'load("my_svt', bare).rstrip("\n").splitlines()


@pytest.mark.parametrize(
    ("start", "before", "after", "code"),
    [("PROVED", "", "", 0), ("REFUTED", "eps / (4 * k)", "eps / (2 * k)", 1)],
)
def test_a_proof_and_a_refutation(cli, here: Path, start: str, before: str, after: str, code: int) -> None:
    assert PROGRAM is not None
    (here / "my_svt.py").write_text(PROGRAM[1].replace(before, after) if before else PROGRAM[1])
    ran = cli("check", "my_svt.py")
    assert ran.code == code
    assert timeless(ran.out) == timeless(block(start))


@pytest.mark.parametrize(
    ("target", "start"), [("adaptive_sparse_vector_2020", "  worst case"), ("hybrid_estimates", "  ex-post privacy")]
)
def test_worst_cases(cli, here: Path, target: str, start: str) -> None:
    ran = cli("check", target)
    assert ran.code == 0
    assert block(start) in ran.out


def test_a_run(cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    ran = cli(*block("alignkit run").split()[1:])
    assert ran.code == 0
    assert ran.err == ""  # no warning: the page follows its own advice
    assert ran.out == block("sparse_vector_with_gap    T = 300")


def test_the_data_of_the_run_is_what_its_script_makes() -> None:
    data = ROOT / "docs" / "data"
    assert (data / "baskets.dat").read_text() == runpy.run_path(str(data / "make_baskets.py"))["baskets"]()


def test_a_release(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(_code("# release.py"), "release.py", "exec"), {})
    first, second = ast.literal_eval(capsys.readouterr().out)
    assert {first, second} <= {0, 1, 2, 3}


def _code(start: str) -> str:
    [found] = re.findall(rf"```python\n({re.escape(start)}\n.*?)```", SHOWN, re.DOTALL)
    return str(found)


@pytest.mark.parametrize("target", re.findall(r"\]\((docs/[^)#]*)\)", README))
def test_links(target: str) -> None:
    assert (ROOT / target).exists()
