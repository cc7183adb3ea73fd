"""The proof for every n: explore all paths, find invariants where there is a loop, list all obligations."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_

from alignkit.errors import Unsupported
from alignkit.language.program import For
from alignkit.proving import ex_post, potentials
from alignkit.proving import invariants as inv
from alignkit.proving.conditions import noise_used, pieces
from alignkit.proving.cost_bounds import Bound
from alignkit.proving.deciding import Decider
from alignkit.proving.hypotheses import Hypotheses
from alignkit.proving.inputs import Inputs
from alignkit.proving.ledger import Presumption
from alignkit.proving.obligation import Obligation
from alignkit.proving.path import run_path
from alignkit.proving.shapes import Shapes
from alignkit.proving.trial import Part, Record, Trace
from alignkit.running.alignment_decorator import Alignment
from alignkit.symbolic.paths import Path, explore


@dataclass(frozen=True)
class Theory:
    """Everything that has to be shown for a proof: the obligations, and what they rest on."""

    obligations: tuple[Obligation, ...]
    presumed: tuple[Presumption, ...]
    traces: tuple[Trace, ...]
    invariants: tuple[str, ...] = ()
    tried: tuple[str, ...] = field(default=())
    records: tuple[Record, ...] = field(default=(), repr=False)
    loop: For | None = None
    plan: inv.Plan | None = None
    one_to_one: str = ""  # how, where it is not by an order of the noise
    pairs: tuple[Hypotheses, ...] = ()  # what is known of two runs with one output and one image

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The ends of all paths, with what they cost."""
        return tuple(bound for record in self.records for bound in record.bounds)


def explore_all(
    alignment: Alignment, inputs: Inputs, plan: inv.Plan | None, part: Part, decider: Decider
) -> list[Record]:
    """One record for each path; OutOfTime where the decider's time is over."""

    def run(path: Path) -> Record:
        return run_path(alignment, inputs, plan, part, path, decider.remaining, decider.shared)

    return list(explore(run, tick=decider.remaining))


def gather(alignment: Alignment, inputs: Inputs, decider: Decider) -> Theory:
    """The obligations of a proof for every n, under the invariants that were found to hold."""
    preview = [r for r in explore_all(alignment, inputs, None, Part.PREVIEW, decider) if r.loop is not None]
    loop = preview[0].loop if preview else None
    if loop is None:
        theory = _theory(explore_all(alignment, inputs, None, Part.ITERATION, decider))
        return theory if _ordered(theory, decider) else _by_pieces(alignment, inputs, theory, decider)
    changed = preview[0].changed
    named = [r.named for r in preview if r.named is not None]
    naming = tuple(sorted(frozenset.intersection(*named), key=str)) if named else ()
    kinds = alignment.mechanism.kinds.at_loop[loop.site]
    limits = tuple(name for name, kind in alignment.mechanism.public.items() if kind.integer)
    seen = [r.seen for r in preview if r.seen is not None]
    candidates = replace(
        inv.candidates(loop, kinds, changed, limits),
        names=naming,
        steady=bool(seen) and all(each.outputs == 1 for each in seen),
        still=bool(naming) and not any(each.drawn for each in seen),
        shapes=reduce(or_, (each.shapes for each in seen), Shapes(())),
        drawn=frozenset.intersection(*(each.drawn for each in seen)) if seen else frozenset(),
        whole=bool(seen) and all(each.goes_on for each in seen),
    )
    plan, heads = _usable(alignment, inputs, candidates, decider)
    stated = tuple(inv.stated(text, e) for text, e in alignment.invariants)
    lengths = ex_post.invariants(loop, changed, kinds) if alignment.ex_post else ()
    further = (*lengths, *stated)
    tried = [inv.equality(v) for v in sorted(plan.equal)] + [i.name for i in (*plan.invariants, *further)]
    # What does not hold where the loop begins is given up before an iteration is run under it.
    plan = plan.without(lost(heads, frozenset(), decider))
    plan = replace(plan, invariants=(*plan.invariants, *further))
    pairs: list[Record] = []
    if any(r.vectors for r in preview) and not _ordered(_theory(heads), decider):
        plan, pairs = _vectors_by_pieces(alignment, inputs, plan, decider)
    required = frozenset(s.name for s in stated)
    plan, records = kept(alignment, inputs, plan, required, decider)
    # Where no iteration draws, the cost is what it was before the loop.
    bounds = () if plan.still else potentials.found(alignment, inputs, plan, changed, loop, records, decider)
    if bounds:
        tried += [bound.name for bound in bounds]
        plan = replace(plan, invariants=(*plan.invariants, *bounds))
        records = [potentials.known(bounds, loop, record) for record in records]
    # That the bounds hold where the loop begins is obliged here, with the rest of the plan.
    rest = explore_all(alignment, inputs, plan, Part.REST, decider)
    names = (*(inv.equality(v) for v in sorted(plan.equal)), *(i.name for i in plan.invariants))
    theory = _theory([*records, *rest, *pairs], names, tuple(tried))
    return replace(_told(theory, [*rest, *pairs]) if plan.by_pieces else theory, loop=loop, plan=plan)


