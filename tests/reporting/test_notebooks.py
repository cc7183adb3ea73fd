"""Results in a notebook: HTML with the verdict first, and cells that IPython itself runs."""

from __future__ import annotations

import io
import re
import sys
import traceback
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from support.pages import section
from traitlets.config import Config

from alignkit import (
    AlignkitError,
    InputError,
    InternalError,
    LanguageError,
    Noise,
    Queries,
    alignment,
    find,
    law,
    least_noise,
    load,
    mechanism,
    same_law,
)
from alignkit.attacking.attack_aim import nothing_found
from alignkit.mechanisms.discrete_laplace import discrete_laplace_mechanism_base2
from alignkit.mechanisms.discrete_sampling import drawn_threshold, lazy_threshold
from alignkit.mechanisms.noisy_max import noisy_max
from alignkit.output_events import ANYTHING, Event
from alignkit.results import CONDITIONS, CertifiedLoss, Method, Witness

ROOT = Path(__file__).resolve().parents[2]


class Reader(HTMLParser):
    """Reads HTML: tables as lists of rows, other text in order; fails where a tag is not closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.texts: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag in {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "pre", "code"}
        assert {name: value for name, value in attrs} in ({}, {"style": "text-align: left"})
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & {*self.open}:
            self.rows[-1][-1] += data
        else:
            self.texts.append(data)


def read(result: Any) -> Reader:
    return Reader(result._repr_html_())


def test_a_proof(proved) -> None:
    html = read(proved)
    assert html.texts[:2] == ["PROVED", " sparse_vector_with_gap / gap_phi; claim: eps-DP"]
    assert html.rows[0] == ["condition", "status", "how"]
    assert ["noise used", "proved", "because of noise_used"] in html.rows
    assert len(html.rows) == 1 + len(CONDITIONS)
    assert "scope: all n, T, k, eps" in html.texts
    assert "worst case of the shifts: eps, attained; claim: eps" in html.texts
    assert "assumption: the queries are fixed in advance" in html.texts


def test_a_refutation(refuted) -> None:
    html = read(refuted)
    assert html.texts[0] == "REFUTED"
    assert "UNEXPECTED: should be proved" in html.texts
    assert ["", "D, H", "D', H'", ""] in html.rows
    assert ["q[0]", "0", "-1", ""] in html.rows
    assert refuted.counterexample.snippet in html.texts
    assert not any("proved" in cell for row in html.rows for cell in row)


def test_an_undecided_result(proved) -> None:
    conditions = {n: replace(c, status="undecided", how="a < b & c") for n, c in proved.conditions.items()}
    html = read(replace(proved, verdict="undecided", conditions=conditions, notes=("<script>alert(1)</script>",)))
    assert html.texts[0] == "UNDECIDED"
    assert ["cost", "undecided", "a < b & c"] in html.rows
    assert "note: <script>alert(1)</script>" in html.texts


def test_a_violation() -> None:
    witness = Witness({"eps": 0.5}, {"q": (1, 2)}, {"q": (2, 3)})
    bound = CertifiedLoss(
        0.75, Method.EXACT, Event(ANYTHING), witness, 0.5, 0.25, 0.5,
        snippet="from alignkit import attack\nprint(1 < 2)",
    )  # fmt: skip
    html = read(bound)
    assert html.texts[:2] == ["NOT PRIVATE", " loss at least 0.7500; claim: 0.5"]
    assert ["q", "[1, 2]", "[2, 3]"] in html.rows
    assert ["P(output in E)", "at least 0.5", "at most 0.25"] in html.rows
    assert html.texts[-1].endswith("print(1 < 2)")


def test_no_violation() -> None:
    assert "a search that finds no violation is not a proof of privacy" in read(nothing_found("too large")).texts


def test_laws() -> None:
    html = read(law(drawn_threshold, q=0, tau=1, gamma=1))
    assert html.rows == [["output", "probability"], ["ABOVE", "B/(B + 1)"], ["BELOW", "1/(B + 1)"]]
    assert html.texts[-1] == "with B = 2^(-eta)"


def test_long_laws_are_cut() -> None:
    html = read(law(discrete_laplace_mechanism_base2, q=0, delta=1, gamma=1, window=40))
    assert len(html.rows) == 51
    assert any(re.fullmatch(r"and \d+ more outputs, which print shows", text) for text in html.texts)


def test_same_laws() -> None:
    inputs = {"q": [0], "tau": [1], "gamma": [1]}
    assert read(same_law(drawn_threshold, lazy_threshold, **inputs)).texts[0] == "SAME LAW"


def test_different_laws(define) -> None:
    made = define("""
        @mechanism
        def one(q: Annotated[Query, Lattice(1)], eta: Epsilon, noise: Noise):
            x = noise.discrete_laplace(1 / eta)
            return ABOVE if q + x > 0 else BELOW

        @mechanism
        def other(q: Annotated[Query, Lattice(1)], eta: Epsilon, noise: Noise):
            x = noise.discrete_laplace(1 / eta)
            return ABOVE if q + x >= 0 else BELOW
    """)
    html = read(same_law(made.one, made.other, q=[0]))
    assert html.texts[0] == "DIFFERENT LAWS"
    assert html.rows[:2] == [["", "one", "other"], ["q", "0", "0"]]
    assert html.rows[2][1:] == ["B/(B + 1)", "1/(B + 1)"]


def test_what_was_found() -> None:
    findings = find(load("noisy_max_discrete"))
    html = read(findings)
    assert html.texts[:2] == ["FOUND AND PROVED", " noisy_max_discrete, adjacency each, claim eps"]
    assert html.texts[2] == str(findings.lower_bound)
    assert html.texts[-1] == findings.proved.file_text


def test_what_was_not_found_and_what_was_proved_instead() -> None:
    html = read(find(load("noisy_max"), claim="eps / 3", effort=20))
    assert html.texts[:2] == ["NOT FOUND", " noisy_max, adjacency each, claim eps / 3"]
    assert html.texts[2] == "the claim eps / 3 was not reached; what was proved is eps"
    assert "NOT PRIVATE" in html.texts
    assert html.texts[html.texts.index("PROVED INSTEAD") + 1] == " claim eps"
    contradicted = find(load("noisy_max_with_maximum"), effort=0)
    assert "\n".join(contradicted.contradiction.lines()) in read(contradicted).texts


def test_the_least_noise() -> None:
    assert read(least_noise(load("noisy_max"), "eps", adjacency="monotone")).texts[0].startswith("LESS NOISE SUFFICES")


# Cells


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    """IPython as a notebook's kernel runs it, without its files."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    # IPython puts a module of its own there, which later tests would start processes from.
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    options = Config()
    options.HistoryManager.enabled = False
    made = InteractiveShell(config=options)
    yield made
    made.reset()


