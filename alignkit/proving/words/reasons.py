"""What a report says of a condition: how it was proved, or why it is not proved.

The names of a proof's symbols, as a report of the check writes them.

What a report says of a loop's invariants: what was kept, what was tried and given up, and what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from alignkit.language.pretty_printing import pretty_limit
from alignkit.language.program import Builtin, Comprehension, For, LimitForm, Name, NamedLimit, ShiftExpression, walk
from alignkit.noise import Support
from alignkit.proving.conditions.noise_used import PAID_FOR, TOLD_BY_DRAWS
from alignkit.proving.conditions.one_to_one.by_order import in_order
from alignkit.proving.deciding import Decided
from alignkit.proving.gathering import Theory
from alignkit.proving.loops import invariants as inv
from alignkit.proving.obligation import Obligation
from alignkit.proving.words.rewrites import running_extremes
from alignkit.running.alignment_program import PRIVACY_COST, ROUNDS_OVER, AlignmentProgram
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.terms import roles
from alignkit.symbolic.trees import Role
from alignkit.verdicts import ADAPTIVE_QUERIES, LIMITS


@dataclass(frozen=True)
class HeadOfLoop:
    """The invariants of a loop that are obliged, all that were tried, and the variables at the loop's head.

    ``loop`` says which loop it is, in words.
    """

    loop: str
    invariants: Sequence[str]
    tried: Sequence[str]
    variables: Iterable[str]

    @property
    def lost(self) -> list[str]:
        """What was tried and given up."""
        return [text for text in self.tried if text not in self.invariants]

    @property
    def changed(self) -> list[str]:
        """The variables that the loop changes."""
        return sorted(name for name in self.variables if inv.equality(name) in self.tried)

    def notes(self, decided: Sequence[Decided], instead: str | None = None) -> list[str]:
        """What is kept, what was tried and given up, and what is missing where the proof is not done.

        ``instead`` is what to write where no invariant that can be stated would help.
        """
        failed = [d.obligation for d in decided if not d.holds]
        wrong = dict.fromkeys(o.invariant for o in failed if o.invariant is not None)
        alike = [inv.ALIKE] if any(d.obligation.invariant == inv.ALIKE for d in decided) else []
        kept = [text for text in (*self.invariants, *alike) if text not in wrong]
        notes = [f"invariants at the head of {self.loop}: {'; '.join(kept)}"] if kept else []
        if self.lost:
            notes.append(f"tried, but not kept by {self.loop}: {'; '.join(self.lost)}")
        if wrong:
            notes.append(f"assumed at the head of {self.loop}, but not shown: {'; '.join(wrong)}")
            return notes
        if instead is not None:
            return [*notes, instead] if failed else notes
        return [*notes, *self._missing(failed)]

    def _missing(self, failed: Sequence[Obligation]) -> list[str]:
        conditions = {o.condition for o in failed if _may_follow(o)}
        unequal = [name for name in self.changed if inv.equality(name) in self.lost]
        missing: list[str] = []
        if "cost" in conditions:
            missing += self._missing_of_cost()
        if "same_output" in conditions or "noise_used" in conditions:
            unequal = [n for n in unequal if not any(text.startswith(f"{n}_ - {n} == ") for text in self.invariants)]
            if unequal:
                known = _closer(self._about(f"{name}_" for name in unequal))
                related = f"a relation{known} between the values of {', '.join(unequal)} on D and on D'"
                missing.append(_to_state(related, f"{unequal[0]}_ - {unequal[0]} == ..."))
        if self.changed and ("termination" in conditions or ("same_output" in conditions and not missing)):
            further = f"a {'further ' if self.invariants else ''}condition on {', '.join(self.changed)}"
            missing.append(_to_state(f"{further} that holds before every iteration", "..."))
        return [f"missing at the head of {self.loop}: {text}" for text in missing]

    def _missing_of_cost(self) -> Iterator[str]:
        bounds = [text for text in self.invariants if text.startswith(inv.COST)]
        stated = [text for text in self.invariants if PRIVACY_COST in text]
        example = f"{PRIVACY_COST} <= ..."
        if not bounds and not stated:
            equal = [name for name in self.changed if inv.equality(name) not in self.lost]
            numbers = " and ".join([*equal, f"{ROUNDS_OVER}, the number of iterations that are over"])
            yield _to_state(f"a bound on the cost in terms of {numbers}", example, "one")
            return
        parts = [part for text in bounds for part in text.split(" + ")]
        counters = {n: part for n in self.changed for part in parts if part.endswith(f" gain of {n}")}
        if counters:
            # The cost grows as a counter falls where its rate is below 0.
            sides = {n: (">=", "<=") if part.startswith("(-") else ("<=", ">=") for n, part in counters.items()}
            wrong = tuple(f"{n} {opposite}" for n, (_, opposite) in sides.items())
            known = [t for t in self._about(counters) if t not in (*bounds, *stated) and not t.startswith(wrong)]
            bound = f"a bound on {', '.join(counters)}{_closer(known)}"
            last = list(counters)[-1]
            implied = f"{bound}, so that the bound on the cost implies the claim when the loop ends"
            yield f"{_to_state(implied, f'{last} {sides[last][0]} ...')}{', or claim more' if known else ''}"
        elif inv.COST not in bounds:  # else no iteration costs anything
            known = list(dict.fromkeys([*stated, *bounds]))
            bound = f"a bound on the cost{_closer(known)} and implies the claim when the loop ends"
            yield f"{_to_state(bound, example, 'one')}, or claim more"

    def _about(self, names: Iterable[str]) -> list[str]:
        """The invariants that say of variables more than that they are equal on both sides."""
        words = [re.compile(rf"\b{re.escape(name)}\b") for name in names]
        equal = [inv.equality(name) for name in self.changed]
        return [text for text in self.invariants if text not in equal and any(word.search(text) for word in words)]


def _may_follow(owed: Obligation) -> bool:
    """Whether more invariants might show a goal: what an iteration puts out, and public values, are as they are."""
    if owed.about_record or owed.goal is True:
        return False
    return owed.goal is False or owed.condition == "cost" or not roles(owed.goal) <= {Role.PUBLIC, Role.INDEX}


def _closer(known: Sequence[str]) -> str:
    """That what is missing must say more than what is known, where something is."""
    return f" that is closer than {' and '.join(f'`{text}`' for text in known)}" if known else ""


def _to_state(missing: str, invariant: str, what: str = "it") -> str:
    """What is missing, and how the user states it (or "one" such bound)."""
    return f'{missing}; state {what} with @alignment(..., invariant="{invariant}")'


# The iteration of a loop is `i`, that of a loop inside another is `j`; prefixes that tell symbols apart are left out.
_NAMES = (
    (re.compile(r"#iteration in loop \d+\.[\d.]+"), "j"),
    (re.compile(r"#iteration(?: in loop \d+)?|#index of the output"), "i"),
    (re.compile(r"#any index \d+|#own index|#index that is read"), "j"),
    (re.compile(r"#(?=[A-Za-z_])"), ""),
    (re.compile(r"(?<!the )\bloop: (?=\w)"), ""),
    (re.compile(r"\bomega: (?=\w)"), ""),
    (re.compile(r"(?<![\w)\]])\? (?=\w)"), ""),
)


def in_report_words(text: str) -> str:
    """A text with the symbols of a proof called as the program calls them.

    >>> in_report_words("a[#iteration in loop 0][#iteration in loop 0.1] at 4 / eps, e[-1 + #iteration] at loop: scale")
    'a[i][j] at 4 / eps, e[-1 + i] at scale'
    >>> in_report_words("1 + ? len(omega) <= 0 at the head of the loop: count")
    '1 + len(omega) <= 0 at the head of the loop: count'
    """
    for pattern, name in _NAMES:
        text = pattern.sub(name, text)
    return text


# The longest number, in characters, that an example shows: a longer one tells a reader nothing.
_LONGEST = 24


def how(name: str, alignment: AlignmentProgram, own: Sequence[Decided], theory: Theory) -> str:
    """How a condition was proved; ``own`` are its obligations."""
    if name == LIMITS:
        return _limits(alignment)
    if name == "one_to_one":
        return theory.one_to_one or in_order(theory.noise_order)
    if name == "noise_used" and any(trace.varying for trace in theory.traces):
        by_draws = any(decided.obligation.words.endswith(TOLD_BY_DRAWS) for decided in own)
        tell = "public values, the output and the draws that are made" if by_draws else "public values and the output"
        return f"D and D' make the same draws, from distributions that {tell} tell"
    if name == "noise_used" and any(decided.obligation.words.endswith(PAID_FOR) for decided in own):
        return f"{_noise_used(alignment)}, but for weights that read answers: what they change is paid for"
    read = sorted({read for record in theory.records for read in record.reals.read})
    if name == "countable" and read:
        return f"the shifts read tags, indices, lengths, and what D computes for {in_report_words(', '.join(read))}"
    if name == "countable" and any(plan.alike_in_alignment for plan in theory.planned.plans):
        return "the shifts read tags, indices, lengths, and what the mechanism's loop keeps"
    words = RULES[name].words
    if words is not None:
        return words(alignment)
    if name == "cost":
        claims = [d.obligation.words for d in own if d.obligation.words.endswith(f"at most {alignment.claim}")]
        return in_report_words(max(claims, key=len, default=f"the shifts cost at most {alignment.claim}"))
    return in_report_words(own[-1].obligation.words)


def _termination(alignment: AlignmentProgram) -> str:
    body = alignment.mechanism.program.body
    repeats = any(isinstance(node, For | Comprehension) for statement in body for node in walk(statement))
    loops = "every loop runs over a list or a range" if repeats else "there is no loop"
    return f"{loops}, and every step is defined"


_NO_NOISE = "no noise is drawn"


def _noise_used(alignment: AlignmentProgram) -> str:
    if not alignment.mechanism.draws:
        return _NO_NOISE
    return "D and D' make the same draws, from the same public distributions"


def _distributions(alignment: AlignmentProgram) -> str:
    drawn = sorted({draw.distribution.name: draw.distribution for draw in alignment.mechanism.draws}.items())
    if not drawn:
        return _NO_NOISE
    shown = [f"{name} (for d >= 0)" if distribution.upward else name for name, distribution in drawn]
    return f"the bound on ln f(x)/f(x+d) for {', '.join(shown)} is proved once and for all"


_SUPPORTS = {
    Support.REALS: "{0} noise may be any real number",
    Support.NONNEGATIVE: "the aligned noise of {1} stays at least 0",
    Support.LATTICE: "the aligned noise of {1} stays on its lattice",
    Support.NONNEGATIVE_LATTICE: "the aligned noise of {1} stays at least 0 and on its lattice",
    Support.INTERVAL: "the aligned noise of {1} stays between its bounds",
    Support.CUT_LATTICE: "the aligned noise of {1} stays between its bounds and on its lattice",
    Support.INDICES: "the aligned {1} is an outcome of a weight above 0",
}


def _valid_noise(alignment: AlignmentProgram) -> str:
    parts = []
    for support, words in _SUPPORTS.items():
        draws = [draw for draw in alignment.mechanism.draws if draw.distribution.support is support]
        if draws:
            titles = dict.fromkeys(draw.distribution.title for draw in draws)
            names = dict.fromkeys(draw.name for draw in draws)
            if support is Support.INDICES and len(names) > 1:
                words = "the aligned {1} are outcomes of weights above 0"
            parts.append(words.format(" and ".join(titles), ", ".join(names)))
    return "; ".join(parts) or _NO_NOISE


def _same_output(alignment: AlignmentProgram) -> str:
    return "tags, indices, real parts, length and ending agree on every path"


def _countable(alignment: AlignmentProgram) -> str:
    if "omega" in alignment.program.parameters:
        return "the shifts depend on the output by its tags, indices and lengths only"
    return "the alignment does not read the output"


_CHARGED = {
    LimitForm.BELOW: "upper tail",
    LimitForm.ABOVE: "lower tail",
    LimitForm.DISTINCT: "greatest probability of a number, for each pair,",
}


def _stated(limit: NamedLimit) -> str:
    value = pretty_limit(limit)
    if limit.form is LimitForm.DISTINCT:
        return f"the sums of {limit.name} and {value} are distinct"
    return f"{limit.name} is {limit.form} {value}"


def _limits(alignment: AlignmentProgram) -> str:
    """The limits as they are written, what a draw is charged for them (docs/theory/delta.md, "Tails"), and the sum."""
    limits = [n for node in walk(*alignment.program.body) if isinstance(node, ShiftExpression) for n in node.limits]
    drawn = {draw.key: draw.distribution for draw in alignment.mechanism.draws}
    stated = (_stated(n) for n in limits)
    charges = (f"the {_CHARGED[n.form]} of {drawn[n.name].title} noise" for n in limits)
    calls = [f"the delta of {lemma.name} for each call" for lemma in alignment.lemmas if lemma.delta is not None]
    parts = [", ".join(dict.fromkeys(stated)), f"charged {', '.join(dict.fromkeys((*charges, *calls)))}"]
    return "; ".join(filter(None, (*parts, f"on every run the charges add up to at most {alignment.delta}")))


@dataclass(frozen=True)
class ConditionRule:
    """What the prover's reports know of a condition.

    ``words`` say how it was proved (None: the words of its obligations do). A goal of a ``structural`` condition that
    is never met fails whatever the values are, so that an example says nothing.
    """

    words: Callable[[AlignmentProgram], str] | None = None
    structural: bool = False


RULES = {
    "termination": ConditionRule(_termination),
    "noise_used": ConditionRule(_noise_used, structural=True),
    "distributions": ConditionRule(_distributions, structural=True),
    "valid_noise": ConditionRule(_valid_noise, structural=True),
    "same_output": ConditionRule(_same_output),
    "one_to_one": ConditionRule(structural=True),
    "cost": ConditionRule(),
    "countable": ConditionRule(_countable, structural=True),
    ADAPTIVE_QUERIES: ConditionRule(structural=True),
    LIMITS: ConditionRule(),
}


def notes_on_loops(theory: Theory, decided: Sequence[Decided]) -> list[str]:
    """What a report says of the invariants of each loop."""
    loops, notes = theory.planned.loops, []
    variables = dict.fromkeys(n for trace in theory.traces if trace.round for n in trace.round.head.names)
    for planned in loops:
        place = planned.plan.loop.place
        own = [d for d in decided if d.obligation.invariant is None or d.obligation.place == place]
        where = "the loop" if len(loops) == 1 else f"the loop in line {place.line}"
        head = HeadOfLoop(where, planned.plan.obliged, planned.tried, variables)
        extremes = running_extremes(planned.plan.loop)
        unlike = [name for name in extremes if inv.equality(name) in head.lost]
        notes += head.notes(own, instead=extremes[unlike[0]] if unlike else None)
    return notes


def why(failed: Sequence[Decided], alignment: AlignmentProgram) -> str:
    """Why a condition is not proved: the first obligation that failed, with the solver's example where it has one."""
    first = failed[0]
    not_proved = _not_shown if first.obligation.invariant is None else _invariant_lost
    more = f"; and {len(failed) - 1} more" if len(failed) > 1 else ""
    return in_report_words(f"{_where(first.obligation, alignment)}{not_proved(first, alignment)}{more}")


