"""Opinions for every n: which entries of the catalogue have one, and that no mutant of theirs does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from mutation.arguments import argue
from mutation.entries import Entry, entries
from mutation.mutants import Edit, Operator, Site, mutants
from mutation.operators import comparison, dropped_break
from mutation.outcomes import define
from support.defining import define_in

from alignkit.confirming import Standing, confirm_alignment
from alignkit.confirming.inductive import examine_loop
from alignkit.confirming.places import A_LOOP, examine_all_at_once
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
# A winner, as many as are asked for, ties, and a lead over the others.
ALL_AT_ONCE = {
    "noisy_max/phi",
    "noisy_top_k/monotone_phi",
    "noisy_top_k_discrete/top_k_phi",
    "noisy_max_with_gap/gap_phi",
}


def why_not(alignment: object, effort: int = 400) -> str:
    why = examine_all_at_once(alignment, effort)[0]
    if not why.endswith(A_LOOP):
        return why
    texts = tuple(text for text, _ in alignment.invariants)  # type: ignore[attr-defined]
    return examine_loop(alignment, texts, effort)[0]


def confirmed_mutants(
    entry: Entry, folder: Path, effort: int, operators: tuple[Operator, ...] = OPERATORS
) -> list[str]:
    """The mutants that are confirmed for every n, and that nothing is argued for."""
    found = []
    for mutant in mutants(entry, operators):
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


@pytest.mark.parametrize("entry", [e for e in entries() if e.name in ALL_AT_ONCE], ids=lambda e: e.name)
def test_a_selection_is_confirmed_and_no_mutant_of_it_is(entry: Entry, tmp_path: Path) -> None:
    assert why_not(entry.alignment) == ""
    assert confirmed_mutants(entry, tmp_path, 250, (*OPERATORS, Operator("comparison", comparison))) == []


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
    "a state that some paths begin": ("for q_i in q:", "if T > 0:\n        c = 0\n    for q_i in q:\n        c = 1"),
    "a shift by its own noise": ("eta=1", "eta=1 + 0 * H.eta if H.eta > 0 else 1"),
}


@pytest.mark.parametrize("words", CHANGED)
def test_what_is_not_shown_by_one_iteration_is_not_confirmed(words: str, tmp_path: Path) -> None:
    old, new = CHANGED[words]
    assert old in COUNTED
    assert why_not(define_in(tmp_path, COUNTED.replace(old, new)).phi) != ""


def test_the_program_that_is_changed_is_confirmed(tmp_path: Path) -> None:
    assert confirm_alignment(define_in(tmp_path, COUNTED).phi, n=2).standing is Standing.EVERY_N


SELECTED = """
@mechanism
def f(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k)
    return top

@alignment(f, epsilon="eps")
def phi(q, q_, k, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])
"""
ONE_ANSWER = """
@mechanism
def f(x: Query, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if eta > 0:
        c = 1
    else:
        c = 2
    return x + eta

@alignment(f, epsilon="eps")
def phi(x, x_, T, omega, H):
    return H.shift(eta=x - x_)
"""
# Each leaks, or its alignment is not right, and small inputs are not asked.
NOT_RIGHT = {
    "a factor that is another one later": (
        SELECTED,
        "noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]",
        "c = 9\n    noisy = [c * q_i + eta_i for q_i, eta_i in zip(q, eta)]\n    c = 1",
    ),
    "a scale that is another one later": (
        SELECTED,
        "eta = [noise.laplace(2 * k / eps) for q_i in q]",
        "s = 1 / eps\n    eta = [noise.laplace(s) for q_i in q]\n    s = 2 * k / eps",
    ),
    "an alignment that is not defined for some counts": (SELECTED, "1 + q[i]", "1 / (k - 1) * (k - 1) + q[i]"),
    "more than there are, for some answers": (
        SELECTED.replace("largest(noisy, k)", "largest(noisy, 1)"),
        "    return top",
        "    if all(q_i > 0 for q_i in q):\n        more = largest(noisy, 2)\n    return top",
    ),
    "an alignment that is not defined for some public values": (
        ONE_ANSWER.replace("return x + eta", "return x if T == 0 else x + eta"),
        "x - x_",
        "(x - x_) / T * T",
    ),
    "noise that some public values leave out": (
        """
@mechanism
def f(x: Query, T: Real, eps: Epsilon, noise: Noise):
    if T > 0:
        eta = noise.laplace(1 / eps)
        return x + eta
    return x

@alignment(f, epsilon="eps")
def phi(x, x_, omega, H):
    return H.shift(eta=x - x_)
""",
        "x - x_",
        "x - x_ + 0 * H.eta",
    ),
    "an answer at which D' is not defined": (ONE_ANSWER, "c = 2", "c = 1 / (log(1 + x * x) - 1)"),
    "public values for which some answers are not defined": (
        ONE_ANSWER,
        "    return",
        "    if x > 0:\n        c = 1 / T\n    return",
    ),
    "two vectors of noise that are moved to one": (
        """
@mechanism
def f(x: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if eta > 0:
        return ABOVE if eta < 1 else BELOW
    if eta > -1:
        return ABOVE if x > 0 else BELOW
    return BELOW

@alignment(f, epsilon="eps")
def phi(x, x_, omega, H):
    return H.shift(eta=0)
""",
        "eta=0",
        "eta=0 if H.eta > 0 or H.eta <= -1 or (x > 0) == (x_ > 0) else 1 if x > 0 else -1",
    ),
    "two vectors of noise that are moved to one in an iteration": (
        """
@mechanism
def f(q: Queries, eps: Epsilon, noise: Noise):
    for x in q:
        eta = noise.laplace(1 / eps)
        if eta > 0:
            yield ABOVE if eta < 1 else BELOW
        elif eta > -1:
            yield ABOVE if x > 0 else BELOW
        else:
            yield BELOW
        break

@alignment(f, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=[0 for w in omega])
""",
        "0 for w in omega",
        "0 if H.eta[i] > 0 or H.eta[i] <= -1 or (q[i] > 0) == (q_[i] > 0) else 1 if q[i] > 0 else -1 "
        "for i, w in enumerate(omega)",
    ),
}


@pytest.mark.parametrize("words", NOT_RIGHT)
def test_what_is_not_right_at_every_place_is_not_confirmed(words: str, tmp_path: Path) -> None:
    program, old, new = NOT_RIGHT[words]
    assert old in program
    assert why_not(define_in(tmp_path, program.replace(old, new)).phi) != ""


@pytest.mark.parametrize("program", [SELECTED, ONE_ANSWER], ids=["selected", "one answer"])
def test_the_programs_that_are_changed_are_confirmed(program: str, tmp_path: Path) -> None:
    assert why_not(define_in(tmp_path, program).phi) == ""


def test_paths_on_which_nothing_is_asked_are_work_too(tmp_path: Path) -> None:
    hidden = "".join(
        f"        eta_{i} = noise.laplace(1 / eps)\n        c_{i} = 1 if eta_{i} > 0 else 0\n" for i in range(6)
    )
    program = ONE_ANSWER.replace("    return x + eta", f"    if T == 0:\n{hidden}        c = 1 / T\n    return x + eta")
    phi = define_in(tmp_path, program).phi
    assert why_not(phi) == ""
    assert "used up" in why_not(phi, 60)
