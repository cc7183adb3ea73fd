"""Alignments in classes, lists, tuples and dicts are checked under dotted names; one that nothing holds is an error."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from alignkit import TargetError, check, load
from alignkit.catalogue import find_alignments

HEAD = """
from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def noisy(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta


def made(claim):
    @alignment(noisy, epsilon=claim)
    def inner(q, q_, omega, H):
        return H.shift(eta=q - q_)

    return inner

"""

HELD = """
class Proofs:
    @alignment(noisy, epsilon="2 * eps")
    def weaker(q, q_, omega, H):
        return H.shift(eta=q - q_)

    class Refuted:
        @alignment(noisy, epsilon="eps / 2")
        def stronger(q, q_, omega, H):
            return H.shift(eta=q - q_)


LISTED = [made("3 * eps"), (made("4 * eps"),)]
BY_NAME = {"five": made("5 * eps"), 6: made("6 * eps")}
first = made("7 * eps")
"""

NAMES = ["LISTED.0", "LISTED.1.0", "BY_NAME.five", "BY_NAME.6", "first", "Proofs.weaker", "Proofs.Refuted.stronger"]


@pytest.fixture
def held(here: Path) -> Path:
    file = here / "held.py"
    file.write_text(HEAD + HELD)
    return file


def test_what_is_held_is_checked_under_its_dotted_name(cli, held: Path) -> None:
    ran = cli("check", "held.py", "--format", "json", "--no-cache")
    results = json.loads(ran.out)["results"]
    assert sorted(r["alignment"] for r in results) == sorted(NAMES)
    assert {r["alignment"] for r in results if r["verdict"] != "proved"} == {"Proofs.Refuted.stronger"}
    assert ran.code == 1
    (refuted,) = (r for r in results if r["verdict"] == "refuted")
    snippet = refuted["counterexample"]["snippet"]
    assert "::Proofs.Refuted.stronger" in snippet
    exec(snippet, {})


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_target_by_its_name(cli, held: Path, name: str) -> None:
    expected = 1 if "Refuted" in name else 0
    assert cli("check", f"held.py::{name}", "--no-cache").code == expected
    alignment = load(f"held.py::{name}")
    assert alignment.dotted_name == name
    assert check(alignment, effort=0).alignment == name


def test_a_dotted_name_may_lead_into_a_class_of_an_imported_module(held: Path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(held.parent))
    importlib.invalidate_caches()
    assert load("held.Proofs.weaker") is load("held.py::Proofs.weaker")
    with pytest.raises(TargetError, match=r"held\.Proofs\.stronger does not exist; did you mean"):
        load("held.Proofs.stronger")


LOST = {
    "a local of a function": "\ndef hide():\n    made('8 * eps')\n\nhide()\n",
    "a set": "\nSET = {made('8 * eps')}\n",
    "a closure": "\ndef keep(phi):\n    return lambda: phi\n\nkept = keep(made('8 * eps'))\n",
    "an attribute of an object": "\nimport types\n\nspace = types.SimpleNamespace(phi=made('8 * eps'))\n",
    "a default": "\ndef default(phi=made('8 * eps')):\n    pass\n",
    "nothing": "\nmade('8 * eps')\n",
    "one of two": "\ntwo = [made('8 * eps') for _ in range(2)]\ntwo.pop()\n",
}


@pytest.mark.parametrize("text", LOST.values(), ids=LOST)
def test_what_nothing_holds_is_an_error_that_names_its_line(cli, held: Path, text: str) -> None:
    held.write_text(HEAD + HELD + text)
    ran = cli("check", "held.py")
    line = HEAD.splitlines().index("    def inner(q, q_, omega, H):") + 1
    assert ran.code == 2
    assert f"held.py:{line}: the alignment inner would not be checked, because no name at the top level" in ran.err
    with pytest.raises(TargetError, match="the alignment inner would not be checked"):
        find_alignments([str(held)])


def test_a_lemma_is_held_by_what_uses_it(cli, here: Path) -> None:
    uses = """
@mechanism
def twice(q: Query, eps: Epsilon, noise: Noise):
    first = noisy(q, eps, noise)
    return first


@alignment(twice, epsilon="eps", lemmas=[made("eps")])
def phi(q, q_, omega, H):
    return H.shift()
"""
    (here / "uses.py").write_text(HEAD + uses)
    assert cli("check", "uses.py", "--no-cache").code == 0


def test_a_module_that_runs_again_starts_anew(held: Path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(held.parent))
    held.with_name("again.py").write_text(HEAD + "alone = made('eps')\n")
    again = importlib.import_module("again")
    held.with_name("again.py").write_text(HEAD + "# Now it has another name.\nother = made('eps')\ndel alone\n")
    importlib.reload(again)
    assert [a.dotted_name for a in find_alignments(["again.py"])] == ["other"]
