"""What a proof adds up of logarithms, held against exact products."""

from __future__ import annotations

import math
import random
from fractions import Fraction

from support.concrete_numbers import Numbers

from alignkit.proving.conditions.one_to_one.by_pieces import log_facts
from alignkit.symbolic.atoms import Special, Symbol
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

T = Term.of(Symbol("T", Role.PUBLIC))


def exact_log(number: Fraction) -> Fraction:
    """Near the logarithm, and additive: a product that is 1 has logarithms that add up to 0."""
    total = Fraction(0)
    for part, sign in ((number.numerator, 1), (number.denominator, -1)):
        prime = 2
        while part > 1:
            while part % prime == 0:
                part //= prime
                total += sign * Fraction(math.log(prime))
            prime += 1
    return total


def test_sums_of_logarithms_have_the_signs_of_products():
    """Nothing is said where an argument is not above 0."""
    draw = random.Random(10)
    x, y, z = (Term.of(Symbol(name, Role.PUBLIC)) for name in "xyz")
    arguments = [x, x * y, abs(y), z + 1, 1 / z, Term.of(2), Term.of(3) / 4]
    said = 0
    for _ in range(300):
        chosen = draw.sample(arguments, draw.randint(1, 3))
        term = sum((draw.choice((-3, -2, -1, 1, 2, 9, Fraction(1, 2))) * each.log() for each in chosen), T)
        others = (Term.of(0), x.log() * T, x.log() * y.log())
        known = [fact for fact in log_facts(term + draw.choice(others)) if fact is not True]
        for _ in range(10):
            single = {name: Fraction(draw.randint(-2, 6), draw.randint(1, 6)) for name in "xyz"}
            single["z"] = single["z"] or Fraction(1)
            numbers = Numbers(draw, {}, single)
            for atom in dict.fromkeys(a for fact in known for a in fact.within if isinstance(a, Special)):
                inside = numbers.value(atom.of)
                numbers.single[atom.key] = exact_log(inside) if inside > 0 else draw.randint(-9, 9)
            assert [fact for fact in known if not numbers.hold(fact)] == []
            said += len(known)
    assert said > 1_000
