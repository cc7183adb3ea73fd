"""What is stated of exponentials in weights holds of all numbers: the schema of finite choices, on random ones."""

import math
import random
from fractions import Fraction

from alignkit.proving.conditions.finite_choices import _exponentials
from alignkit.symbolic.atoms import Special, Symbol
from alignkit.symbolic.substitution import holds
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


def test_exponentials_in_weights():
    u, u_ = (Term.of(Symbol(name, Role.PRIVATE)) for name in ("u", "u'"))
    eps = Term.of(Symbol("eps", Role.PUBLIC, positive=True))
    stated = list(_exponentials([(eps * u).exp() + 1], [(eps * u_).exp() + 1], eps))
    assert len(stated) == 2
    source = random.Random(0)
    for _ in range(300):
        values = {"u": source.randint(-4, 4), "u'": source.randint(-4, 4), "eps": Fraction(source.randint(1, 5), 2)}

        def lookup(atom, values=values):
            if isinstance(atom, Special):
                exponent = sum(
                    coefficient * math.prod(values[a.name] ** n for a, n in monomial)
                    for monomial, coefficient in atom.of.parts.items()
                )
                return Fraction(2) ** (2 * exponent)  # exact, and the schema holds of any base above 1
            return Fraction(values[atom.name])

        assert all(holds(fact, lookup) for fact in stated)