def _not_shown(failed: Decided, alignment: AlignmentProgram) -> str:
    obligation = failed.obligation
    start = "not shown to be impossible" if names_a_problem(obligation) else "not shown"
    words = obligation.words if obligation.problem else obligation.words.replace(" may be ", " is ")
    return f"{start}: {words}{_evidence(failed, alignment)}"


# Words on a step that say what holds where it is defined; the others name what is wrong where it is not.
_SAYS_WHAT_HOLDS = re.compile(r" must | is defined| at least | needs ")


def is_about_definedness(obligation: Obligation) -> bool:
    """Whether an obligation excludes that a step has no value, which its words name."""
    return bool(re.search(r"\((in the alignment|on D|on D'|in the claim .*)\)$", obligation.words))


def names_a_problem(obligation: Obligation) -> bool:
    """Whether the words of an obligation name what it excludes, and not what it says."""
    if obligation.problem or " may " in obligation.words:
        return True
    return is_about_definedness(obligation) and not _SAYS_WHAT_HOLDS.search(obligation.words)


def _invariant_lost(failed: Decided, alignment: AlignmentProgram) -> str:
    """Why an invariant is not shown: it does not hold at the start, or is not kept."""
    obligation = failed.obligation
    stated = _is_stated(obligation, alignment)
    invariant = f"the invariant `{obligation.invariant}`" if stated else str(obligation.invariant)
    line = f" (line {obligation.line})" if stated and obligation.line is not None else ""
    owed = obligation.words.removeprefix(f"{obligation.invariant}: ")
    if owed == _BEGINS and _fails(failed, alignment):
        example = _example(failed, alignment)
        return f"{invariant} fails when the loop begins{line}{f', for example with {example}' if example else ''}"
    evidence = _evidence(failed, alignment) if owed == _BEGINS else _unanswered(failed)
    return f"not shown: {invariant} {owed}{line}{evidence}"