def cells() -> list[str]:
    return re.findall(r"```python\n(.*?)```", section("python_api.md", "## In a notebook"), re.DOTALL)


def shown(shell: InteractiveShell, cell: str) -> Reader:
    """What the notebook shows of the last line of a cell."""
    done = shell.run_cell(cell, silent=True)
    done.raise_error()
    data, _ = shell.display_formatter.format(shell.user_ns["result"])
    return Reader(data["text/html"])


def test_the_cells_of_the_page(shell: InteractiveShell) -> None:
    mechanism, proof = cells()
    shell.run_cell(mechanism, silent=True).raise_error()
    html = shown(shell, proof)
    assert html.texts[:2] == ["PROVED", " noisy_count / phi; claim: eps-DP"]
    page = section("python_api.md", "## In a notebook")
    for row in html.rows[:3]:
        assert f"| {' | '.join(row)} |" in page


LONG_WORK = [
    "find(noisy_max, effort=0, bound=False)",
    "least_noise(noisy_max, 'eps')",
    "check(phi, effort=0)",
    "check_all([phi], effort=0)",
    "attack(noisy_max, eps=1, effort=1)",
    "attack(lambda x, size, rng: x + rng.laplace(size=size), pairs=[(0.0, 1.0)], samples=20_000)",
]
NAMES = """\
from alignkit import attack, check, check_all, find, least_noise
from alignkit.mechanisms.noisy_max import noisy_max
from alignkit.proofs.noisy_max import phi
"""


