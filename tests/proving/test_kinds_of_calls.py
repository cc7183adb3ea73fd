"""A value of which a proof knows the kind alone may be whatever the call gives, on each of its paths."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial

from support.concrete_numbers import Numbers

from alignkit import Epsilon, Noise, Queries, Tag, mechanism
from alignkit.interpreting.exploring import Choices, explore
from alignkit.interpreting.values import Family
from alignkit.language.kinds import Kind, joined
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.runs.lemma_calls import Opaque, value_of_kind
from alignkit.proving.runs.path_trace import kind_given
from alignkit.proving.symbolic_inputs import unbounded
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import Unknown
from alignkit.symbolic.paths import Path
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


@mechanism
def one_draw(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield q[0] + e


N, K = (Term.of(Symbol(name, Role.PUBLIC, integer=True, positive=True)) for name in ("len(q)", "k"))
T, E = Term.of(Symbol("T", Role.PUBLIC)), Term.of(Symbol("e", Role.NOISE))


def q(i) -> Term:
    return Term.of(Element("q", Term.of(i), Role.PRIVATE))


TAGS = (Tag("LOW"), Tag("MIDDLE"), Tag("HIGH"))
ATOMS = (
    None, *TAGS, True, N.compare(">", K), T.compare("<", 1), 3, Fraction(1, 2), N, N - 2 * K, K * K, T, T + 1, N / 2,
    q(0) + E, Family(N, q), Family(N - 1, lambda i: i + K), Family(N, lambda i: TAGS[0]),
    Family(N, lambda i: (i, q(i))), Family(N, lambda i: q(i).compare(">", 0)),
)  # fmt: skip


def random_output(draw: random.Random, depth: int = 2):
    if depth and draw.random() < 0.4:
        return tuple(random_output(draw, depth - 1) for _ in range(draw.randint(0, 2)))
    return draw.choice(ATOMS)


def in_python(value, numbers: Numbers):
    """What Python has where the numbers are these."""
    if isinstance(value, Family):
        return [in_python(value.element(Term.of(i)), numbers) for i in numbers.listed(value)]
    if isinstance(value, tuple):
        return [in_python(part, numbers) for part in value]
    if isinstance(value, Term):
        return numbers.value(value)
    return value if value is None or isinstance(value, Tag | bool | int | Fraction) else numbers.hold(value)


def may_be(value, found) -> bool:
    """Whether a value of which a kind is known may be what Python has found."""
    if isinstance(value, Opaque):
        return True
    if isinstance(value, tuple):
        return isinstance(found, list) and len(value) == len(found) and all(map(may_be, value, found))
    if isinstance(value, Family):
        size = may_be(value.length, Fraction(len(found))) if isinstance(found, list) else False
        return size and all(may_be(value.element(Term.of(i)), item) for i, item in enumerate(found))
    if isinstance(value, Unknown):
        return isinstance(found, bool)
    if not isinstance(value, Term):
        return value is found
    if isinstance(found, bool) or not isinstance(found, int | Fraction):
        return False
    (atom,) = value.atoms()
    return (not atom.integer or found == int(found)) and (not atom.positive or found > 0)


def given_on_a_path(kind: Kind, choices: Choices):
    return value_of_kind(kind, "f()", [*TAGS], lambda asked: choices.choose(2) == 0)


def test_a_value_of_a_kind_may_be_each_value_that_shows_it():
    """A call may take several paths; what it is taken to give on all of them may be what it gives on any."""
    draw = random.Random(9)
    facts = Facts(Path(Choices()), unbounded(one_draw, Adjacency.EACH), lambda: None)
    for _ in range(400):
        ways = [random_output(draw) for _ in range(draw.randint(1, 3))]
        kind = joined(kind_given(facts, way) for way in ways)
        n = draw.randint(1, 4)
        answers = [Fraction(draw.randint(-6, 6), 2) for _ in range(n)]
        single = {"len(q)": n, "k": draw.randint(1, 4), "T": draw.choice((0, Fraction(1, 2))), "e": Fraction(1, 3)}
        numbers = Numbers(draw, {"q": answers}, single)
        possible = list(explore(partial(given_on_a_path, kind)))
        for way in ways:
            assert any(may_be(value, in_python(way, numbers)) for value in possible), (way, kind)
