"""What an alignment consists of: its program as it was read, its claim, and the mechanism it is for."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.language.current import ensure_current
from alignkit.language.program import Expression, NoiseValue, walk
from alignkit.running.adjacency import Adjacency
from alignkit.running.digests import digest
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.running.module_members import members
from alignkit.running.read_functions import ReadFunction

# Under monotone adjacency, an alignment's parameter that says in which direction the answers change.
DIRECTION = "direction"
# The name, in invariants, of the cost of the shifts so far.
PRIVACY_COST = "privacy_cost"
# The number of iterations that are over, in an invariant; a local variable of this name takes precedence.
ROUNDS_OVER = "rounds"


@dataclass(frozen=True, eq=False)
class AlignmentProgram(ReadFunction):
    """An alignment as it was read, with its claim: what runs, proofs and searches need to know of it."""

    mechanism: MechanismProgram
    claim: str
    claim_expression: Expression = field(repr=False)
    base: int | None
    ex_post: bool
    adjacency: Adjacency
    adaptive: bool
    expect: str
    invariants: tuple[tuple[str, Expression], ...] = field(repr=False)
    by_name: bool = field(repr=False)  # whether the mechanism's name stood for the mechanism when this was made
    lemmas: tuple[AlignmentProgram, ...] = field(default=(), repr=False)
    home: Mapping[str, Any] = field(default_factory=dict, repr=False)  # the names of the module that made this
    delta: str | None = None  # the probability with which a limit may be broken; None where the claim is pure
    delta_expression: Expression | None = field(default=None, repr=False)

    @property
    def dotted_name(self) -> str:
        """The name under which the module that made the alignment holds it, such as ``phi`` or ``Proofs.phi``."""
        names = [name for name, member in members(self.home) if member is self]
        return names[0] if names and self.name not in names else self.name

    @functools.cached_property
    def digest(self) -> str:
        """A fingerprint of all that a check of the alignment is about, its lemmas included."""
        stated: dict[str, Any] = {
            "mechanism": (self.mechanism.name, self.mechanism.digest),
            "claim": (self.claim, self.base, str(self.adjacency), self.adaptive, self.expect),
            "invariants": [text for text, _ in self.invariants],
            "lemmas": [lemma.digest for lemma in self.lemmas],
        }
        if self.delta is not None:
            stated["delta"] = self.delta
        return digest(self.program, stated)

    @functools.cached_property
    def reads_noise(self) -> bool:
        """Whether the alignment looks at the noise at all."""
        return any(isinstance(node, NoiseValue) for node in walk(*self.program.body))

    def __repr__(self) -> str:
        return f"<alignment {self.name} of {self.mechanism.name}>"

    def ensure_current(self) -> None:
        """Raise LanguageError where the alignment or its mechanism is no longer the program that was read."""
        self.mechanism.ensure_current()
        for lemma in self.lemmas:
            lemma.ensure_current()
        ensure_current(self.python, self.program)
        if self.by_name and self.mechanism.is_redefined:
            raise self.program.place.error(
                f"`{self.mechanism.name}` has been redefined since {self.name} was made for it",
                f"define {self.name} again (in a notebook, run its cell again), or give the mechanisms different names",
            )
