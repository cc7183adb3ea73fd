"""Laws by brute force: the user's own function on every noise vector of a box, at concrete bases."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from alignkit.laws.computing import canonical_output
from alignkit.noise import CHOICE, Noise
from alignkit.running.mechanism_decorator import Mechanism


class Tape(Noise):
    """Hands out given whole numbers as noise, and multiplies their probabilities up."""

    def __init__(self, steps: tuple[int, ...], bases: Mapping[Any, Fraction]) -> None:
        self.steps = list(steps)
        self.bases = bases
        self.probability = Fraction(1)

    def draw(self, distribution: Any, *parameters: Any) -> Any:
        if distribution is CHOICE:
            (weights,) = parameters
            index = self.steps.pop(0)
            whole = sum(weights)
            self.probability *= Fraction(weights[index]) / whole if 0 <= index < len(weights) else 0
            return index if 0 <= index < len(weights) else 0
        rate, lattice = distribution.bind(*parameters)
        base = self.bases[rate * lattice]
        x = self.steps.pop(0)
        one_sided = distribution.support.one_sided
        if one_sided and x < 0:
            self.probability *= 0
        self.probability *= base ** abs(x) * (1 - base) / (1 if one_sided else 1 + base)
        return x * lattice


def box(mechanism: Mechanism, values: Mapping[str, Any], draws: int, reach: int, bases: Mapping[Any, Fraction]) -> Any:
    """The probability of each output with all noise in [-reach, reach], and the probability that it is not.

    ``bases`` says, for each rate times lattice that is drawn from, how likely a step is; each noise vector has
    ``draws`` coordinates, of which a run may leave some.
    """
    found: dict[Any, Fraction] = {}
    done: set[tuple[int, ...]] = set()
    for steps in itertools.product(range(-reach, reach + 1), repeat=draws):
        tape = Tape(steps, bases)
        output = mechanism.exact(**values, **{mechanism.noise_name: tape})
        output = list(output) if mechanism.program.is_generator else output
        used = steps[: draws - len(tape.steps)]
        if used in done:
            continue
        done.add(used)
        key = canonical_output(output)
        found[key] = found.get(key, Fraction(0)) + tape.probability
    return found, 1 - sum(found.values())
