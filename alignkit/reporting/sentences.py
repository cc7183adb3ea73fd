"""The sentences of reports: what a verdict, its scope and its number model mean for the reader."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from alignkit.formatting import counted, lower_bound_shown, number_model_shown, value_shown
from alignkit.results import CertifiedLoss, Privacy, Result, Suggestion, Verdict
from alignkit.running.adjacency import Adjacency
from alignkit.verdicts import LIMITS

_ADJACENCIES = {
    "each": "every answer may change by up to the sensitivity",
    "monotone": "every answer may change by up to the sensitivity, all in one direction",
    "one": "one answer may change, by up to the sensitivity",
    "l1": "the changes add up to at most the sensitivity",
}

NOT_A_LEAK = "This refutes the alignment; it does not show that the mechanism leaks."
# What follows may be pasted.
CALL = "attained by: "

WHAT_NOW = "what now: docs/undecided.md explains the reason and says what to do"
_NO_PROOF = "No counterexample was found either; that does not show that there is none."


def file_shown(file: str) -> str:
    """Write a path relative to the current folder where it lies below it."""
    try:
        below = os.path.relpath(os.path.realpath(file), os.path.realpath(os.curdir))
    except (OSError, ValueError):
        return file
    return file if below.startswith(os.pardir) else below


def scope_shown(scope: Mapping[str, str]) -> str:
    """Say what the verdict covers; "-" where it covers nothing.

    >>> scope_shown({"n": "all", "k": "all"}), scope_shown({"n": "up to 3", "k": "all"})
    ('all n, k', 'n up to 3; all k')
    """
    everything = [name for name, value in scope.items() if value == "all"]
    parts = [f"{name} {value}" for name, value in scope.items() if value not in ("all", "none")]
    if everything:
        parts.append("all " + ", ".join(everything))
    return "; ".join(parts) or "-"


def narrow_scope_shown(result: Result) -> str:
    """Say that a proof covers less than all values, where all were required; empty where it covers them."""
    if all(value == "all" for value in result.scope.values()):
        return ""
    what = f"{result.mechanism} / {result.alignment} is {result.verdict}"
    return f"{what} for {scope_shown(result.scope)} only, and all n and all public parameters were required"


def adjacency_shown(adjacency: str, sensitivities: Iterable[str] = ()) -> str:
    """Say what an adjacency allows, where the answers have these sensitivities."""
    most = Adjacency(adjacency).most
    few = f"at most {most} answer{'' if most == '1' else 's'} may change, each by up to the sensitivity"
    local = ", where it has one" if any(" where " in each for each in sensitivities) else ""
    return f"adjacency {adjacency}: {_ADJACENCIES.get(adjacency, few)}{local}"


def opinion_shown(result: Result) -> str:
    """Say what the second program says of a proof; empty where it was not asked in full."""
    return f"second opinion: {result.opinion}" if result.opinion_asked and result.opinion is not None else ""


def opinions_shown(result: Result) -> str:
    """Say in one line what the prover, the second program and the second solver say of an alignment."""
    by = f" by {result.solver}" if result.verdict is Verdict.PROVED and result.solver != "z3" else ""
    said = [f"{result.verdict}{by}", *(str(x) for x in (result.opinion, result.vote) if x is not None)]
    said += [] if result.as_expected else [expectation_shown(result)]
    return f"{result.mechanism} / {result.alignment}: {'; '.join(said)}"


def notes_shown(result: Result) -> list[str]:
    """List the notes; an undecided result says that no counterexample was found, unless a note says it already."""
    notes = [f"note: {note}" for note in result.notes]
    if result.verdict is Verdict.UNDECIDED and not any("counterexample" in note for note in result.notes):
        notes.append(_NO_PROOF)
    return notes


def claim_shown(claim: str, ex_post: bool = False, base: int | None = None, delta: str | None = None) -> str:
    """Write a claim as the property that it states.

    >>> claim_shown("eps"), claim_shown("eps / 2"), claim_shown("len(omega) * eps", ex_post=True)
    ('eps-DP', '(eps / 2)-DP', 'ex-post privacy len(omega) * eps')
    >>> claim_shown("eta", base=2)
    'eta-DP in base 2'
    >>> claim_shown("eps", delta="exp(-eps * tau) / 2")
    '(eps, exp(-eps * tau) / 2)-differential privacy'
    """
    if delta is not None:
        return f"({claim}, {delta})-differential privacy"
    units = "" if base is None else f" in base {base}"
    if ex_post:
        return f"ex-post privacy {claim}{units}"
    return (f"{claim}-DP" if claim.isidentifier() or claim.isdigit() else f"({claim})-DP") + units


def short_claim(result: Result) -> str:
    """Write a claim as one cell of a table; `remark` and `common_ground` say what it leaves out."""
    if result.ex_post:
        return "ex post" if result.cost is None else f"ex post, at most {result.cost}"
    if result.delta is not None:
        return f"{result.claim}, with delta"
    return result.claim if result.slack is None else f"{result.claim} (wastes)"


def remark(result: Result) -> str:
    """Write what stands below a table on a proof whose claim is not its worst case; empty where it is."""
    if result.verdict is not Verdict.PROVED or not (result.ex_post or result.slack is not None):
        return ""
    parts = [f"claims {result.claim}{' at each output' if result.ex_post else ''}"]
    bound = f"worst case {result.cost}" if result.attained else f"at most {result.cost}"
    parts.append(bound if result.cost is not None else "no worst case was proved")
    if result.slack is not None:
        parts.append(f"WASTES {result.slack}")
    return f"{result.mechanism} / {result.alignment}: {'; '.join(parts)}"


def bound_shown(result: Result, where: str = "") -> str:
    """Write the proved bound on the cost, which is the worst case only where a run attains it."""
    if result.attained:
        return f"worst case of the shifts{where}: {result.cost}, attained"
    return f"cost{where}: at most {result.cost}" + ("" if result.attained is None else ", which no run attains")


def worst_case_shown(result: Result) -> list[str]:
    """Say what a proof shows of its cost: the worst case, what the claim wastes, and what an ex-post claim means."""
    lines = []
    if result.delta is not None:
        meaning = "P(D gives an output in E) <= e^epsilon P(D' gives one in E) + delta for every set E of outputs"
        lines.append(f"(epsilon, delta)-differential privacy: {meaning}")
        lines.append(f"the claim's epsilon, {result.claim}, is what the shifts cost at most where no limit is broken")
        most = "the probability that one is; where it is 1 or more the claim says nothing"
        lines.append(f"the claim's delta, {result.delta}, bounds {most}")
    elif result.ex_post:
        base = result.base or "e"
        lines.append(
            f"ex-post privacy: dP_D(omega) <= {base}^claim dP_D'(omega) for each output omega, with the claim at omega"
        )
        if result.cost is None:
            none = "worst case of the shifts over all outputs: none was proved, so this is not DP"
            lines.append(f"{none}; claim: {result.claim}")
        else:
            lines.append(f"{bound_shown(result, ' over all outputs')}; claim: {result.claim}")
        if result.slack is not None:
            lines.append(f"the claim is larger than needed: at every output it WASTES {result.slack}")
        lines.append("only the worst case, not the realised cost, is a budget for ordinary composition")
    elif result.cost is not None:
        wasted = f"; the claim WASTES {result.slack}" if result.slack is not None else ""
        lines.append(f"{bound_shown(result)}; claim: {result.claim}{wasted}")
    if result.attained_at is not None:
        call = result.attained_at.snippet.splitlines()[-1].removeprefix("print(").removesuffix(")")
        lines.append(f"{CALL}{call}")
    return lines


def expectation_shown(result: Result) -> str:
    """Say whether the verdict is the one that the proof declares."""
    if result.as_expected:
        return "ok" if result.verdict is Verdict.PROVED else "ok, as expected"
    return f"UNEXPECTED: should be {result.expected}"


def suggestion_shown(result: Result, suggestion: Suggestion) -> str:
    """Say what is suggested in place of an alignment."""
    what = "a cheaper one is known" if suggestion.cheaper else "this one works"
    cost = suggestion.cost
    worst = f"; worst case of the shifts: {cost}" if cost is not None and cost != suggestion.claim else ""
    return f"suggestion for {result.mechanism} / {result.alignment}: {what}, proved; claim: {suggestion.claim}{worst}"


def privacy_shown(result: Result) -> str:
    """Say what is known of the mechanism itself, as opposed to this proof of it."""
    privacy = result.privacy
    bounds = [] if privacy.upper is None else [f"at most {privacy.upper}"]
    if privacy.leak is not None and privacy.leak.delta is None:
        bounds.append(_lower_bound(privacy.leak))
    name = f"the mechanism {result.mechanism}"
    claimed = "" if result.delta is None else f" as claimed: {claim_shown(result.claim, delta=result.delta)}"
    statement = {
        "private": f"{name} is private{claimed}",
        "not private": f"{name} is NOT PRIVATE as claimed: a violation was certified",
        "open": _open(result, name),
    }[privacy.status]
    return statement + (f" (privacy loss {', '.join(bounds)})" if bounds else "")


def _open(result: Result, name: str) -> str:
    """Say what is open; a proof that leaves it open is one of ex-post privacy, which has no bound for all outputs."""
    if result.verdict is Verdict.PROVED:
        if result.privacy.upper is not None:
            return f"another alignment proves a bound on {name} for all outputs"
        return f"it is open whether {name} is private: neither proved nor shown to leak"
    if result.privacy.upper is not None:
        return f"it is open whether {name} is private as claimed; another alignment proves another bound"
    return f"it is open whether {name} is private as claimed: neither proved nor shown to leak more"


def _lower_bound(leak: CertifiedLoss) -> str:
    public = ", ".join(f"{name} = {value_shown(value)}" for name, value in leak.witness.public.items())
    bound = lower_bound_shown(leak.loss) if leak.delta is None else leak.certified_shown()
    return bound + (f" at {public}" if public else "")


def next_step(result: Result) -> str:
    """Say what to do where a refutation leaves the mechanism open; empty elsewhere, and where no file holds it."""
    open_ = result.verdict is Verdict.REFUTED and not result.as_expected and result.privacy.status == "open"
    if not open_ or not os.path.isfile(result.file):
        return ""
    name = result.alignment if result.alignment.isidentifier() else result.mechanism
    return f"what now: `alignkit attack {file_shown(result.file)}::{name}` searches longer for a leak"


def leak_shown(privacy: Privacy) -> list[str]:
    """List the event and the inputs that show the certified loss, and before them a certified delta."""
    leak = privacy.leak
    if leak is None:
        return []
    one, other = leak.witness.q, leak.witness.q_
    answers = [f"{name} = {value_shown(one[name])}, {name}' = {value_shown(other[name])}" for name in one]
    delta = [] if leak.delta is None else [_lower_bound(leak)]
    return [*delta, f"event: the output is {leak.event}, by {leak.method}", *answers]


@dataclass(frozen=True)
class Unchecked:
    """Counts of what was asked for and has no result.

    ``targets`` could not be used, the checks of ``alignments`` broke off, and ``unreached`` alignments were not decided
    when the run was interrupted.
    """

    targets: int = 0
    alignments: int = 0
    unreached: int = 0

    def __bool__(self) -> bool:
        return bool(self.targets or self.alignments or self.unreached)


ALL_CHECKED = Unchecked()


def tally_line(
    results: Sequence[Result],
    seconds: float | None = None,
    unchecked: Unchecked = ALL_CHECKED,
    *,
    width: int | None = None,
) -> str:
    """Write the last line of a report. Where it is longer than ``width``, the number of queries is left out.

    "All as expected" is said only where everything that was asked for has a result. Queries are those of this run.
    """
    counts = ", ".join(f"{sum(r.verdict is v for r in results)} {v}" for v in Verdict)
    unexpected = sum(not r.as_expected for r in results)
    exceptions = {
        f"{unexpected} UNEXPECTED": unexpected,
        f"{counted(unchecked.targets, 'target')} could not be checked": unchecked.targets,
        f"{counted(unchecked.alignments, 'alignment')} could not be checked": unchecked.alignments,
        f"interrupted before {counted(unchecked.unreached, 'alignment')}": unchecked.unreached,
    }
    endings = [words for words, number in exceptions.items() if number]
    time = [] if seconds is None else [f"{seconds:.1f} s"]
    if not results:
        return "; ".join(["no alignment was checked", *endings, *time])
    parts = [f"{counted(len(results), 'alignment')}: {counts}", *(endings or ["all as expected"])]
    cached = sum(r.cached for r in results)
    if cached:
        parts.append(f"{cached} from the cache")
    queries = counted(sum(r.queries for r in results if not r.cached), "solver query")
    text = "; ".join([*parts, queries, *time])
    return text if width is None or len(text) <= width else "; ".join([*parts, *time])


# Of more kinds of assumptions than these, the less frequent are counted only.
_MOST_KINDS = 3


def common_ground(results: Sequence[Result]) -> list[str]:
    """List what stands below a table: how many have a delta, and each number model, second opinion and assumption."""
    models = Counter(number_model_shown(r.number_model) for r in results)
    kinds = Counter(
        kind
        for result in results
        for kind in {a.partition(" (line ")[0] for a in result.assumptions}
    )
    opinions = Counter(filter(None, map(opinion_shown, results)))
    alone = len(models) == 1
    lines = [f"numbers: {model}" if alone else f"numbers for {number}: {model}" for model, number in models.items()]
    delta = sum(result.delta is not None for result in results)
    if delta:
        what = "1 claim has a delta: -v shows it" if delta == 1 else f"{delta} claims have a delta: -v shows them"
        lines.insert(0, what)
    lines += [f"{opinion} ({counted(number, 'proof')})" for opinion, number in opinions.most_common()]
    frequent = kinds.most_common(_MOST_KINDS if len(kinds) > _MOST_KINDS + 1 else None)
    lines += [f"assumed for {number}: {kind}" for kind, number in frequent]
    rarer = len(kinds) - len(frequent)
    return [*lines, f"{rarer} further assumptions: -v shows them"] if rarer else lines


def confirmed_by(condition: str) -> str:
    """How a refutation of a condition was confirmed."""
    return "exact replay of noise that breaks a limit, and exact tails" if condition == LIMITS else "exact replay"
