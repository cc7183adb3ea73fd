"""Two alignments mean the same exactly where a verdict on one is a verdict on the other."""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path

import pytest
from mutation.entries import Entry, entries
from mutation.mutants import mutants
from mutation.operators import OPERATORS
from support.cached_programs import HARMLESS, OTHER, SPARSE, edited
from support.claims_with_delta import DELTA
from support.examples import examples

from alignkit import AlignkitError, load
from alignkit.caching.verdict_cache import Meaning, meaning_of
from alignkit.running.alignment_decorator import Alignment


def meaning(source: str, folder: Path, name: str = "phi") -> Meaning:
    path = folder / f"m_{hashlib.sha256(source.encode()).hexdigest()[:16]}.py"
    path.write_text(source, encoding="utf-8")
    alignment = load(f"{path}::{name}")
    assert isinstance(alignment, Alignment)
    return meaning_of(alignment)


@pytest.mark.parametrize("change", HARMLESS.values(), ids=list(HARMLESS))
def test_comments_places_and_names_of_locals_are_no_part_of_the_meaning(
    change: tuple[str, str], tmp_path: Path
) -> None:
    assert meaning(edited(change), tmp_path).digest == meaning(SPARSE, tmp_path).digest


@pytest.mark.parametrize("change", OTHER.values(), ids=list(OTHER))
def test_everything_else_is_part_of_it(change: tuple[str, str], tmp_path: Path) -> None:
    try:
        digest = meaning(edited(change), tmp_path).digest
    except AlignkitError:
        return  # it is refused before it is looked up
    assert digest != meaning(SPARSE, tmp_path).digest


def test_two_alignments_of_one_mechanism_differ(tmp_path: Path) -> None:
    assert meaning(SPARSE, tmp_path).digest != meaning(SPARSE, tmp_path, "short_phi").digest


def test_two_locals_that_become_one_change_the_meaning(tmp_path: Path) -> None:
    two = edited(("    count = 0\n", "    count = 0\n    other = 1\n"))
    assert meaning(two.replace("other = 1", "count = 1"), tmp_path).digest != meaning(two, tmp_path).digest


def test_an_invariant_follows_the_local_that_it_names(tmp_path: Path) -> None:
    two = edited(("            count += 1\n", "            count += 1\n            seen = 1\n"))
    two = two.replace("    count = 0\n", "    count = 0\n    seen = 0\n")
    exchanged = two.replace("count <= k", "seen <= k")
    assert meaning(exchanged, tmp_path).digest != meaning(two, tmp_path).digest


def test_a_name_that_ends_in_an_underscore_counts_where_it_has_two_readings(tmp_path: Path) -> None:
    """``seen_`` is a local variable in both programs, since ``seen`` has no value at the head of the loop."""
    source = edited(("            yield BELOW\n", "            yield BELOW\n            losers += 1\n"))
    source = source.replace("    count = 0\n", "    count = 0\n    losers = 0\n").replace("gap", "seen")
    one = source.replace("count", "seen_")
    other = source.replace("count <= k", "losers <= k").replace("losers", "seen_")
    assert meaning(one, tmp_path).digest != meaning(other, tmp_path).digest


KEY = f'''\
from alignkit import Epsilon, Noise, Query, Real, alignment, exp, mechanism


@mechanism
def noisy_key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    return q + x if q > 0 and q + x >= tau else 0


@alignment(noisy_key, epsilon="eps", delta="{DELTA}")
def phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)
'''


@pytest.mark.parametrize(
    "change",
    [
        (DELTA, DELTA.replace("tau - 1", "tau")),
        ("tau - max(q, q_)", "tau - min(q, q_)"),
        ("if new else None", "if new else tau"),
        (".below(", ".above("),
    ],
)
def test_delta_and_limits_are_part_of_the_meaning(change: tuple[str, str], tmp_path: Path) -> None:
    assert change[0] in KEY
    assert meaning(KEY.replace(*change), tmp_path).digest != meaning(KEY, tmp_path).digest
    assert meaning(KEY.replace(" new ", " appears "), tmp_path).digest == meaning(KEY, tmp_path).digest


DISGUISED = {
    "a whole number": ("int", "1", "5", "q: Annotated[Queries, Sensitivity({})]"),
    "a fraction": ("Fraction", "'1/2'", "'5/2'", "q: Annotated[Queries, Sensitivity({})]"),
    "a parameter's name": ("str", "'k'", "'eps'", "q: Annotated[Queries, Sensitivity({})]"),
}


@pytest.mark.parametrize(("base", "one", "other", "parameter"), DISGUISED.values(), ids=list(DISGUISED))
def test_values_that_print_the_same_are_told_apart(
    base: str, one: str, other: str, parameter: str, tmp_path: Path
) -> None:
    def written(value: str) -> str:
        heading = f"""\
from fractions import Fraction
from typing import Annotated

from alignkit import Sensitivity


class Disguised({base}):
    __slots__ = ()

    def __repr__(self):
        return "1"


VALUE = Disguised({value})
"""
        return heading + SPARSE.replace("q: Queries", parameter.format("VALUE"))

    assert meaning(written(one), tmp_path).digest != meaning(written(other), tmp_path).digest


class _Renamed(ast.NodeTransformer):
    """Gives every variable that a mechanism binds itself another name, except draws."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(f"{node.id}_renamed" if node.id in self.names else node.id, node.ctx)


def renamed(entry: Entry) -> str:
    """The program of an entry with other names of variables in its mechanism."""
    mechanism = entry.alignment.mechanism
    tree = ast.parse(entry.source)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == mechanism.name:
            parameters = {argument.arg for argument in node.args.args}
            stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            _Renamed(stored - parameters - {draw.name for draw in mechanism.draws}).visit(node)
    return ast.unparse(tree) + "\n"


# An invariant names the variables that are renamed here.
@pytest.mark.parametrize(
    "entry", [e for e in entries() if not e.alignment.invariants][:: examples(4, 1)], ids=lambda entry: entry.name
)
def test_the_catalogue_with_other_names_of_variables_means_the_same(entry: Entry, tmp_path: Path) -> None:
    name = entry.alignment_name
    original = meaning(entry.source, tmp_path, name)
    assert meaning(renamed(entry), tmp_path, name).digest == original.digest
    if not entry.alignment.lemmas:  # the program of an entry gives lemmas other names
        assert meaning_of(entry.alignment).digest == original.digest


@pytest.mark.slow
@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_no_mutant_means_what_its_original_means(entry: Entry, tmp_path: Path) -> None:
    original = meaning(entry.source, tmp_path, entry.alignment_name)
    different = 0
    for mutant in mutants(entry, OPERATORS, 12):
        try:
            changed = meaning(mutant.source, tmp_path, entry.alignment_name)
        except AlignkitError:
            continue
        assert changed.digest != original.digest, str(mutant)
        different += 1
    assert different