_BEGINS = "holds when the loop begins"


def _is_stated(obligation: Obligation, alignment: AlignmentProgram) -> bool:
    """Whether an obligation is about an invariant that the user has stated."""
    return obligation.invariant in [text for text, _ in alignment.invariants]


def _fails(failed: Decided, alignment: AlignmentProgram) -> bool:
    """Whether the solver's values of the public parameters alone make the goal false."""
    if failed.answer.outcome is not Outcome.POSSIBLE:
        return False
    if _values(failed, alignment) is None:
        return False
    goal = failed.obligation.goal
    return goal is False or (failed.answer.exact and roles(goal) <= {Role.PUBLIC})


def _evidence(failed: Decided, alignment: AlignmentProgram) -> str:
    """The solver's example against a goal, or why there is none."""
    example = _example(failed, alignment)
    return f" (for example {example}; such a state may be unreachable)" if example else _unanswered(failed)


def _unanswered(failed: Decided) -> str:
    return f" (the solver gave no answer: {failed.answer.reason})" if failed.answer.outcome is Outcome.UNKNOWN else ""


def _where(obligation: Obligation, alignment: AlignmentProgram) -> str:
    """The line in a file: what fails in a claim or an invariant is reported at its alignment."""
    if obligation.place is None:
        return ""
    beside = obligation.place.source.file.endswith((" (claim)", " (invariant)"))
    return f"line {alignment.line if beside or _is_stated(obligation, alignment) else obligation.place.line}: "


