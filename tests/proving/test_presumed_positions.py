"""What a proof presumes of a list that is read at positions made of several numbers, held against these numbers."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest
from support.examples import examples

from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.symbolic.substitution import evaluate, holds
from alignkit.symbolic.terms import roles
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver

PROGRAM = """
@mechanism
def read(q: Queries, R: Reals, w: Count, k: Count, eps: Epsilon, noise: Noise):
    g = [noise.gumbel(2 / eps) for x in q]
    (best,) = largest([x + y for x, y in zip(q, g)], 1)
    return best, [sum(R[{index}] for j in range({items}) {filter}) for i in range({rows})]

@alignment(read, epsilon="eps")
def phi(q, q_, omega, H):
    best, sums = omega
    return H.shift(g=[1 + q[i] - q_[i] if i == best else 0 for i in range(len(q))])
"""
NUMBERS = ("i", "j", "best", "i", "j", "best", "w", "k", "len(q)", "2")
LENGTHS = ("w", "k", "len(q)")
FILTERS = ("", "", "if j < i", "if j <= best", "if i + j < k")


def _product(source):
    factors = [source.choice(NUMBERS) for _ in range(source.choice((1, 1, 2)))]
    return " * ".join(factors)


def _index(source):
    terms = [source.choice((" + ", " + ", " + ", " - ")) + _product(source) for _ in range(source.randrange(3))]
    index = _product(source) + "".join(terms)
    return f"({index}) % {source.choice(LENGTHS)}" if source.random() < 0.2 else index


def _value(numbers):
    def value(atom):
        if atom.kind == "remainder":
            return evaluate(atom.of, value) % evaluate(atom.divisor, value)
        return Fraction(numbers[atom.name])

    return value


def _outside(parts, sizes, most):
    """Numbers at which a program reads beyond the list although what is presumed holds; None where there are none."""
    index, items, condition, rows, presumed = parts
    for n, w, k in itertools.product(sizes, repeat=3):
        for length in range(most):
            numbers = {"len(q)": n, "len(R)": length, "w": w, "k": k, "eps": 1}
            if not all(holds(each.formula, _value(numbers)) for each in presumed):
                continue
            known = {"q": [0] * n, "w": w, "k": k}
            for i, best in itertools.product(range(eval(rows, known)), range(n)):
                for j in range(eval(items, known)):
                    here = known | {"i": i, "j": j, "best": best}
                    if (not condition or eval(condition[3:], here)) and not 0 <= eval(index, here) < length:
                        return numbers | {"i": i, "j": j, "best": best}
    return None


@pytest.mark.parametrize("seed", range(examples(2, 6)))
def test_what_is_presumed_is_public_and_suffices(seed, define):
    source = random.Random(seed)
    proved = 0
    for _ in range(8):
        index, items, condition, rows = (
            _index(source), source.choice(LENGTHS), source.choice(FILTERS), source.choice(LENGTHS)
        )
        phi = define(PROGRAM.format(index=index, items=items, filter=condition, rows=rows)).phi
        proof = prove(phi, Decider(Z3Solver.of_one_check(), 60), range(1000))
        assert all(roles(each.formula) <= {Role.PUBLIC} for each in proof.presumed)
        if proof.complete:
            proved += 1
            assert _outside((index, items, condition, rows, proof.presumed), (1, 2, 3), 24) is None, index
    assert proved >= 3
