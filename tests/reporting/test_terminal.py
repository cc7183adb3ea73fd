"""What people read: the words that must be there, in any width, without colour."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from alignkit.proving.verdict import Privacy, Result, Verdict
from alignkit.reporting.terminal import make_console, plain_text, print_results


def printed(results: Sequence[Result], *, width: int = 160, **settings: bool) -> str:
    stream = io.StringIO()
    print_results(results, make_console(stream, width=width), **settings)
    return stream.getvalue()


def test_a_proof_says_what_it_covers_and_what_not(proved: Result) -> None:
    text = plain_text(proved)
    assert text.startswith("PROVED  sparse_vector_with_gap / gap_phi    claim: eps-DP")
    assert "all n, T, k, eps" in text
    assert "ideal reals; the floating-point sampler is not covered" in text
    assert "assumption: the queries are fixed in advance" in text
    assert "because of one_to_one" in text
    assert "the mechanism sparse_vector_with_gap: private (privacy loss at most eps)" in text
    assert "0.12 s, 41 queries" in text


def test_a_refutation_can_be_checked_by_hand(refuted: Result) -> None:
    lines = plain_text(refuted).splitlines()
    text = "\n".join(lines)
    assert lines[0].startswith("REFUTED  sparse_vector_with_gap / gap_phi")
    assert "condition: same output" in lines[0]
    assert "UNEXPECTED, expected proved" in lines[0]
    assert any(line.startswith("> ") for line in lines)
    assert "shrunk from 9 queries to 2" in text
    rows = {line.split()[0]: line.split()[1:] for line in lines if line.startswith("  ") and line.split()}
    assert rows["q[0]"] == ["0", "-1"]
    assert rows["q[1]"] == ["1/3", "1/3"]
    assert rows["eta"] == ["0", "1", "shift", "+1"]
    assert "eta_i[0]" not in rows  # it was not drawn
    assert rows["output[1]"] == ["7/2", "BELOW", "<-", "the", "outputs", "part", "here"]
    assert rows["output[2]"] == ["ABOVE", "-"]
    assert "cost 3/4 > claim 1/2 (eps)" in text
    assert "confirmed by: exact replay" in text
    assert "This refutes the alignment; it does not show that the mechanism leaks." in text
    assert "\nfrom somewhere import phi\nprint(phi.replay(q=[0]))" in text


def test_an_undecided_result_says_why_and_is_no_proof(undecided: Result) -> None:
    text = plain_text(undecided)
    assert text.startswith("UNDECIDED")
    assert "the solver gave up: timeout" in text
    assert "note: state an invariant" in text
    assert "No counterexample was found either; that does not show that there is none." in text
    assert "neither proved private nor shown to leak" in text


def test_a_certified_violation_is_said_of_the_mechanism(refuted: Result) -> None:
    text = plain_text(replace(refuted, privacy=Privacy("not private", lower="2.1", event="output is ABOVE")))
    assert "NOT PRIVATE" in text
    assert "at least 2.1" in text
    assert "output is ABOVE" in text


@pytest.mark.parametrize("width", [40, 80, 160])
def test_the_summary_in_any_width(proved: Result, refuted: Result, undecided: Result, width: int) -> None:
    text = printed([proved, refuted, undecided], width=width)
    summary = text.rpartition("\n\n")[0].rpartition("UNDECIDED  ")[2]
    for word in ("proved", "refuted", "undecided", "gap_phi", "eps", "each", "all n", "41", "UNEXPECTED"):
        assert word in summary
    assert "3 alignments: 1 proved, 1 refuted, 1 undecided; 2 UNEXPECTED; 123 solver queries" in text
    assert "the floating-point sampler is not covered" in text
    assert "PROVED  " not in text  # a proof among others is a line of the table


LONG = "adaptive_sparse_vector_exponential_monotone", "exponential_monotone_phi_as_printed"


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_names_are_never_broken(proved: Result, width: int) -> None:
    long = replace(proved, mechanism=LONG[0], alignment=LONG[1])
    text = printed([proved, long], width=width)
    [line] = [line for line in text.splitlines() if LONG[1] in line]
    assert LONG[0] in line
    assert "proved" in line
    assert (" / " in line) == (width < 200)  # a table only where all of it fits


def test_a_pipe_gets_a_line_for_each_alignment(proved: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    long = replace(proved, mechanism=LONG[0] * 5, alignment=LONG[1] * 5)
    stream = io.StringIO()
    print_results([proved, long], make_console(stream))
    [line] = [line for line in stream.getvalue().splitlines() if LONG[1] in line]
    assert line.split()[:4] == [long.mechanism, long.alignment, "proved", "ok"]
    assert line.endswith("41")


def test_one_result_is_shown_in_full(proved: Result) -> None:
    assert "because of countable" in printed([proved])
    assert "because of countable" not in printed([proved, proved])
    assert "because of countable" in printed([proved, proved], verbose=True)


def test_quiet(proved: Result, refuted: Result) -> None:
    assert printed([proved], quiet=True) == ""
    assert printed([proved, refuted], quiet=True).startswith("REFUTED")
    assert printed([replace(refuted, expected=Verdict.REFUTED)], quiet=True) == ""


def test_an_expected_refutation_is_marked_as_such(refuted: Result) -> None:
    text = printed([replace(refuted, expected=Verdict.REFUTED)])
    assert "ok, as expected" in text
    assert "all as expected" in text


def test_no_escape_codes_without_a_terminal(refuted: Result) -> None:
    assert "\x1b" not in printed([refuted, refuted])


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_only_where_it_is_wanted(refuted: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured, plain = Terminal(), Terminal()
    print_results([refuted], make_console(coloured, width=100))
    assert "\x1b[" in coloured.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    print_results([refuted], make_console(plain, width=100))
    assert "\x1b[3" not in plain.getvalue()


def test_brackets_in_the_source_are_not_markup(refuted: Result) -> None:
    text = printed([replace(refuted, notes=("the shift of eta_i[0] [bold]grows[/bold]",))])
    assert "eta_i[0] [bold]grows[/bold]" in text


def test_a_snippet_is_never_broken(refuted: Result) -> None:
    assert refuted.counterexample is not None
    snippet = f"phi.replay({json.dumps(list(range(100)))})"
    long = replace(refuted, counterexample=replace(refuted.counterexample, snippet=snippet))
    assert snippet in printed([long], width=40).splitlines()


def test_source_that_is_gone_is_left_out(refuted: Result, tmp_path) -> None:
    assert refuted.counterexample is not None
    gone = replace(refuted.counterexample, file=str(tmp_path / "gone.py"))
    text = plain_text(replace(refuted, counterexample=gone))
    assert "gone.py:" in text
    assert "> " not in text.partition("adjacency")[0]