def _example(failed: Decided, alignment: AlignmentProgram) -> str:
    """The public parameters in the solver's model, where its values are exact and short."""
    answer = failed.answer
    if answer.outcome is not Outcome.POSSIBLE or not answer.exact:
        return ""
    if failed.obligation.goal is False and RULES[failed.obligation.condition].structural:
        return ""
    values = _values(failed, alignment) or {}
    return ", ".join(f"{name} = {value}" for name, value in values.items() if len(str(value)) <= _LONGEST)


def _values(failed: Decided, alignment: AlignmentProgram) -> dict[str, Fraction] | None:
    """The public numbers in the solver's model, with the lengths that the programs read.

    None where one that must be whole is not, since the solver computes with real numbers: no input has these values.
    """
    mechanism = alignment.mechanism
    whole = [name for name, kind in mechanism.public.items() if kind.integer]
    lengths = [f"len({name})" for name, kind in mechanism.parameters.items() if kind.vector]
    read = _lengths_read(alignment)
    model = {name: failed.answer.model.get(Role.PUBLIC.prefix + name) for name in (*mechanism.public, *lengths)}
    values = {name: value for name, value in model.items() if value is not None}
    if any(values[name].denominator != 1 for name in (*whole, *lengths) if name in values):
        return None
    return {name: value for name, value in values.items() if name not in lengths or name in read}


def _lengths_read(alignment: AlignmentProgram) -> set[str]:
    """The lengths of lists that the mechanism reads, such as ``len(q)``."""
    calls = [node for node in walk(*alignment.mechanism.program.body) if isinstance(node, Builtin)]
    lists = [call.arguments[0] for call in calls if call.function == "len"]
    return {f"len({one.name})" for one in lists if isinstance(one, Name)}
