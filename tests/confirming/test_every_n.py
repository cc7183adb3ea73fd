"""Opinions for every n: which entries of the catalogue have one, and that no mutant of theirs does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from mutation.arguments import argue
from mutation.entries import Entry, entries
from mutation.mutants import Edit, Operator, Site, mutants
from mutation.operators import dropped_break
from mutation.outcomes import define
from support.defining import define_in

from alignkit.confirming import Standing, confirm_alignment
from alignkit.confirming.inductive import examine_loop
from alignkit.errors import AlignkitError


def smaller_claim(site: Site) -> Iterator[Edit]:
    """The claim loses a tenth."""
    node = site.node
    if isinstance(node, ast.keyword) and node.arg == "epsilon" and isinstance(node.value, ast.Constant):
        yield from site.exchange(node.value, ast.Constant(f"9 / 10 * ({node.value.value})"))


def shift_left_out(site: Site) -> Iterator[Edit]:
    """A draw is not moved."""
    node = site.node
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "H.shift":
        for keyword in node.keywords:
            kept = [k for k in node.keywords if k is not keyword]
            yield Edit(node, ast.Call(node.func, [], kept), words=f"the shift of {keyword.arg} is left out")


def not_counted(site: Site) -> Iterator[Edit]:
    """What counts the winners, or adds up what they cost, stays as it is."""
    node = site.node
    text = ast.unparse(node) if isinstance(node, ast.AugAssign | ast.Assign) else ""
    if text in ("count += 1", "count = count + 1") or text.startswith("cost = cost + "):
        yield Edit(node, ast.Pass(), words="a winner is not counted")


OPERATORS = tuple(Operator(each.__name__, each) for each in (smaller_claim, shift_left_out, dropped_break, not_counted))
# One of each kind of state: a count, the budget that is spent, a threshold that is drawn anew, a direction.
FEW = {
    "sparse_vector/phi",
    "sparse_vector_with_gap_by_theta/theta_phi",
    "sparse_vector_with_fresh_thresholds/fresh_thresholds_phi",
    "sparse_vector_monotone/monotone_phi",
}


def why_not(alignment: object, effort: int = 400) -> str:
    texts = tuple(text for text, _ in alignment.invariants)  # type: ignore[attr-defined]
    return examine_loop(alignment, texts, effort)[0]


def confirmed_mutants(entry: Entry, folder: Path, effort: int) -> list[str]:
    """The mutants that are confirmed for every n, and that nothing is argued for."""
    found = []
    for mutant in mutants(entry, OPERATORS):
        try:
            alignment = define(mutant, folder)
        except AlignkitError:
            continue
        if not why_not(alignment, effort) and argue(mutant, alignment) is None:
            found.append(str(mutant))
    return found


@pytest.mark.parametrize("entry", [e for e in entries() if e.name in FEW], ids=lambda e: e.name)
def test_an_entry_is_confirmed_and_no_mutant_of_it_is(entry: Entry, tmp_path: Path) -> None:
    assert why_not(entry.alignment) == ""
    assert confirmed_mutants(entry, tmp_path, 250) == []


@pytest.mark.slow
@pytest.mark.parametrize("entry", entries(), ids=lambda e: e.name)
def test_no_mutant_is_confirmed_for_every_n(entry: Entry, tmp_path: Path) -> None:
    if not why_not(entry.alignment, 600):
        assert confirmed_mutants(entry, tmp_path, 600) == []


COUNTED = """
@mechanism
def f(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break

@alignment(f, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
"""
# Each is defined, and none may be confirmed: what one iteration shows is not so of all of them.
CHANGED = {
    "an element of another iteration": ("1 + q[i] - q_[i] if w is not BELOW", "1 + q[0] - q_[0] if w is not BELOW"),
    "no break for some thresholds": ("if count >= k:", "if count >= k and T > 0:"),
    "a count that begins late": ("count = 0", "count = 0 - k"),
    "all outputs, read off one": ("if w is not BELOW", "if all(v is not BELOW for v in omega)"),
    "all outputs": ("eta=1", "eta=1 if all(w is BELOW for w in omega) else 1"),
    "a length": ("eta=1", "eta=1 if len(omega) == 3 else 1"),
    "half the shift": ("eta=1", "eta=1 / 2"),
    "a shift by its own noise": ("eta=1", "eta=1 + 0 * H.eta if H.eta > 0 else 1"),
}


@pytest.mark.parametrize("words", CHANGED)
def test_what_is_not_shown_by_one_iteration_is_not_confirmed(words: str, tmp_path: Path) -> None:
    old, new = CHANGED[words]
    assert old in COUNTED
    assert why_not(define_in(tmp_path, COUNTED.replace(old, new)).phi) != ""


def test_the_program_that_is_changed_is_confirmed(tmp_path: Path) -> None:
    assert confirm_alignment(define_in(tmp_path, COUNTED).phi, n=2).standing is Standing.EVERY_N
