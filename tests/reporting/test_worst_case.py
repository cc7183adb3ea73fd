"""The worst case, what a claim wastes, and ex-post privacy, as people read them."""

from __future__ import annotations

import io
from dataclasses import replace

from alignkit.reporting.full_report import plain_text
from alignkit.reporting.terminal import make_console, print_report, print_tally
from alignkit.results import Attained, Privacy, Result, Witness

AT = Attained(
    Witness({"eps": 1}, {"q": (0,)}, {"q": (-1,)}, {"eta": (3,)}),
    1,
    "from m import phi\nprint(phi.replay(q=[0], H={'eta': [3]}))",
)


def printed(*results: Result, width: int = 160) -> str:
    stream = io.StringIO()
    console = make_console(stream, width=width)
    print_report(results, console)
    print_tally(results, console)
    return stream.getvalue()


def wasteful(result: Result) -> Result:
    return replace(result, cost="eps / 2", slack="eps / 2", attained_at=AT, privacy=Privacy("private", "eps / 2"))


def ex_post(result: Result) -> Result:
    return replace(result, claim="len(omega) * eps", cost="eps * k", ex_post=True, slack=None)


def test_a_tight_claim(proved: Result) -> None:
    text = plain_text(replace(proved, attained_at=AT))
    assert "  worst case of the shifts: eps, attained; claim: eps\n" in text
    assert "  attained by: phi.replay(q=[0], H={'eta': [3]})\n" in text
    assert "WASTES" not in text


def test_a_claim_that_wastes(proved: Result) -> None:
    text = plain_text(wasteful(proved))
    assert "  worst case of the shifts: eps / 2, attained; claim: eps; the claim WASTES eps / 2\n" in text
    assert "privacy loss at most eps / 2" in text
    assert "  cost: at most eps, which no run attains; claim: eps\n" in plain_text(replace(proved, attained=False))
    assert "  cost: at most eps; claim: eps\n" in plain_text(replace(proved, attained=None))


def test_an_ex_post_claim(proved: Result) -> None:
    text = plain_text(ex_post(proved))
    assert "claim: ex-post privacy len(omega) * eps" in text
    assert "len(omega) * eps-DP" not in text
    assert "dP_D(omega) <= e^claim dP_D'(omega) for each output" in text
    assert "worst case of the shifts over all outputs: eps * k, attained" in text
    assert "only the worst case, not the realised cost, is a budget" in text


def test_an_ex_post_claim_that_nothing_bounds(proved: Result) -> None:
    text = plain_text(replace(ex_post(proved), cost=None, attained=None, privacy=Privacy()))
    assert "worst case of the shifts over all outputs: none was proved, so this is not DP" in text
    assert "is private: neither proved nor shown to leak" in text


def test_below_the_table_stands_what_the_claims_do_not_say(proved: Result) -> None:
    assert "worst case" not in printed(proved, proved)
    for width in (60, 80, 160):
        shown = printed(proved, wasteful(proved), ex_post(proved), width=width)
        assert ("eps (wastes)" in shown) == ("ex post, at most eps * k" in shown) == (width > 60)
        whole = " ".join(shown.split())
        assert "sparse_vector_with_gap / gap_phi: claims eps; worst case eps / 2; WASTES eps / 2 " in whole
        assert "gap_phi: claims len(omega) * eps at each output; worst case eps * k " in whole
    unbounded = replace(ex_post(proved), cost=None)
    assert "at each output; no worst case was proved\n" in printed(proved, unbounded)


def test_what_is_not_proved_has_no_worst_case(refuted: Result, undecided: Result) -> None:
    for result in (refuted, replace(undecided, cost=None, attained=None)):
        assert "worst case" not in plain_text(replace(result, ex_post=True))
