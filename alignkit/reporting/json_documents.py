"""Results and attacks as JSON: a contract to which keys may be added, and from which none is taken away.

Numbers of a counterexample are exact fractions as strings ("1/3", "2"), tags their names, and what is not
drawn or not reached is null. ``q`` and ``q_`` are the answers themselves where the mechanism has one private
parameter, and objects by parameter name where it has several.

Attacks as the command line reports them: a certified loss with its target.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from alignkit.interpreting.values import Members
from alignkit.reporting.full_report import Line
from alignkit.reporting.gate_report import NO_GATE, GateReport
from alignkit.reporting.sentences import file_shown
from alignkit.results import Attained, CertifiedLoss, Counterexample, Result, Witness
from alignkit.version import __version__

if TYPE_CHECKING:
    from alignkit.confirming.opinion import Opinion


@dataclass(frozen=True)
class AttackReport:
    """A certified loss with its target; ``alignment`` is None where the mechanism alone was attacked."""

    mechanism: str
    alignment: str | None
    adjacency: str
    claim: str | None
    bound: CertifiedLoss
    delta: str | None = None

    def lines(self) -> list[Line]:
        """List a heading, the loss, both databases, the event, and how to compute the loss again."""
        name = self.mechanism + (f" / {self.alignment}" if self.alignment else "")
        claim = "" if self.claim is None else f"    claim: {self._claims()}"
        verdict = "NO CLAIM GIVEN" if self.claim is None else self.bound.verdict
        heading = f"{verdict}  {name}{claim}    adjacency: {self.adjacency}"
        return [Line(heading, "bold red" if self.bound.violates else "bold"), *map(Line, self.bound.lines())]

    def _claims(self) -> str:
        """Return the claim with its value at these inputs, where it is an expression; and its delta, if it has one."""
        bound = self.bound
        claim = f"{self.claim}{_value(self.claim, bound.claim)}"
        if self.delta is None:
            return claim
        return f"epsilon {claim}, delta {self.delta}{_value(self.delta, bound.claimed_delta)}"


def _value(expression: str | None, value: float | None) -> str:
    return "" if value is None or expression in (str(value), f"{value:.6g}") else f" = {value:.6g}"


def results_json(
    results: Sequence[Result], errors: Sequence[Mapping[str, Any]] = (), gate: GateReport = NO_GATE
) -> str:
    """Write results of checks as a JSON document.

    ``errors`` lists what could not be checked: objects with ``target``, ``message`` and ``exit_code``. ``gate`` is what
    a policy and a baseline say of the results.
    """
    return _document("results", map(_result, results), errors, **asdict(gate))


def attacks_json(attacks: Sequence[AttackReport], errors: Sequence[Mapping[str, Any]] = ()) -> str:
    """Write attacks as a JSON document, with ``errors`` as above. An infinite loss is the text "inf"."""
    return _document("attacks", map(_attack, attacks), errors)


def _document(
    kind: str, entries: Iterable[dict[str, Any]], errors: Sequence[Mapping[str, Any]], **others: Any
) -> str:
    document = {"alignkit": __version__, kind: list(entries), "errors": list(errors), **others}
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def exact_text(value: Any) -> Any:
    """Turn a value into JSON with its numbers as exact strings.

    >>> from fractions import Fraction
    >>> exact_text((Fraction(1, 3), 2, None, True))
    ['1/3', '2', None, True]
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Mapping):
        return {str(name): exact_text(x) for name, x in value.items()}
    if isinstance(value, list | tuple):
        return [exact_text(x) for x in value]
    if isinstance(value, Members | set | frozenset):
        return [exact_text(x) for x in sorted(value.items if isinstance(value, Members) else value)]
    if isinstance(value, float):
        return repr(value)
    return str(value)


