"""What the tests of the rules assert: never proved, refuted by a counterexample that replays, or proved.

The search would find many of these faults before the prover is asked. So the prover is asked alone, and told that every
line of the program has given output in some run. A check proves no more than that: it asks the same prover, which
relies on the lines that the search has reached only.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from alignkit import check
from alignkit.errors import InputError
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import Proof, prove
from alignkit.results import Result, Verdict
from alignkit.running.alignment_decorator import Alignment
from alignkit.symbolic.z3_solver import Z3Solver

EVERY_LINE = range(100_000)


def _alone(alignment: Alignment) -> Proof:
    lemmas = {lemma: _alone(lemma) for lemma in alignment.lemmas}
    return prove(alignment, Decider(Z3Solver.of_one_check(), 60), EVERY_LINE, lemmas)


@pytest.fixture
def prover_alone() -> Callable[[Alignment], Proof]:
    """The prover's own opinion, without the search."""
    return _alone


@pytest.fixture
def never_proved() -> Callable[..., None]:
    """Assert that the prover alone does not prove it; with a condition, not that one either."""

    def assert_it(alignment: Alignment, condition: str | None = None) -> None:
        proof = _alone(alignment)
        assert not proof.complete, "the prover alone says proved"
        if condition is not None:
            assert proof.conditions[condition].status is not Verdict.PROVED, condition

    return assert_it


@pytest.fixture
def refuted(never_proved: Callable[..., None]) -> Callable[..., Result]:
    """Assert that a check refutes it with a counterexample that replays through the user's own functions."""

    def assert_it(alignment: Alignment, condition: str | None = None) -> Result:
        never_proved(alignment, condition)
        result = check(alignment, effort=0)
        assert result.verdict is Verdict.REFUTED
        found = result.counterexample
        assert found is not None
        witness = found.witness
        primed = {f"{name}_": value for name, value in witness.q_.items()}
        again = alignment.replay(H=witness.H, **witness.values, **primed)
        assert again.violation is not None
        assert again.violation.condition == found.condition
        return result

    return assert_it


@pytest.fixture
def proved() -> Callable[[Alignment], None]:
    """Assert that the prover alone proves it: what the test argues to be private must not be lost either."""

    def assert_it(alignment: Alignment) -> None:
        proof = _alone(alignment)
        assert proof.complete, proof.conditions

    return assert_it


@pytest.fixture
def proved_by_check() -> Callable[[Alignment], Result]:
    """Assert that a check proves it: what else the result says is read, or a table asks for it."""

    def assert_it(alignment: Alignment) -> Result:
        result = check(alignment, effort=0)
        assert result.verdict is Verdict.PROVED, result
        return result

    return assert_it


@pytest.fixture
def refused_or_never_proved(never_proved: Callable[..., None]) -> Callable[[Callable[[], Alignment]], None]:
    """Assert the same of a program that the language may refuse already: it is made inside."""
    from alignkit.errors import LanguageError

    def assert_it(make: Callable[[], Alignment]) -> None:
        try:
            made = make()
        except (LanguageError, InputError):
            return
        never_proved(made)

    return assert_it
