"""Certified losses: what a mechanism certainly loses on some adjacent inputs, and how it prints."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from typing import Any

from alignkit.formatting import lower_bound_shown, number_model_shown, six_digits, value_shown
from alignkit.markup import bullet_list, division, heading, snippet_html, table_html
from alignkit.output_events import Event
from alignkit.plain_enclosures import exp_bounds
from alignkit.results.witness import Witness

_NOTHING = "no loss above 0 was certified"
_NO_DELTA = "no delta above 0 was certified"
_NO_PROOF = "a search that finds no violation is not a proof of privacy"


class Method(enum.StrEnum):
    """How the two probabilities of a certified loss were bounded."""

    EXACT = "closed form"
    INTERVALS = "interval arithmetic"
    SAMPLED = "Clopper-Pearson"


@dataclass(frozen=True)
class CertifiedLoss:
    """A certified lower bound on a mechanism's privacy loss: two adjacent inputs, an event E, and what they show.

    ``loss`` is a lower bound on ln P(M(D) in E) / P(M(D′) in E), rounded down, and infinite where the event is possible
    under D and impossible under D′. It follows from ``low``, a lower bound on P(M(D) in E), and ``high``, an upper
    bound on P(M(D′) in E). ``claim`` is the claimed loss at these inputs. Where the probabilities were sampled, the
    bound fails with probability ``error`` at most, after so many ``samples`` of each side; otherwise both are None.
    ``number_model`` is what the noise is taken to be: ideal reals, or a lattice. ``snippet`` reproduces the loss when
    pasted into Python.

    The loss is never below 0, which the event of all outputs shows of every mechanism.

    Where the claim is (epsilon, delta)-privacy, ``claim`` is its epsilon and ``claimed_delta`` its delta, and ``delta``
    is what the event shows of that: a lower bound on P(M(D) in E) - e^epsilon P(M(D′) in E).
    """

    loss: float
    method: Method
    event: Event
    witness: Witness
    low: float = 1.0
    high: float = 1.0
    claim: float | None = None
    error: float | None = None
    samples: int | None = None
    snippet: str = ""
    notes: tuple[str, ...] = ()
    number_model: str = "ideal reals"
    claimed_delta: float | None = None

    def delta_at(self, epsilon: float | Fraction) -> float:
        """What delta is certified to be at least, at this epsilon in natural units; rounded down, and at least 0.

        >>> from alignkit.output_events import ANY_OUTPUT
        >>> bound = CertifiedLoss(1.5, Method.EXACT, ANY_OUTPUT, Witness({}, {}, {}), low=0.75, high=0.125)
        >>> 0.41 < bound.delta_at(1) < 0.75 - 0.125 * math.e, bound.delta_at(2)
        (True, 0.0)
        """
        exponent = Fraction(epsilon)
        if exponent < 0:
            raise ValueError(f"epsilon is {epsilon}; it must be at least 0")
        if not self.high:
            return self.low
        if exponent > 750:
            return 0.0  # no float above 0 is below e^-750
        # e^epsilon is at most 2^bits over the whole number below 2^bits e^-epsilon.
        bits = 100 + 2 * math.ceil(exponent)
        delta = Fraction(self.low) - Fraction(self.high) * Fraction(2**bits, exp_bounds(exponent, bits)[0])
        if delta <= 0:
            return 0.0
        return shown if (shown := float(delta)) <= delta else math.nextafter(shown, 0)

    @property
    def delta(self) -> float | None:
        """What delta is certified to be at least at the claimed epsilon; None where no delta is claimed."""
        return None if self.claim is None or self.claimed_delta is None else self.delta_at(self.claim)

    @property
    def violates(self) -> bool:
        """Whether the loss is certified to be above the claim, or delta above the claimed one."""
        if self.delta is not None and self.claimed_delta is not None:
            return self.delta > self.claimed_delta
        return self.claim is not None and self.loss > self.claim

    @property
    def verdict(self) -> str:
        """Whether the claim is certified to be wrong, in capitals."""
        if self._without_claim:
            return "NO CLAIM GIVEN"
        return "NOT PRIVATE" if self.violates else "NO VIOLATION"

    @property
    def _without_claim(self) -> bool:
        """Whether there is a loss, and no claim that it could violate."""
        return self.claim is None and self.loss > 0

    def __str__(self) -> str:
        """The full report, which `print` shows; `repr` gives the fields."""
        claim = "" if self.claim is None else f"    claim: {self.claim_shown}"
        return "\n".join([f"{self.verdict}{claim}", *self.lines()])

    @property
    def claim_shown(self) -> str:
        """The claim at these inputs."""
        if self.claimed_delta is None:
            return f"{self.claim:.6g}"
        return f"epsilon {self.claim:.6g}, delta {self.claimed_delta:.6g}"

    def certified_shown(self) -> str:
        """Say what is certified, or that nothing is."""
        if self.delta is None:
            return f"loss {lower_bound_shown(self.loss)}" if self.loss else _NOTHING
        at = f" at epsilon {self.claim:.6g}"
        return f"delta{at} is at least {six_digits(self.delta, ROUND_FLOOR)}" if self.delta else f"{_NO_DELTA}{at}"

    @property
    def empty(self) -> bool:
        """Whether nothing was certified: no loss above 0, or where a delta is claimed no delta."""
        return not (self.loss if self.delta is None else self.delta)

    def lines(self) -> list[str]:
        """List the loss, both databases, the event, and how to compute the loss again."""
        if self.empty:
            return [f"  {self.certified_shown()}{self._at()}", *(f"  {remark}" for remark in self._remarks())]
        lines = [f"  {self.certified_shown()}, by {self._method_shown()}"]
        for label, inputs in (("D ", self.witness.q), ("D'", self.witness.q_)):
            lines += [f"  {label}  {name} = {value_shown(value)}" for name, value in _by_name(inputs).items()]
        if self.witness.public:
            lines.append(f"      {self._public_shown()}")
        lines.append(f"  event E: the output is {self.event}")
        lines.append(f"  P(M(D) in E) >= {self._low_shown()}, P(M(D') in E) <= {self._high_shown()}")
        lines += [f"  {remark}" for remark in self._remarks()]
        if self.snippet:
            lines += ["reproduce in Python:", *self.snippet.splitlines()]
        return lines

    def _repr_html_(self) -> str:
        """The loss as HTML, which a notebook shows."""
        claim = "" if self.claim is None else f"; claim: {self.claim_shown}"
        if self.empty:
            found = f"{self.certified_shown()}{self._at()}{claim}"
            return division([heading(self.verdict, found), bullet_list(self._remarks())])
        inputs, inputs_ = _by_name(self.witness.q), _by_name(self.witness.q_)
        rows = [(name, value_shown(inputs[name]), value_shown(inputs_[name])) for name in inputs]
        rows += [(name, value_shown(value), value_shown(value)) for name, value in self.witness.public.items()]
        rows.append(("P(output in E)", f"at least {self._low_shown()}", f"at most {self._high_shown()}"))
        facts = [f"event E: the output is {self.event}", f"certified by {self._method_shown()}", *self._remarks()]
        return division(
            [
                heading(self.verdict, f"{self.certified_shown()}{claim}"),
                table_html(("", "D", "D'"), rows),
                bullet_list(facts),
                *([snippet_html(self.snippet)] if self.snippet else []),
            ]
        )

    def _public_shown(self) -> str:
        return ", ".join(f"{name} = {value_shown(value)}" for name, value in self.witness.public.items())

    def _at(self) -> str:
        """Say at which public parameters nothing was found, where samples were taken; else several were tried."""
        return f" by samples at {self._public_shown()}" if self.method is Method.SAMPLED and self.witness.public else ""

    def _remarks(self) -> list[str]:
        """List the notes, the number model, and a warning where no violation was found."""
        remarks = [f"note: {note}" for note in self.notes]
        if not self.empty and self.method is not Method.SAMPLED:
            remarks.append(f"numbers: {number_model_shown(self.number_model)}")
        if not (self.violates or self._without_claim):
            remarks.append(_NO_PROOF)
        return remarks

    def _method_shown(self) -> str:
        if self.method is Method.SAMPLED:
            runs = f"Clopper-Pearson bounds from {self.samples} runs on each database"
            return f"{runs}, wrong with probability at most {self.error:g}"
        return str(self.method)

    def _low_shown(self) -> str:
        return six_digits(self.low, ROUND_FLOOR)

    def _high_shown(self) -> str:
        return six_digits(self.high, ROUND_CEILING)


def _by_name(inputs: Any) -> Mapping[str, Any]:
    """Return the answers by parameter; the input of a sampler that is no mechanism is called "data"."""
    return inputs if isinstance(inputs, Mapping) else {"data": inputs}
