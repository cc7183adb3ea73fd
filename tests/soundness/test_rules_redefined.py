"""Rule 30: a proof speaks of the program that it was made of, and a result is never true by accident."""

from __future__ import annotations

import copy
import pickle
import re
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest
from conftest import Define
from support.defining import PRELUDE, load
from support.notebook import Notebook

from alignkit import AlignkitError, LanguageError, UnprovedError, attack, check

MECHANISM = """
    @mechanism
    def m(q: Query, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return q + e
"""
LEAKS = MECHANISM.replace("1 / eps", "1 / (2 * eps)")
PROOF = """
    @alignment(m, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)
"""
REDEFINED = "`m` has been redefined since phi was made for it"


@pytest.fixture
def notebook() -> Notebook:
    made = Notebook()
    made.run(MECHANISM)
    made.run(PROOF)
    return made


def quickly(phi):
    return check(phi, effort=0)


# A mechanism that is redefined


@pytest.mark.parametrize("cell", [LEAKS, LEAKS.replace("@mechanism", "")], ids=["a mechanism", "a plain function"])
def test_an_alignment_of_a_redefined_mechanism_is_not_checked(notebook: Notebook, cell: str):
    notebook.run(cell)
    with pytest.raises(LanguageError, match=REDEFINED) as caught:
        check(notebook["phi"])
    assert "define phi again (in a notebook, run its cell again)" in caught.value.hint
    with pytest.raises(LanguageError, match=REDEFINED):
        attack(notebook["phi"])
    assert caught.value.source.strip() == "def phi(q, q_, H):"


def test_the_alignment_defined_again_speaks_of_the_new_mechanism(notebook: Notebook):
    notebook.run(LEAKS)
    notebook.run(PROOF)
    assert quickly(notebook["phi"]).verdict == "refuted"


ALIASES = {
    "metadata": ("Answer = Annotated[Query, Sensitivity(1)]", "Answer = Annotated[Query, Sensitivity(2)]"),
    "a class": ("Answer = Query", "Answer = Annotated[Query, Sensitivity(2)]"),
    "a class again": ("Answer = Annotated[Query, Sensitivity(2), Lattice(1)]", "Answer = Query"),
    "a call": ("Answer = Query()", "Answer = Query(sensitivity=2)"),
}


if sys.version_info >= (3, 12):
    ALIASES["a type statement"] = ("type Answer = Query", "type Answer = Annotated[Query, Sensitivity(2)]")


@pytest.mark.parametrize("kind", ["Answer", "'Answer'", "Annotated[Answer, Lattice(1)]"])
@pytest.mark.parametrize(("first", "then"), ALIASES.values(), ids=ALIASES)
def test_a_type_that_stands_for_another_sensitivity_now(first: str, then: str, kind: str):
    """The mechanism was read with the first; a proof for it must not pass for one of the second."""
    if "Annotated" in kind and ("()" in first or "Lattice" in first):
        kind = "Answer"
    notebook = Notebook()
    for cell in (first, MECHANISM.replace("Query,", f"{kind},").replace("laplace(1", "laplace(2"), PROOF, first):
        notebook.run(cell)
    result = quickly(notebook["phi"])
    assert result.proved, "the same type again"
    notebook.run(then)
    with pytest.raises(LanguageError, match="has come to stand for another type since m was read") as caught:
        check(notebook["phi"])
    assert "in a notebook, run their cells again" in caught.value.hint
    assert then.removeprefix("type ").partition(" =")[0] in result.stale
    assert not result.proved
    for cell in ("Answer = None", "del Answer"):
        notebook.run(cell)
        assert result.proved, "a name that is used for something else is no other type"


# What an annotation uses beside aliases: a cell above the mechanism, the annotation, and a cell that changes it.
PARTS = {
    "metadata": ("bound = Sensitivity(1)", "Annotated[Query, bound]", "bound = Sensitivity(2)"),
    "a number": ("delta = 1", "Annotated[Query, Sensitivity(delta)]", "delta = 2"),
    "a number in a call": ("delta = 1", "Query(sensitivity=delta)", "delta = 2"),
    "a number in text": ("delta = 1", "'Annotated[Query, Sensitivity(delta)]'", "delta = 2"),
    "an attribute": (
        "import types; of = types.SimpleNamespace(Answer=Query)", "of.Answer", "of.Answer = Query(sensitivity=2)"
    ),
    "an item": ("of = {0: Query}", "of[0]", "of[0] = Query(sensitivity=2)"),
    "a function": ("def of():\n    return Query\n", "of()", "def of():\n    return Query(sensitivity=2)\n"),
}  # fmt: skip


