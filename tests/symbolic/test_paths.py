"""Path exploration: all ways through undecided conditions are covered, under guards too."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from alignkit.symbolic.evaluation import holds
from alignkit.symbolic.paths import Path, TooManyPaths, explore
from alignkit.symbolic.terms import Role, Symbol, Term

X, Y = (Term.of(Symbol(name, Role.NOISE)) for name in "xy")
VALUES = [Fraction(v) for v in (-2, -1, 0, 1, 2)]


def _covering(paths: list[tuple[Path, object]], x: Fraction, y: Fraction) -> list[object]:
    def lookup(atom: Symbol) -> Fraction:
        return {"x": x, "y": y}[atom.name]

    return [found for path, found in paths if all(holds(f, lookup) for f in path.assumed)]


def test_every_assignment_lies_on_exactly_one_path_and_gets_its_result() -> None:
    def run(path: Path) -> tuple[Path, str]:
        if path.decide(X.compare(">", 0)):
            return path, "positive"
        if path.decide(Y.compare("<", X)):
            return path, "y first" if path.decide(X.compare("==", 0)) else "below"
        return path, "rest"

    paths = list(explore(run))
    for x, y in product(VALUES, VALUES):
        expected = "positive" if x > 0 else ("y first" if x == 0 else "below") if y < x else "rest"
        assert _covering(paths, x, y) == [expected]


def test_a_decision_under_a_guard_binds_only_where_the_guard_holds() -> None:
    """Where the guard fails, both ways are still to be covered: what follows must hold on either."""

    def run(path: Path) -> tuple[Path, str]:
        with path.under(X.compare(">", 0)):
            way = path.decide(Y.compare(">", 0))
        return path, "up" if way else "down"

    paths = list(explore(run))
    for x, y in product(VALUES, VALUES):
        found = _covering(paths, x, y)
        assert found
        if x > 0:
            assert found == ["up" if y > 0 else "down"]


def test_an_assumption_under_a_guard_says_nothing_where_it_fails() -> None:
    path = Path(())
    with path.under(X.compare(">", 0)):
        path.assume(Y.compare("==", 7))
    (fact,) = path.assumed
    assert holds(fact, lambda atom: Fraction(0))
    assert not holds(fact, lambda atom: Fraction(1))


def test_a_known_condition_is_not_decided_twice() -> None:
    path = Path((True,))
    assert path.decide(X.compare(">", 0))
    assert path.decide(X.compare(">", 0))
    assert not path.decide(X.compare("<=", 0))
    assert path.taken == 1


def test_a_decision_under_a_guard_is_not_taken_for_one_without() -> None:
    """What was decided where x > 0 leaves open what holds elsewhere."""

    def run(path: Path) -> tuple[Path, tuple[bool, bool]]:
        with path.under(X.compare(">", 0)):
            first = path.decide(Y.compare(">", 0))
        return path, (first, path.decide(Y.compare(">", 0)))

    paths = list(explore(run))
    for x, y in product(VALUES, VALUES):
        assert any(second == (y > 0) for _, second in _covering(paths, x, y))  # type: ignore[misc]
        assert all(second == (y > 0) for _, second in _covering(paths, x, y))  # type: ignore[misc]


def test_too_many_paths_are_an_error_and_not_a_truncation() -> None:
    def run(path: Path) -> None:
        for number in range(20):
            path.decide(X.compare(">", number))

    with pytest.raises(TooManyPaths):
        list(explore(run, limit=16))
