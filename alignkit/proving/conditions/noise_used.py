"""Noise used: whether and from what a draw is made depends on public values and the discrete output alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from alignkit.language.program import Place
from alignkit.proving.obligation import Obligation
from alignkit.symbolic.terms import Element, Role, Symbol, Term, atoms_within, roles

if TYPE_CHECKING:
    from alignkit.proving.ledger import Ledger
    from alignkit.proving.trial import Trace

ITERATION = "iteration"  # the name of the arbitrary iteration's index, which is public


def public_scale(ledger: Ledger, key: str, arguments: tuple[Any, ...], place: Place, index: Term | None = None) -> None:
    """The arguments of a draw mention public parameters only (and the index of the draw itself)."""
    allowed = {Role.INDEX.prefix + ITERATION} | ({index.key} if index is not None else set())
    for argument in arguments:
        if not isinstance(argument, Term):
            continue
        strange = sorted(
            {
                a.role.value
                for a in atoms_within(argument)
                if isinstance(a, Symbol | Element) and a.role is not Role.PUBLIC and a.key not in allowed
            }
            | ({Role.UNKNOWN.value} if Role.UNKNOWN in roles(argument) else set())
        )
        if strange:
            words = f"the scale of {key} depends on: {', '.join(strange)}; it may depend on public parameters only"
            ledger.oblige("noise_used", False, place, words)


def determined_by_output(traces: Sequence[Trace]) -> list[Obligation]:
    """Paths with one discrete output draw the same noise; else one of the two must be impossible."""
    obligations = []
    first: dict[Any, Trace] = {}
    for trace in traces:
        known = first.setdefault(trace.signature, trace)
        if known.draws != trace.draws:
            words = (
                f"one output, {_shown(trace.signature)}, comes with different draws: "
                f"{', '.join(known.draws) or 'none'} and {', '.join(trace.draws) or 'none'}"
            )
            obligations.append(Obligation("noise_used", trace.hypotheses, False, words, trace.place))
    return obligations


def _shown(signature: Any) -> str:
    outputs, ended = signature
    return f"{', '.join(map(str, outputs)) or 'nothing'} ({ended})"
