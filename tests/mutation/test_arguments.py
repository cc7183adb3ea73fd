"""The arguments hold for what is private, and for nothing else."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from mutation.arguments import BY_HAND, RULES, argue
from mutation.entries import entries, entry_named
from mutation.mutants import Mutant, mutants
from mutation.operators import OPERATORS
from mutation.outcomes import define
from support.examples import examples

MECHANISM, PROOF = "mechanisms/any.py", "proofs/any.py"


def changed(entry: str, old: str, new: str, file: str = MECHANISM) -> Mutant:
    source = entry_named(entry).source
    assert source.count(old) == 1
    return Mutant(
        entry, "comparison" if ">" in old else "test", f"{old} becomes {new}", file, 0, source.replace(old, new)
    )


MANY = "sparse_vector_many_thresholds/many_thresholds_phi"
SELECTION = "private_selection_in_all_rounds/selection_phi"

HELD = [
    ("ties", "sparse_vector_with_gap/gap_phi", "gap >= 0", "gap > 0", MECHANISM),
    ("the same", "noisy_max/phi", "range(len(q))", "range(len(q_))", PROOF),
    ("more noise", "sparse_vector/phi", "eps / (4 * k)", "eps / (5 * k)", MECHANISM),
    ("other chances", SELECTION, "[gamma, 1 - gamma]", "[gamma, 1]", MECHANISM),
    ("another split of the budget", MANY, "eps / 2", "eps / 3", MECHANISM),
    ("no private data", "noisy_max/phi", "[q_i + eta_i for", "[eta_i for", MECHANISM),
    ("stops earlier", "sparse_vector/phi", "count += 1", "count += 2", MECHANISM),
    ("a function of the proved output", "sparse_vector_with_gap/gap_phi", "yield gap", "yield count", MECHANISM),
    ("moved answers", "sparse_vector_with_gap/gap_phi", "gap >= 0", "gap >= 1", MECHANISM),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "entry", "old", "new", "file"), HELD, ids=lambda x: x if "/" not in x else "")
def test_a_rule_holds_for_what_it_speaks_of(rule, entry, old, new, file, tmp_path: Path):
    mutant = changed(entry, old, new, file)
    argument = argue(mutant, define(mutant, tmp_path))
    assert argument is not None
    assert argument.rule == rule


def test_every_rule_is_shown_here():
    assert [rule for rule, *_ in HELD] == [rule.name for rule in RULES]


LEAKING = [
    ("sparse_vector/phi", "eps / (4 * k)", "eps / 4", "too little noise for the second winner"),
    ("sparse_vector/phi", "if count >= k:\n            break", "pass", "no bound on the winners"),
    ("sparse_vector/phi", "count >= k", "count >= k + 1", "one winner too many"),
    ("sparse_vector/phi", "count >= k", "count >= eps0", "a bound that is below k only where eps is small"),
    ("sparse_vector/phi", "yield ABOVE", "yield q_i", "an answer without noise"),
    ("sparse_vector/phi", "yield ABOVE", "yield q_i + eta_i", "an answer whose noise was moved for the comparison"),
    ("sparse_vector/phi", "yield BELOW", "yield q_i - T", "the losers' answers"),
    ("sparse_vector_with_gap/gap_phi", "yield gap", "yield q_i + eta_i - T", "the gap without the threshold's noise"),
    ("sparse_vector_with_gap/gap_phi", "yield BELOW", "yield gap", "every gap"),
    ("noisy_max/phi", "2 / eps", "1 / eps", "noise for monotone answers"),
    ("noisy_max/phi", "return best", "return noisy[best]", "the maximum, not where it is"),
    ("noisy_max_with_gap/gap_phi", "noisy[best] - noisy[runner_up]", "noisy[best]", "the maximum for the gap"),
    ("noisy_max_with_gap/monotone_gap_phi", "adjacency='monotone'", "adjacency='each'", "other pairs"),
    (SELECTION, "[gamma, 1 - gamma]", "[gamma + abs(q), 1]", "chances that depend on a score"),
    (SELECTION, "1 / eps1", "1 / (2 * eps1)", "too little noise for each round"),
    ("laplace_mechanism/phi", "adjacency='l1'", "adjacency='each'", "a change of every answer"),
    ("laplace_mechanism/phi", "epsilon='eps'", "epsilon='eps / 2'", "a claim of half the loss"),
    ("laplace_mechanism/phi", "Sensitivity('delta')", "Sensitivity(2)", "answers that change by more than delta"),
    ("noisy_threshold_test/threshold_phi", "Sensitivity(100)", "Sensitivity(200)", "an answer that changes by more"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("entry", "old", "new", "leak"), LEAKING[:: examples(2, 1)], ids=lambda x: x if "/" not in x else ""
)
def test_no_argument_holds_for_a_mutant_that_leaks(entry, old, new, leak, tmp_path: Path):
    mutant = changed(entry, old, new, PROOF if "=" in old and "'" in old else MECHANISM)
    assert argue(mutant, define(mutant, tmp_path)) is None, leak


def test_no_argument_holds_for_another_alignment(tmp_path: Path):
    """A shift that is too small is wrong even though the mechanism is private."""
    mutant = changed("sparse_vector/phi", "1 + q[i] - q_[i]", "q[i] - q_[i]", PROOF)
    assert argue(mutant, define(mutant, tmp_path)) is None


@pytest.mark.parametrize("argument", BY_HAND[:: examples(4, 1)], ids=lambda a: f"{a.operator}-{a.description}"[:40])
def test_each_argument_by_hand_is_of_some_mutant(argument):
    of_entries = [e for e in entries() if fnmatchcase(e.name, argument.entries)]
    operators = [o for o in OPERATORS if fnmatchcase(o.name, argument.operator)]
    found = (m for e in of_entries for m in mutants(e, operators))
    assert any(argument.is_of(m) for m in found), "the catalogue has changed; the argument is stale"
