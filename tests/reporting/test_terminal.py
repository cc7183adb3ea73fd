"""What people read: the words that must be there, in any width, without colour."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from html import escape
from typing import Any

import pytest

from alignkit import ABOVE, check
from alignkit.attacking import Event, Interval
from alignkit.errors import UnprovedError
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.reporting.full_report import plain_text, report_lines
from alignkit.reporting.sentences import Unchecked
from alignkit.reporting.terminal import make_console, print_report, print_tally
from alignkit.results import CertifiedLoss, Method, Privacy, Result, Verdict, Witness
from alignkit.results.result import SHORT

LEAK = CertifiedLoss(2.1, Method.EXACT, Event(ABOVE), Witness({}, {"q": 0}, {"q": 1}))


def print_results(results: Sequence[Result], console: Any, *, verbose: bool = False, **settings: Any) -> None:
    print_report(results, console, verbose, quiet=settings.get("quiet", False))
    print_tally(results, console, **settings)


def printed(results: Sequence[Result], *, width: int = 160, **settings: Any) -> str:
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
    assert "the mechanism sparse_vector_with_gap is private (privacy loss at most eps)" in text
    assert "0.12 s, 41 queries" in text


def test_a_refutation_can_be_checked_by_hand(refuted: Result) -> None:
    lines = plain_text(refuted).splitlines()
    text = "\n".join(lines)
    assert lines[0].startswith("REFUTED  sparse_vector_with_gap / gap_phi")
    assert "condition: same output" in lines[0]
    assert "UNEXPECTED: should be proved" in lines[0]
    assert any(line.startswith("> ") for line in lines)
    assert "shrunk from 9 queries to 2" in text
    rows = {line.split()[0]: line.split()[1:] for line in lines if line.startswith("  ") and line.split()}
    assert rows["q[0]"] == ["0", "-1"]
    assert rows["q[1]"] == ["1/3", "1/3"]
    assert rows["eta"] == ["0", "1", "shift", "+1"]
    assert "eta_i[0]" not in rows  # it was not drawn
    assert rows["output[1]"] == ["7/2", "BELOW", "<-", "the", "outputs", "differ", "from", "here", "on"]
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
    assert "is private as claimed: neither proved nor shown to leak more" in text


def test_a_certified_violation_is_reported_of_the_mechanism(refuted: Result) -> None:
    text = plain_text(replace(refuted, privacy=Privacy("not private", sought=LEAK)))
    assert "NOT PRIVATE" in text
    assert "at least 2.1" in text
    assert "output is ABOVE" in text


@pytest.mark.parametrize("width", [40, 80, 120, 160])
def test_the_summary_in_any_width(proved: Result, refuted: Result, width: int) -> None:
    expected = replace(refuted, expected=Verdict.REFUTED)
    text = printed([proved, expected, replace(proved, alignment="other")], width=width)
    for word in ("proved", "refuted", "gap_phi", "other", "ok", "0.12 s"):
        assert word in text
    assert ("claim" in text) == ("each" in text) == (width >= 80)
    assert ("all n, T, k, eps" in text) == ("41\n" in text) == (width >= 120)
    assert "3 alignments: 2 proved, 1 refuted, 0 undecided; all as expected" in text
    assert ("123 solver queries" in text) == (width >= 120)
    assert "the floating-point sampler is not covered" in " ".join(text.split())
    assert "assumed for 3: the queries are fixed in advance" in " ".join(text.split())


def test_the_most_frequent_assumptions_are_named_and_others_counted(proved: Result) -> None:
    kinds = [replace(proved, assumptions=tuple(f"kind {k}" for k in range(n))) for n in range(1, 6)]
    text = printed(kinds)
    assert "assumed for 5: kind 0" in text
    assert "assumed for 3: kind 2" in text
    assert "2 further assumptions: -v shows them" in text
    assert "kind 3" not in text
    assert "assumed for 1: kind 3" in printed(kinds[:4])


@pytest.mark.parametrize("width", [80, 120, 160])
def test_no_line_is_too_long_where_all_is_as_expected(proved: Result, refuted: Result, width: int) -> None:
    wasteful = replace(proved, slack="eps - eps / (4 * k) if k == 1 else eps / (4 * k)", cost="eps - eps / 2 + eps / 3")
    named = [replace(refuted, expected=Verdict.REFUTED, mechanism="m" * n, alignment="a" * n) for n in range(5, 40)]
    text = printed([proved, wasteful, *named], width=width)
    assert max(map(len, text.splitlines())) <= width


def test_a_summary_is_ordered_by_file(proved: Result) -> None:
    elsewhere = replace(proved, file="/there/proofs.py", alignment="elsewhere_phi")
    lines = printed([proved, elsewhere, replace(proved, alignment="here_phi")]).splitlines()
    [first, second, third] = [line.split()[3] for line in lines if line.startswith("proved ")]
    assert (first, second, third) == ("gap_phi", "here_phi", "elsewhere_phi")
    assert lines[lines.index("/there/proofs.py") + 1].split()[3] == "elsewhere_phi"


def test_a_long_path_is_cut_at_a_folder(proved: Result) -> None:
    far = replace(proved, file=f"/{'a_long_folder/' * 9}proofs/sparse.py")
    lines = printed([proved, far], width=80).splitlines()
    [heading] = [line for line in lines if line.endswith("sparse.py")]
    assert len(heading) <= 80
    assert heading.startswith("…/a_long_folder/")
    assert heading.endswith("/proofs/sparse.py")
    assert far.file in printed([proved, far], width=200).splitlines()


def test_what_is_not_as_expected_is_reported_in_full_below_the_table(
    proved: Result, refuted: Result, undecided: Result
) -> None:
    expected = replace(refuted, expected=Verdict.REFUTED, alignment="expected_phi")
    text = printed([expected, undecided, proved, refuted])
    table, _, rest = text.partition("UNDECIDED  ")
    first, _, rest = rest.partition("REFUTED  ")
    second, _, last = rest.strip().rpartition("\n\n")
    assert table.count("sparse_vector_with_gap / ") == 4
    assert "because of termination" in first
    assert "confirmed by: exact replay" in second
    assert "expected_phi" not in first + second  # a line of the table is all that it takes
    assert last.startswith("4 alignments: 1 proved, 2 refuted, 1 undecided; 2 UNEXPECTED")


LONG = "adaptive_sparse_vector_exponential_monotone", "exponential_monotone_phi_as_printed"


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_names_are_never_broken(proved: Result, width: int) -> None:
    long = replace(proved, mechanism=LONG[0], alignment=LONG[1])
    text = printed([proved, long], width=width)
    [first] = [line for line in text.splitlines() if LONG[0] in line]
    [second] = [line for line in text.splitlines() if LONG[1] in line]
    assert first.startswith("proved")
    assert (first == second) == (width >= 120)  # the mechanism and the alignment are two words


def test_a_pipe_gets_a_line_for_each_alignment(proved: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    long = replace(proved, mechanism=LONG[0] * 5, alignment=LONG[1] * 5)
    stream = io.StringIO()
    print_results([proved, long], make_console(stream))
    [line] = [line for line in stream.getvalue().splitlines() if LONG[1] in line]
    assert line.split()[:5] == ["proved", long.mechanism, "/", long.alignment, "ok"]
    assert line.endswith("41")


def test_one_result_is_shown_in_full(proved: Result) -> None:
    assert "because of countable" in printed([proved])
    assert "because of countable" not in printed([proved, proved])
    assert "because of countable" in printed([proved, proved], verbose=True)


def test_the_verdict_comes_first_and_the_assumptions_and_notes_last(proved: Result, undecided: Result) -> None:
    for text in (printed([proved]), plain_text(proved), str(proved)):
        first = ("PROVED", "because of termination", "scope:", "worst case of the shifts:")
        marks = (*first, "the mechanism ", "numbers:", "assum", "note")
        places = [text.index(mark) for mark in marks]
        assert places == sorted(places)
    assert printed([undecided]).index("the mechanism ") < printed([undecided]).index("note: state an invariant")


def test_a_result_prints_in_full_wherever_it_goes() -> None:
    result = check(gap_phi, effort=0)
    for copied in (pickle.loads(pickle.dumps(result)), deepcopy(result), replace(result, seconds=0.0)):
        assert str(copied) == plain_text(copied)
        assert copied._repr_html_().startswith("<div><p><strong>PROVED</strong>")


def test_a_result_that_was_made_by_hand_prints_its_short_form(proved: Result) -> None:
    plain = replace(proved, views=SHORT)
    assert str(plain) == repr(plain)
    assert plain._repr_html_() == f"<div><pre>{escape(repr(plain))}</pre></div>"


def test_notes_on_a_proof_are_counted_and_no_assumption_disappears(proved: Result) -> None:
    two = replace(proved, assumptions=("only inputs for which it is defined", *proved.assumptions))
    text = printed([two])
    assert "assumes: only inputs for which it is defined; the queries are fixed in advance\n" in text
    assert "1 note: -v shows it" in text
    assert "240 adjacent pairs" not in text
    for full in (printed([two], verbose=True), str(two)):
        assert "assumption: the queries are fixed in advance\n" in full
        assert "240 adjacent pairs" in full


def test_require_raises_the_full_report(undecided: Result, refuted: Result) -> None:
    for result in (undecided, refuted):
        with pytest.raises(UnprovedError) as raised:
            result.require()
        assert str(raised.value).endswith(plain_text(result))
        assert str(result) == plain_text(result)


def test_quiet(proved: Result, refuted: Result) -> None:
    assert printed([proved], quiet=True) == ""
    assert printed([proved, refuted], quiet=True).startswith("REFUTED")
    assert printed([replace(refuted, expected=Verdict.REFUTED)], quiet=True) == ""
    last = printed([proved, refuted], quiet=True).splitlines()[-1]
    assert last.startswith("2 alignments: 1 proved, 1 refuted, 0 undecided; 1 UNEXPECTED")


@pytest.mark.parametrize(
    ("unchecked", "words"),
    [
        (Unchecked(targets=1), "1 target could not be checked"),
        (Unchecked(alignments=2), "2 alignments could not be checked"),
        (Unchecked(unreached=3), "interrupted before 3 alignments"),
    ],
)
def test_what_was_not_checked_is_never_as_expected(proved: Result, unchecked: Unchecked, words: str) -> None:
    for results in ([proved, proved], [proved], []):
        for quiet in (False, True):
            last = printed(results, unchecked=unchecked, quiet=quiet).splitlines()[-1]
            assert words in last
            assert "all as expected" not in last


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


def test_the_colour_says_whether_a_refutation_is_expected(refuted: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def red(*results: Result) -> bool:
        stream = Terminal()
        print_results(results, make_console(stream, width=100), verbose=True)
        return "31m" in stream.getvalue()

    expected = replace(refuted, expected=Verdict.REFUTED, privacy=Privacy("not private", sought=LEAK))
    assert not red(expected)
    assert not red(expected, expected)
    assert red(refuted)
    assert red(expected, refuted)


def test_brackets_in_the_source_are_not_markup(refuted: Result) -> None:
    text = printed([replace(refuted, notes=("the shift of eta_i[0] [bold]grows[/bold]",))])
    assert "eta_i[0] [bold]grows[/bold]" in text


def test_a_snippet_is_never_broken(refuted: Result) -> None:
    assert refuted.counterexample is not None
    snippet = f"phi.replay({json.dumps(list(range(100)))})"
    long = replace(refuted, counterexample=replace(refuted.counterexample, snippet=snippet))
    assert snippet in printed([long], width=40).splitlines()


@pytest.mark.parametrize("width", [60, 80])
def test_sentences_are_broken_at_blanks_only(undecided: Result, width: int) -> None:
    long = replace(undecided, notes=("the " + "invariant " * 30 + "fails",))
    text, _, _ = printed([long], width=width).rpartition("\n\n")
    assert max(map(len, text.splitlines())) <= width
    assert text.split() == printed([long], width=1000).rpartition("\n\n")[0].split()


def test_source_that_is_gone_is_left_out(refuted: Result, tmp_path) -> None:
    assert refuted.counterexample is not None
    gone = replace(refuted.counterexample, file=str(tmp_path / "gone.py"))
    text = plain_text(replace(refuted, counterexample=gone))
    assert "gone.py:" in text
    assert "> " not in text.partition("adjacency")[0]


def test_a_heading_is_broken_between_its_fields(refuted: Result) -> None:
    lines = printed([refuted], width=80).splitlines()
    heading = lines[: next(number for number, line in enumerate(lines) if ".py:" in line)]
    fields = printed([refuted], width=1000).splitlines()[0].split("    ")
    assert len(heading) > 1
    assert [field for line in heading for field in line.strip().split("    ")] == fields


def test_one_query_is_singular(refuted: Result) -> None:
    text = printed([replace(refuted, queries=1)], width=1000)
    assert ", 1 query\n" in text
    assert "; 1 solver query" in text


def test_an_event_is_a_sentence(refuted: Result) -> None:
    leak = CertifiedLoss(0.9, Method.EXACT, Event(Interval(high=0)), Witness({}, {"q": 0}, {"q": 1}))
    text = printed([replace(refuted, privacy=replace(refuted.privacy, sought=leak))], width=1000)
    assert "    event: the output is < 0, by closed form\n" in text


def test_in_80_columns_no_word_of_a_refutation_is_broken(refuted: Result) -> None:
    """Programs to paste are whole; all else has room, or is one word."""
    counterexample = refuted.counterexample
    public = {"threshold_of_the_first_tier_of_all": Fraction(10**18 + 1, 7)}
    long = replace(
        refuted,
        mechanism="counts_of_two_tiers_with_a_long_name",
        alignment="alignment_of_counts_of_two_tiers",
        counterexample=replace(counterexample, witness=replace(counterexample.witness, public=public)),
    )
    lines = printed([long], width=80, verbose=True).splitlines()
    words = {word for line in report_lines(long, verbose=True) for word in line.text.split()}
    assert words <= {word for line in lines for word in line.split()}
    report = lines[: lines.index("reproduce in Python:")]
    assert not [line for line in report if len(line) > 80 and len(line.split()) > 1]
