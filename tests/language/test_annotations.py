"""What stands beside a parameter's type: the same mechanism as by a call, and clear errors for what does not fit."""

from __future__ import annotations

import re
import sys
from fractions import Fraction

import pytest

import alignkit
from alignkit import InputError, LanguageError, Lattice, Queries, Sensitivity

SAME = [
    ("Annotated[Queries, Sensitivity(2)]", "Queries(sensitivity=2)"),
    ("Annotated[Queries, Sensitivity(0.5), Lattice('1/4')]", "Queries(sensitivity=0.5, lattice='1/4')"),
    ("Annotated[Queries, Lattice('gamma'), Sensitivity('delta')]", "Queries(sensitivity='delta', lattice='gamma')"),
    ("Annotated[Annotated[Query, Lattice(1)], Sensitivity(3)]", "Query(sensitivity=3, lattice=1)"),
    ("Counts", "Queries(lattice=1)"),
    ("Doubled", "Queries(sensitivity=2, lattice=1)"),
]


@pytest.mark.parametrize("postponed", [False, True], ids=["at once", "postponed"])
@pytest.mark.parametrize(("annotated", "call"), SAME)
def test_the_mechanism_is_the_same_as_by_a_call(define, annotated, call, postponed):
    module = define(
        f"""
        Counts = Annotated[Queries, Lattice(1)]
        Doubled = Annotated[Counts, Sensitivity(2)]

        @mechanism
        def one(q: {annotated}, delta: Positive, gamma: Positive, noise: Noise):
            e = noise.discrete_laplace(1)
            return q, e

        @mechanism
        def other(q: {call}, delta: Positive, gamma: Positive, noise: Noise):
            e = noise.discrete_laplace(1)
            return q, e
        """,
        postponed=postponed,
    )
    one, other = module.one, module.other
    assert one.parameters == other.parameters
    assert [repr(kind) for kind in one.parameters.values()] == [repr(kind) for kind in other.parameters.values()]


def test_public_parameters_have_a_lattice(define):
    m = define("""
        @mechanism
        def m(q: Annotated[Query, Lattice(1)], T: Annotated[Real, Lattice(1)], G: Annotated[Reals, Lattice(2)],
              w: Annotated[Positive, Lattice("1/2")], noise: Noise):
            e = noise.discrete_laplace(1)
            return q + e + T
    """).m
    assert m.domain.lattices == {"q": 1, "T": 1, "G": 2, "w": Fraction(1, 2)}
    with pytest.raises(InputError, match="T must be a multiple of 1, not 1/2"):
        m.sample(3, T=0.5, G=[2], w=1)


def test_a_type_alias_that_is_a_statement(define):
    if sys.version_info < (3, 12):
        with pytest.raises(SyntaxError):
            define("type Counts = Annotated[Queries, Lattice(1)]\n")
        return
    m = define("""
        type Counts = Annotated[Queries, Lattice(1)]
        @mechanism
        def m(q: Counts, noise: Noise):
            e = noise.discrete_laplace(1)
            return q[0] + e
    """).m
    assert m.private["q"] == Queries(lattice=1)


REFUSED = [
    ("q: Annotated[Queries, 2]", "has the metadata 2, which", "write q: Annotated[Queries, Sensitivity(2)], or q: Q"),
    ("q: Annotated[Queries, 'counts']", "has the metadata 'counts'", "or q: Queries"),
    ("q: Annotated[Queries, Sensitivity]", "has the metadata Sensitivity, which", "Sensitivity(2)"),
    ("q: Query, k: Annotated[Real, Count]", "has the metadata Count", "write k: Annotated[Real, Lattice(1)]"),
    ("q: Annotated[Queries, Sensitivity(1), Sensitivity(2)]", "two sensitivities, Sensitivity(1) and Sensitivity(2)",
     "give one"),
    ("q: Annotated[Annotated[Queries, Lattice(1)], Lattice(1)]", "two lattices", "an alias"),
    ("q: Query, T: Annotated[Real, Sensitivity(1)]", "`T` is a Real, which is public", "leave Sensitivity(1) out"),
    ("q: Query, eps: Annotated[Epsilon, Sensitivity(1)]", "`eps` is an Epsilon, which is public", "if eps is private"),
    ("q: Query, k: Annotated[Count, Lattice(1)]", "Count has no lattice", "write k: Count"),
    ("q: Annotated[list, Sensitivity(1)]", "is Annotated[list, …], and alignkit does not know the type list",
     "write q: Annotated[Queries, …]"),
    ("q: Annotated[float, 1]", "does not know the type float", "use Queries, Query"),
    ("q: Annotated[Queries(sensitivity=2), Lattice(1)]", "has the type Queries(…) inside Annotated",
     "write q: Annotated[Queries, Sensitivity(2), Lattice(1)]"),
    ("q: Annotated[Queries(sensitivity=2), Sensitivity(2)]", "has the type Queries(…) inside Annotated",
     "write q: Annotated[Queries, Sensitivity(2)]"),
    ("q: Query, x: Annotated[Noise, Lattice(1)]", "`x` is noise", "write x: Noise"),
    ("q: Sensitivity(2)", "has the type Sensitivity(2), which stands beside a type",
     "write q: Annotated[Queries, Sensitivity(2)]"),
    ("q: Annotated[Queries, Sensitivity('d')]", "the sensitivity of `q` is 'd'", "name a public parameter of type Pos"),
    ("q: Annotated[Query, Lattice(2)]", "need not be a multiple of its lattice", "Annotated[Positive, Lattice(2)]"),
    ("q: 'Annotated[Queries, Sensitivity(0)]'", "sensitivity must be above 0, not 0", "change it in Annotated[Queries"),
    ("q: 'Anotated[Queries, Sensitivity(1)]'", "name 'Anotated' is not defined", "at the top of the file"),
    ("q: Itself", "Itself is defined by itself", "write Queries"),
]  # fmt: skip


