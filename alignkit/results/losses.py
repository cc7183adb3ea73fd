"""Certified losses: what a mechanism certainly loses on some adjacent inputs, and how it prints."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import Any

from alignkit.formatting import lower_bound_shown, number_model_shown, six_digits, value_shown
from alignkit.markup import bullet_list, division, heading, snippet_html, table_html
from alignkit.output_events import Event
from alignkit.results.witness import Witness

_NOTHING = "no loss above 0 was certified"
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

    @property
    def violates(self) -> bool:
        """Whether the loss is certified to be above the claim."""
        return self.claim is not None and self.loss > self.claim

    @property
    def verdict(self) -> str:
        """Whether the loss is certified to be above the claim, in capitals."""
        if self._without_claim:
            return "NO CLAIM GIVEN"
        return "NOT PRIVATE" if self.violates else "NO VIOLATION"

    @property
    def _without_claim(self) -> bool:
        """Whether there is a loss, and no claim that it could violate."""
        return self.claim is None and self.loss > 0

    def __str__(self) -> str:
        """The full report, which `print` shows; `repr` gives the fields."""
        claim = "" if self.claim is None else f"    claim: {self.claim:.6g}"
        return "\n".join([f"{self.verdict}{claim}", *self.lines()])

    def lines(self) -> list[str]:
        """List the loss, both databases, the event, and how to compute the loss again."""
        if not self.loss:
            return [f"  {_NOTHING}{self._at()}", *(f"  {remark}" for remark in self._remarks())]
        lines = [f"  loss {lower_bound_shown(self.loss)}, by {self._method_shown()}"]
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
        claim = "" if self.claim is None else f"; claim: {self.claim:.6g}"
        if not self.loss:
            return division([heading(self.verdict, f"{_NOTHING}{self._at()}{claim}"), bullet_list(self._remarks())])
        inputs, inputs_ = _by_name(self.witness.q), _by_name(self.witness.q_)
        rows = [(name, value_shown(inputs[name]), value_shown(inputs_[name])) for name in inputs]
        rows += [(name, value_shown(value), value_shown(value)) for name, value in self.witness.public.items()]
        rows.append(("P(output in E)", f"at least {self._low_shown()}", f"at most {self._high_shown()}"))
        facts = [f"event E: the output is {self.event}", f"certified by {self._method_shown()}", *self._remarks()]
        return division(
            [
                heading(self.verdict, f"loss {lower_bound_shown(self.loss)}{claim}"),
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
        if self.loss and self.method is not Method.SAMPLED:
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
