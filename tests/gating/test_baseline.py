"""A baseline: what counts as worse, and which files are refused."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from alignkit import Count, Epsilon, InputError, Noise, Queries, alignment, check, mechanism
from alignkit.gating.baseline import BaselineEntry, entry_places, read_baseline, write_baseline
from alignkit.gating.baseline_changes import changes_from_baseline
from alignkit.results import Result


@mechanism
def noisy_answer(q: Queries, k: Count, eps: Epsilon, eps0: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q[0] + eta


@alignment(noisy_answer, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta=q[0] - q_[0])


@pytest.fixture(scope="module")
def result() -> Result:
    return check(phi, effort=0).require()


@pytest.fixture(scope="module")
def entry(result: Result) -> BaselineEntry:
    return BaselineEntry.of(result)


def changes(before: BaselineEntry, now: BaselineEntry) -> list[tuple[str, str]]:
    return [(str(change.direction), change.words) for change in changes_from_baseline(phi, before, now)]


OPEN = "; neither is proved to be at most the other"


@pytest.mark.parametrize("name", ["claim", "worst_case"])
@pytest.mark.parametrize(
    ("old", "new", "direction", "words"),
    [
        ("eps", "2 * eps", "worse", "grew from eps to 2 * eps"),
        ("2 * eps", "eps", "better", "shrank from 2 * eps to eps"),
        ("eps", "eps + eps0", "worse", "grew from eps to eps + eps0"),
        ("eps", "eps0", "changed", f"changed from eps to eps0{OPEN}"),
        ("eps * eps", "eps", "changed", f"changed from eps * eps to eps{OPEN}"),
        ("k * eps", "k * k * eps", "worse", "grew from k * eps to k * k * eps"),
    ],
)
def test_a_claim_or_worst_case_that_grew_is_worse(
    entry: BaselineEntry, name: str, old: str, new: str, direction: str, words: str
) -> None:
    what = {"claim": "claim", "worst_case": "proved bound on the cost"}[name]
    found = changes(replace(entry, **{name: old}), replace(entry, **{name: new}))
    assert found == [(direction, f"the {what} {words}")]


def test_the_same_claim_in_other_words_is_no_change(entry: BaselineEntry) -> None:
    assert changes(replace(entry, claim="2 * eps / 2"), entry) == []
    assert changes(entry, entry) == []


def test_a_claim_on_a_parameter_that_is_gone_has_changed(entry: BaselineEntry) -> None:
    [(direction, words)] = changes(replace(entry, claim="eps1"), entry)
    assert direction == "changed"
    assert words.startswith("the claim changed from eps1 to eps, which cannot be compared: ")


@pytest.mark.parametrize(
    ("before", "now", "expected", "direction"),
    [
        ("proved", "undecided", "proved", "worse"),
        ("proved", "refuted", "proved", "worse"),
        ("undecided", "refuted", "proved", "worse"),
        ("undecided", "proved", "proved", "better"),
        ("refuted", "proved", "proved", "better"),
        ("refuted", "undecided", "proved", "better"),
        ("refuted", "undecided", "refuted", "worse"),
        ("refuted", "proved", "refuted", "worse"),
        ("undecided", "refuted", "refuted", "better"),
        ("proved", "refuted", "refuted", "better"),
    ],
)
def test_verdicts(entry: BaselineEntry, before: str, now: str, expected: str, direction: str) -> None:
    entry = replace(entry, expected=expected)
    found = changes(replace(entry, verdict=before), replace(entry, verdict=now, worst_case=None))
    assert found == [(direction, f"{before} became {now}")]


def test_a_proof_is_not_lost_unseen_by_expecting_a_refutation(entry: BaselineEntry) -> None:
    found = changes(entry, replace(entry, verdict="refuted", expected="refuted"))
    assert [direction for direction, _ in found] == ["worse", "worse"]
    assert changes(replace(entry, verdict="undecided"), replace(entry, verdict="undecided", expected="undecided")) == [
        ("worse", "it is expected to be undecided, and was expected to be proved")
    ]


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        ({"adjacency": "each"}, {"adjacency": "monotone"}, ("worse", "the adjacency shrank from each to monotone")),
        ({"adjacency": "one"}, {"adjacency": "l1"}, ("better", "the adjacency grew from one to l1")),
        ({"adjacency": "l1"}, {"adjacency": "monotone"}, ("changed", "the adjacency changed from l1 to monotone")),
        ({"ex_post": False}, {"ex_post": True}, ("worse", "the claim depends on the output now")),
        ({"ex_post": True}, {"ex_post": False}, ("better", "the claim no longer depends on the output")),
        ({"worst_case": "eps"}, {"worst_case": None}, ("worse", "no bound on the cost was proved, and it was eps")),
        ({"worst_case": None}, {"worst_case": "eps"}, ("better", "a bound on the cost was proved, eps")),
        ({"mechanism": "m"}, {"mechanism": "m2"}, ("changed", "it is about m2, and was about m")),
        ({"base": None}, {"base": 2}, ("changed", "the claim changed from eps in base e to eps in base 2")),
        ({"scope": {"k": "all"}}, {"scope": {"k": "up to 3"}}, ("worse", "the scope of k shrank from all to up to 3")),
        ({"scope": {"k": "up to 3"}}, {"scope": {"k": "all"}}, ("better", "the scope of k grew from up to 3 to all")),
        ({"scope": {"k": "up to 3"}}, {"scope": {"k": "up to 4"}},
         ("changed", "the scope of k changed from up to 3 to up to 4")),
        ({"scope": {"k": "all"}}, {"scope": {}}, ("changed", "the scope no longer names k (all)")),
        ({"scope": {}}, {"scope": {"k": "up to 3"}}, ("changed", "the scope names k (up to 3)")),
    ],
)  # fmt: skip
def test_other_changes(entry: BaselineEntry, before: dict, now: dict, found: tuple[str, str]) -> None:
    assert changes(replace(entry, **before), replace(entry, **now)) == [found]


def test_a_new_parameter_that_is_covered_is_no_change(entry: BaselineEntry) -> None:
    assert changes(replace(entry, scope={}), entry) == []


def test_a_file_is_read_as_it_was_written_and_reads_as_a_diff(result: Result, tmp_path: Path) -> None:
    result = replace(result, file=str(tmp_path / "proofs" / "ε and \udcff.py"), claim="ε / 2")
    file = tmp_path / "verdicts.json"
    write_baseline(str(file), [result, replace(result, alignment="other", seconds=3.0, line=9), result])
    baseline = read_baseline(str(file))
    places = [f"proofs/ε and \udcff.py::{name}" for name in ("phi", "other", "phi#2")]
    assert list(entry_places([result], tmp_path)) == places[:1]
    assert baseline.entries == {place: BaselineEntry.of(result) for place in places}
    text = file.read_bytes()
    write_baseline(str(file), [result, replace(result, seconds=7.0, line=2), replace(result, alignment="other")])
    assert file.read_bytes() == text
    assert "      \"claim\": \"ε / 2\",\n".encode() in text
    assert os.listdir(tmp_path) == ["verdicts.json"]


def test_a_file_that_cannot_be_written_stays_as_it_was(result: Result, tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "verdicts.json"
    file.write_text("old")

    def fails(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(InputError, match=r"verdicts\.json cannot be written: No space left on device"):
        write_baseline(str(file), [result])
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["verdicts.json"]


def test_a_link_stays_a_link_and_others_may_read_the_file(result: Result, tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "verdicts.json")
    write_baseline(str(tmp_path / "link.json"), [result])
    assert (tmp_path / "link.json").is_symlink()
    beside = tmp_path / "beside"
    beside.touch()
    assert stat.S_IMODE((tmp_path / "verdicts.json").stat().st_mode) == stat.S_IMODE(beside.stat().st_mode)


def edited(**values: object):
    """A change of the one entry of a document; None takes a key away."""

    def edit(document: dict) -> None:
        [entry] = document["alignments"].values()
        for name, value in values.items():
            if value is ...:
                del entry[name]
            else:
                entry[name] = value

    return edit


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda d: d.update(alignkit_baseline=2), "it has the format 2, and this version reads 1; a newer alignkit"),
        (lambda d: d.update(alignkit_baseline=0), "it has the format 0, and this version reads 1; no alignkit"),
        (lambda d: d.update(alignkit_baseline=True), "it is not a baseline"),
        (lambda d: d.pop("alignkit_baseline"), "it is not a baseline"),
        (lambda d: d.pop("alignments"), "it lacks alignments"),
        (lambda d: d.update(alignmnts={}), "it has 'alignmnts'; did you mean `alignments`?"),
        (lambda d: d.update(alignments=[]), "'alignments' must be an object"),
        (lambda d: d.update(alignments={"a::b": 3}), "'alignments' must be an object"),
        (edited(claim=...), "it lacks claim"),
        (edited(claims="eps"), "it has 'claims'; did you mean `claim`?"),
        (edited(claim=3), "claim must be a string, not 3"),
        (edited(verdict="proven"), "verdict must be proved or refuted or undecided, not 'proven'"),
        (edited(verdict=["proved"]), "verdict must be proved or refuted or undecided, not ['proved']"),
        (edited(adjacency="all"), "adjacency must be each or monotone or one or l1 or few(l), not 'all'"),
        (edited(scope={"k": 3}), "scope must be an object of strings"),
        (edited(base=3), "base must be null or 2, not 3"),
        (edited(ex_post=0), "ex_post must be true or false, not 0"),
    ],
)
def test_a_file_that_is_no_baseline_is_refused(result: Result, tmp_path: Path, edit, words: str) -> None:
    file = tmp_path / "verdicts.json"
    write_baseline(str(file), [result])
    document = json.loads(file.read_text())
    edit(document)
    file.write_text(json.dumps(document))
    with pytest.raises(InputError) as refusal:
        read_baseline(str(file))
    assert str(refusal.value).startswith(f"the baseline {file} cannot be used: ")
    assert words in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1 is not JSON"),
        ('{"alignkit_baseline": 1,\n "align', "line 2 is not JSON"),
        ("<<<<<<< HEAD\n", "or hold a conflict of a merge"),
        ('{"a": 1, "a": 2}', "'a' is in it twice"),
        ("[" * 100_000, "it is nested too deeply"),
        ("[]", "it is not a baseline"),
    ],
    ids=["empty", "cut short", "conflict", "twice", "nested", "list"],
)
def test_a_text_that_is_no_baseline_is_refused(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "verdicts.json"
    file.write_text(text)
    with pytest.raises(InputError) as refusal:
        read_baseline(str(file))
    assert str(refusal.value).startswith(f"the baseline {file} cannot be ")
    assert words in str(refusal.value)
