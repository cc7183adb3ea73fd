"""Each operator does what it says, on programs small enough to see it."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest
from mutation.entries import Entry, entry_named
from mutation.mutants import mutants
from mutation.operators import OPERATORS

from alignkit.explorer.program_changes import Operator

SPARSE = """
    @mechanism
    def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
        '''Words with 1 in them.'''
        eps0, eps1 = eps / 2, eps / (4 * k)
        eta = noise.laplace(1 / eps0)
        count = 0
        for q_i in q:
            eta_i = noise.laplace(1 / eps1)
            if q_i + eta_i >= T + eta:
                yield ABOVE
                count += 1
            else:
                yield BELOW
            if count >= k:
                break


    @alignment(m, epsilon='eps')
    def phi(q, q_, omega, H):
        return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
"""

SELECTION = """
    @mechanism
    def m(q: Queries(sensitivity=3), eps: Epsilon, noise: Noise):
        eta = [noise.laplace(2 / eps) for x in q]
        a, b = largest([x + y for x, y in zip(q, eta)], 2)
        return a, q[a] - q[b]


    @alignment(m, epsilon='eps / 2', adjacency='monotone')
    def phi(q, q_, omega, H):
        best, gap = omega
        top = max(-q[i] for i in range(len(q)) if i != best)
        return H.shift(eta=[top if i == best else 0 for i in range(len(q))])
