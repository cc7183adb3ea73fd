"""The check of one alignment: search a little, prove, then search on and look for a small counterexample by solver."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from alignkit.arguments import check_callable, items, seconds, shown, whole
from alignkit.attacking.brackets import attacked, check_bracket
from alignkit.errors import InputError
from alignkit.language.program import output_lines
from alignkit.limits import Deadline
from alignkit.noise import CHOICE
from alignkit.proving.deciding import Decider
from alignkit.proving.prove import OUT_OF_TIME, Proof, prove
from alignkit.refuting.collisions import Collision
from alignkit.refuting.counterexamples import counterexample, number_of_queries, two_noise_vectors
from alignkit.refuting.forgetting import forgotten
from alignkit.refuting.model_search import bounded_search
from alignkit.refuting.random_search import FIRST, LONGER, TRIALS, Search, search
from alignkit.refuting.shrinking import shrink
from alignkit.results import (
    CONDITIONS,
    Condition,
    CostAnalysis,
    Counterexample,
    Presumed,
    Privacy,
    Result,
    Subject,
    Verdict,
    Witness,
    undecided_everywhere,
)
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment import Alignment
from alignkit.running.mechanism import Mechanism
from alignkit.symbolic.z3_solver import Z3Solver
from alignkit.worst_case.cost_analysis import analyse
from alignkit.worst_case.directed_runs import directed, lines_reached

FLOATS = "the float sampler is not covered: the proof is about ideal reals"
NOTHING_RULED_OUT = "by solver, no counterexample was found, and none was ruled out for any size"


# Nothing is searched or proved where noise is a finite choice: what a shift of one costs is not stated.
_CHOICES = {
    name: Condition(name, Verdict.UNDECIDED, "proofs do not cover noise.choice; see same_law for exact laws")
    for name in CONDITIONS
}


def check(
    alignment: Alignment,
    *,
    timeout: float = 60.0,
    seed: int = 0,
    table: Iterable[frozenset[str]] | None = None,
    progress: Callable[[str], None] | None = None,
    effort: int | None = None,
) -> Result:
    """Prove an alignment's claim for all inputs, refute the proof, or say why neither came about.

    ``timeout`` is in seconds for the whole check, which looks at the clock between its steps: a single operation, such
    as a product of huge numbers, is not interrupted (the command line ends the whole process instead). ``seed`` steers
    the random search;
    ``table`` is a real table, a list of records that are sets of items, for the record-level search, whose queries are
    item counts;
    ``progress`` is told what is being done. ``effort`` is the work of the attack that bounds the mechanism's loss from
    below (see ``attack``; default: a little, 0: none).

    A result is neither true nor false: ask for ``.proved``, or call ``.require()``. Raises LanguageError where the
    mechanism has been redefined since the alignment was made for it.

    >>> from alignkit.proofs.sparse_vector import gap_phi
    >>> check(gap_phi).verdict
    <Verdict.PROVED: 'proved'>
    """
    if not isinstance(alignment, Alignment):
        raise InputError(f"check takes an alignment, not {shown(alignment)}; {_instead(alignment)}")
    timeout, seed = seconds(timeout, "the timeout"), whole(seed, "seed")
    effort = None if effort is None else whole(effort, "effort")
    records = None if table is None else read_records(table)
    check_callable(progress, "progress", "a function that is called with a text")
    alignment.ensure_current()
    started = time.monotonic()
    deadline = Deadline.after(timeout)
    say = progress or (lambda words: None)
    if any(draw.distribution is CHOICE for draw in alignment.mechanism.draws):
        notes = ("neither a proof nor a counterexample was looked for",)
        return _result(alignment, Verdict.UNDECIDED, Proof(dict(_CHOICES)), notes)
    say("searching for a counterexample")
    # Runs whose noise may be forgotten are looked for where an alignment reads it; they are rarer.
    first = LONGER if alignment.reads_noise else FIRST
    seen = search(alignment, seed=seed, trials=first, seconds=timeout / 2, table=records, progress=progress)
    decider = Decider(Z3Solver.of_one_check(), deadline.left)
    if seen.found is not None:
        say("shrinking the counterexample")
        result = _refuted(alignment, seen.found, seen, deadline)
    else:
        say("proving")
        result = _proved_or_not(alignment, seen, decider, seed, say, deadline)
    say("bounding the loss from below")
    result = attacked(alignment, result, effort, seed, deadline.left)
    return replace(result, seconds=time.monotonic() - started, queries=decider.queries)


def _instead(given: object) -> str:
    """What to give `check`."""
    if isinstance(given, Mechanism):
        return f"give the function that is decorated with @alignment({given.name}, …)"
    if isinstance(given, str):
        return 'load it first, as in load("proofs.py::phi")'
    return "decorate the proof with @alignment"


def out_of_time(alignment: Alignment, timeout: float) -> Result:
    """What is said of an alignment whose check had to be ended because it went on after the time given."""
    proof = Proof(undecided_everywhere(OUT_OF_TIME))
    notes = ("the check was ended at its time limit, and what it had found by then is lost",)
    return replace(_result(alignment, Verdict.UNDECIDED, proof, notes), seconds=timeout)


def _proved_or_not(
    alignment: Alignment, seen: Search, decider: Decider, seed: int, say: Callable[[str], None], deadline: Deadline
) -> Result:
    far = directed(alignment, seed=seed, seconds=decider.left / 2)
    if far.found is not None:
        return _refuted(alignment, far.found, seen, deadline)
    if alignment.reads_noise:
        say("looking for noise that is forgotten")
        lost = forgotten(alignment, [*seen.passed, *far.passed], deadline.sooner(decider.left / 2))
        if lost is not None:
            return _shown(alignment, two_noise_vectors(alignment, lost), seen)
        seen.passed.clear()  # later on those that come after them are looked at
    far.passed.clear()
    lines = output_lines(alignment.mechanism.program)
    if not lines <= seen.lines | far.lines:
        far.lines |= lines_reached(alignment, lines - seen.lines - far.lines, seed=seed, seconds=decider.left / 4)
    found = seen.go_on(TRIALS, decider.left / 2, until=lambda: lines <= seen.lines | far.lines)
    if found is not None:
        return _refuted(alignment, found, seen, deadline)
    say("proving")
    proof = prove(alignment, decider, seen.lines | far.lines)
    if proof.complete and proof.theory is not None:
        say("looking for the worst case of the cost")
        quick = decider.quick()
        analysis = analyse(alignment, proof.theory, quick, far.dearest)
        decider.queries += quick.queries
        return _with_cost(_result(alignment, Verdict.PROVED, proof, (_searched(seen), *analysis.notes)), analysis)
    say("searching further")
    found = seen.go_on(TRIALS, decider.left / 2)
    if found is not None:
        return _refuted(alignment, found, seen, deadline)
    if proof.conditions["one_to_one"].status is not Verdict.PROVED:
        say("looking for noise that is forgotten")
        lost = forgotten(alignment, seen.passed, deadline)
        if lost is not None:
            return _shown(alignment, two_noise_vectors(alignment, lost), seen)
    say("looking for a small counterexample by solver")
    # Where the number of queries is given an answer is a symbol of its own, and no longer an element of an array.
    few = Decider(Z3Solver.of_one_check(), decider.left)
    candidate, reached = bounded_search(alignment, few)
    decider.queries += few.queries
    if isinstance(candidate, Collision):
        return _shown(alignment, two_noise_vectors(alignment, candidate), seen)
    if candidate is not None:
        return _refuted(alignment, candidate, seen, deadline)
    solved = f"by solver, no counterexample up to: {reached}" if reached else NOTHING_RULED_OUT
    notes = (f"{_searched(seen)}; that is no proof", solved)
    return _result(alignment, Verdict.UNDECIDED, proof, notes)


def _searched(seen: Search) -> str:
    if not seen.lines:
        return f"the search tried {seen.trials} adjacent pairs, and the mechanism gave no output for any of them"
    records = f", {seen.records} of them a real table with one record dropped or added" if seen.records else ""
    return f"the search found no counterexample in {seen.trials} adjacent pairs{records}"


def _refuted(alignment: Alignment, candidate: Witness, seen: Search, deadline: Deadline) -> Result:
    small = shrink(alignment, candidate, deadline=deadline)
    return _shown(alignment, counterexample(alignment, small, number_of_queries(alignment, candidate)), seen)


def _shown(alignment: Alignment, found: Counterexample, seen: Search) -> Result:
    conditions = {name: Condition(name, Verdict.UNDECIDED, "not examined: the proof is refuted") for name in CONDITIONS}
    conditions[found.condition] = Condition(found.condition, Verdict.REFUTED, f"line {found.line}: {found.words}")
    return _result(alignment, Verdict.REFUTED, Proof(conditions), (), found)


def _result(
    alignment: Alignment,
    verdict: Verdict,
    proof: Proof,
    notes: tuple[str, ...],
    found: Counterexample | None = None,
) -> Result:
    mechanism = alignment.mechanism
    proved = verdict is Verdict.PROVED
    reach = "all" if proved else "none"
    lattice = mechanism.draws and all(not d.distribution.support.continuous for d in mechanism.draws)
    model = "lattice" if lattice else "ideal reals"
    vectors = any(kind.vector for kind in mechanism.parameters.values())
    scope = {**({"n": reach} if vectors else {}), **dict.fromkeys(mechanism.public, reach)}
    return Result(
        mechanism=mechanism.name,
        alignment=alignment.name,
        file=alignment.file,
        line=alignment.line,
        verdict=verdict,
        expected=Verdict(alignment.expect),
        number_model=model,
        claim=alignment.claim,
        adjacency=str(alignment.adjacency),
        cost=None,
        attained=None,
        scope=scope,
        conditions=proof.conditions,
        assumptions=(*proof.assumptions, *((FLOATS,) if proved and model == "ideal reals" else ())),
        counterexample=found,
        notes=(*notes, *proof.notes),
        mechanism_place=f"{mechanism.file}:{mechanism.line}",
        ex_post=alignment.ex_post,
        base=alignment.base,
        presumed=tuple(Presumed(p.formula, f"line {p.place.line}: {p.words}") for p in proof.presumed),
        digest=mechanism.digest,
        subject=Subject(alignment),
    )


def _with_cost(result: Result, analysis: CostAnalysis) -> Result:
    """A proved result with its worst case, which is what the mechanism's privacy loss is at most.

    Ex-post privacy alone is no differential privacy: without a worst case the mechanism stays open.
    """
    bounded = analysis.cost is not None
    return replace(
        result,
        cost=analysis.cost,
        attained=analysis.attained,
        slack=analysis.slack,
        attained_at=analysis.at,
        privacy=Privacy("private", upper=analysis.cost, adjacency=result.adjacency) if bounded else Privacy(),
    )


def check_all(
    alignments: Iterable[Alignment],
    *,
    timeout: float = 60.0,
    seed: int = 0,
    table: Iterable[frozenset[str]] | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[Result]:
    """Check several alignments, one after the other, each with the whole timeout."""
    given = items(alignments, "alignments", "a list of alignments")
    records = None if table is None else read_records(table)
    results = [check(a, timeout=timeout, seed=seed, table=records, progress=progress) for a in given]
    return fold_privacy(given, results)


def read_records(table: object) -> tuple[frozenset[str], ...]:
    """A real table, as sets of items; InputError where a record is not a set, or an item is not text."""
    what = 'a list of records that are sets of items, such as [{"1", "2"}, {"2"}]'
    records = items(table, "the table", what)
    for record in records:
        if not isinstance(record, set | frozenset) or not all(isinstance(item, str) for item in record):
            raise InputError(f"the table must be {what}; it has the record {shown(record)}")
    return tuple(map(frozenset, records))


def fold_privacy(alignments: Sequence[Alignment], results: Sequence[Result]) -> list[Result]:
    """What is known of each mechanism, from all of its alignments together: one proof makes it private.

    A proof under one adjacency speaks of another only where it covers it. Raises InternalError where a certified loss
    is above a proved one.
    """
    proved = [r for r in results if r.verdict is Verdict.PROVED and r.privacy.upper is not None]
    return [_with_privacy(a, r, proved) for a, r in zip(alignments, results, strict=True)]


def _with_privacy(alignment: Alignment, result: Result, proved: Sequence[Result]) -> Result:
    privacy = result.privacy
    for adjacency in Adjacency(result.adjacency).covered_by:
        for other in proved:
            if (other.mechanism_place, other.adjacency) == (result.mechanism_place, adjacency):
                known = replace(privacy, upper=other.privacy.upper, adjacency=str(adjacency))
                check_bracket(alignment.mechanism, known)
                if privacy.upper is None:
                    status = "private" if privacy.status == "open" else privacy.status
                    privacy = replace(known, status=status)
    return replace(result, privacy=privacy)
