"""docs/records/mutation.txt says what arguments.py says, of the mutants that there are."""

from __future__ import annotations

import pytest
from mutation.arguments import BY_HAND, HAND, RULES, Argument
from mutation.entries import entries
from mutation.mutants import Mutant, chosen
from mutation.operators import OPERATORS
from mutation.outcomes import PROVED, REFUTED, Outcome
from mutation.page import PATH, UNEXPLAINED, counts, extended, listed, proved, sections


@pytest.fixture(scope="module")
def every() -> dict[str, tuple[Mutant, ...]]:
    """The mutants of each entry that the record is about."""
    return {e.name: chosen(e, OPERATORS) for e in entries()}


AGAIN = "make the record again: python tests/mutation/table.py > docs/records/mutation.txt"


def test_the_record_counts_every_entry_and_all_of_its_mutants(every):
    rows = counts()
    assert list(rows) == [*every, "all"], AGAIN
    assert {n: row["mutants"] for n, row in rows.items() if n != "all"} == {n: len(m) for n, m in every.items()}, AGAIN
    for row in rows.values():
        assert row["mutants"] == sum(row.values()) - row["mutants"]
        assert row["broken"] == 0
    assert {n: row["proved"] for n, row in rows.items() if n != "all"} == {n: proved(n).total() for n in every}


def test_the_record_lists_mutants_that_there_are(every):
    for name, mutants in every.items():
        assert proved(name) <= listed(mutants), AGAIN


def test_each_proved_mutant_stands_under_an_argument():
    assert UNEXPLAINED not in PATH.read_text(encoding="utf-8")
    words = {rule.name.capitalize(): {rule.words} for rule in RULES}
    words[HAND.capitalize()] = {argument.words for argument in BY_HAND}
    for section in sections():
        assert section.words in words[section.heading], AGAIN


def test_the_arguments_by_hand_stand_in_the_record(every):
    by_words = {s.words: s.lines for s in sections() if s.heading == HAND.capitalize()}
    for argument in BY_HAND:
        of_it = listed([m for mutants in every.values() for m in mutants if argument.is_of(m)])
        assert {*by_words.pop(argument.words, ())} <= {*of_it}, AGAIN
    assert not by_words, AGAIN


def test_judging_an_entry_again_keeps_what_is_said_of_it(every):
    """Also where an argument is of this entry alone."""
    rules = {rule.name.capitalize(): rule.name for rule in RULES} | {HAND.capitalize(): HAND}
    said = {line: Argument(rules[s.heading], s.words) for s in sections() for line in s.lines}
    arguments = {m: said.get(line) for m in every["hybrid_identity/identity_phi"] for line in listed([m])}
    outcomes = [Outcome(m, REFUTED if a is None else PROVED, argument=a) for m, a in arguments.items()]
    assert sections(extended(outcomes, list(every))) == sections()
