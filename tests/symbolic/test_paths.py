"""Path exploration: all ways through undecided conditions are covered, under guards too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit.errors import Infeasible, TooManyPaths
from alignkit.interpreting.exploring import Choices, explore
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.paths import Path
from alignkit.symbolic.substitution import holds
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

X, Y = (Term.of(Symbol(name, Role.NOISE)) for name in "xy")
YES, NO = (0, 2), (1, 2)
VALUES = [Fraction(v) for v in (-2, -1, 0, 1, 2)]


def _explored(run: Callable[[Path], Any], limit: int = 4096) -> Iterator[Any]:
    return explore(lambda choices: run(Path(choices)), limit)


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

    paths = list(_explored(run))
    for x, y in product(VALUES, VALUES):
        expected = "positive" if x > 0 else ("y first" if x == 0 else "below") if y < x else "rest"
        assert _covering(paths, x, y) == [expected]


def test_a_decision_under_a_guard_binds_only_where_the_guard_holds() -> None:
    """Where the guard fails, both ways are still to be covered: what follows must hold on either."""

    def run(path: Path) -> tuple[Path, str]:
        with path.under(X.compare(">", 0)):
            way = path.decide(Y.compare(">", 0))
        return path, "up" if way else "down"

    paths = list(_explored(run))
    for x, y in product(VALUES, VALUES):
        found = _covering(paths, x, y)
        assert found
        if x > 0:
            assert found == ["up" if y > 0 else "down"]


def test_an_assumption_under_a_guard_says_nothing_where_it_fails() -> None:
    path = Path(Choices())
    with path.under(X.compare(">", 0)):
        path.assume(Y.compare("==", 7))
    (fact,) = path.assumed
    assert holds(fact, lambda atom: Fraction(0))
    assert not holds(fact, lambda atom: Fraction(1))


def test_a_known_condition_is_not_decided_twice() -> None:
    path = Path(Choices())
    assert path.decide(X.compare(">", 0))
    assert path.decide(X.compare(">", 0))
    assert not path.decide(X.compare("<=", 0))
    assert len(path.choices.made) == 1


def test_a_decision_under_a_guard_is_not_taken_for_one_without() -> None:
    """What was decided where x > 0 leaves open what holds elsewhere."""

    def run(path: Path) -> tuple[Path, tuple[bool, bool]]:
        with path.under(X.compare(">", 0)):
            first = path.decide(Y.compare(">", 0))
        return path, (first, path.decide(Y.compare(">", 0)))

    paths = list(_explored(run))
    for x, y in product(VALUES, VALUES):
        assert any(second == (y > 0) for _, second in _covering(paths, x, y))  # type: ignore[misc]
        assert all(second == (y > 0) for _, second in _covering(paths, x, y))  # type: ignore[misc]


def test_too_many_paths_are_an_error_and_not_a_truncation() -> None:
    def run(path: Path) -> None:
        for number in range(20):
            path.decide(X.compare(">", number))

    with pytest.raises(TooManyPaths):
        list(_explored(run, limit=16))


# Whole numbers known to be equal

I_, J_, K_ = (Symbol(name, Role.INDEX, integer=True) for name in "ijk")
WHOLE = [Term.of(symbol) for symbol in (I_, J_, K_)]
AT_I, AT_J = (Term.of(Element("a", index, Role.INDEX, integer=True)) for index in WHOLE[:2])
MENTIONED = [*WHOLE, AT_I, AT_J]
SMALL = [Fraction(v) for v in (0, 1, 2)]


def _settings() -> Iterator[Callable[[Any], Fraction]]:
    """Every i, j, k and every array of three among the small numbers."""
    for i, j, k, *array in product(SMALL, repeat=6):
        named = {"i": i, "j": j, "k": k}

        def lookup(atom: Any, named: dict[str, Fraction] = named, array: list[Fraction] = array) -> Fraction:
            return named[atom.name] if isinstance(atom, Symbol) else array[int(named[atom.index.key.lstrip("#")])]

        yield lookup


@st.composite
def _programs(draw: st.DrawFn) -> list[tuple[str, Any, Any]]:
    """What is assumed and asked, in turn: conditions on whole numbers, under a guard or under none."""
    conditions = st.builds(
        lambda one, relation, other, more: one.compare(relation, other + more),
        st.sampled_from(MENTIONED),
        st.sampled_from(["==", "!=", "<=", "<"]),
        st.sampled_from(MENTIONED),
        st.sampled_from([0, 0, 1]),
    )
    guards = st.sampled_from([None, None, None, WHOLE[2].compare(">", 0)])
    return draw(st.lists(st.tuples(st.sampled_from(["assume", "ask"]), conditions, guards), min_size=2, max_size=5))


@settings(max_examples=examples(40, 120), deadline=None)
@given(_programs())
def test_what_follows_from_equalities_is_decided_as_it_must_be(program: list[tuple[str, Any, Any]]) -> None:
    """Wherever all holds that was assumed, the answers on some path are the true ones, and no path lies."""

    def run(path: Path) -> tuple[Path, list[bool]] | None:
        answers = []
        try:
            for what, condition, guard in program:
                with path.under(True if guard is None else guard):
                    if what == "ask":
                        answers.append(path.decide(condition))
                    else:
                        path.assume(condition)
        except Infeasible:
            return None
        return path, answers

    paths = [found for found in _explored(run) if found is not None]
    asked = [(condition, guard) for what, condition, guard in program if what == "ask"]
    assumed = [(condition, guard) for what, condition, guard in program if what == "assume"]

    def true(condition: Any, lookup: Any) -> bool:
        return condition if isinstance(condition, bool) else holds(condition, lookup)

    for lookup in _settings():
        if not all(true(c, lookup) for c, guard in assumed if guard is None or holds(guard, lookup)):
            continue
        here = [answers for path, answers in paths if all(holds(f, lookup) for f in path.assumed)]
        assert here
        for answers in here:
            for answer, (condition, guard) in zip(answers, asked, strict=True):
                if guard is None or holds(guard, lookup):
                    assert answer == true(condition, lookup)


def test_a_condition_is_decided_as_for_an_equal_number() -> None:
    path = Path(Choices([NO]))
    path.assume(AT_I.compare("==", AT_J))
    assert not path.decide(AT_I.compare("==", 0))
    assert not path.decide(AT_J.compare("==", 0))
    assert path.decide(AT_J.compare("!=", 0))
    assert len(path.choices.made) == 1


def test_an_equality_under_a_guard_is_no_equality() -> None:
    path = Path(Choices([NO, YES]))
    with path.under(X.compare(">", 0)):
        path.assume(AT_I.compare("==", AT_J))
    assert not path.decide(AT_I.compare("==", 0))
    assert path.decide(AT_J.compare("==", 0))


def test_an_element_whose_index_mentions_the_other_is_not_renamed() -> None:
    """a[i] == i says nothing of a[a[i]] that a finite renaming could hold."""
    path = Path(Choices([NO]))
    path.assume(AT_I.compare("==", WHOLE[0]))
    assert not path.decide(WHOLE[0].compare("==", 0))
    assert len(path.choices.made) == 1
