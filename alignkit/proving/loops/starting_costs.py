"""What an iteration costs where a scale that varies is as it is in the first iteration, as a source of rates to try."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from alignkit.interpreting.values import is_number
from alignkit.proving.conditions.released_values import Told
from alignkit.proving.conditions.scheduled_state import state_symbol
from alignkit.proving.runs.path_trace import Trace
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


def costs_at_the_start(trace: Trace) -> Iterator[Term]:
    """The cost of a path through an iteration where all variables are as before the loop, and all releases 0 or 1.

    There is none where scales do not vary, or where the cost has no value there.
    """
    if not trace.varying or trace.round is None:
        return
    names, start = trace.round.head.names, trace.round.start.names
    symbols = {state_symbol(value): start[name] for name, value in names.items() if is_number(start.get(name))}
    told = Told.by(trace, frozenset())
    for release in (0, 1):
        with suppress(ZeroDivisionError):
            cost = substitute(trace.cost, {a: Term.of(symbols[a.key]) for a in trace.cost.within if a.key in symbols})
            released = told.rewritten(cost)
            if released is not None:
                values = {atom: Term.of(release) for atom in released.within if atom.role is Role.OUTPUT}
                yield Term.of(substitute(released, values))
