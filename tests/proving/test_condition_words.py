"""The words beside a proved condition say what was shown of this mechanism, and no more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.defining import define_in

from alignkit import check
from alignkit.proofs.laplace import phi as laplace_phi
from alignkit.proofs.noisy_max import phi as max_phi
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proving.loops.invariants import ALIKE
from alignkit.proving.reasons import RULES
from alignkit.results import ADAPTIVE_QUERIES, CONDITIONS

DOCS = Path(__file__).parents[2] / "docs"

PROGRAMS = {
    "one-sided": (
        """
        @mechanism
        def counted(q: Query, r: Query, eps: Epsilon, noise: Noise):
            near = noise.exponential(4 / eps)
            far = noise.laplace(4 / eps)
            return q + far, near >= 0

        @alignment(counted, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(far=q - q_)
        """,
        "Laplace noise may be any real number; the aligned noise of near stays at least 0 (1 obligation)",
    ),
    "lattice": (
        """
        @mechanism
        def whole(q: Query(lattice=1), eps: Epsilon, noise: Noise):
            e = noise.discrete_laplace(1 / eps, 1)
            return q + e

        @alignment(whole, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(e=q - q_)
        """,
        "the aligned noise of e stays on its lattice (1 obligation)",
    ),
}


@pytest.mark.parametrize("case", PROGRAMS)
def test_valid_noise(tmp_path, case: str) -> None:
    source, words = PROGRAMS[case]
    result = check(define_in(tmp_path, source).phi)
    assert result.verdict == "proved", result
    assert result.conditions["valid_noise"].how == words
    assert result.conditions["termination"].how == "there is no loop, and every step is defined"
    assert result.conditions["countable"].how == "the alignment does not read the output"


def test_over_the_reals_and_over_a_loop() -> None:
    result = check(gap_phi)
    assert result.conditions["valid_noise"].how == "Laplace noise may be any real number"
    assert result.conditions["termination"].how.startswith("loops run over the queries or a range")
    assert result.conditions["countable"].how == "the alignment reads tags, indices and lengths only"
    assert result.conditions["cost"].how.startswith("the shifts cost at most eps (")


def test_an_alignment_that_reads_the_output_or_not() -> None:
    assert check(max_phi).conditions["countable"].how == "the alignment reads tags, indices and lengths only"
    assert check(laplace_phi).conditions["countable"].how == "the alignment does not read the output"


def test_equal_selections_on_d_and_d_prime_are_noted_where_they_were_used() -> None:
    from alignkit.proofs.hybrids import estimates_phi

    notes = check(estimates_phi).notes
    assert any(note.startswith("invariants at the head of the loop: ") and ALIKE in note for note in notes)
    assert not any(ALIKE in note for note in check(gap_phi).notes)


def test_every_condition_has_a_rule() -> None:
    assert list(RULES) == [*CONDITIONS, ADAPTIVE_QUERIES]


def test_the_pages_list_every_condition_in_order() -> None:
    theory = (DOCS / "theory" / "proof-for-all-n.md").read_text(encoding="utf-8")
    table = theory.partition("| line | what must be proved |\n|---|---|\n")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (\w+) \|", table, re.MULTILINE) == list(CONDITIONS)
    glossary = (DOCS / "glossary.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| condition \| .*: (.*) \|$", glossary, re.MULTILINE)
    assert row.split(", ") == list(CONDITIONS.values())
    fields = (DOCS / "command_line.md").read_text(encoding="utf-8")
    (named,) = re.findall(r"^\| `conditions` \| for each name \((.*?)\)", fields, re.MULTILINE)
    assert named.split(", ") == [f"`{name}`" for name in CONDITIONS]


def test_a_need_of_the_public_parameters_is_worded_as_what_must_hold(tmp_path: Path) -> None:
    """The same words stand in an assumption and in a refusal, so they must not state the opposite."""
    aligned = define_in(tmp_path, """
        @mechanism
        def noisy(q: Query, T: Real, eps: Epsilon, noise: Noise):
            eta = noise.laplace((T - 1) / eps)
            return q + eta

        @alignment(noisy, epsilon="eps / (T - 1)")
        def phi(q, q_, omega, H):
            return H.shift(eta=q - q_)
    """).phi
    result = check(aligned, effort=0)
    assert result.proved
    assert any("the scale of eta must be above 0" in assumption for assumption in result.assumptions)
