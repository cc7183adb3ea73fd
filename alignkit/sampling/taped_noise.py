"""Noise that is kept, so that the run that drew it can be made again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from alignkit.noise import CHOICE, Distribution, RandomNoise


class TapedNoise(RandomNoise):
    """Noise at random, of which every value is kept; once ``rewound``, draws give these values before new ones.

    Each value is kept with whether its scale is in it.
    """

    def __init__(self, seed: Any) -> None:
        super().__init__(seed)
        self.tape: deque[tuple[Any, bool]] = deque()
        self.rewound = False

    def draw(self, distribution: Distribution, *parameters: Any) -> Any:
        if self.rewound and self.tape:
            value, scaled = self.tape.popleft()
            return value if scaled else self.scale(distribution, *parameters) * value
        value = super().draw(distribution, *parameters)
        if distribution is CHOICE and not self.rewound:
            self.tape.append((value, True))
        return value

    def standard(self, distribution: Distribution) -> Callable[[], float]:
        return self._kept(super().standard(distribution), scaled=False)

    def on_lattice(self, distribution: Distribution, *parameters: Any) -> Callable[[], Any]:
        return self._kept(super().on_lattice(distribution, *parameters), scaled=True)

    def many(self, name: str, count: int, *parameters: Any) -> list[Any]:
        values = super().many(name, count, *parameters)
        self.tape.extend((value, True) for value in values)
        return values

    def _kept(self, drawing: Callable[[], Any], *, scaled: bool) -> Callable[[], Any]:
        def keep() -> Any:
            value = drawing()
            self.tape.append((value, scaled))
            return value

        return drawing if self.rewound else keep
