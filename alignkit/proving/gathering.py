"""Gathering the obligations of a proof for every n, as planned. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import partial

from alignkit.language.program import For
from alignkit.proving.conditions import noise_used
from alignkit.proving.conditions.one_to_one import by_pieces
from alignkit.proving.cost_bounds import Bound
from alignkit.proving.exploration import Exploration
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.loops import invariants as inv
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.obligation import Obligation
from alignkit.proving.planning import ProofPlan
from alignkit.proving.runs.path_trace import Trace
from alignkit.proving.stages.single_runs import after_the_loop
from alignkit.proving.symbolic_trial import Record
from alignkit.results import Presumed


@dataclass(frozen=True)
class Theory:
    """Everything that has to be shown for a proof: the obligations, and what they rest on.

    ``invariants`` are the names of those that are obliged, ``tried`` of all that were tried. ``one_to_one`` says how,
    where it is not by an order of the noise; ``pairs`` is then what is known of two runs with one output and one image.
    """

    obligations: tuple[Obligation, ...]
    presumed: tuple[Presumed, ...]
    traces: tuple[Trace, ...]
    records: tuple[Record, ...] = field(repr=False)
    loop: For | None = None
    plan: LoopPlan | None = None
    invariants: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    one_to_one: str = ""
    pairs: tuple[Hypotheses, ...] = ()

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The ends of all paths, with what they cost."""
        return tuple(bound for record in self.records for bound in record.bounds)


def obligations(exploration: Exploration, planned: ProofPlan) -> Theory:
    """All obligations of a proof that goes as planned."""
    plan = planned.invariants
    rest: list[Record] = []
    names: tuple[str, ...] = ()
    if plan is not None:
        # That the bounds on the cost hold where the loop begins is obliged here, with the rest of the plan.
        rest = exploration.records(partial(after_the_loop, plan=plan))
        names = (*(inv.equality(v) for v in sorted(plan.equal)), *(i.name for i in plan.invariants))
    records = (*planned.records, *rest, *planned.pairs)
    traces = list({r.trace.key: r.trace for r in records if r.trace is not None}.values())
    of_paths = (o for record in records for o in record.obligations)
    owed: dict[Hashable, Obligation] = {}
    for obligation in (*of_paths, *noise_used.determined_by_output(traces)):
        owed.setdefault(obligation.key, obligation)
    presumed: dict[str, Presumed] = {}
    for each in (p for record in records for p in record.presumed):
        presumed.setdefault(str(each.formula), each)
    return Theory(
        tuple(owed.values()),
        tuple(presumed.values()),
        tuple(traces),
        records,
        planned.loop,
        plan,
        names,
        planned.tried,
        _how_by_pieces(records) if planned.by_pieces else "",
        tuple(record.pair for record in records if record.pair is not None),
    )


def _how_by_pieces(records: Iterable[Record]) -> str:
    """How an alignment is one-to-one by pieces."""
    paid = any(record.one_to_one == by_pieces.PAID for record in records)
    volume = by_pieces.PAID if paid else by_pieces.UNIT
    return f"by pieces: injective on {{H : M(D, H) = omega}}; {volume}"