@pytest.mark.parametrize("search", LONG_WORK)
def test_long_work_says_below_its_cell_how_it_gets_on(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, search: str
) -> None:
    published: list[tuple[str, Any, bool]] = []

    def publish(data: dict[str, str], *, transient: Any, update: bool = False) -> None:
        published.append((data["text/plain"], transient["display_id"], update))

    monkeypatch.setattr(shell, "kernel", object(), raising=False)
    monkeypatch.setattr(shell.display_pub, "publish", publish)
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    shell.run_cell(NAMES + search, silent=True).raise_error()
    texts = [text for text, _, _ in published]
    assert texts[0] == texts[-1] == ""
    assert all(texts[1:-1])
    assert len(texts) > 2
    assert len({where for _, where, _ in published}) == 1, "one line, and what it says is replaced"
    assert [update for _, _, update in published] == [False, *[True] * (len(texts) - 1)]


class Stream(io.StringIO):
    """What was written on stderr, which is a terminal or not."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.isatty = lambda: terminal  # type: ignore[method-assign]


@pytest.mark.parametrize("search", LONG_WORK)
def test_long_work_says_at_a_prompt_how_it_gets_on(monkeypatch: pytest.MonkeyPatch, search: str) -> None:
    written = []
    for prompt, terminal in ((True, True), (True, False), (False, True)):
        stream = Stream(terminal)
        with monkeypatch.context() as patch:
            patch.delattr(sys, "ps1", raising=False)
            patch.setattr(sys, "stderr", stream)
            patch.setattr(sys, "__stderr__", stream)
            if prompt:
                patch.setattr(sys, "ps1", ">>> ", raising=False)
            exec(NAMES + search, {})
        written.append(stream.getvalue())
    assert written[1:] == ["", ""], "neither into a file nor from a script"
    *lines, blank, end = written[0].split("\r")[1:]
    assert lines
    assert all(line.strip() for line in lines)
    assert (blank, end) == (" " * len(lines[-1].rstrip()), ""), "the line is gone"


def test_a_cell_that_defines_the_mechanism_anew(shell: InteractiveShell) -> None:
    mechanism, proof = cells()
    leaks = mechanism.replace("laplace(1 / eps)", "laplace(1 / (2 * eps))")
    for cell in (mechanism, proof, mechanism):
        shell.run_cell(cell, silent=True).raise_error()
    result = shell.user_ns["result"]
    assert result.proved, "the same mechanism again"
    shell.run_cell(leaks, silent=True).raise_error()
    html = read(result)
    assert html.texts[:3] == [
        "STALE", " `noisy_count` has been redefined since phi was made for it; check it again", "PROVED",
    ]  # fmt: skip
    assert not result.proved
    again = shell.run_cell("check(phi)", silent=True)
    assert isinstance(again.error_in_exec, LanguageError)
    html = shown(shell, proof)
    assert html.texts[0] == "REFUTED"
    assert ["q", "0", "1", ""] in html.rows


def test_what_a_cell_refuses_points_into_the_cell(shell: InteractiveShell) -> None:
    mechanism, _ = cells()
    done = shell.run_cell(mechanism.replace("return q + eta", "return q ** eta"), silent=True)
    assert isinstance(done.error_in_exec, LanguageError)
    assert done.error_in_exec.source.strip() == "return q ** eta"


@pytest.fixture
def notebook(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> InteractiveShell:
    """A shell that is the one of the process, as that of a notebook is."""
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    shell.colors = "nocolor"
    return shell


def printed(notebook: InteractiveShell, capfd: pytest.CaptureFixture[str], *cells: str) -> list[str]:
    """The lines that the last of the cells prints."""
    for cell in cells:
        capfd.readouterr()
        notebook.run_cell(cell, store_history=True)
    return capfd.readouterr().out.splitlines()


REFUSED = {
    "a mechanism": (
        lambda mechanism, proof: [mechanism.replace("return q + eta", "return q ** eta")],
        r"LanguageError: Cell In\[1\], line 8: .*\*\*",
        "  8 |     return q ** eta",
    ),
    "an alignment": (
        lambda mechanism, proof: [mechanism, proof.replace("eta=q - q_", "other=1")],
        r"LanguageError: Cell In\[2\], line 4: noisy_count draws no `other`",
        "  4 |     return H.shift(other=1)",
    ),
    "a claim": (
        lambda mechanism, proof: [mechanism, proof.replace('"eps"', '"eps +"')],
        "Cell In[2], line 2",
        '  @alignment(noisy_count, epsilon="eps +")',
    ),
    "an argument": (
        lambda mechanism, proof: [mechanism, "x = 1\nnoisy_count.sample(1, eps=-1)"],
        "Cell In[2], line 2",
        "  noisy_count.sample(1, eps=-1)",
        "InputError: eps must be above 0, not -1",
    ),
    "an engine": (
        lambda mechanism, proof: [mechanism, "from alignkit import law\nlaw(noisy_count, q=1, eps=1)"],
        "Cell In[2], line 2",
        "  law(noisy_count, q=1, eps=1)",
        r"Unsupported: Cell In\[1\], line 7: .*laws are computed only for noise on a lattice",
    ),
}


@pytest.mark.parametrize(("made", "lines"), [(made, lines) for made, *lines in REFUSED.values()], ids=REFUSED)
def test_a_refusal_shows_the_users_lines_and_none_of_alignkits(
    notebook: InteractiveShell, capfd: pytest.CaptureFixture[str], made: Any, lines: list[str]
) -> None:
    shown_lines = printed(notebook, capfd, *made(*cells()))
    assert not [line for line in shown_lines if "alignkit/" in line or "Traceback" in line]
    assert len(shown_lines) >= len(lines)
    for line, expected in zip(shown_lines, lines):
        assert line == expected or re.match(expected, line)


def test_a_helper_in_a_cell_is_shown_on_the_way(notebook: InteractiveShell, capfd: pytest.CaptureFixture[str]) -> None:
    helper = "def run(eps):\n    return noisy_count.sample(1, eps=eps)\n\nrun(0)"
    assert printed(notebook, capfd, cells()[0], helper) == [
        "Cell In[2], line 4", "  run(0)", "Cell In[2], line 2", "  return noisy_count.sample(1, eps=eps)",
        "InputError: eps must be above 0, not 0",
    ]  # fmt: skip


def test_what_is_to_be_reported_has_its_whole_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(kind: type[AlignkitError]) -> AlignkitError:
        with pytest.raises(kind) as caught:
            raise kind("two engines disagree")
        return caught.value

    whole = "Traceback (most recent call last):\n"
    assert failing(InternalError)._render_traceback_()[0] == whole
    assert failing(InputError)._render_traceback_()[-1] == "InputError: two engines disagree"
    assert failing(InputError)._render_traceback_()[0] != whole
    monkeypatch.setenv("ALIGNKIT_DEBUG", "1")
    assert failing(InputError)._render_traceback_()[0] == whole


def test_a_definition_is_refused_without_alignkits_lines_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def leads_to(define: Any) -> list[str]:
        with pytest.raises(AlignkitError) as caught:
            define()
        return [Path(frame.filename).name for frame in traceback.extract_tb(caught.value.__traceback__)]

    def no_mechanism() -> None:
        @mechanism
        def nothing(q: Queries, noise: Noise):
            while True:
                yield 1

    def no_alignment() -> None:
        @alignment(noisy_max, epsilon="eps")
        def nothing(H):
            return H.shift(other=1)

    for define in (no_mechanism, no_alignment):
        assert leads_to(define)[-2:] == ["test_notebooks.py", "errors.py"]
    monkeypatch.setenv("ALIGNKIT_DEBUG", "1")
    assert len(leads_to(no_mechanism)) > 4


def test_what_is_to_be_pasted_runs_in_a_later_cell(shell: InteractiveShell) -> None:
    mechanism, proof = cells()
    html = shown(shell, "import alignkit\n".join((mechanism, proof.replace("shift(eta=q - q_)", "shift(eta=0)"))))
    assert html.texts[0] == "REFUTED"
    pasted = html.texts[-1]
    assert "load" not in pasted, "a cell is no file"
    shell.run_cell(pasted, silent=True).raise_error()
    attacked = "found = alignkit.attack(noisy_count, claim='eps / 2', effort=20)"
    shell.run_cell(attacked, silent=True).raise_error()
    pasted = shell.user_ns["found"].snippet
    assert "load" not in pasted
    shell.run_cell(pasted, silent=True).raise_error()


def test_a_search_in_a_cell_prints_nothing_but_its_report(shell: InteractiveShell, capfd) -> None:
    mechanism, _ = cells()
    html = shown(shell, f"{mechanism}\nfrom alignkit import find\nresult = find(noisy_count)")
    assert html.texts[0] == "FOUND AND PROVED"
    assert capfd.readouterr() == ("", "")