@pytest.mark.parametrize(("first", "kind", "then"), PARTS.values(), ids=PARTS)
def test_an_annotation_whose_parts_say_another_sensitivity_now(first: str, kind: str, then: str):
    notebook = Notebook()
    for cell in (first, MECHANISM.replace("Query,", f"{kind},").replace("laplace(1", "laplace(2"), PROOF, first):
        notebook.run(cell)
    result = quickly(notebook["phi"])
    assert result.proved, "the same type again"
    notebook.run(then)
    assert "has come to stand for another type since m was read" in result.stale
    assert not result.proved
    with pytest.raises(LanguageError, match="has come to stand for another type since m was read"):
        check(notebook["phi"])
    notebook.run("of = bound = delta = None")
    assert result.proved, "names that are used for something else are no other type"


def test_a_result_of_a_redefined_mechanism_is_stale_and_says_so(notebook: Notebook):
    result = quickly(notebook["phi"])
    assert result.proved
    assert result.stale == ""
    notebook.run(LEAKS)
    assert result.stale == REDEFINED
    assert not result.proved
    assert repr(result).startswith(f"STALE: {REDEFINED}; check it again\nPROVED m / phi")
    with pytest.raises(UnprovedError, match=f"the result is stale: {REDEFINED}; check it again") as caught:
        result.require()
    assert "STALE" in str(caught.value).splitlines()[1]
    assert caught.value.exit_code == 1


def test_a_copy_of_a_result_becomes_stale_too(notebook: Notebook):
    results = [quickly(notebook["phi"])]
    results += [copy.copy(results[0]), copy.deepcopy(results[0])]
    notebook.run(LEAKS)
    assert [bool(r.stale) for r in results] == [True] * 3


def test_a_helper_that_is_redefined_makes_results_stale():
    notebook = Notebook()
    notebook.run("def scale(eps):\n    return 1 / eps\n")
    notebook.run(MECHANISM.replace("1 / eps", "scale(eps)"))
    notebook.run(PROOF)
    result = quickly(notebook["phi"])
    assert result.proved
    notebook.run("def scale(eps):\n    return 1 / (2 * eps)\n")
    assert "`scale` has been replaced since m was read" in result.stale
    with pytest.raises(LanguageError, match="`scale` has been replaced"):
        check(notebook["phi"])


def test_a_helper_of_the_alignment_that_is_redefined_makes_results_stale():
    notebook = Notebook()
    notebook.run(MECHANISM)
    notebook.run("def moved(q, q_):\n    return q - q_\n")
    notebook.run(PROOF.replace("e=q - q_", "e=moved(q, q_)"))
    result = quickly(notebook["phi"])
    assert result.proved
    notebook.run("def moved(q, q_):\n    return q_ - q\n")
    assert "`moved` has been replaced since phi was read" in result.stale


def test_a_file_that_defines_two_mechanisms_of_one_name(define: Define):
    module = define(MECHANISM + PROOF + LEAKS)
    with pytest.raises(LanguageError, match=REDEFINED) as caught:
        check(module.phi)
    assert "or give the mechanisms different names" in caught.value.hint


