"""docs/undecided.md: its reasons are ones that alignkit gives, and its examples come out as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.defining import define_in

from alignkit import check
from alignkit.proving.words.rewrites import INSTEAD
from alignkit.reporting.sentences import WHAT_NOW
from alignkit.results import Verdict

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "undecided.md").read_text(encoding="utf-8")
PROGRAMS = {
    text.splitlines()[0].removeprefix("# "): text for text in re.findall(r"```python\n(# .*?)```", PAGE, re.DOTALL)
}
REPORTS = re.findall(r"```\n((?:UNDECIDED|  same output).*?)```", PAGE, re.DOTALL)
REASONS = [
    reason
    for row in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    for reason in re.findall(r"`([^`]+)`", row)
]


def reports_of(program: str) -> list[str]:
    """What the page says of a program: each report as its lines."""
    name = program.removesuffix(".py")
    return [report for report in REPORTS if report.startswith(f"UNDECIDED  {name} /")]


@pytest.mark.parametrize("program", [name for name in PROGRAMS if "_instead" not in name])
def test_the_examples(program: str, tmp_path: Path) -> None:
    result = check(define_in(tmp_path, PROGRAMS[program], prelude=False).phi, effort=0)
    assert result.verdict is Verdict.UNDECIDED
    shown = str(result)
    [report] = reports_of(program)
    for line in report.splitlines():
        assert line in shown
    assert WHAT_NOW in shown


@pytest.mark.parametrize("program", [name for name in PROGRAMS if "_instead" in name])
def test_what_to_write_instead_is_proved(program: str, tmp_path: Path) -> None:
    assert program.replace("_instead", "") in PROGRAMS
    assert check(define_in(tmp_path, PROGRAMS[program], prelude=False).phi, effort=0).verdict is Verdict.PROVED


@pytest.mark.parametrize("words", [words for _, words in INSTEAD])
def test_each_suggestion_has_an_example(words: str) -> None:
    assert f"note: write instead: {words}\n" in PAGE


def test_the_smallest_value_so_far(tmp_path: Path) -> None:
    source = PROGRAMS["winner.py"].replace("q_i + e > top", "q_i + e < top").replace("[1 + q[i]", "[-1 + q[i]")
    result = check(define_in(tmp_path, source, prelude=False).phi, effort=0)
    assert result.verdict is Verdict.UNDECIDED
    [note] = [note for note in result.notes if note.startswith("write instead: ")]
    assert "`top` keeps the smallest value so far" in note
    assert "largest([-x for x in values], 1)" in note


@pytest.mark.parametrize(
    ("program", "invariant"),
    [("countdown.py", text) for text in ("left <= k - 1", "left == k", "left >= 1")]
    + [("redrawn.py", "1 <= that_ - that <= 2")],
)
def test_invariants_that_are_stated(program: str, invariant: str, tmp_path: Path) -> None:
    assert f'invariant="{invariant}"' in PAGE
    source = PROGRAMS[program].replace('epsilon="eps"', f'epsilon="eps", invariant="{invariant}"')
    result = check(define_in(tmp_path, source, prelude=False).phi)
    reports = [report for report in REPORTS if f"`{invariant}`" in report]
    assert result.verdict is (Verdict.UNDECIDED if reports else Verdict.PROVED)
    assert all(line in str(result) for report in reports for line in report.splitlines())


def test_the_reasons_are_those_that_alignkit_gives() -> None:
    sources = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "alignkit").rglob("*.py"))
    assert len(REASONS) > 12
    for reason in REASONS:
        for part in filter(None, (part.strip(" ;:()") for part in re.split(r"…|\(", reason))):
            assert part in sources, part


OUTPUT_UNREAD = """
@mechanism
def some(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for x in q:
        e = noise.laplace(1 / eps)
        if x + e > T:
            yield x + e

@alignment(some, epsilon="eps", adjacency="one")
def phi(q, q_, {omega}H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
"""


def test_an_output_that_is_never_read(tmp_path: Path) -> None:
    result = check(define_in(tmp_path, OUTPUT_UNREAD.format(omega="omega, ")).phi, effort=0)
    assert result.verdict is Verdict.UNDECIDED
    assert any(note.startswith("phi never reads its parameter `omega`; leave it out") for note in result.notes)
    # The loop changes no variable, and an invariant would not give an iteration the output that it lacks.
    assert not any(note.startswith("missing") for note in result.notes)
    assert "yield the same number of outputs in each" in result.conditions["same_output"].how
    assert check(define_in(tmp_path, OUTPUT_UNREAD.format(omega="")).phi, effort=0).proved


def test_the_page_that_reports_name_is_there() -> None:
    [name] = re.findall(r"docs/\w+\.md", WHAT_NOW)
    assert (ROOT / name).is_file()


FIRST_BELOW = """
@mechanism
def first_below(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        eta_i = noise.laplace(4 / eps)
        if q_i + eta_i < T + eta:
            return i
    {end}

@alignment(first_below, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=-1, eta_i=[q[i] - q_[i] - 1 if i == omega else 0 for i in range(len(q))])
"""


def test_an_output_that_may_be_nothing(tmp_path: Path) -> None:
    result = check(define_in(tmp_path, FIRST_BELOW.format(end="return")).phi)
    assert result.verdict is Verdict.UNDECIDED
    assert "some run ends without an output: end the mechanism with a tag, such as `return BELOW`" in str(result)
    assert check(define_in(tmp_path, FIRST_BELOW.format(end="return BELOW")).phi).proved
