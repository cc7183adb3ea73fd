"""A run on the mechanism with its noise unknown, for its law."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import NoisyNumber
from alignkit.arithmetic.rational_functions import add_all
from alignkit.errors import Unsupported
from alignkit.interpreting.context import Context
from alignkit.interpreting.values import Coordinate
from alignkit.language.program import Builtin, Place
from alignkit.laws.lattice_paths import LatticeDraw, LatticePath
from alignkit.laws.open_parameters import Bases, Rate, known_power
from alignkit.noise import CHOICE, Bits, Distribution
from alignkit.running.mechanism_decorator import Mechanism


class LawContext(Context):
    """Noise on a lattice is an unknown integer; a finite choice goes another way on each path."""

    counts_on = False

    def __init__(self, mechanism: Mechanism, path: LatticePath, bases: Bases) -> None:
        super().__init__(mechanism.keys)
        self.path = path
        self.bases = bases

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        if distribution is CHOICE:
            return self.choice(arguments[0])
        if not distribution.geometric_steps:
            raise Unsupported(f"{distribution.title} noise: laws are computed only for noise on a lattice", place)
        first, spacing = (_known(x) for x in arguments)
        if not isinstance(spacing, int | Fraction):
            raise Unsupported(f"the lattice of {where} is left open; give it a value", place)
        unit = distribution.base or "e"
        rate = distribution.cost(1, first, spacing)
        if isinstance(rate, int | Fraction | Bits):
            step = self.bases.one() * known_power(unit, -rate * spacing)
        elif isinstance(rate, Rate):
            step = (rate * -spacing).raised(unit)
        else:
            problem = "does not depend on a privacy parameter in a form that laws cover"
            raise Unsupported(f"the scale of {where} {problem}", place)
        one_sided = distribution.support.one_sided
        masses = self.path.masses.setdefault((one_sided, step.form), {})
        return self.path.draw(LatticeDraw(str(where), one_sided, step, masses), Fraction(spacing))

    def choice(self, weights: tuple[Any, ...]) -> int:
        """An index, with probability its weight over the sum of the weights."""
        ratios = [self.bases.one() * _known(w) for w in weights]
        possible = [i for i, weight in enumerate(ratios) if not weight.is_zero]
        index = possible[self.path.choices.choose(len(possible)) if len(possible) > 1 else 0]
        self.path.weigh(ratios[index] / add_all(ratios))
        return index

    def number(self, value: Any) -> Any:
        return _known(value)

    def special(self, function: str, value: Any) -> Any:
        number = _known(value)
        if function in _UNITS and isinstance(number, int | Fraction | Bits):
            return known_power(_UNITS[function], number)
        result = super().special(function, number)
        if isinstance(result, float):
            raise Unsupported(f"{function} of {number} is not rational")
        return result

    def largest(self, family: Any, k: Any, node: Builtin) -> Any:
        if not isinstance(family, tuple) or not isinstance(k, int):
            raise self.unsupported("largest(values, k), unless k and the length of the list are fixed", node.place)
        if all(isinstance(x, NoisyNumber | int | Fraction) for x in family):
            return self.path.select_largest([self.path.lift(0) + x for x in family], k)
        left = list(range(len(family)))
        chosen = []
        for _ in range(k):
            best = left[0]
            for other in left[1:]:
                # A tie goes to the lower index, which is the one that was looked at before.
                best = other if _greater(family[other], family[best]) else best
            left.remove(best)
            chosen.append(best)
        return tuple(chosen)


def _greater(one: Any, other: Any) -> bool:
    if hasattr(one, "compare"):
        return bool(one.compare(">", other))
    return bool(other.compare("<", one)) if hasattr(other, "compare") else bool(one > other)


def _known(value: Any) -> Any:
    """A number without what stands for noise or a parameter, where it is a plain one after all."""
    if isinstance(value, NoisyNumber):
        value = value.path.concrete(value)
    if isinstance(value, Rate) and value.known is not None:
        return value.known
    if isinstance(value, float):
        raise Unsupported(f"{value!r} is not an exact number")
    return value


_UNITS = {"exp2": 2, "exp": "e"}
