"""The sensitivity and the lattice stand beside the type in ``Annotated``: whoever passes them over proves what leaks.

Each program is right for answers that change by 1 on the whole numbers, and says in one spelling or another that they
change by 2, or lie on a finer lattice.
"""

from __future__ import annotations

import sys

import pytest

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
    "alias of a text": ("Double = 'Annotated[Query, Sensitivity(2)]'", "Double"),
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
    assert refuted(phi, "cost").counterexample.parameters["delta"] > 1


@pytest.mark.parametrize("kind", ["Annotated[Query, Lattice('1/2')]", "Annotated[Query, Lattice(0.5)]"])
def test_answers_on_a_finer_lattice_than_the_noise_are_not_proved(define, never_proved, kind):
    never_proved(define(MECHANISM.format(above="", kind=kind, draw="discrete_laplace")).phi, "valid_noise")


@pytest.mark.parametrize("kind", ["Annotated[Query, Lattice(1)]", "Annotated[Query, Lattice(1), Sensitivity(1)]"])
def test_answers_on_the_lattice_of_the_noise_are_proved(define, proved, kind):
    proved(define(MECHANISM.format(above="", kind=kind, draw="discrete_laplace")).phi)
