"""Adjacency few(m): what it is called, what is refused, and who knows of it."""

from __future__ import annotations

import json
import pickle
import random
from fractions import Fraction
from itertools import islice

import pytest

from alignkit import Count, Epsilon, InputError, Noise, Queries, Query, alignment, attack, check, find, mechanism
from alignkit.confirming import confirm_alignment
from alignkit.explaining.explanation import explain
from alignkit.finding.scales.noise_search import least_noise
from alignkit.finding.search import suggestion
from alignkit.gating.policy import read_policy
from alignkit.mechanisms.thresholded_keys import opendp_threshold
from alignkit.reporting.json_documents import results_json
from alignkit.results import Verdict
from alignkit.running.adjacency import Adjacency, check_adjacent
from alignkit.running.adjacent_pairs import level_pair, random_pairs


@mechanism
def cells(q: Queries, m: Count, eps: Epsilon, noise: Noise):
    x = [noise.laplace(1 / eps) for _ in q]
    return [a + b for a, b in zip(q, x)]


def shifts(q, q_, H):
    return H.shift(x=[a - b for a, b in zip(q, q_)])


phi = alignment(cells, epsilon="m * eps", adjacency="few(m)")(shifts)


@mechanism
def parts(p: Query, q: Queries, m: Count, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    return p + sum(q) + x


def changes(*which):
    return {"q": [0, 0, 0], "q_": [int(i in which) for i in range(3)], "eps": 1, "H": {"x": [0, 0, 0]}}


def test_it_is_one_object_for_each_number_and_name():
    few = Adjacency.read("few(2)")
    assert few is Adjacency("few(2)") is pickle.loads(pickle.dumps(few))
    assert (str(few), few.most, few.shared, few.counts_changes) == ("few(2)", "2", True, True)
    assert list(Adjacency) == ["each", "monotone", "one", "l1"]
    assert few.covered_by == (few, Adjacency.EACH)
    assert Adjacency.read("few(m)").at({"m": 3}) is Adjacency.read("few(3)")
    assert [a.shared for a in Adjacency] == [False, False, True, True]
    assert [a.counts_changes for a in Adjacency] == [False, False, True, False]


@pytest.mark.parametrize(
    "name",
    ["few", "few()", "few(0)", "few(-1)", "few(1.5)", "few(02)", "few(l, 2)", "few( l )", "few(2 * l)", "few(2)\n"],
)
def test_what_is_no_number_of_changes_is_refused(name):
    with pytest.raises(InputError, match=r"few says how many answers may change"):
        alignment(cells, epsilon="eps", adjacency=name)(shifts)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("few(k)", "cells has no parameter `k`; m may be named"),
        ("few(q)", "`q` is private"),
        ("few(eps)", "`eps` is a privacy loss budget above 0"),
    ],
)
def test_a_number_of_changes_is_a_public_count(name, words):
    with pytest.raises(InputError, match=words):
        alignment(cells, epsilon="eps", adjacency=name)(shifts)
    with pytest.raises(InputError, match=words):
        attack(cells, adjacency=name)


def test_replays_count_changes():
    assert phi.replay(m=2, **changes(0, 2)).violation is None
    assert phi.replay(m=7, **changes(0, 1, 2)).violation is None
    with pytest.raises(InputError, match=r"more than 2 answers of q change; adjacency is 'few\(m\)'"):
        phi.replay(m=2, **changes(0, 1, 2))


@pytest.mark.parametrize("name", ["few(1)", "few(2)", "few(m)", "few(50)"])
@pytest.mark.parametrize("program", [cells, parts])
def test_pairs_to_try_are_adjacent_and_some_change_as_many_answers_as_may(name, program):
    adjacency, source = Adjacency.read(name), random.Random(3)
    pairs = list(islice(random_pairs(program, adjacency, source), 300))
    public = {"m": 2, "eps": Fraction(1)}
    pairs += [level_pair(program, adjacency, public, 4, source, number) for number in range(40)]
    spare = []
    for pair in pairs:
        check_adjacent(adjacency, program, pair.values, pair.values_)
        moved = sum(a != b for a, b in zip(pair.q["q"], pair.q_["q"], strict=True))
        moved += "p" in pair.q and pair.q["p"] != pair.q_["p"]
        answers = len(pair.q["q"]) + ("p" in pair.q)
        spare.append(min(adjacency.allowance(pair.public, None), answers) - moved)
    assert min(spare) == 0


def test_the_claims_of_it_are_proved_with_words_for_what_it_allows():
    result = check(phi, effort=0)
    assert result.verdict is Verdict.PROVED
    assert "adjacency few(m): at most m answers may change, each by up to the sensitivity" in str(result)
    assert result.cost == "m * eps"
    (document,) = json.loads(results_json([result]))["results"]
    assert document["adjacency"] == "few(m)"
    assert "few(m): at most m answers may change" in str(explain(phi).document)
    one = alignment(cells, epsilon="eps", adjacency="few(1)")(shifts)
    assert "few(1): at most 1 answer may change" in str(check(one, effort=0))


def test_a_claim_for_fewer_is_refuted_and_the_mechanism_attacked():
    wrong = alignment(cells, epsilon="eps", adjacency="few(2)")(shifts)
    result = check(wrong)
    assert result.verdict is Verdict.REFUTED
    assert result.privacy.status == "not private"
    assert 1.9 < attack(cells, adjacency="few(2)", timeout=60).loss < 2.1


def test_a_person_in_few_keys_has_as_many_deltas():
    for charges, verdict in (("2", Verdict.PROVED), ("1", Verdict.REFUTED)):
        delta = f"{charges} * exp(-eps * (tau - 1)) / (1 + exp(-eps))"

        @alignment(opendp_threshold, epsilon="2 * eps", delta=delta, adjacency="few(2)", expect=str(verdict))
        def keys_phi(q, q_, H, tau):
            new = [(a <= 0) != (b <= 0) for a, b in zip(q, q_)]
            return H.shift(x=[0 if f else a - b for f, a, b in zip(new, q, q_)]).below(
                x=[tau - max(a, b) if f else None for f, a, b in zip(new, q, q_)]
            )

        assert check(keys_phi, effort=0).verdict is verdict


def test_who_does_not_know_it_says_so():
    for search in (find, lambda program, adjacency: least_noise(program, "eps", adjacency=adjacency)):
        with pytest.raises(InputError, match=r"no alignments are proposed under adjacency few\(m\)"):
            search(cells, adjacency="few(m)")
    assert "no alignments are proposed" in suggestion(phi, check(phi, effort=0), timeout=60)
    assert "not examined: adjacency few(m)" in str(confirm_alignment(phi))


def test_policies_accept_it_by_its_name():
    assert read_policy({"adjacency": ["few(3)"]}, "here").adjacency == ("few(3)",)
    with pytest.raises(InputError, match="adjacency names 'few', which is not known"):
        read_policy({"adjacency": ["few"]}, "here")
