"""``alignkit check --suggest``: an alignment that works, or a cheaper one, beside a verdict that stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alignkit import check
from alignkit.catalogue import find_alignments

COUNTING = '''\
from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def noisy_count(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta


@mechanism
def bare(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q, q + eta


@alignment(noisy_count, epsilon="eps")
def right(q, q_, H):
    return H.shift(eta=q - q_)


@alignment(noisy_count, epsilon="eps")
def wrong(q, q_, H):
    return H.shift(eta=q_ - q)


@alignment(noisy_count, epsilon="3 * eps")
def wasteful(q, q_, H):
    return H.shift(eta=q - q_)


@alignment(bare, epsilon="eps")
def hopeless(q, q_, H):
    return H.shift(eta=q - q_)
'''

COUNTDOWN = '''\
from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def countdown(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    left = k
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            left = left - 1
        else:
            yield BELOW
        over = left == 0
        if over:
            break


@alignment(countdown, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
'''


@pytest.fixture
def counting(here: Path) -> Path:
    path = here / "counting.py"
    path.write_text(COUNTING)
    return path


@pytest.fixture
def countdown(here: Path) -> Path:
    path = here / "countdown.py"
    path.write_text(COUNTDOWN)
    return path


def suggested(cli, target: str, code: int) -> dict | None:
    ran = cli("check", target, "--suggest", "--format", "json")
    assert ran.code == code
    [result] = json.loads(ran.out)["results"]
    return result["suggestion"]


@pytest.mark.parametrize(
    ("name", "code", "cheaper"), [("wrong", 1, False), ("wasteful", 0, True)], ids=["refuted", "wasteful"]
)
def test_what_is_suggested_is_proved_and_claims_less(cli, counting: Path, name: str, code: int, cheaper: bool) -> None:
    suggestion = suggested(cli, f"counting.py::{name}", code)
    assert suggestion is not None
    assert (suggestion["claim"], suggestion["cost"], suggestion["cheaper"]) == ("eps", "eps", cheaper)
    (counting.parent / "better.py").write_text(suggestion["source"])
    assert cli("check", "better.py", "-q").code == 0


def test_an_undecided_alignment_gets_one_with_the_invariant_that_it_lacks(cli, countdown: Path) -> None:
    ran = cli("check", "countdown.py", "--suggest")
    assert ran.code == 3
    report, _, source = ran.out.partition("suggestion for countdown / phi: this one works, proved; claim: eps\n")
    assert report.startswith("UNDECIDED  countdown / phi")
    assert '@alignment(countdown, epsilon="eps", invariant="left >= 1")' in source


def test_nothing_is_suggested_in_place_of_the_best(cli, counting: Path) -> None:
    ran = cli("check", "counting.py::right", "--suggest")
    assert ran.code == 0
    assert "suggestion for" not in ran.out
    assert "noisy_count / right: no suggestion: the claim eps was found, which is not shown to be smaller" in ran.err
    assert suggested(cli, "counting.py::right", 0) is None


def test_nothing_is_suggested_where_nothing_is_found(cli, counting: Path) -> None:
    assert suggested(cli, "counting.py::hopeless", 1) is None


def test_of_several_alignments_the_exit_code_and_the_table_stay_as_they_are(cli, counting: Path) -> None:
    plain, suggesting = (cli("check", "counting.py::noisy_count", *flags) for flags in ((), ("--suggest",)))
    assert plain.code == suggesting.code == 1
    table = plain.out.partition("\n\n")[0]
    assert suggesting.out.startswith(table.partition("eps")[0])
    assert "suggestion for" not in plain.out
    told = [line for line in suggesting.out.splitlines() if line.startswith("suggestion for")]
    assert told == [
        "suggestion for noisy_count / wrong: this one works, proved; claim: eps",
        "suggestion for noisy_count / wasteful: a cheaper one is known, proved; claim: eps",
    ]


def test_nothing_is_suggested_unasked_or_without_time(cli, counting: Path) -> None:
    ran = cli("check", "counting.py::wrong", "--format", "json")
    assert json.loads(ran.out)["results"][0]["suggestion"] is None
    hurried = cli("check", "counting.py::wrong", "--suggest", "--timeout", "0.001")
    assert "suggestion for" not in hurried.out
    assert "noisy_count / wrong: no suggestion: " in hurried.err


def test_one_search_serves_all_alignments_of_a_mechanism_and_adjacency(counting: Path, monkeypatch) -> None:
    from alignkit.finding import search

    searched = []
    found = search.find

    def counted(mechanism, **given):
        searched.append(mechanism)
        return found(mechanism, **given)

    monkeypatch.setattr(search, "find", counted)
    alignments = find_alignments([f"{counting}::noisy_count"])
    pairs = [(alignment, check(alignment, effort=0)) for alignment in alignments]
    right, wrong, wasteful = search.suggestions(pairs, timeout=60)
    assert isinstance(right, str)
    assert (wrong.claim, wrong.cheaper, wasteful.claim, wasteful.cheaper) == ("eps", False, "eps", True)
    assert len(searched) == 1


def test_nothing_is_searched_where_the_loss_is_infinite(cli, counting: Path) -> None:
    ran = cli("check", "counting.py::hopeless", "--suggest")
    assert "bare / hopeless: no suggestion: an infinite loss was certified, so that no alignment proves" in ran.err
