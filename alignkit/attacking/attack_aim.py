"""What is attacked: a mechanism under an adjacency, and the claim that an attack is held against, with its delta.

Certified losses beside one another: the one that is always true, and which of two says more.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from alignkit.arguments import shown
from alignkit.arithmetic.enclosures import float_above
from alignkit.attacking.closed_forms.lattice_laws import on_lattice
from alignkit.errors import InputError, Undefined
from alignkit.formatting import full_text
from alignkit.interpreting.evaluator import Evaluator
from alignkit.language.parameters import Epsilon, Eta, ParameterType, exact
from alignkit.language.program import Expression
from alignkit.output_events import ANY_OUTPUT, Event
from alignkit.plain_enclosures import log_bounds
from alignkit.results import CertifiedLoss, Method, Witness
from alignkit.running.adjacency import Adjacency, check_declared
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.claims import OMEGA, lists_in_claim, read_claim, read_delta
from alignkit.running.enclosing import Enclosed, ExponentialsToo, Unsettled
from alignkit.running.mechanism_decorator import Mechanism


def nothing_found(*notes: str) -> CertifiedLoss:
    """The bound that every mechanism has, 0, with notes on why there is no better one."""
    return CertifiedLoss(0.0, Method.EXACT, ANY_OUTPUT, Witness({}, {}, {}), notes=notes)


def weight(bound: CertifiedLoss) -> tuple[bool, float]:
    """How much a certified loss says: whether it is above its claim, and its share of the claim, or without one itself.

    A claim of 0 has no shares: a loss above it says more than any below a claim at other public parameters. What
    differs by rounding alone is alike. Where a delta is claimed it is the deltas that are compared.
    """
    found, claim = (bound.loss, bound.claim) if bound.delta is None else (bound.delta, bound.claimed_delta)
    return bound.violates, round(found if not claim else found / claim, 9)


@dataclass(frozen=True)
class AttackAim:
    """A mechanism, the pairs of databases that count as adjacent, and its claim (None: none is held against it)."""

    mechanism: Mechanism
    adjacency: Adjacency
    claim: str | None = None
    expression: Expression | Fraction | None = field(default=None, repr=False)
    ex_post: bool = False
    base: int | None = None
    delta: str | None = None
    delta_expression: Expression | Fraction | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls,
        target: Mechanism | Alignment,
        adjacency: str | None,
        claim: str | float | Fraction | None,
        delta: str | float | Fraction | None = None,
    ) -> AttackAim:
        """What an alignment claims of its mechanism, unless another adjacency or claim is given.

        A claim in the mechanism's parameters is in the units of its noise; a number is in natural units. With a
        ``delta`` the claim is the epsilon of (epsilon, delta)-privacy; an alignment's delta goes with its own epsilon.
        """
        aim = cls._pure(target, adjacency, claim)
        if delta is None:
            return aim
        if aim.claim is None:
            raise InputError("delta goes with an epsilon: give claim=… too")
        if aim.ex_post:
            raise InputError("delta goes with an epsilon that does not depend on the output")
        if isinstance(delta, str):
            read = read_delta(delta, aim.mechanism, aim.mechanism.program.place)
            return replace(aim, delta=delta, delta_expression=read)
        number = Fraction(exact(delta, "delta"))
        if not 0 <= number < 1:
            raise InputError(f"delta must be a probability below 1, not {shown(delta)}")
        return replace(aim, delta=full_text(delta), delta_expression=number)

    @classmethod
    def _pure(
        cls, target: Mechanism | Alignment, adjacency: str | None, claim: str | float | Fraction | None
    ) -> AttackAim:
        """The aim without a given delta."""
        mechanism = target.mechanism if isinstance(target, Alignment) else target
        kind = Adjacency.EACH if adjacency is None else Adjacency.read(adjacency)
        if isinstance(target, Alignment):
            kind = target.adjacency if adjacency is None else kind
            if claim is None:
                return cls(
                    mechanism, kind, target.claim, target.claim_expression, target.ex_post, target.base,
                    target.delta, target.delta_expression,
                )  # fmt: skip
        check_declared(kind, mechanism)
        if isinstance(claim, str):
            binary = any(draw.distribution.base == 2 for draw in mechanism.draws)
            read = read_claim(claim, mechanism, mechanism.program.place)
            return cls(mechanism, kind, claim, *read, 2 if binary else None)
        if claim is None:
            return cls(mechanism, kind)
        number = Fraction(exact(claim, "the claim"))
        if number < 0:
            raise InputError(f"the claim must be at least 0, not {shown(claim)}")
        return cls(mechanism, kind, full_text(claim), number)

    def searched(self, given: Collection[str]) -> dict[str, tuple[Fraction, ...]]:
        """The values to try of each public parameter that is neither ``given`` nor a budget, the simplest first.

        Without a claim they are few: the losses at different values are then not to be compared.
        """
        public = self.mechanism.public.items()
        free = {n: kind for n, kind in public if n not in given and not isinstance(kind, Epsilon | Eta)}
        return {name: self._values(name, kind) for name, kind in free.items()}

    def _values(self, name: str, kind: ParameterType) -> tuple[Fraction, ...]:
        simple, further = kind.sample_values(), kind.values_to_search()
        if self.expression is None or name in self.mechanism.domain.lattices.values():
            return simple
        # Where noise is on a lattice a law is as long as numbers are large against it.
        return tuple(x for x in further if x in simple or x < 1) if on_lattice(self.mechanism) else further

    def claimed(self, values: Mapping[str, Any], event: Event) -> float | None:
        """The claim for these arguments, and where it is ex-post for the outputs of the event, rounded up.

        In natural units, which losses are in.
        """
        if self.expression is None:
            return None
        if self.ex_post and (event.more or not isinstance(event.pattern, tuple)):
            problem = "depends on the length of the output, which the event leaves open"
            raise InputError(f"the claim {self.claim!r} {problem}")
        bound = self._at(self.expression, f"the claim {self.claim!r}", {**values, OMEGA: event.pattern})
        return float_above(bound if self.base is None else bound * log_bounds(self.base)[1])

    def claimed_delta(self, values: Mapping[str, Any]) -> float | None:
        """The claimed delta for these arguments, rounded up; None where none is claimed."""
        if self.delta_expression is None:
            return None
        return max(0.0, float_above(self._at(self.delta_expression, f"the delta {self.delta!r}", values)))

    def _at(self, expression: Expression | Fraction, what: str, values: Mapping[str, Any]) -> Fraction:
        """An upper bound on an expression of the claim."""
        if isinstance(expression, Fraction):
            return expression
        missing = sorted(lists_in_claim(expression, self.mechanism) - values.keys())
        if missing:
            raise InputError(f"{what} depends on len({missing[0]}), which is left open")
        try:
            return Enclosed.of(Evaluator(ExponentialsToo({})).number(expression, dict(values))).high
        except Undefined as problem:
            raise InputError(f"{what} has no value here: {problem.problem}") from None
        except Unsettled:
            raise InputError(f"{what} is not a number that can be compared exactly") from None

    def share(self, loss: float, values: Mapping[str, Any], event: Event) -> float:
        """A loss as a share of the claim for these arguments; without a claim, the loss."""
        claimed = self.claimed(values, event)
        if claimed is None:
            return loss
        if claimed <= 0:
            return math.inf if loss > 0 else 0.0
        return loss / claimed

    def share_of_delta(self, delta: float, values: Mapping[str, Any]) -> float:
        """A delta as a share of the claimed one for these arguments; where that is 0, the delta."""
        claimed = self.claimed_delta(values)
        return delta / claimed if claimed else delta
