"""Certified lower bounds on the loss, as text and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any

from alignkit.attacking.brackets import loss_text
from alignkit.reporting.block import Line
from alignkit.reporting.json import exact_text
from alignkit.reporting.words import number_model_shown, value_shown
from alignkit.results import CertifiedLoss, Method

NO_PROOF = "a search that finds no violation is no proof of privacy"


@dataclass(frozen=True)
class Attacked:
    """An attack with what it was aimed at; ``alignment`` is None where the mechanism alone was."""

    mechanism: str
    alignment: str | None
    adjacency: str
    claim: str | None
    bound: CertifiedLoss


def attack_lines(attacked: Attacked) -> list[Line]:
    """What an attack found: the loss, both databases, the event, and how to compute it again."""
    bound = attacked.bound
    name = attacked.mechanism + (f" / {attacked.alignment}" if attacked.alignment else "")
    claim = "" if attacked.claim is None else f"    claim: {attacked.claim}{_claimed(attacked)}"
    style = "bold red" if bound.violates else "bold"
    verdict = verdict_shown(bound) if attacked.claim is not None else "NO CLAIM GIVEN"
    heading = Line(f"{verdict}  {name}{claim}    adjacency: {attacked.adjacency}", style)
    return [heading, *_bound_lines(bound)]


def bound_text(bound: CertifiedLoss) -> str:
    """A result of ``attack`` as text: whether it violates the claim, and what certifies it.

    >>> from alignkit.attacking.lower_bounds import nothing_found
    >>> print(bound_text(nothing_found("too large")).partition(", by ")[0])
    NO VIOLATION
      loss at least 0.0000
    """
    claim = "" if bound.claim is None else f"    claim: {bound.claim:.6g}"
    return "\n".join([f"{verdict_shown(bound)}{claim}", *(line.text for line in _bound_lines(bound))])


def verdict_shown(bound: CertifiedLoss) -> str:
    """Whether the loss is certified to be above the claim."""
    return "NOT PRIVATE" if bound.violates else "NO VIOLATION"


def _bound_lines(bound: CertifiedLoss) -> list[Line]:
    """The loss, both databases, the event, and how to compute it again."""
    lines = [Line(f"  loss at least {loss_text(bound.loss)}, by {method_shown(bound)}")]
    for label, answers in (("D ", bound.witness.q), ("D'", bound.witness.q_)):
        for parameter, value in answers.items() if isinstance(answers, Mapping) else [("data", answers)]:
            lines.append(Line(f"  {label}  {parameter} = {value_shown(value)}"))
    public = bound.witness.public
    if public:
        lines.append(Line("      " + ", ".join(f"{n} = {value_shown(v)}" for n, v in public.items())))
    lines.append(Line(f"  event E: the output is {bound.event}"))
    low, high = digits(bound.low, ROUND_FLOOR), digits(bound.high, ROUND_CEILING)
    lines.append(Line(f"  P(M(D) in E) >= {low}, P(M(D') in E) <= {high}"))
    lines += [Line(f"  note: {note}") for note in bound.notes]
    if bound.method is not Method.SAMPLED:
        lines.append(Line(f"  numbers: {number_model_shown(bound.number_model)}"))
    if not bound.violates:
        lines.append(Line(f"  {NO_PROOF}"))
    if bound.snippet:
        lines += [Line("reproduce in Python:"), *map(Line, bound.snippet.splitlines())]
    return lines


def _claimed(attacked: Attacked) -> str:
    claim = attacked.bound.claim
    return "" if claim is None or attacked.claim == str(claim) else f" = {claim:.6g}"


def digits(number: float, rounding: str) -> str:
    """A probability to six digits, rounded to the side on which it bounds.

    >>> digits(0.123456789, ROUND_FLOOR), digits(1e-9 / 3, ROUND_CEILING), digits(0.5, ROUND_CEILING)
    ('0.123456', '3.33334E-10', '0.5')
    """
    return str(Context(prec=6, rounding=rounding).create_decimal(Decimal(number)).normalize())


def method_shown(bound: CertifiedLoss) -> str:
    """How the bound was certified."""
    if bound.method is Method.SAMPLED:
        return f"Clopper-Pearson bounds on {bound.samples} runs of each, wrong with probability {bound.error:g} at most"
    return str(bound.method)


def attacks_to_json(found: Sequence[Attacked], errors: Sequence[Mapping[str, Any]] = ()) -> str:
    """The attacks as a JSON document; keys are added, never taken away. An infinite loss is the text "inf"."""
    from alignkit.version import __version__

    document = {"alignkit": __version__, "attacks": [_attack(each) for each in found], "errors": list(errors)}
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _attack(attacked: Attacked) -> dict[str, Any]:
    bound = attacked.bound
    return {
        "mechanism": attacked.mechanism,
        "alignment": attacked.alignment,
        "adjacency": attacked.adjacency,
        "claim": attacked.claim,
        "claimed": bound.claim,
        "status": "not private" if bound.violates else "open",
        "lower": "inf" if math.isinf(bound.loss) else bound.loss,
        "method": str(bound.method),
        "event": str(bound.event),
        "q": exact_text(bound.witness.q),
        "q_": exact_text(bound.witness.q_),
        "parameters": exact_text(bound.witness.public),
        "probability": bound.low,
        "probability_": bound.high,
        "error": bound.error,
        "samples": bound.samples,
        "notes": list(bound.notes),
        "snippet": bound.snippet,
    }
