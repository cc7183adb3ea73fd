"""The words beside a proved condition say what was shown of this mechanism, and no more."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from support.defining import define_in

from alignkit import check
from alignkit.proofs import composition, several_loops, sums
from alignkit.proofs.laplace import phi as laplace_phi
from alignkit.proofs.noisy_max import phi as max_phi
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proving.conditions.one_to_one.by_order import merged_order
from alignkit.proving.deciding import Decided, Decider
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.loops.invariants import ALIKE
from alignkit.proving.obligation import Obligation
from alignkit.proving.proof import prove
from alignkit.proving.words.reasons import RULES, why
from alignkit.results import ADAPTIVE_QUERIES, CONDITIONS
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver
from alignkit.verdicts import LIMITS

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
    assert result.conditions["termination"].how.startswith("every loop runs over a list or a range")
    assert result.conditions["countable"].how == "the shifts depend on the output by its tags, indices and lengths only"
    assert result.conditions["cost"].how.startswith("the shifts cost at most eps (")


def test_an_alignment_that_reads_the_output_or_not() -> None:
    words = "the shifts depend on the output by its tags, indices and lengths only"
    assert check(max_phi).conditions["countable"].how == words
    assert check(laplace_phi).conditions["countable"].how == "the alignment does not read the output"


def test_equal_selections_on_d_and_d_prime_are_noted_where_they_were_used() -> None:
    from alignkit.proofs.hybrids import estimates_phi

    notes = check(estimates_phi).notes
    assert any(note.startswith("invariants at the head of the loop: ") and ALIKE in note for note in notes)
    assert not any(ALIKE in note for note in check(gap_phi).notes)


def test_every_condition_has_a_rule() -> None:
    assert list(RULES) == [*CONDITIONS, ADAPTIVE_QUERIES, LIMITS]


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


# The words beside a condition that is not proved


def test_draws_in_a_loop_are_named_by_their_index(tmp_path: Path) -> None:
    aligned = define_in(tmp_path, """
        @mechanism
        def twice(q: Queries, T: Real, eps: Epsilon, noise: Noise):
            for q_i in q:
                e = noise.laplace(4 / eps)
                scale = 4 / eps
                if q_i + e > T:
                    scale = 2 / eps
                f = noise.laplace(scale)
                yield ABOVE

        @alignment(twice, epsilon="eps")
        def phi(q, q_, omega, H):
            return H.shift(e=[q[i] - q_[i] for i, w in enumerate(omega)], f=[0 for w in omega])
    """).phi
    how = prove(aligned, Decider(Z3Solver.of_one_check(), 60), range(100)).conditions["noise_used"].how
    assert "the output ABOVE" in how
    assert "e[i] at 4 / eps, f[i] at 4 / eps" in how
    assert "#" not in how


def test_the_length_that_decides_a_case_is_a_part_of_its_example(tmp_path: Path) -> None:
    aligned = define_in(tmp_path, """
        @mechanism
        def rarely(q: Queries, T: Real, eps: Epsilon, noise: Noise):
            if len(q) == 1234 and q[0] > T:
                return 1
            else:
                return 0

        @alignment(rarely, epsilon="0 * eps")
        def phi(H):
            return H.shift()
    """).phi
    how = check(aligned, effort=0).conditions["same_output"].how
    assert re.search(r"\(for example T = \S+, len\(q\) = 1234; such a state may be unreachable\)", how)


@pytest.mark.parametrize(
    ("model", "example"),
    [
        ({"k": Fraction(2), "eps": Fraction(1, 2)}, " (for example k = 2, eps = 1/2; such a state may be unreachable)"),
        ({"k": Fraction(3, 2), "eps": Fraction(1)}, ""),
        ({"k": Fraction(2), "len(q)": Fraction(1, 2)}, ""),
        ({"k": Fraction(2), "len(q)": Fraction(3)}, " (for example k = 2; such a state may be unreachable)"),
    ],
)
def test_an_example_has_whole_counts_and_lengths(model: dict[str, Fraction], example: str) -> None:
    goal = Term.of(Symbol("k", Role.PUBLIC)).compare("<", 0)
    obligation = Obligation("cost", Hypotheses.of(()), goal, "the shifts cost at most eps")
    answer = Answer(Outcome.POSSIBLE, read=lambda: (model, True))
    assert why([Decided(obligation, answer)], gap_phi) == f"not shown: the shifts cost at most eps{example}"


@pytest.mark.parametrize(
    ("aligned", "order"),
    [
        (several_loops.twice_phi, "eta, eta_i[i], rho, rho_j[i]"),
        (several_loops.measure_phi, "eta[i], e[i]"),
        (sums.smart_phi, "xi_i[i], eta_i[i]"),
        (several_loops.thresholds_phi, "e[i][j]"),
        (composition.twice_phi, ""),
    ],
)
def test_the_order_of_the_noise_has_all_of_it(aligned, order: str) -> None:
    """What is drawn in every loop and on every path, in one order."""
    how = check(aligned, effort=0).conditions["one_to_one"].how
    assert how.startswith(f"each shift depends on earlier noise only{f': {order} (' if order else ' ('}")


VECTOR_AFTER_A_LOOP = """
@mechanism
def after(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    for t in T:
        d = noise.laplace(1)
        yield d > t
    v = [noise.laplace(1 / eps) for x in q]
    yield [x + y for x, y in zip(q, v)]

@alignment(after, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    return H.shift(v=[q[i] - q_[i] for i in range(len(q))])
"""


def test_the_words_are_about_this_program(tmp_path) -> None:
    """A loop over public numbers, and a vector that is drawn after it."""
    conditions = check(define_in(tmp_path, VECTOR_AFTER_A_LOOP).phi, effort=0).conditions
    assert conditions["one_to_one"].how.startswith("each shift depends on earlier noise only: d[i], v[i] (")
    assert conditions["termination"].how.startswith("every loop runs over a list or a range")


REFLECTED = """
@mechanism
def squared(q: Query(lattice=1), eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    return e * e

@alignment(squared, epsilon="6 * eps")
def phi(q, q_, H):
    return H.shift(e=-2 * H.e if -3 <= H.e and H.e <= 3 else 0)
"""


def test_noise_on_a_lattice_has_no_determinant(tmp_path) -> None:
    how = check(define_in(tmp_path, REFLECTED).phi, effort=0).conditions["one_to_one"].how
    assert how.startswith("by pieces: injective on {H : M(D, H) = omega}; discrete noise has no volume to change (")


ONE_ANSWER = """
@mechanism
def one(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q + e

@alignment(one, epsilon="2 * eps")
def phi(q, q_, omega, H):
    return H.shift(e={shift})
"""


@pytest.mark.parametrize(
    ("shift", "condition", "words"),
    [
        ("q - q_ + 1", "same_output", "not shown: the real part of the output is the same on D'"),
        ("-H.e", "one_to_one", "not shown: the determinant is nonzero on every piece"),
        ("omega - q_", "countable", "not shown to be impossible: the shift of e reads a real part of the output; only"),
    ],
)
def test_what_is_not_shown_is_not_said_the_other_way_round(tmp_path, shift: str, condition: str, words: str) -> None:
    phi = define_in(tmp_path, ONE_ANSWER.format(shift=shift)).phi
    how = prove(phi, Decider(Z3Solver.of_one_check(), 60), range(100)).conditions[condition].how
    assert re.sub(r"^line \d+: ", "", how).startswith(words)


def test_noise_that_is_in_two_orders_has_none() -> None:
    nothing: frozenset[str] = frozenset()
    one_after_another = [(nothing, ("a", "b")), (frozenset({"b"}), ("c",)), (nothing, ("c", "d"))]
    assert merged_order(one_after_another) == ("a", "b", "c", "d")
    assert merged_order([(nothing, ("a", "b")), (nothing, ("b", "a"))]) == ()
