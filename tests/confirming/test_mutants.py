"""No mutant of the catalogue is confirmed, unless the suite argues that it is private.

These mutants ask whether the second program asks every question: a claim or a scale loses a tenth, a shift is left
out, a loop is not left, a tie goes the other way.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from mutation.arguments import ByHand, argue
from mutation.entries import Entry, entries
from mutation.mutants import mutants
from mutation.outcomes import define

from alignkit.confirming import Standing, confirm_alignment
from alignkit.errors import AlignkitError
from alignkit.explorer.program_changes import Edit, EditSite, Operator, combine, dropped_break, number_node

TENTH = ast.BinOp(number_node(9), ast.Div(), number_node(10))


def smaller_claim(site: EditSite) -> Iterator[Edit]:
    """The claim loses a tenth."""
    node = site.node
    if isinstance(node, ast.keyword) and node.arg == "epsilon" and isinstance(node.value, ast.Constant):
        yield from site.exchange(node.value, ast.Constant(f"9 / 10 * ({node.value.value})"))


def smaller_scale(site: EditSite) -> Iterator[Edit]:
    """A draw has a tenth less noise."""
    node = site.node
    if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("noise.") and node.args:
        rate = ast.unparse(node.func).endswith("_base2")
        factor = ast.BinOp(number_node(10), ast.Div(), number_node(9)) if rate else TENTH
        yield from site.exchange(node.args[0], combine(factor, ast.Mult(), node.args[0]))


def shift_left_out(site: EditSite) -> Iterator[Edit]:
    """A draw is not moved."""
    node = site.node
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "H.shift":
        for keyword in node.keywords:
            kept = [k for k in node.keywords if k is not keyword]
            yield Edit(node, ast.Call(node.func, [], kept), words=f"the shift of {keyword.arg} is left out")


def other_at_ties(site: EditSite) -> Iterator[Edit]:
    """A comparison loses or gains its equality."""
    node = site.node
    others = {ast.GtE: ast.Gt, ast.Gt: ast.GtE, ast.LtE: ast.Lt, ast.Lt: ast.LtE}
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in others:
        yield from site.replace(ast.Compare(node.left, [others[type(node.ops[0])]()], node.comparators))


OPERATORS = tuple(
    Operator(each.__name__, each) for each in (smaller_claim, smaller_scale, shift_left_out, dropped_break)
)
# The arguments about ties are made for the operator of this name. Most of its mutants are private.
TIES = Operator("comparison", other_at_ties)
# Why mutants are right that are confirmed at two answers, and that no argument for every n speaks of.
ARGUED = (
    ByHand(
        "adaptive_sparse_vector_2020/*",
        "comparison",
        re.escape("`cost >= eps - 2 * eps2` becomes `cost > eps - 2 * eps2`"),
        "Where 2 eps2 is left the loop goes on, and a winner costs at most that.",
    ),
    ByHand(
        "adaptive_sparse_vector_geometric_monotone/*",
        "comparison",
        re.escape("`middle - threshold >= 0` becomes `middle - threshold > 0`"),
        "A gap of 0 is not released. The alignment keeps each gap that is released, and no other gap rises.",
    ),
    *(
        ByHand(
            entries,
            "comparison",
            ".*after < level and .* becomes .*after <= level and .*",
            "Beside the winner there is one other answer, the best of the others on D and on D'. Where after is level "
            "it moves by level - after, which is 0. It fails from three answers on.",
        )
        for entries in ("exponential_mechanism_with_gap/*", "noisy_*_with_gap_exponential/*")
    ),
)
# The entries with many branches take as long as all others together, and the one named below three times as long as the
# rest of every tenth: `make test-all` has its mutants.
FEW = [e for e in entries() if "many_branches" not in e.name][::10]
LONG = "adaptive_sparse_vector_geometric/adaptive_geometric_phi"


def unjustly_confirmed(entry: Entry, operators: Iterable[Operator], folder: Path, effort: int) -> list[str]:
    """The mutants that are confirmed at two answers, with nothing left open, and that nothing is argued for."""
    found = []
    for mutant in mutants(entry, operators):
        try:
            alignment = define(mutant, folder)
        except AlignkitError:
            continue
        opinion = confirm_alignment(alignment, n=2, effort=effort)
        whole = opinion.standing is Standing.BOUNDED and not opinion.why and opinion.n == 2
        if whole and not any(each.is_of(mutant) for each in ARGUED) and argue(mutant, alignment) is None:
            found.append(str(mutant))
    return found


@pytest.mark.parametrize("entry", [e for e in FEW if e.name != LONG], ids=lambda e: e.name)
def test_no_mutant_of_some_entries_is_confirmed(entry: Entry, tmp_path: Path) -> None:
    assert unjustly_confirmed(entry, OPERATORS, tmp_path, 150) == []


@pytest.mark.slow
@pytest.mark.parametrize("entry", entries(), ids=lambda e: e.name)
def test_no_mutant_is_confirmed(entry: Entry, tmp_path: Path) -> None:
    assert unjustly_confirmed(entry, (*OPERATORS, TIES), tmp_path, 2000) == []
