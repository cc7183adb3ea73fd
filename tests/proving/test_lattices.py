"""What is said to be a multiple of the lattice is one, whatever the numbers are."""

import re
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from support.pages import section

from alignkit import check, load
from alignkit.proving.conditions.valid_noise import Lattices, plainly_multiple
from alignkit.results import Verdict
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.substitution import evaluate
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

GAMMA = Symbol("gamma", Role.PUBLIC, positive=True)
COUNT = Symbol("k", Role.PUBLIC, integer=True, positive=True)
T, EPS = Symbol("T", Role.PUBLIC), Symbol("eps", Role.PUBLIC, positive=True)
FREE = Symbol("x", Role.PUBLIC)
INDEX = Term.of(Symbol("i", Role.INDEX, integer=True))
ANSWER, ANSWER_ = Element("q", INDEX, Role.PRIVATE), Element("q'", INDEX, Role.PRIVATE)
SINGLE = Symbol("e", Role.NOISE)
MANY = Element("eta", INDEX, Role.NOISE)
LOOSE = Symbol("f", Role.NOISE)

KNOWN = Lattices(
    {"T": Term.of(GAMMA), "q": Term.of(GAMMA), "q'": Term.of(GAMMA)},
    {SINGLE.key: Term.of(GAMMA), "eta[]": Term.of(GAMMA)},
)
ON_LATTICE = (GAMMA, T, ANSWER, ANSWER_, SINGLE, MANY)
ATOMS = (*ON_LATTICE, COUNT, EPS, FREE, LOOSE)

factors = st.sampled_from([Fraction(n, d) for n in (-3, -2, -1, 1, 2, 3) for d in (1, 1, 1, 2)])
products = st.builds(
    lambda factor, atoms, divisor: _product(factor, atoms, divisor),
    factors,
    st.lists(st.sampled_from((*ON_LATTICE, *ON_LATTICE, *ATOMS)), min_size=1, max_size=2),
    st.sampled_from([None] * 15 + [*ATOMS]),
)  # fmt: skip


def _product(factor, atoms, divisor):
    term = Term.of(factor)
    for atom in atoms:
        term = term * Term.of(atom)
    return term if divisor is None else term / Term.of(divisor)


@st.composite
def terms(draw, depth=2):
    term = draw(products)
    for _ in range(draw(st.integers(0, 2))):
        term = term + draw(products)
    if depth and draw(st.booleans()):
        asked = (Term.of(draw(st.sampled_from(ATOMS))) - draw(st.integers(-2, 2))).compare(">=", 0)
        other = draw(terms(depth - 1))
        if not isinstance(asked, bool):
            term = asked.choose(term, other) + draw(products)
    return term


whole = st.integers(-5, 5).filter(bool)


@given(term=terms(), gamma=st.fractions(Fraction(1, 5), 4, max_denominator=7), data=st.data())
@settings(max_examples=600, deadline=None)
def test_what_is_said_to_be_a_multiple_is_one(term, gamma, data):
    if not plainly_multiple(term, Term.of(GAMMA), KNOWN):
        return
    values = {atom: gamma * data.draw(whole) for atom in ON_LATTICE} | {GAMMA: gamma}
    values |= {COUNT: Fraction(data.draw(st.integers(1, 5)))}
    values |= {atom: data.draw(st.fractions(Fraction(1, 9), 3, max_denominator=9)) for atom in (EPS, FREE, LOOSE)}
    assert evaluate(term, lambda atom: values[atom]) % gamma == 0


@given(data=st.data(), gamma=st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3)]))
@settings(max_examples=200, deadline=None)
def test_what_is_said_to_be_a_multiple_of_a_number_is_one(data, gamma):
    known = Lattices({"T": Term.of(gamma), "q": Term.of(2 * gamma)}, {SINGLE.key: Term.of(gamma)})
    term = data.draw(terms())
    if not plainly_multiple(term, Term.of(gamma), known):
        return
    values = {atom: data.draw(st.fractions(Fraction(1, 9), 3, max_denominator=9)) for atom in ATOMS}
    values |= {T: gamma * data.draw(whole), SINGLE: gamma * data.draw(whole), ANSWER: 2 * gamma * data.draw(whole)}
    values |= {COUNT: Fraction(data.draw(st.integers(1, 5)))}
    assert evaluate(term, lambda atom: values[atom]) % gamma == 0


def test_the_example_of_the_page_is_proved(tmp_path):
    [example] = re.findall(r"```python\n(.*?)```", section("number_models.md", "## Discrete noise"), re.DOTALL)
    (tmp_path / "release.py").write_text(example, encoding="utf-8")
    result = check(load(f"{tmp_path / 'release.py'}::phi"))
    assert (result.verdict, result.number_model, result.base) == (Verdict.PROVED, "lattice", 2)
    assert result.scope == {"delta": "all", "gamma": "all", "eta": "all"}


def test_sums_of_multiples_are_recognised():
    gamma, k = Term.of(GAMMA), Term.of(COUNT)
    for term in (
        Term.of(ANSWER) - ANSWER_, 2 * gamma, k * gamma, gamma * k * k, Term.of(T) + SINGLE - MANY, Term.of(0),
        (Term.of(T) - 1).compare(">=", 0).choose(Term.of(T), 3 * gamma) + ANSWER,
    ):  # fmt: skip
        assert plainly_multiple(term, gamma, KNOWN)
    for term in (
        gamma / 2, Term.of(1), k, gamma * gamma, gamma * EPS, Term.of(T) * ANSWER, gamma / k, Term.of(FREE),
        Term.of(LOOSE), Term.of(T) / gamma, (Term.of(ANSWER) - ANSWER_) / 2,
    ):  # fmt: skip
        assert not plainly_multiple(term, gamma, KNOWN)