"""


def entry(program: str) -> Entry:
    tree = ast.parse(textwrap.dedent(program))
    mechanism, phi = SimpleNamespace(name="m"), "phi"
    alignment = SimpleNamespace(name=phi, mechanism=mechanism)
    return Entry(alignment, "m/phi", tree, {"m": "mechanisms/m.py", "phi": "proofs/m.py"})


def only(name: str) -> list[Operator]:
    return [operator for operator in OPERATORS if operator.name == name]


def made(operator: str, program: str) -> list[str]:
    """What an operator makes of a program."""
    return [m.description for m in mutants(entry(program), only(operator))]


EXPECTED = [
    ("scale", SPARSE, "`eta = noise.laplace(1 / eps0)` becomes `eta = noise.laplace(1 / eps0 * 2)`"),
    ("scale", SPARSE, "`eta_i = noise.laplace(1 / eps1)` becomes `eta_i = noise.laplace(1 / eps1 / 2)`"),
    ("comparison", SPARSE, "`q_i + eta_i >= T + eta` becomes `q_i + eta_i > T + eta`"),
    ("comparison", SPARSE, "`count >= k` becomes `count < k`"),
    (
        "comparison",
        SELECTION,
        "`eta=[top if i == best else 0 for i in range(len(q))]` becomes "
        "`eta=[top if i != best else 0 for i in range(len(q))]`",
    ),
    ("off by one", SPARSE, "`count >= k` becomes `count >= k + 1`"),
    ("off by one", SPARSE, "`count >= k` becomes `count >= k - 1`"),
    ("break", SPARSE, "the break under `if count >= k` is dropped"),
    ("branches", SPARSE, "`if q_i + eta_i >= T + eta`: branches swapped"),
    ("branches", SPARSE, "`if q_i + eta_i >= T + eta`: else dropped"),
    ("branches", SPARSE, "`if count >= k`: never"),
    ("budget", SPARSE, "`eps0, eps1 = (eps / 2, eps / (4 * k))` becomes `eps0, eps1 = (eps / (4 * k), eps / 2)`"),
    ("adjacency", SELECTION, "`adjacency='monotone'` becomes `adjacency='each'`"),
    ("sensitivity", SPARSE, "`q: Queries` becomes `q: Queries(sensitivity=2)`"),
    ("sensitivity", SELECTION, "`q: Queries(sensitivity=3)` becomes `q: Queries(sensitivity=6)`"),
    (
        "sensitivity",
        SELECTION.replace("Queries(sensitivity=3)", "Annotated[Queries, Lattice(1), Sensitivity(3)]"),
        "`q: Annotated[Queries, Lattice(1), Sensitivity(3)]` becomes "
        "`q: Annotated[Queries, Lattice(1), Sensitivity(6)]`",
    ),
    ("claim", SELECTION, "`epsilon='eps / 2'` becomes `epsilon='(eps / 2) / 2'`"),
    ("operand", SPARSE, "`eps0, eps1 = (eps / 2, eps / (4 * k))` becomes `eps0, eps1 = (eps / 2, eps / 4)`"),
    ("sign", SPARSE, "`count += 1` becomes `count -= 1`"),
    ("index", SELECTION, "`return (a, q[a] - q[b])` becomes `return (a, q[a + 1] - q[b])`"),
    ("filter", SELECTION, "the filter `if i != best` is dropped"),
    ("tag", SPARSE, "`yield ABOVE` becomes `yield BELOW`"),
    ("constant", SPARSE, "`count = 0` becomes `count = 1`"),
    ("release", SPARSE, "`yield ABOVE` becomes `yield eta_i`"),
    ("release", SELECTION, "`return (a, q[a] - q[b])` becomes `return (a, b)`"),
    ("statement", SPARSE, "`count += 1` is dropped"),
    ("variable", SPARSE, "`count >= k` becomes `count >= eps`"),
]


@pytest.mark.parametrize(("operator", "program", "change"), EXPECTED, ids=lambda x: x if len(str(x)) < 20 else "")
def test_an_operator_makes_its_mutants(operator, program, change):
    assert change in made(operator, program)


def test_every_operator_is_shown_here():
    assert {operator for operator, *_ in EXPECTED} | {"shift"} == {operator.name for operator in OPERATORS}


def test_shifts_are_changed_at_each_branch():
    changes = made("shift", SPARSE)
    shift = "eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]"
    assert "`eta=1` becomes `eta=1 + 1`" in changes
    assert "`eta=1` becomes `eta=-1`" in changes
    assert "`eta=1` becomes `eta=0`" in changes
    assert f"`{shift}` becomes `{shift.replace('1 + q[i] - q_[i]', '(1 + q[i] - q_[i]) * 2')}`" in changes
    assert f"`{shift}` becomes `{shift.replace('else 0', 'else 0 + 1')}`" in changes
    assert "the shift of eta_i is dropped" in changes


def test_a_release_does_not_only_name_what_is_public():
    assert "`yield ABOVE` becomes `yield count`" in made("release", SPARSE)
    assert "`yield ABOVE` becomes `yield eps0`" not in made("release", SPARSE)


def test_a_narrower_adjacency_is_no_mutant():
    assert made("adjacency", SPARSE) == []
    assert "`adjacency='monotone'` becomes `adjacency='one'`" not in made("adjacency", SELECTION)


@pytest.mark.parametrize("program", [SPARSE, SELECTION])
def test_mutants_differ_in_text_from_the_original_and_from_each_other(program):
    whole = entry(program)
    found = mutants(whole, OPERATORS)
    sources = [m.source for m in found]
    assert whole.source not in sources
    assert len(set(sources)) == len(sources)
    assert all("Words with 1 in them." in source for source in sources if program is SPARSE)
    assert mutants(whole, OPERATORS) == found, "the order is always the same"


def test_a_choice_of_mutants_is_spread_over_the_operators():
    every, some = mutants(entry(SPARSE), OPERATORS), mutants(entry(SPARSE), OPERATORS, 25)
    assert len(some) == 25
    assert [m for m in every if m in some] == some, "in the same order"
    assert {m.operator for m in some} == {m.operator for m in every}


def test_a_mutant_differs_from_its_entry_in_one_place():
    for each in mutants(entry(SPARSE), only("scale")):
        changed = zip(each.source.splitlines(), entry(SPARSE).source.splitlines(), strict=True)
        assert sum(one != other for one, other in changed) == 1


def test_the_place_of_a_mutant_is_in_the_catalogue():
    """Line and file are those of the catalogue's own source."""
    from alignkit.mechanisms import sparse_vector

    lines = Path(sparse_vector.__file__).read_text(encoding="utf-8").splitlines()
    (broken,) = mutants(entry_named("sparse_vector/phi"), only("break"))
    assert broken.file == "mechanisms/sparse_vector.py"
    assert lines[broken.line - 1].strip() == "break"