def _result(result: Result) -> dict[str, Any]:
    return {
        "mechanism": result.mechanism,
        "alignment": result.alignment,
        "file": file_shown(result.file),
        "line": result.line,
        "verdict": str(result.verdict),
        "expected": str(result.expected),
        "number_model": result.number_model,
        "claim": result.claim,
        "delta": result.delta,
        "base": "e" if result.base is None else str(result.base),
        "adjacency": str(result.adjacency),
        "sensitivities": dict(result.sensitivities),
        "cost": result.cost,
        "attained": result.attained,
        "scope": dict(result.scope),
        "conditions": {
            name: {"status": str(condition.status), "how": condition.how}
            for name, condition in result.conditions.items()
        },
        "calls": [asdict(part) for part in result.calls],
        "assumptions": list(result.assumptions),
        "counterexample": None if result.counterexample is None else _counterexample(result.counterexample),
        "privacy": {
            "status": result.privacy.status,
            "upper": result.privacy.upper,
            "lower": result.privacy.lower,
            "event": result.privacy.event,
            "adjacency": result.privacy.adjacency,
            "leak": None if result.privacy.leak is None else _leak(result.privacy.leak),
        },
        "slack": result.slack,
        "attained_at": None if result.attained_at is None else _attained(result.attained_at),
        "ex_post": result.ex_post,
        "asked": "adaptive" if result.adaptive else "fixed",
        "worst_case": result.cost,
        "suggestion": None if result.suggestion is None else asdict(result.suggestion),
        "opinion": None if result.opinion is None else _opinion(result.opinion),
        "solver": result.solver,
        "vote": None if result.vote is None else {"questions": result.vote.questions, **asdict(result.vote)},
        "notes": list(result.notes),
        "seconds": round(result.seconds, 3),
        "queries": result.queries,
        "cached": result.cached,
    }


def _opinion(opinion: Opinion) -> dict[str, Any]:
    return {
        "standing": str(opinion.standing),
        "n": opinion.n,
        "k": opinion.k,
        "why": opinion.why,
        "problem": opinion.problem,
        "inputs": exact_text(opinion.inputs),
        "lemmas": list(opinion.lemmas),
        "solver": opinion.solver,
        "questions": opinion.questions,
    }


def _counterexample(counterexample: Counterexample) -> dict[str, Any]:
    return {
        "condition": counterexample.condition,
        "words": counterexample.words,
        "file": file_shown(counterexample.file),
        "line": counterexample.line,
        **_inputs(counterexample.witness),
        "H": exact_text(counterexample.witness.H),
        "H_": exact_text(counterexample.witness.H_),
        "omega": exact_text(counterexample.omega),
        "omega_": exact_text(counterexample.omega_),
        "cost": exact_text(counterexample.cost),
        "at_least": counterexample.at_least,
        "claim": exact_text(counterexample.claim),
        "snippet": counterexample.snippet,
        "shrunk_from": counterexample.shrunk_from,
        "H_other": exact_text(counterexample.H_other),
    }


def _attained(run: Attained) -> dict[str, Any]:
    return {
        **_inputs(run.witness),
        "H": exact_text(run.witness.H),
        "cost": exact_text(run.cost),
        "snippet": run.snippet,
    }


def _leak(leak: CertifiedLoss) -> dict[str, Any]:
    return {
        "loss": "infinite" if math.isinf(leak.loss) else leak.loss,
        "method": str(leak.method),
        **_inputs(leak.witness),
        "claimed": leak.claim,
        "delta": leak.delta,
        "claimed_delta": leak.claimed_delta,
        "snippet": leak.snippet,
    }


def _attack(attack: AttackReport) -> dict[str, Any]:
    bound = attack.bound
    return {
        "mechanism": attack.mechanism,
        "alignment": attack.alignment,
        "adjacency": attack.adjacency,
        "claim": attack.claim,
        "claimed": bound.claim,
        "delta": attack.delta,
        "claimed_delta": bound.claimed_delta,
        "status": "not private" if bound.violates else "open",
        "lower": "inf" if math.isinf(bound.loss) else bound.loss,
        "lower_delta": bound.delta,
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


def _inputs(witness: Witness) -> dict[str, Any]:
    return {
        "q": _answers(witness.q),
        "q_": _answers(witness.q_),
        "parameters": exact_text(witness.public),
    }


def _answers(answers: Mapping[str, Any]) -> Any:
    if len(answers) == 1:
        [only] = answers.values()
        return exact_text(only)
    return exact_text(answers)
