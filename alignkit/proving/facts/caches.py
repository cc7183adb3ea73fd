"""What the paths of one check have in common: pure values, worked out once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from alignkit.proving.facts.instances import Instances
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


@dataclass
class Caches:
    """The caches of one check.

    ``hypotheses`` maps what hypotheses were gathered from to the formulas that came of it. ``adjacent`` maps inputs, a
    vector's name and an index to what adjacency says of the answer there.
    """

    hypotheses: dict[Hashable, tuple[Any, ...]] = field(default_factory=dict)
    instances: Instances = field(default_factory=Instances)
    adjacent: dict[tuple[Inputs, str, str], list[Any]] = field(default_factory=dict)

    def adjacency(self, inputs: Inputs, formulas: list[Any]) -> list[Any]:
        """What adjacency says of the answers that formulas mention."""
        if inputs.bounded:
            return []
        names = {n for n, kind in inputs.mechanism.private.items() if kind.vector}
        pairs: dict[tuple[str, str], Term] = {}
        for formula in formulas:
            for element in self.instances.elements(formula):
                if element.role is Role.PRIVATE:
                    base = element.array if element.array in names else element.array.removesuffix("'")
                    pairs[base, element.index.key] = element.index
        facts = []
        for (name, key), index in pairs.items():
            about = (inputs, name, key)
            if about not in self.adjacent:
                self.adjacent[about] = inputs.adjacent(name, index, *inputs.element_pair(name, index))
            facts += self.adjacent[about]
        return [f for f in facts if f is not True]
