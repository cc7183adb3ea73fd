"""Tables of programs next to each other: what a row asks, and which changes are refused."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from support.alike_cases import mark_alike_cases_slow
from support.near_misses import Program, Table, right, wrong

BASE = """
    @mechanism
    def one(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        if q > 0:
            x = 1
        return q + e

    @alignment(one, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=by(q, q_))
    """
HELPER = """
    def by(x, y):
        return x - y
    """
HALF = {'epsilon="eps"': 'epsilon="eps / 2"'}


def only(row: Program) -> Program:
    """The row of a table that has no other."""
    table = Table(HELPER)
    table.base(BASE, row)
    (parameters,) = [*table.wrong(), *table.right()]
    (program,) = parameters.values
    return program


class Asked(list):
    """What is asked, with the claim that it is asked about."""

    def of(self, name, complete=True):
        def ask(alignment, condition=None):
            self.append((name, alignment.claim, condition))
            return SimpleNamespace(complete=complete)

        return ask


@pytest.mark.parametrize(
    ("row", "question"),
    [
        (wrong("half", "", HALF), ("never proved", "eps / 2", None)),
        (wrong("half", "", HALF, fails="cost"), ("never proved", "eps / 2", "cost")),
        (wrong("half", "", HALF, fails="cost", refuted=True), ("refuted", "eps / 2", "cost")),
        (wrong("itself"), ("never proved", "eps", None)),
    ],
)
def test_what_a_wrong_row_asks(row, question, tmp_path):
    asked = Asked()
    only(row).is_not_proved(tmp_path, asked.of("never proved"), asked.of("refuted"))
    assert asked == [question]


@pytest.mark.parametrize(
    ("row", "question"),
    [
        (right("itself"), ("prover alone", "eps", None)),
        (right("itself", checked=True), ("proved", "eps", None)),
        (right("double", "", {'"eps"': '"2 * eps"'}), ("prover alone", "2 * eps", None)),
    ],
)
def test_what_a_right_row_asks(row, question, tmp_path):
    asked = Asked()
    only(row).is_proved(tmp_path, asked.of("prover alone"), asked.of("proved"))
    assert asked == [question]


def test_a_right_row_that_is_not_proved_fails(tmp_path):
    asked = Asked()
    with pytest.raises(AssertionError):
        only(right("itself")).is_proved(tmp_path, asked.of("prover alone", complete=False), asked.of("proved"))


def test_rows_are_sorted_by_their_verdicts():
    table = Table()
    table.base(BASE, right("itself"), wrong("half", "", HALF), wrong("leaks", "", {"q + e": "q"}))
    assert [row.id for row in table.right()] == ["one: itself"]
    assert [row.id for row in table.wrong()] == ["one: half", "one: leaks"]


@pytest.mark.parametrize(
    ("old", "times"),
    [("noise.geometric", 0), ("laplace(1 / eps)\nreturn", 0), ("by(", 1), ("eps", 4), ("x - y", 0), ("", 0)],
)
def test_what_is_changed_stands_in_the_base_once(old, times):
    source = only(wrong("another", "", {old: "1"})).source
    if times == 1:
        source()
        return
    with pytest.raises(ValueError, match=f"stands {times} times in the base's text, not once"):
        source()


def test_no_two_changes_of_one_place():
    with pytest.raises(ValueError, match="twice"):
        only(wrong("another", "", {"noise.laplace(1 / eps)": "0", "laplace(1": "laplace(2"})).source()


def test_lines_are_indented_like_the_one_that_they_replace():
    changed = only(wrong("another", "", {"if q > 0:\n    x = 1": "if q > 1:\n    x = 2\n    y = 3"})).source()
    assert "\n    if q > 1:\n        x = 2\n        y = 3\n    return q + e\n" in changed


def test_no_two_rows_of_one_name():
    table = Table()
    with pytest.raises(AssertionError, match="two programs are named itself"):
        table.base(BASE, right("itself"), wrong("itself"))


class Case(SimpleNamespace):
    """A case of a test as pytest collects it."""

    def __init__(self, row: Program | str, name: str = "test", by: int = 1, folder: str = "soundness") -> None:
        super().__init__(path=Path(folder, "test_it.py"), name=f"{name}[{row}]", slow=False)
        self.callspec = SimpleNamespace(params={"program": row})
        self.by = by

    def iter_markers(self, name: str) -> list[str]:
        return [name] * self.by

    def get_closest_marker(self, name: str) -> str | None:
        return name if self.slow else None

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        assert mark.name == "slow"
        self.slow = True


def kept(cases: list[Case]) -> list[bool]:
    mark_alike_cases_slow(cases)
    return [not case.slow for case in cases]


def test_a_third_of_the_right_rows_of_each_base_runs_and_a_third_of_those_that_a_check_refutes():
    rows = [Program(str(i), "", {}, private=True, base=base) for base in "xyz" for i in range(4 if base == "x" else 1)]
    leaks = [Program(str(i), "", {}, private=False, base="x", refuted=True) for i in range(2)]
    assert kept([Case(row) for row in (*rows, *leaks)]) == [True, False, False, True, True, True, True, False]


def test_no_row_is_slow_that_the_prover_alone_must_not_prove():
    rows = [Program(str(i), "", {}, private=False, base="x") for i in range(5)]
    assert kept(list(map(Case, rows))) == [True] * 5


def test_other_cases_are_halved_by_test_where_they_are_alike_and_many():
    assert kept([Case(each, name) for name in ("one", "other") for each in "abcd"]) == [True, False, True, False] * 2
    assert kept([Case(each) for each in "abc"]) == [True] * 3
    assert kept([Case(each, by=2) for each in "abcd"]) == [True] * 4, "pairs of parameters"
    assert kept([Case(each, folder="language") for each in "abcd"]) == [True] * 4
    assert kept([Case(each, folder="attacking") for each in "abcd"]) == [True] * 4
    marked = [Case(each) for each in "abcde"]
    marked[0].slow = True
    assert kept(marked) == [False, True, False, True, False]
