"""Mechanisms and alignments are sent to other processes by name: only if the name stands for them on both sides."""

from __future__ import annotations

import copy
import importlib
import pickle
import sys
from types import ModuleType

import pytest
from support.defining import PRELUDE

from alignkit.language.tags import Tag
from alignkit.mechanisms import sparse_vector as mechanisms
from alignkit.proofs import sparse_vector as proofs

TWO = """
@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q + e

first = m

@mechanism
def m(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return 10 * q + e

@alignment(first, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""

ONE = TWO.replace("first = m\n", "").replace("(first,", "(m,")


@pytest.fixture
def module(tmp_path, monkeypatch):
    def imported(source: str, name: str = "sent_by_name") -> ModuleType:
        (tmp_path / f"{name}.py").write_text(PRELUDE + source)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, name, raising=False)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    return imported


def test_what_is_sent_is_what_the_name_stands_for() -> None:
    for each in (mechanisms.sparse_vector, proofs.gap_phi):
        assert pickle.loads(pickle.dumps(each)) is each
        assert copy.copy(each) is copy.deepcopy(each) is each


def test_a_name_that_stands_for_another_mechanism_is_not_sent(module) -> None:
    two = module(TWO)
    with pytest.raises(pickle.PicklingError, match="under a name that stands for nothing else"):
        pickle.dumps(two.first)
    assert pickle.loads(pickle.dumps(two.m)) is two.m
    assert copy.deepcopy(two.first) is two.first


def test_another_mechanism_on_the_other_side_is_not_taken(module) -> None:
    sent = pickle.dumps(module(ONE).m)
    module(ONE.replace("10 * q", "1000 * q"))  # a file of another size, which Python reads anew within the same second
    with pytest.raises(pickle.UnpicklingError, match="has another m here than where it was sent from"):
        pickle.loads(sent)


def test_a_lemma_counts_in_the_digest_of_what_uses_it(module) -> None:
    source = ONE.replace('"eps"', '"11 * eps"') + """
@mechanism
def calls(q: Query, eps: Epsilon, noise: Noise):
    x = m(q, eps, noise)
    return x

@alignment(calls, epsilon="11 * eps", lemmas=[phi])
def psi(H):
    return H.shift()
"""
    digest = module(source).psi.digest
    assert module(source.replace('(m, epsilon="11 * eps")', '(m, epsilon="eps")')).psi.digest != digest
    assert module(source).psi.digest == digest


class Word(str):
    """A name that is equal to no other, not even to itself."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__


def test_a_tag_is_named_by_a_plain_string() -> None:
    with pytest.raises(TypeError, match="a tag's name must be an identifier"):
        Tag(Word("HIT"))
