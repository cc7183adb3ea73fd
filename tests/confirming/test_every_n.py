"""Opinions for every n: which entries of the catalogue have one, and that no mutant of theirs does."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from mutation.arguments import argue
from mutation.entries import Entry, entries
from mutation.mutants import mutants
from mutation.outcomes import define
from support.defining import define_in
from support.examples import examples

from alignkit.confirming import Standing, confirm_alignment
from alignkit.confirming.inductive import examine_loop
from alignkit.confirming.places import A_LOOP, examine_all_at_once
from alignkit.errors import AlignkitError
from alignkit.explorer.program_changes import Edit, EditSite, Operator, dropped_break, other_comparison


def smaller_claim(site: EditSite) -> Iterator[Edit]:
    """The claim loses a tenth."""
    node = site.node
    if isinstance(node, ast.keyword) and node.arg == "epsilon" and isinstance(node.value, ast.Constant):
        yield from site.exchange(node.value, ast.Constant(f"9 / 10 * ({node.value.value})"))


def shift_left_out(site: EditSite) -> Iterator[Edit]:
    """A draw is not moved."""
    node = site.node
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "H.shift":
        for keyword in node.keywords:
            kept = [k for k in node.keywords if k is not keyword]
            yield Edit(node, ast.Call(node.func, [], kept), words=f"the shift of {keyword.arg} is left out")


def not_counted(site: EditSite) -> Iterator[Edit]:
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
    assert confirmed_mutants(entry, tmp_path, 250, (*OPERATORS, Operator("comparison", other_comparison))) == []


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
INDEX = """
@mechanism
def f(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            return i, q_i + nu - (T + rho)
    return -1, 0

@alignment(f, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if i == omega[0] else 0 for i in range(len(q))])
"""
# The answers change by 1 together.
TOTALS = """
@mechanism
def f(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    total: float = 0
    count = 0
    for q_i in q:
        total += q_i
        eta_i = noise.laplace(4 * k / eps)
        if total + eta_i >= T + eta:
            yield ABOVE
            count += 1
            if count >= k:
                break
        else:
            yield BELOW

@alignment(f, epsilon="eps", adjacency="l1")
def phi(q, q_, omega, H):
    change = [sum(q[j] - q_[j] for j in range(i + 1)) for i in range(len(q))]
    return H.shift(eta=1, eta_i=[1 + change[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
"""
COUNTER = """
@mechanism
def f(q: Queries, eps: Epsilon, noise: Noise):
    total: float = 0
    for q_i in q:
        total += q_i
        e = noise.laplace(1 / eps)
        yield total + e

@alignment(f, epsilon="len(omega) * eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(e=[sum(q[j] - q_[j] for j in range(i + 1)) for i in range(len(q))])
"""
ONCE = """
@mechanism
def f(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e

@alignment(f, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
"""
SQUARES = """
@mechanism
def f(q: Queries, w: Reals, eps: Epsilon, noise: Noise):
    count = 0
    for q_i, w_i in zip(q, w):
        if w_i == 6 and count >= 5:
            yield 0
        else:
            yield 1
        if count >= 2 + 9 * (w_i - 6) * (w_i - 6):
            break
        count += 1

@alignment(f, epsilon="eps")
def phi(H):
    return H.shift()
"""
TWICE = """
@mechanism
def f(q: Queries, r: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(8 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break
    rho = noise.laplace(4 / eps)
    found = 0
    for r_j in r:
        rho_j = noise.laplace(8 * k / eps)
        if r_j + rho_j >= T + rho:
            yield ABOVE
            found += 1
        else:
            yield BELOW
        if found >= k:
            break

@alignment(f, epsilon="eps")
def phi(q, q_, r, r_, omega, H):
    first = len(H.eta_i)
    second = min(len(r), len(omega) - first)
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if omega[i] is ABOVE else 0 for i in range(first)],
        rho=1,
        rho_j=[1 + r[j] - r_[j] if omega[first + j] is ABOVE else 0 for j in range(second)],
    )
"""
PLACES = SQUARES.replace("q_i, w_i in zip(q, w)", "w_i, q_i in enumerate(q)")
# Each is defined, and none may be confirmed: what one iteration shows is not so of all of them.
CHANGED = {
    "an element of another iteration": (COUNTED, "1 + q[i] - q_[i] if w is not", "1 + q[0] - q_[0] if w is not"),
    "no break for some thresholds": (COUNTED, "if count >= k:", "if count >= k and T > 0:"),
    "a count that begins late": (COUNTED, "count = 0", "count = 0 - k"),
    "all outputs, read off one": (COUNTED, "if w is not BELOW", "if all(v is not BELOW for v in omega)"),
    "all outputs": (COUNTED, "eta=1", "eta=1 if all(w is BELOW for w in omega) else 1"),
    "a length": (COUNTED, "eta=1", "eta=1 if len(omega) == 3 else 1"),
    "more for the last output": (COUNTED, "1 + q[i] -", "(9 if i + 1 == len(omega) else 1) + q[i] -"),
    "half the shift": (COUNTED, "eta=1", "eta=1 / 2"),
    "a shift by its own noise": (COUNTED, "eta=1", "eta=1 + 0 * H.eta if H.eta > 0 else 1"),
    "not defined in one iteration": (COUNTED, "1 + q[i] - q_[i]", "1 + 0 / (i - 9) + q[i] - q_[i]"),
    "a cost before the return": (INDEX, "i == omega[0]", "i <= omega[0]"),
    "a cost after the return, where there is none": (INDEX, "i == omega[0]", "i >= omega[0]"),
    "the iteration before the one that returns": (INDEX, "i == omega[0]", "i + 1 == omega[0]"),
    "a threshold that is moved for one index": (INDEX, "rho=1", "rho=1 if omega[0] != 7 else 0"),
    "not defined after the return": (INDEX, "else 0 for", "else 0 / (i - omega[0] - 9) for"),
    "another answer at the end": (INDEX, "return -1, 0", "return -1, q[0]"),
    "a list at the end": (INDEX, "return -1, 0", "return q, 0"),
    "an answer itself": (INDEX, "return i, q_i + nu", "return i, q_i, q_i + nu"),
    "noise at the end": (INDEX, "return -1, 0", "return -1, rho"),
    "another total": (TOTALS, "range(i + 1)", "range(i)"),
    "one summand of a total": (TOTALS, "sum(q[j] - q_[j] for", "sum((q[j] - q_[j] if j == i else 0) for"),
    "one summand, the other way round": (TOTALS, "sum(q[j] - q_[j] for", "sum((q[j] - q_[j] if i == j else 0) for"),
    "summands with factors": (TOTALS, "sum(q[j] - q_[j] for", "sum(q[0] * (q[j] - q_[j]) for"),
    "totals of answers that change each": (TOTALS, ', adjacency="l1"', ""),
    "less than a total may change by": (TOTALS, "4 * k / eps", "3 * k / eps"),
    "every total, paid for once": (COUNTER, 'epsilon="len(omega) * eps"', 'epsilon="eps"'),
    "all totals but one": (COUNTER, "len(omega) * eps", "(len(omega) - 1) * eps"),
    "answers that change each": (ONCE, ', adjacency="l1"', ""),
    "answers that are doubled": (ONCE, "yield q_i", "yield 2 * q_i"),
    "less than all answers change by": (ONCE, 'epsilon="eps"', 'epsilon="9 / 10 * eps"'),
    "what held for another element": (SQUARES, "yield 0", "yield q_i"),
    "what held at another place": (PLACES, "yield 0", "yield q_i"),
    "queries chosen one by one": (INDEX, 'epsilon="eps"', 'epsilon="eps", queries="adaptive"'),
    "two lists of queries chosen one by one": (TWICE, 'epsilon="eps"', 'epsilon="eps", queries="adaptive"'),
    "what the first loop costs": (TWICE, 'epsilon="eps"', 'epsilon="eps / 2"'),
    "less than two loops cost": (TWICE, 'epsilon="eps"', 'epsilon="9 / 10 * eps"'),
    "the second loop, by outputs of the first": (TWICE, "omega[first + j]", "omega[j]"),
    "the second loop, one output off": (TWICE, "first = len(H.eta_i)", "first = len(H.eta_i) + 1"),
    "one output of the second loop, by place": (TWICE, "ABOVE else 0 for j", "ABOVE or first + j == 7 else 0 for j"),
    "the second threshold": (TWICE, "rho=1", "rho=0"),
    "a first loop that goes on": (TWICE, "if count >= k:", "if count >= k and T > 0:"),
    "a second loop that goes on": (TWICE, "if found >= k:", "if found >= k and T > 0:"),
    "a count that is handed on": (TWICE, "found = 0", "found = 0 - count"),
    "less noise in the second loop": (TWICE, "rho_j = noise.laplace(8 *", "rho_j = noise.laplace(7 *"),
    "answers of the first list in the second loop": (TWICE, "if r_j + rho_j", "if q[0] + rho_j"),
    "less than the smallest claim": (INDEX, 'epsilon="eps"', 'epsilon="9 / 10 * eps"'),
    "a state that some paths begin": (
        COUNTED, "for q_i in q:", "if T > 0:\n        c = 0\n    for q_i in q:\n        c = 1"
    ),
}


@pytest.mark.parametrize("words", [*CHANGED][:: examples(2, 1)])
def test_what_is_not_shown_by_one_iteration_is_not_confirmed(words: str, tmp_path: Path) -> None:
    program, old, new = CHANGED[words]
    assert old in program
    assert why_not(define_in(tmp_path, program.replace(old, new)).phi) != ""


@pytest.mark.parametrize(
    "program", [COUNTED, INDEX, TOTALS, COUNTER, ONCE, ONCE.replace("l1", "one"), SQUARES, PLACES, TWICE]
)
def test_the_program_that_is_changed_is_confirmed(program: str, tmp_path: Path) -> None:
    assert why_not(define_in(tmp_path, program).phi) == ""


def test_it_is_asked_for_every_n(tmp_path: Path) -> None:
    assert confirm_alignment(define_in(tmp_path, COUNTED).phi, n=2).standing is Standing.EVERY_N


ROUNDS = """
@mechanism
def f(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    seen = 0
    for j in range(k):
        c = 0
        for q_i in q:
            e = noise.laplace(k / eps)
            yield q_i + e
            c += 1
        seen += 1

@alignment(f, epsilon="eps", adjacency="l1")
def phi(q, q_, k, H):
    return H.shift(e=[[q[i] - q_[i] for i in range(len(q))] for j in range(k)])
"""
THRESHOLDS = """
@mechanism
def f(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for q_i in q:
        c = 0
        for t in range(k):
            e = noise.laplace(k / eps)
            c += 1
            if q_i + e >= t:
                yield ABOVE
            else:
                yield BELOW

@alignment(f, epsilon="eps", adjacency="one")
def phi(q, q_, k, omega, H):
    return H.shift(
        e=[[q[i] - q_[i] if omega[i * k + t] is ABOVE else q[i] - q_[i] for t in range(k)] for i in range(len(q))]
    )
"""
# Noise before the inner loop, of which each iteration is moved with it, and noise after it.
AROUND = """
@mechanism
def f(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for q_i in q:
        eta = noise.laplace(1 / eps)
        for t in range(k):
            e = noise.laplace(k / eps)
            if q_i + e >= t + eta:
                yield ABOVE
            else:
                yield BELOW
        g = noise.laplace(1 / eps)
        yield q_i + g

@alignment(f, epsilon="2 * eps", adjacency="l1")
def phi(q, q_, k, omega, H):
    return H.shift(
        eta=[(q_[i] - q[i]) / 2 for i in range(len(q))],
        e=[[(q[i] - q_[i]) / 2 for t in range(k)] for i in range(len(q))],
        g=[q[i] - q_[i] for i in range(len(q))],
    )
"""
# Each is not right, or not of the form that is examined.
NESTED = {
    "less than k rounds cost": (ROUNDS, 'epsilon="eps"', 'epsilon="9 / 10 * eps"'),
    "less than k thresholds cost": (THRESHOLDS, 'epsilon="eps"', 'epsilon="9 / 10 * eps"'),
    "less than both noises cost": (AROUND, '"2 * eps"', '"19 / 10 * eps"'),
    "no shift in rounds": (ROUNDS, "q[i] - q_[i] for", "0 for"),
    "no shift at thresholds": (THRESHOLDS, "q[i] - q_[i] if", "0 if"),
    "no shift for one output": (THRESHOLDS, "else q[i] - q_[i]", "else 0"),
    "no shift before the inner loop": (AROUND, "eta=[(q_[i] - q[i]) / 2", "eta=[0"),
    "no shift after the inner loop": (AROUND, "g=[q[i] - q_[i]", "g=[0"),
    "less noise in rounds": (ROUNDS, "k / eps", "k / (2 * eps)"),
    "less noise at thresholds": (THRESHOLDS, "k / eps", "1 / eps"),
    "less noise before the inner loop": (AROUND, "eta = noise.laplace(1 /", "eta = noise.laplace(1 / 2 /"),
    "less noise after the inner loop": (AROUND, "g = noise.laplace(1 /", "g = noise.laplace(1 / 2 /"),
    "noise at some thresholds": (
        THRESHOLDS, "            e = noise.laplace(k / eps)", "            e = 0\n            if t < 5:\n"
        "                e = noise.laplace(k / eps)"
    ),
    "noise in some rounds": (ROUNDS, "yield q_i + e", "yield q_i + e if j < 5 else q_i"),
    "one round more": (ROUNDS, "for j in range(k):\n        c", "for j in range(k + 1):\n        c"),
    "one round more, with its shifts": (ROUNDS, "in range(k)", "in range(k + 1)"),
    "one threshold more": (THRESHOLDS, "for t in range(k):", "for t in range(k + 1):"),
    "one threshold more, with its shifts": (THRESHOLDS, "for t in range(k)", "for t in range(k + 1)"),
    "twice as many thresholds": (THRESHOLDS, "for t in range(k)", "for t in range(2 * k)"),
    "the shift of another answer in rounds": (ROUNDS, "q[i] - q_[i]", "q[j] - q_[j]"),
    "the shift of another answer at thresholds": (THRESHOLDS, "q[i] - q_[i] if", "q[t] - q_[t] if"),
    "the shift of the first answer": (ROUNDS, "q[i] - q_[i]", "q[0] - q_[0]"),
    "another output": (THRESHOLDS, "omega[i * k + t] is ABOVE else q[i] - q_[i]", "omega[t * k + i] is ABOVE else 0"),
    "the next output": (THRESHOLDS, "[i * k + t]", "[i * k + t + 1]"),
    "the outputs of an outer iteration after it": (AROUND, "eta=[", "eta=[0 * len(omega[i * k:]) + "),
    "shifts in the other order in rounds": (ROUNDS, "for i in range(len(q))] for j in range(k)]",
                                            "for j in range(k)] for i in range(len(q))]"),
    "shifts in the other order at thresholds": (AROUND, "/ 2 for t in range(k)] for i in range(len(q))]",
                                                "/ 2 for i in range(len(q))] for t in range(k)]"),
    "an output that is doubled": (ROUNDS, "yield q_i + e", "yield 2 * q_i + e"),
    "an output of an answer": (ROUNDS, "yield q_i + e", "yield q_i"),
    "an answer in late iterations": (ROUNDS, "yield q_i + e", "yield q_i + e if c < 7 else q_i"),
    "an answer in late rounds": (ROUNDS, "yield q_i + e", "yield q_i + e if seen < 7 else q_i"),
    "an answer at late thresholds": (THRESHOLDS, "if q_i + e >= t", "if q_i + (e if c < 7 else 0) >= t"),
    "an answer at the end of the inner loop": (AROUND, "yield q_i + g", "yield q_i"),
    "an answer that is given in the next round": (
        ROUNDS.replace("seen = 0", "seen = 0\n    kept: float = 0").replace("c += 1", "kept = q_i"),
        "yield q_i + e", "yield kept + e"
    ),
    "one noise for all answers of a round": (
        ROUNDS, "        for q_i in q:\n            e = noise.laplace(k / eps)",
        "        e = noise.laplace(k / eps)\n        for q_i in q:"
    ),
    "one noise for all answers of a round, with a shift for each": (
        ROUNDS.replace("        for q_i in q:\n            e = noise.laplace(k / eps)",
                       "        e = noise.laplace(k / eps)\n        for q_i in q:"),
        "e=[[q[i] - q_[i] for i in range(len(q))] for j in range(k)]", "e=[q[j] - q_[j] for j in range(k)]"
    ),
    "one noise for all thresholds, with two shifts": (
        AROUND, "eta=[(q_[i] - q[i]) / 2 for", "eta=[(q_[i] - q[i]) / 2 if i < 5 else 0 for"
    ),
    "answers that change each, in rounds": (ROUNDS, ', adjacency="l1"', ""),
    "answers that change each, at thresholds": (THRESHOLDS, ', adjacency="one"', ""),
    "a break out of the inner loop": (THRESHOLDS, "            c += 1", "            if t > 3:\n                break"),
    "a claim by the number of outputs": (THRESHOLDS, 'epsilon="eps"', 'epsilon="len(omega) * eps"'),
    "queries chosen one by one, at thresholds": (
        THRESHOLDS, 'adjacency="one"', 'adjacency="one", queries="adaptive"'
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("words", NESTED)
def test_what_is_wrong_in_a_loop_within_a_loop_is_not_confirmed(words: str, tmp_path: Path) -> None:
    program, old, new = NESTED[words]
    assert old in program
    try:
        phi = define_in(tmp_path, program.replace(old, new)).phi
    except AlignkitError:
        return
    assert why_not(phi) != ""


@pytest.mark.parametrize("program", [ROUNDS, THRESHOLDS, AROUND])
def test_a_loop_within_a_loop_is_confirmed(program: str, tmp_path: Path) -> None:
    assert why_not(define_in(tmp_path, program).phi) == ""


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
GAPS = """
@mechanism
def f(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k + 1)
    return [(top[i], noisy[top[i]] - noisy[top[i + 1]]) for i in range(k)]

@alignment(f, epsilon="eps")
def phi(q, q_, omega, H):
    selected = {j for j, gap in omega}
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    return H.shift(eta=[q[i] - q_[i] + after - before if i in selected else 0 for i in range(len(q))])
"""
EACH_ANSWER = """
@mechanism
def f(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(1 / eps) for q_i in q]
    return [q_i + eta_i for q_i, eta_i in zip(q, eta)]

@alignment(f, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])
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
    "the best of the losers by another order": (GAPS, "after = max(q_[i]", "after = max(q[i]"),
    "the best of all, which are not only losers": (
        GAPS,
        "before = max(q[i] + H.eta[i] for i in range(len(q)) if i not in selected)",
        "before = max(q[i] + H.eta[i] for i in range(len(q)))",
    ),
    "gaps to the one after the next": (GAPS, "noisy[top[i]] - noisy[top[i + 1]]", "noisy[top[i]] - noisy[0]"),
    "a gap that is doubled for its answer": (GAPS, "noisy[top[i]] -", "q[top[i]] + noisy[top[i]] -"),
    "one gap paid for k": (GAPS, "laplace(2 * k / eps)", "laplace(2 / eps)"),
    "noise on the lattice, whose ties are open": (
        GAPS.replace("q: Queries", "q: Annotated[Queries, Lattice(1)]"), "laplace", "discrete_laplace"
    ),
    "answers that change each": (EACH_ANSWER, ', adjacency="l1"', ""),
    "changes that are doubled": (EACH_ANSWER, "return [q_i +", "return [2 * q_i +"),
    "no noise on any answer": (EACH_ANSWER, "return [q_i + eta_i for", "return [q_i for"),
    "one of two parameters, of which the second changes by more": (
        ONE_ANSWER.replace("f(x: Query,", "f(q: Queries, x: Query,").replace('"eps"', '"eps", adjacency="one"'),
        "x: Query",
        "x: Annotated[Query, Sensitivity(9)]",
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
    assert why_not(define_in(tmp_path, program.replace(old, new)).phi, 1200) != ""


@pytest.mark.parametrize(
    "program", [SELECTED, GAPS, EACH_ANSWER, ONE_ANSWER], ids=["selected", "gaps", "each answer", "one answer"]
)
def test_the_programs_that_are_changed_are_confirmed(program: str, tmp_path: Path) -> None:
    assert why_not(define_in(tmp_path, program).phi, 1200) == ""


def test_paths_on_which_nothing_is_asked_are_work_too(tmp_path: Path) -> None:
    hidden = "".join(
        f"        eta_{i} = noise.laplace(1 / eps)\n        c_{i} = 1 if eta_{i} > 0 else 0\n" for i in range(6)
    )
    program = ONE_ANSWER.replace("    return x + eta", f"    if T == 0:\n{hidden}        c = 1 / T\n    return x + eta")
    phi = define_in(tmp_path, program).phi
    assert why_not(phi) == ""
    assert "used up" in why_not(phi, 60)


SUM = """
@mechanism
def f(q: Annotated[Queries, Sensitivity("delta")], delta: Positive, eps: Epsilon, noise: Noise):
    total: float = 0
    for x in q:
        total += x
    e = noise.laplace(delta / eps)
    return total + e

@alignment(f, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    return H.shift(e=sum(q) - sum(q_))
"""
COUNT = """
@mechanism
def f(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(1 for x in q if x > T) + e

@alignment(f, epsilon="eps", adjacency="one")
def phi(q, q_, T, H):
    return H.shift(e=sum(1 for x in q if x > T) - sum(1 for x in q_ if x > T))
"""
AVERAGE = """
@mechanism
def f(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / (len(q) * eps))
    return sum(q) / len(q) + e

@alignment(f, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    return H.shift(e=sum(q[i] - q_[i] for i in range(len(q))) / len(q))
"""
AVERAGE_OF_EACH = AVERAGE.replace("1 / (len(q) * eps)", "1 / eps").replace(', adjacency="l1"', "")
CLIPPED = """
@mechanism
def f(q: Queries, low: Real, width: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(clamp(x, low, low + width) for x in q) + e

@alignment(f, epsilon="eps", adjacency="l1")
def phi(q, q_, low, width, H):
    return H.shift(e=sum(clamp(x, low, low + width) for x in q) - sum(clamp(x, low, low + width) for x in q_))
"""
WEIGHTED = SUM.replace("delta / eps", "2 * delta / eps").replace("total += x", "total += 2 * x").replace(
    "sum(q) - sum(q_)", "sum(2 * x for x in q) - sum(2 * x for x in q_)"
)
COUNTED_IN_A_LOOP = COUNT.replace(
    "    e = noise.laplace(1 / eps)\n    return sum(1 for x in q if x > T) + e",
    "    many = 0\n    for x in q:\n        if x > T:\n            many += 1\n"
    "    e = noise.discrete_laplace(1 / eps)\n    return many + e",
)
# What is left of 0 is summed beside what is right of it.
TWO_SUMS = """
@mechanism
def f(q: Queries, eps: Epsilon, noise: Noise):
    d = noise.laplace(2 / eps)
    e = noise.laplace(2 / eps)
    return sum(x for x in q if x > 0) + d, sum(x for x in q if x < 0) + e

@alignment(f, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(
        d=sum(x for x in q if x > 0) - sum(x for x in q_ if x > 0),
        e=sum(x for x in q if x < 0) - sum(x for x in q_ if x < 0),
    )
"""
SUMS = {
    "sum": SUM, "sum, one": SUM.replace("l1", "one"), "count": COUNT, "count in a loop": COUNTED_IN_A_LOOP,
    "average": AVERAGE, "average of each": AVERAGE_OF_EACH, "weighted": WEIGHTED, "clipped": CLIPPED,
    "two sums": TWO_SUMS,
}  # fmt: skip
LESS = ('epsilon="eps"', 'epsilon="9 / 10 * eps"')
# Each leaks, or its alignment is not right.
NO_SUMS = {
    "a smaller claim": (SUM, *LESS),
    "a smaller claim of a count": (COUNT, *LESS),
    "a smaller claim of an average": (AVERAGE, *LESS),
    "a smaller claim of an average of each": (AVERAGE_OF_EACH, *LESS),
    "a smaller claim of a weighted sum": (WEIGHTED, *LESS),
    "no shift of a sum": (SUM, "e=sum(q) - sum(q_)", ""),
    "no shift of a count": (COUNT, "e=sum(1 for x in q if x > T) - sum(1 for x in q_ if x > T)", ""),
    "a shift the other way": (SUM, "sum(q) - sum(q_)", "sum(q_) - sum(q)"),
    "half the noise": (SUM, "delta / eps", "delta / (2 * eps)"),
    "a count of many changes": (COUNT, '"one"', '"l1"'),
    "a sum of answers that change each": (SUM, ', adjacency="l1"', ""),
    "a sum of answers that rise": (SUM, '"l1"', '"monotone"'),
    "a count by 2": (COUNT, "1 for", "2 for"),
    "another threshold in the mechanism": (COUNT, "if x > T) + e", "if x > T + 1) + e"),
    "another threshold in the alignment": (COUNT, "for x in q if x > T) -", "for x in q if x >= T) -"),
    "a doubled summand": (SUM, "total += x", "total += 2 * x"),
    "a squared summand": (SUM, "total += x", "total += x * x"),
    "squares": (
        SUM.replace("sum(q) - sum(q_)", "sum(x * x for x in q) - sum(x * x for x in q_)"),
        "total += x",
        "total += x * x",
    ),
    "doubled summands": (
        SUM.replace("sum(q) - sum(q_)", "2 * sum(q) - 2 * sum(q_)"), "total += x", "total += 2 * x"
    ),
    "positive summands": (SUM, "        total += x", "        if x > 0:\n            total += x"),
    "positive summands, alike": (
        COUNT.replace('"one"', '"l1"'), "1 for x in q if x > T) -", "x for x in q if x > T) -"
    ),
    "all but the first": (SUM, "for x in q:\n        total += x", "for i, x in enumerate(q):\n        total += i * x"),
    "a sum of what is not summed": (SUM, "sum(q) -", "sum(1 for x in q) -"),
    "a sum that is read as it grows": (SUM, "total += x", "total += x + total"),
    "a sum that bounds itself": (SUM, "        total += x", "        if total < 5:\n            total += x"),
    "a sum that noise adds to": (SUM, "total + e", "total + sum(e for x in q)"),
    "a sum that decides": (SUM, "return total + e", "return total + e if total > 0 else e"),
    "a sum by the sign of a sum": (SUM, "return total + e", "return (2 * total if total > 0 else total) + e"),
    "a sum by a public value": (COUNT, "return sum(1", "return sum(3 if T > 5 else 1"),
    "a sum itself": (SUM, "return total + e", "return total"),
    "a sum beside its noise": (SUM, "return total + e", "return total, total + e"),
    "a sum as a scale": (SUM, "delta / eps)", "(delta + abs(total)) / eps)"),
    "another length": (AVERAGE, "range(len(q))) / len(q)", "range(len(q))) / (len(q) + 1)"),
    "a length that is too small for the scale": (AVERAGE, "return sum(q) / len(q)", "return sum(q)"),
    "a length but one": (AVERAGE, "(len(q) * eps)", "((len(q) + 1) * eps)"),
    "an alignment that is not defined for one answer": (
        AVERAGE, "range(len(q))) / len(q)", "range(len(q))) / len(q) / (len(q) - 1) * (len(q) - 1)"
    ),
    "lists that are not short": (AVERAGE, "return sum(q) / len(q)", "return q if len(q) > 9 else sum(q) / len(q)"),
    "a shift but for long lists": (SUM, "e=sum(q) - sum(q_)", "e=sum(q) - sum(q_) if len(q) < 9 else 0"),
    "one sum on the right, the other on the left": (
        TWO_SUMS.replace("for x in q if x > 0) -", "for x in q if x > 0 and x < 9) -"),
        "for x in q if x < 0) -",
        "for x in q if x < 0 and x > 0 - 9) -",
    ),
    "places that noise decides": (
        COUNT,
        "    return sum(1 for x in q if x > T) + e",
        "    eta = [noise.laplace(1 / eps) for x in q]\n"
        "    return sum(1 for x, n in zip(q, eta) if x + n > T) + e",
    ),
    "noise in the sums of an alignment": (
        SUM, "sum(q) - sum(q_)", "sum(x + H.e for x in q) - sum(x + H.e for x in q_)"
    ),
    "halves on a lattice": (
        COUNTED_IN_A_LOOP.replace("many += 1", "many += 1 / 2"),
        "1 for x in q if x > T) -",
        "1 / 2 for x in q if x > T) -",
    ),
    "what changes at all places, where there is one": (
        EACH_ANSWER.replace("q: Queries", "q: Queries, k: Count").replace("(q, q_, H)", "(q, q_, k, H)"),
        "    return H.shift(eta=[q[i] - q_[i]",
        "    still = all(q_[i] - q[i] == 0 for i in range(len(q)))\n"
        "    wrong = k >= 3 and not still and all(q_[i] - q[i] > 1 / 2 for i in range(len(q)))\n"
        "    return H.shift(eta=[0 if wrong else q[i] - q_[i]",
    ),
    "what changes at all places, where there is one, beside a sum": (
        SUM.replace("(q, q_, H)", "(q, q_, delta, H)"),
        "    return H.shift(e=sum(q) - sum(q_)",
        "    wrong = all(q_[i] - q[i] > 1 / 2 * delta for i in range(len(q)))\n"
        "    return H.shift(e=0 if wrong else sum(q) - sum(q_)",
    ),
    "a smaller claim of a clipped sum": (CLIPPED, *LESS),
    "another bound": (CLIPPED, "clamp(x, low, low + width) for x in q) -", "clamp(x, low, width) for x in q) -"),
    "no bounds in the alignment": (CLIPPED, "clamp(x, low, low + width) for x in q) -", "x for x in q) -"),
    "no bounds in the mechanism": (CLIPPED, "clamp(x, low, low + width) for x in q) + e", "x for x in q) + e"),
    "doubled in between": (CLIPPED, "clamp(x,", "clamp(2 * x,"),
}
# The others take some seconds each.
QUICK = {
    "a smaller claim", "a smaller claim of an average", "no shift of a sum", "half the noise", "a doubled summand",
    "a squared summand", "a sum of answers that change each", "all but the first", "a sum that noise adds to",
    "a sum that decides", "a sum itself", "another length", "what changes at all places, where there is one",
    "sum", "average",
}  # fmt: skip


def slow_but(quick: set[str], words: Iterable[str]) -> list[object]:
    return [each if each in quick else pytest.param(each, marks=pytest.mark.slow) for each in words]


@pytest.mark.parametrize("words", slow_but(QUICK, NO_SUMS))
def test_no_sum_that_is_not_paid_for_is_confirmed(words: str, tmp_path: Path) -> None:
    program, old, new = NO_SUMS[words]
    assert old in program
    assert why_not(define_in(tmp_path, program.replace(old, new)).phi, 1200) != ""


@pytest.mark.parametrize("words", slow_but(QUICK, SUMS))
def test_a_sum_over_all_answers_is_confirmed(words: str, tmp_path: Path) -> None:
    assert why_not(define_in(tmp_path, SUMS[words]).phi, 1200) == ""