def _vectors_by_pieces(
    alignment: Alignment, inputs: Inputs, plan: inv.Plan, decider: Decider
) -> tuple[inv.Plan, list[Record]]:
    """The plan for vectors before the loop that have no order, with what the general theorem asks of their pairs."""
    pieced = replace(plan, by_pieces=True)
    try:
        return pieced, explore_all(alignment, inputs, pieced, Part.PAIRS, decider)
    except Unsupported:
        return plan, []


def _ordered(theory: Theory, decider: Decider) -> bool:
    """Whether the noise has an order in which each shift depends on what comes earlier."""
    return all(decider.decide(o).holds for o in theory.obligations if o.condition == "one_to_one")


def _by_pieces(alignment: Alignment, inputs: Inputs, otherwise: Theory, decider: Decider) -> Theory:
    """The obligations of the general theorem, where the prover covers them."""
    try:
        whole = explore_all(alignment, inputs, None, Part.PIECES, decider)
        pairs = explore_all(alignment, inputs, None, Part.PAIRS, decider)
    except Unsupported:
        return otherwise
    return _told(_theory([*whole, *pairs]), [*whole, *pairs])


def _told(theory: Theory, records: list[Record]) -> Theory:
    """A theory by pieces, with how, and with what is known of two runs with one output and one image."""
    hows = {record.one_to_one for record in records} - {""}
    volume = pieces.PAID if pieces.PAID in hows else pieces.UNIT
    how = f"by pieces: injective on {{H : M(D, H) = omega}}; {volume}"
    return replace(theory, one_to_one=how, pairs=tuple(record.pair for record in records if record.pair is not None))


def _theory(records: list[Record], invariants: tuple[str, ...] = (), tried: tuple[str, ...] = ()) -> Theory:
    obligations: dict[object, Obligation] = {}
    presumed: dict[object, Presumption] = {}
    for record in records:
        for obligation in record.obligations:
            obligations.setdefault(obligation.key, obligation)
        for each in record.presumed:
            presumed.setdefault(str(each.formula), each)
    traces = [r.trace for r in records if r.trace is not None]
    distinct = list({t.key: t for t in traces}.values())
    for obligation in noise_used.determined_by_output(distinct):
        obligations.setdefault(obligation.key, obligation)
    shown = tuple(obligations.values()), tuple(presumed.values()), tuple(distinct)
    return Theory(*shown, invariants, tried, tuple(records))


def _usable(
    alignment: Alignment, inputs: Inputs, plan: inv.Plan, decider: Decider
) -> tuple[inv.Plan, list[Record]]:
    """The candidates that can be written down at all at the loop's head, with all ways to it."""

    def heads(some: tuple[inv.Invariant, ...]) -> list[Record]:
        return explore_all(alignment, inputs, replace(plan, invariants=some), Part.HEAD, decider)

    def written(each: inv.Invariant) -> bool:
        try:
            heads((each,))
        except Unsupported:
            return False
        return True

    try:
        return plan, heads(plan.invariants)
    except Unsupported:
        some = tuple(filter(written, plan.invariants))
        return replace(plan, invariants=some), heads(some)


def kept(
    alignment: Alignment, inputs: Inputs, plan: inv.Plan, required: frozenset[str], decider: Decider
) -> tuple[inv.Plan, list[Record]]:
    """The largest part of the plan that holds at the start and is kept by every iteration."""
    while True:
        records = explore_all(alignment, inputs, plan, Part.ITERATION, decider)
        given_up = lost(records, required, decider)
        if not given_up:
            return plan, records
        plan = plan.without(given_up)


def lost(records: list[Record], required: frozenset[str], decider: Decider) -> frozenset[str]:
    """The invariants that were obliged and do not hold, of those that may be given up."""
    found: set[str] = set()
    for record in records:
        for obligation in record.obligations:
            name = obligation.invariant
            if name is None or name in found or name in required:
                continue
            if not decider.decide(obligation).holds:
                found.add(name)
    return frozenset(found)
