"""The sensitivity and the lattice stand beside the type in ``Annotated``: whoever passes them over proves what leaks.

Each program is right for answers that change by 1 on the whole numbers, and says in one spelling or another that they
change by 2, or lie on a finer lattice.
"""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from alignkit import LanguageError

MECHANISM = """
    {above}
    @mechanism
    def released(q: {kind}, eps: Epsilon, noise: Noise):
        e = noise.{draw}(1 / eps)
        return q + e


    @alignment(released, epsilon="eps")
    def phi(q, q_, H):
        return H.shift(e=q - q_)
"""

# What stands above the mechanism, and the annotation.
SENSITIVITY_TWO = {
    "in place": ("", "Annotated[Query, Sensitivity(2)]"),
    "with a lattice": ("", "Annotated[Query, Lattice(1), Sensitivity(2)]"),
    "alias": ("Double = Annotated[Query, Sensitivity(2)]", "Double"),
    "alias of an alias": ("Whole = Annotated[Query, Lattice(1)]; Double = Annotated[Whole, Sensitivity(2)]", "Double"),
    "text": ("", "'Annotated[Query, Sensitivity(2)]'"),
    "text inside": ("", "Annotated['Query', Sensitivity(2)]"),
    "alias named in a text": ("Double = Annotated[Query, Sensitivity(2)]", "'Double'"),
    "fraction": ("", "Annotated[Query, Sensitivity('3/2')]"),
    "call": ("", "Query(sensitivity=2)"),
}
if sys.version_info >= (3, 12):
    SENSITIVITY_TWO |= {
        "type statement": ("type Double = Annotated[Query, Sensitivity(2)]", "Double"),
        "beside a type statement": ("type Answer = Query", "Annotated[Answer, Sensitivity(2)]"),
    }


@pytest.mark.parametrize("postponed", [False, True], ids=["at once", "postponed"])
@pytest.mark.parametrize(("above", "kind"), SENSITIVITY_TWO.values(), ids=SENSITIVITY_TWO)
def test_a_sensitivity_of_two_is_not_proved_with_noise_for_one(define, refuted, above, kind, postponed):
    phi = define(MECHANISM.format(above=above, kind=kind, draw="laplace"), postponed=postponed).phi
    assert refuted(phi, "cost").counterexample.condition == "cost"


def test_a_sensitivity_of_one_is_proved(define, proved):
    proved(define(MECHANISM.format(above="", kind="Annotated[Query, Sensitivity(1)]", draw="laplace")).phi)


def test_a_sensitivity_that_is_a_parameter_is_not_taken_for_one(define, refuted):
    phi = define(
        MECHANISM.format(above="", kind="Annotated[Query, Sensitivity('delta')], delta: Positive", draw="laplace")
    ).phi
    assert refuted(phi, "cost").counterexample.witness.public["delta"] > 1


@pytest.mark.parametrize("kind", ["Annotated[Query, Lattice('1/2')]", "Annotated[Query, Lattice(0.5)]"])
def test_answers_on_a_finer_lattice_than_the_noise_are_not_proved(define, never_proved, kind):
    never_proved(define(MECHANISM.format(above="", kind=kind, draw="discrete_laplace")).phi, "valid_noise")


@pytest.mark.parametrize("kind", ["Annotated[Query, Lattice(1)]", "Annotated[Query, Lattice(1), Sensitivity(1)]"])
def test_answers_on_the_lattice_of_the_noise_are_proved(define, proved, kind):
    proved(define(MECHANISM.format(above="", kind=kind, draw="discrete_laplace")).phi)


OWN_CLASSES = {
    "an attribute": "class Double(Query):\n        sensitivity = 2",
    "an annotated attribute": "class Double(Query):\n        sensitivity: int = 2",
    "a method": "class Double(Query):\n        def __post_init__(self):\n            pass",
}


@pytest.mark.parametrize("kind", ["Double", "Double()", "Annotated[Double, Lattice(1)]"])
@pytest.mark.parametrize("above", OWN_CLASSES.values(), ids=OWN_CLASSES)
def test_a_class_made_from_a_type_is_not_taken_for_the_type(define, above, kind):
    """Of the sensitivity that it declares in its own way nothing would be known."""
    with pytest.raises(LanguageError, match="a class made from Query, which alignkit does not know") as caught:
        define(MECHANISM.format(above=above, kind=kind, draw="laplace"))
    assert "Double = Annotated[Query, Sensitivity(2)]" in caught.value.hint


def test_a_class_made_from_metadata_is_not_taken_for_it(define):
    above = "class Halved(Sensitivity):\n        def __post_init__(self):\n            pass"
    with pytest.raises(LanguageError, match="has the metadata Halved"):
        define(MECHANISM.format(above=above, kind="Annotated[Query, Halved(2)]", draw="laplace"))