@pytest.mark.parametrize(("signature", "problem", "hint"), REFUSED, ids=[r[0] for r in REFUSED])
def test_what_is_refused(define, signature, problem, hint):
    with pytest.raises(LanguageError) as caught:
        define(f"Itself = 'Itself'\n@mechanism\ndef m({signature}, noise: Noise):\n    return q\n")
    assert problem in caught.value.problem
    assert hint in caught.value.hint
    assert caught.value.line == 4  # below the prelude
    last = re.findall(r"\w+: ", signature)[-1]
    assert caught.value.column == caught.value.source.index(last)


def test_annotated_is_to_be_imported(define):
    with pytest.raises(LanguageError, match="name 'Annotated' is not defined") as caught:
        define(
            "from __future__ import annotations\nfrom alignkit import *\n@mechanism\n"
            "def m(q: Annotated[Queries, Lattice(1)], noise: Noise):\n    return q\n",
            prelude=False,
        )
    assert caught.value.hint == "write `from typing import Annotated` at the top of the file"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Sensitivity(0), "sensitivity must be above 0, not 0"),
        (lambda: Sensitivity(-1), "sensitivity must be above 0, not -1"),
        (lambda: Sensitivity("2 + delta"), "or the name of a public parameter, not '2 + delta'"),
        (lambda: Lattice("2 * delta"), "or the name of a public parameter, not '2 * delta'"),
        (lambda: Sensitivity(True), "sensitivity must be a number, not True"),
        (lambda: Sensitivity(None), "sensitivity must be a number"),
        (lambda: Lattice(0), "lattice must be above 0, not 0"),
        (lambda: Lattice("x y"), "or the name of a public parameter, not 'x y'"),
        (lambda: Lattice(float("nan")), "lattice must be a finite number"),
        (lambda: Lattice(None), "lattice must be a number"),
    ],
)
def test_values_that_are_refused(make, words):
    with pytest.raises(InputError) as caught:
        make()
    assert words in str(caught.value)


def test_metadata_are_values():
    assert Sensitivity(0.5) == Sensitivity("1/2") == Sensitivity(Fraction(1, 2))
    assert hash(Lattice(1)) == hash(Lattice("1"))
    assert {"Sensitivity", "Lattice"} <= set(alignkit.__all__)
    with pytest.raises(AttributeError):
        Lattice(1).value = 2


def test_an_annotated_assignment_is_an_assignment(define):
    """The annotation is for type checkers alone: it is not evaluated, and the program is the same without it."""
    module = define("""
        @mechanism
        def m(q: Queries, eps: Epsilon, noise: Noise):
            eta: NoSuchName = noise.laplace(1 / eps)
            total: Literal[0.1] = 0
            for q_i in q:
                e_i: "float" = noise.laplace(1 / eps)
                total: float = total + q_i
                yield total + e_i + eta
    """)
    plain = define("""
        @mechanism
        def m(q: Queries, eps: Epsilon, noise: Noise):
            eta = noise.laplace(1 / eps)
            total = 0
            for q_i in q:
                e_i = noise.laplace(1 / eps)
                total = total + q_i
                yield total + e_i + eta
    """)
    assert module.m.digest == plain.m.digest
    assert [draw.key for draw in module.m.draws] == ["eta", "e_i"]
    assert module.m.replay([1, 2], {"eta": 1, "e_i": [0, 3]}, eps=1) == [2, 7]
    assert module.m.sample([1, 2], eps=1, seed=1) == plain.m.sample([1, 2], eps=1, seed=1)


def test_an_annotated_alignment_is_the_same(define):
    module = define("""
        @mechanism
        def m(q: Query, eps: Epsilon, noise: Noise) -> float:
            e = noise.laplace(1 / eps)
            return q + e

        @alignment(m, epsilon="eps")
        def phi(q: float, q_: "NoSuchName", omega: float, H: object) -> object:
            d: float = q - q_
            return H.shift(e=d)
    """)
    assert module.phi.replay(0, 1, eps=1, H={"e": 3}).cost == 1


# Annotations that are another function's


WRAPS = """
    import functools

    def inner(q: Queries{sensitivity}, noise: Noise{more}):
        return 0

    @mechanism
    @functools.wraps(inner)
    def m(q: Queries, noise: Noise, eps: Epsilon = 2):
        e = noise.laplace(1 / eps)
        return q[0] + e
"""


@pytest.mark.parametrize("postponed", [False, True], ids=["at once", "postponed"])
@pytest.mark.parametrize(
    ("more", "sensitivity", "name"),
    [(", eps: Epsilon = 1, T: Real = 5", "", "T"), ("", "", "eps"), (", eps: Epsilon = 1", "(sensitivity=2)", "q")],
)
def test_annotations_that_were_copied_from_another_function_are_refused(define, postponed, more, sensitivity, name):
    with pytest.raises(LanguageError, match=r"functools\.wraps copies annotations|with the text 'Queries\(") as problem:
        define(WRAPS.format(more=more, sensitivity=sensitivity), postponed=postponed)
    assert f"`{name}`" in problem.value.problem


def test_defaults_are_those_of_the_function_that_runs(define):
    m = define(WRAPS.format(more=", eps: Epsilon = 1", sensitivity="")).m
    assert m.defaults == {"eps": 2}