def written(path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that stays known to Python, as an import leaves it."""
    path.write_text(PRELUDE + textwrap.dedent(text), encoding="utf-8")
    module = load(path, path.stem)
    monkeypatch.setitem(sys.modules, path.stem, module)
    return module


def test_a_file_imported_anew_with_another_mechanism(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    module = written(tmp_path / "imported_anew.py", MECHANISM + PROOF, monkeypatch)
    result = quickly(module.phi)
    written(tmp_path / "imported_anew.py", MECHANISM + PROOF + "    # the same\n", monkeypatch)
    assert result.proved
    written(tmp_path / "imported_anew.py", LEAKS + PROOF, monkeypatch)
    assert REDEFINED in result.stale


# What is no redefinition


@pytest.mark.parametrize(
    "cell",
    [
        MECHANISM,  # the cell is run again as it was
        f"    # A comment is added.\n{MECHANISM}",
        "    other = m",
        "    other = m\n    del m",
        "    del m",
        "    m = m.sample(3, eps=1, seed=1)",
        "    m = m.python",
        LEAKS.replace("def m", "def n"),
    ],
)
def test_what_is_no_redefinition_leaves_the_proof_as_it_is(notebook: Notebook, cell: str):
    result = quickly(notebook["phi"])
    notebook.run(cell)
    assert result.stale == ""
    assert result.require() is result
    assert quickly(notebook["phi"]).proved


def test_a_proof_for_an_alias_of_what_was_redefined_before():
    notebook = Notebook()
    notebook.run(MECHANISM)
    notebook.run("first = m")
    notebook.run(LEAKS)
    notebook.run(PROOF.replace("alignment(m", "alignment(first"))
    assert quickly(notebook["phi"]).proved


def test_mechanisms_that_a_function_makes_do_not_replace_one_another(define: Define):
    module = define("""
        def made(factor):
            if factor == 1:
                @mechanism
                def m(q: Query, eps: Epsilon, noise: Noise):
                    e = noise.laplace(1 / eps)
                    return q + e
            else:
                @mechanism
                def m(q: Query, eps: Epsilon, noise: Noise):
                    e = noise.laplace(2 / eps)
                    return q + e

            @alignment(m, epsilon="eps")
            def phi(q, q_, H):
                return H.shift(e=q - q_)
            return phi

        one, two = made(1), made(2)
        m = two.mechanism
    """)
    assert quickly(module.one).require().proved
    assert quickly(module.two).require().proved


def test_mechanisms_of_one_name_in_two_modules(define: Define):
    one, two = define(MECHANISM + PROOF), define(LEAKS + PROOF)
    result = quickly(one.phi)
    assert quickly(two.phi).verdict == "refuted"
    assert result.proved


def test_a_copy_that_is_imported_under_the_same_name(notebook: Notebook, define: Define):
    result = quickly(notebook["phi"])
    notebook.names["m"] = define(MECHANISM).m
    assert result.proved


def test_a_result_from_another_process_is_what_it_was_there(notebook: Notebook):
    result = pickle.loads(pickle.dumps(quickly(notebook["phi"])))
    notebook.run(LEAKS)
    assert result.stale == ""


# A result is no truth value


@pytest.mark.parametrize("claim", ["eps", "eps / 2"])
def test_asserting_a_result_fails_whatever_it_is(define: Define, claim: str):
    result = quickly(define(MECHANISM + PROOF.replace('"eps"', f'"{claim}"')).phi)
    with pytest.raises(TypeError, match=r"write `check\(phi\).require\(\)`, or `assert check\(phi\).proved`"):
        assert result
    with pytest.raises(TypeError, match=f"a result is neither true nor false \\(this one is {result.verdict}\\)"):
        bool(result)


def test_what_is_proved_can_be_required(define: Define):
    result = quickly(define(MECHANISM + PROOF).phi)
    assert result.proved is True
    assert result.require() is result


def test_what_is_refuted_cannot_be_required(define: Define):
    result = quickly(define(LEAKS + PROOF).phi)
    assert result.proved is False
    with pytest.raises(UnprovedError, match="m / phi is refuted, not proved") as caught:
        result.require()
    assert caught.value.result is result
    assert caught.value.exit_code == 1
    assert isinstance(caught.value, AlignkitError)
    report = str(caught.value)
    for part in ("claim: eps-DP", "cost 2 > claim 1 (eps)", "confirmed by: exact replay", "reproduce in Python:"):
        assert part in report


def test_what_is_undecided_cannot_be_required(define: Define):
    # Private, but proofs do not cover powers of answers.
    powers = "return q + e + power(q, 17) - q * power(q, 16)"
    result = quickly(define(MECHANISM.replace("return q + e", powers) + PROOF).phi)
    assert result.verdict == "undecided"
    assert result.proved is False
    with pytest.raises(UnprovedError, match="m / phi is undecided, not proved") as caught:
        result.require()
    assert caught.value.exit_code == 3
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(("mechanism", "passes"), [(LEAKS, True), (MECHANISM, False)])
def test_what_is_expected_to_be_refuted(define: Define, mechanism: str, passes: bool):
    result = quickly(define(mechanism + PROOF.replace('"eps"', '"eps", expect="refuted"')).phi)
    if passes:
        assert result.require() is result
        assert not result.proved
    else:
        with pytest.raises(UnprovedError, match=re.escape("m / phi is proved, not refuted")):
            result.require()