INSIDE = """
    Answer = Query
    {head}
        {own}
        @mechanism
        def released(q: {kind}, eps: Epsilon, noise: Noise):
            e = noise.laplace(1 / eps)
            return q + e

        @alignment(released, epsilon="eps")
        def phi(q, q_, H):
            return H.shift(e=q - q_)

        {end}
    phi = {call}
"""
DOUBLE = "Annotated[Query, Sensitivity(2)]"
# A function or a class with an alias of its own that has the name of one of the module.
HIDING = {
    "a variable": ("def made():", f"Answer = {DOUBLE}", "return phi", "made()"),
    "a parameter": (f"def made(Answer={DOUBLE}):", "", "return phi", "made()"),
    "a loop": ("def made():", f"for Answer in [{DOUBLE}]: pass", "return phi", "made()"),
    "a class": ("class Made:", f"Answer = {DOUBLE}", "", "Made.phi"),
}


TEXTS = [("Answer", True), ("'Answer'", False), ("Annotated['Answer', Lattice(1)]", False)]


@pytest.mark.parametrize(("kind", "postponed"), TEXTS)
@pytest.mark.parametrize(("head", "own", "end", "call"), HIDING.values(), ids=HIDING)
def test_text_is_not_taken_for_the_alias_of_the_module_where_a_function_has_one(
    define, head, own, end, call, kind, postponed
):
    with pytest.raises(LanguageError, match="is evaluated in the module, but `Answer` is a local name of `") as caught:
        define(INSIDE.format(head=head, own=own, end=end, call=call, kind=kind), postponed=postponed)
    assert "define `Answer` at the top of the file" in caught.value.hint


def test_an_alias_of_a_function_is_its_own(define, refuted):
    head, own, end, call = HIDING["a variable"]
    refuted(define(INSIDE.format(head=head, own=own, end=end, call=call, kind="Answer")).phi, "cost")


def test_text_is_read_in_the_module_where_no_function_hides_its_names(define, proved):
    proved(define(INSIDE.format(head="def made():", own="", end="return phi", call="made()", kind="'Answer'")).phi)


@pytest.mark.parametrize("changed", ["q: Annotated[Query, Sensitivity(2)], q_", "q, q_: Annotated[Query, Lattice(1)]"])
def test_an_alignment_that_declares_another_type_is_not_passed_over(define, changed):
    source = MECHANISM.format(above="", kind="Query", draw="laplace")
    with pytest.raises(LanguageError, match=r"is declared as Query.*, and in the mechanism as Query"):
        define(source.replace("def phi(q, q_", f"def phi({changed}"))


@pytest.mark.parametrize("kind", ["Answer", "Query", "float", "'NoSuchName'"])
def test_an_alignment_may_declare_the_type_of_the_mechanism(define, proved, kind):
    source = MECHANISM.format(above="Answer = Annotated[Query, Lattice(1)]", kind="Answer", draw="discrete_laplace")
    proved(define(source.replace("def phi(q, q_", f"def phi(q: {kind}, q_: {kind}")).phi)


THEIRS = "from typing import Annotated; from alignkit import Lattice, Query, Sensitivity; "


@pytest.fixture
def theirs(monkeypatch):
    """Define another module, whose aliases a program imports."""

    def made(text: str) -> None:
        module = ModuleType("aliases_of_another_module")
        exec(THEIRS + text, module.__dict__)
        monkeypatch.setitem(sys.modules, module.__name__, module)

    return made


IMPORTED = {
    "text": ("Double = 'Base'", "from aliases_of_another_module import Double", "Double"),
    "an attribute": ("Double = 'Base'", "import aliases_of_another_module as theirs", "theirs.Double"),
    "text inside": ("Double = Annotated['Base', Lattice(1)]", "from aliases_of_another_module import Double", "Double"),
    "text of text": ("Double = 'Middle'", "from aliases_of_another_module import Double; Middle = 'Base'", "Double"),
    "beside its name": (
        "Double = 'Base'", "from aliases_of_another_module import Double", "Annotated[Double, Sensitivity('Base')]"
    ),
}  # fmt: skip


@pytest.mark.parametrize("postponed", [False, True], ids=["at once", "postponed"])
@pytest.mark.parametrize(("text", "imports", "kind"), IMPORTED.values(), ids=IMPORTED)
def test_text_in_an_alias_is_not_read(define, theirs, text, imports, kind, postponed):
    """Its names are those of the module that it was written in, and nothing tells which module that is."""
    theirs(f"Base = {DOUBLE}; {text}")
    with pytest.raises(LanguageError, match=r"is an alias with the text '(Base|Middle)' in it") as caught:
        define(MECHANISM.format(above=f"{imports}; Base = Query", kind=kind, draw="laplace"), postponed=postponed)
    assert "write the alias without quotes" in caught.value.hint


@pytest.mark.parametrize("postponed", [False, True], ids=["at once", "postponed"])
@pytest.mark.parametrize(
    "kind", ["'Double'", "Annotated['Double', Lattice( 1 )]", '"Annotated[\'Double\', Lattice(1)]"']
)
def test_text_in_the_annotation_itself_is_read(define, refuted, kind, postponed):
    source = MECHANISM.format(above=f"Double = {DOUBLE}", kind=kind, draw="laplace")
    refuted(define(source, postponed=postponed).phi, "cost")
