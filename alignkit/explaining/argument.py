"""The argument of a proof: what D′ does in each case, the invariants, the order of the noise, and what it costs.

Each sentence comes from obligations that were decided, and says from which facts they follow, or from a theorem, and
names the page that proves it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.explaining.case_names import (
    SOME,
    SOME_OF,
    NamedCase,
    branches_of,
    goes_on,
    is_branch,
    is_excluded,
    leaves_its_loop,
    loops_of,
    moved_in,
    named_cases,
    starting_cost,
)
from alignkit.explaining.decisive_reasons import LONGEST_COST, MOST_FACTS, Reasons
from alignkit.explaining.grounds import follows
from alignkit.explaining.name_words import SELECTION_LEMMA, what_names_stand_for
from alignkit.explaining.obligation_words import (
    LONGEST,
    in_obligation_words,
    is_in_program_words,
    one_after_another,
    plain,
)
from alignkit.explaining.readable_formulas import (
    in_program_words,
    name_of_iteration,
    readable,
    readable_term,
    with_names,
)
from alignkit.explaining.writers import Block, BulletList, Paragraph
from alignkit.language.program import Break, For, If, Name, Place, Return, Statement, walk
from alignkit.language.tags import Tag
from alignkit.noise.distribution import Support
from alignkit.proving.conditions.adaptive_queries import Theorem
from alignkit.proving.conditions.cost import Bound
from alignkit.proving.conditions.finite_choices import OF_A_WEIGHT
from alignkit.proving.conditions.noise_used import TOLD_BY_DRAWS
from alignkit.proving.conditions.one_to_one.by_pieces import NONZERO, Volume
from alignkit.proving.loops.invariants import ALIKE, equality
from alignkit.proving.obligation import Obligation
from alignkit.proving.planned_runs import DECIDED_ALIKE
from alignkit.proving.proof import Proof
from alignkit.proving.runs.grown_lists import GrownList
from alignkit.proving.runs.loop_states import LoopRound
from alignkit.proving.runs.path_trace import numbers_within
from alignkit.proving.symbolic_trial import Record
from alignkit.proving.words.reasons import is_about_definedness
from alignkit.results import ADAPTIVE_QUERIES, TITLES
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.alignment_program import DIRECTION, PRIVACY_COST
from alignkit.symbolic.atoms import Conditional, Element
from alignkit.symbolic.formulas import And, Comparison, Formula, Or, conjunction
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role

# Of more cases, steps of a case, or statements on costs, the rest is left out.
_MOST_CASES, _MOST_COSTS = 12, 20

# Said of what is shown, but not written out.
_LEFT_OUT = "which was decided too (its formulas are left out)"

# The conditions whose obligations are told with the case of D's run in which they are owed.
_BY_CASES = ("cost", "one_to_one", "valid_noise")

# The premise of the selection lemma, which is about as many positions as the output names: D may select more.
_NAMED_COMES_FIRST = "on D′ too, each position that the output names comes before every position that D ranks after it"

_SAME = "with the aligned noise put in, what D′ computes comes to the same expression"

# The pages that prove what holds for all programs, and the chapters of which each argument makes use.
CONDITIONS_PAGE = "docs/theory/proof-for-all-n.md"
_THEOREMS = {
    "loops": f"{CONDITIONS_PAGE}#loops-over-the-queries",
    "lemma": "docs/theory/selections.md#the-selection-lemma",
    "one_to_one": f"{CONDITIONS_PAGE}#one-to-one",
}

# Why the assumptions of the theorems on adaptive queries hold, by the pages that say what is checked of programs.
_ONLINE = (
    "The mechanism is online: only its last loop reads the answers, each once, and each iteration of it, and nothing "
    "else, has one output."
)
_TOLD_BY_OUTPUT = "the tags, indices and lengths of the output, and how the run ends, tell which draws are made"
_BY_DRAWS = (
    "one output may come with different draws, and each list of draws, with the iterations in which loops are left, is "
    "looked at by itself [docs/theory/loops.md#what-the-draws-tell]"
)


def one_output_many_draws(proof: Proof) -> bool:
    """Whether one discrete output may come with different lists of draws, so that each is looked at by itself."""
    return any(d.obligation.words == DECIDED_ALIKE or d.obligation.words.endswith(TOLD_BY_DRAWS) for d in proof.decided)


_ASSUMPTIONS = {
    Theorem.DISCRETE: (_ONLINE,),
    Theorem.STEPS: (
        _ONLINE,
        "(a) D and D′ make the same draws at the same scales: Noise used.",
        "(b) A shift reads no real part of the output, and of answers and noise only those of its own step and noise "
        "drawn before the loop.",
        "(c) From every state that the invariants admit D′ gives what D gives, on possible noise: Same output, Valid "
        "noise.",
        "(d) The cost is bounded for all answers, and all numbers of queries: Cost.",
    ),
}


@dataclass(frozen=True)
class Step:
    """A sentence with the facts that it follows from."""

    text: str
    because: str = ""

    def __str__(self) -> str:
        joint = ", " if self.text.endswith("`") or not self.because.startswith(("`", "where")) else ": "
        return f"{_capital(self.text)}{f'{joint}{self.because}' if self.because else ''}."


@dataclass(frozen=True)
class SumsInWords:
    """How a text speaks of what is added up: as a noun, as a verb, of which draws, and what adjacency bounds."""

    title: str
    noun: str
    singular: str
    plural: str
    moved: str
    singles: str
    within: str


class Argument:
    """The text of one proof; ``calls`` says what calls cost by their lemmas."""

    sums = SumsInWords(
        title="Cost.",
        noun="cost",
        singular="costs",
        plural="cost",
        moved="the shifts",
        singles="the shifts of single draws",
        within="the cost of all shifts by the claim",
    )

    def __init__(self, alignment: Alignment, proof: Proof, calls: Sequence[str] = ()) -> None:
        self.mechanism = alignment.mechanism
        self.calls = calls
        self.proof = proof
        self.reasons = self._reasons(alignment, proof)
        self._impossible: dict[int, bool] = {}
        self.reads_direction = any(isinstance(n, Name) and n.name == DIRECTION for n in walk(*alignment.program.body))
        self._named: dict[int, str] = {}  # the cases of obligations and of ends of paths

    def _reasons(self, alignment: Alignment, proof: Proof) -> Reasons:
        return Reasons(alignment, proof)

    def blocks(self) -> Iterator[Block]:
        """The whole argument of a complete proof."""
        with with_names(self.reasons.public):
            shown = [*self.same_output(), *self.invariants(), *self.cost()]
            for name in ("one_to_one", "noise_used", "valid_noise", "termination", "countable", "adaptive_queries"):
                if name in self.proof.conditions:
                    shown += self.other(name)
            names = [*self.names_in(shown)]
        yield from (*names, *shown)

    def names_in(self, shown: Sequence[Block]) -> Iterator[Block]:
        """What the names in a text stand for."""
        text, named, solver = "\n".join(map(str, shown)), self.reasons.names, self.reasons.solver
        names = tuple(what_names_stand_for(text, self.proof, named, solver, reads_direction=self.reads_direction))
        if names:
            yield Paragraph("What names stand for:", "Names.")
            yield BulletList(names)

    def same_output(self) -> Iterator[Block]:
        """What D′ decides and puts out, case by case."""
        cases = [*self._cases()]
        ending = ", and leaves loops where D does" if self._loops() else ""
        words = f"D′ runs on the aligned noise{',' if ending else ', and'} does what D does on `H`{ending}:"
        yield Paragraph(words, "Same output.")
        for when, told in cases[:_MOST_CASES]:
            if when:
                yield Paragraph(f"{_capital(when)}:")
            shown = [*map(str, told[:_MOST_CASES])]
            if len(told) > _MOST_CASES:
                shown.append(_left_out(len(told) - _MOST_CASES, "step"))
            yield BulletList(tuple(shown))
        if len(cases) > _MOST_CASES:
            yield Paragraph(_left_out(len(cases) - _MOST_CASES, "case"))
        loose = [d.obligation for d in self.proof.decided if d.obligation.condition == "same_output"]
        others = [o for o in loose if o.invariant is None and not self._is_told(o) and not is_about_definedness(o)]
        excluded = self._only_on_impossible()
        others = [o for o in others if o.key not in excluded]
        steps = self._steps(o for o in others if o.goal is not True)
        if steps:
            yield BulletList(tuple(map(str, steps)))
        elif not cases:
            how = self.proof.conditions["same_output"].how
            words = "Each item of the output is the same number, tag or list on D and on D′"
            if all(o.goal is True for o in loose if not is_about_definedness(o)):
                call = ", or a call gives it, by its lemma" if self.calls else ""
                yield BulletList((f"{words}: {_SAME}{call}.",))
            else:
                yield BulletList((f"{words} (checked by the solver; too long to print): {plain(how)}.",))
        alike = self._alike()
        if alike:
            yield BulletList((alike,))
        defined = sum(map(is_about_definedness, loose))
        if defined:
            words = "Every step of the alignment and of D′ is defined: indices are in range, nothing is divided by 0"
            yield Paragraph(f"{words} ({_counted(defined, 'obligation')}).")

    def _alike(self) -> str:
        """At which lines D′ finds and gives what D does, as both compute there one expression without noise.

        Lines that read the same variables are told together, and lines that give one tag or list by what they give.
        """
        lines: dict[int, bool] = {}
        names: dict[int, set[str]] = {}
        given: dict[int, set[str]] = {}
        equal = {*self._equals(), *self._grown()}
        for record in self._records():
            known = set(self._assumed(record))
            for compared in record.compared:
                shown, other, line = compared.shown, compared.other, compared.place.line
                if other is None:
                    values: list[Any] = [shown]
                    same = shown in known or follows(self._at_head(record), shown, self.reasons.solver)
                elif isinstance(shown, GrownList) and isinstance(other, GrownList):
                    # That their items are the same is obliged: those so far by the head of the loop, the last here.
                    values, same = [], shown.name == other.name and shown.name in equal
                else:
                    values = [*numbers_within(shown), *numbers_within(other)]
                    same = _is_plain(shown) and shown == other
                within = {atom for value in values for atom in atoms_within(value)}
                apart = any(roles(value) & {Role.PRIVATE, Role.NOISE, Role.UNKNOWN} for value in values)
                lines[line] = lines.get(line, True) and same and not apart
                stated = (in_program_words(a.key) for a in within if a.role is Role.STATE)
                read = {re.sub(r"^len\((\w+)\)$", r"\1", name) for name in stated} | self._read_at(compared.place)
                names.setdefault(line, set()).update(read & equal)
                name = str(shown) if isinstance(shown, Tag) else shown.name if isinstance(shown, GrownList) else ""
                given.setdefault(line, set()).add(name)
        told = sorted(line for line, same in lines.items() if same)
        if not told or not self._loops():
            return ""
        groups: dict[str, list[int]] = {}
        for line in told:
            gives = next(iter(given[line])) if len(given[line]) == 1 else ""
            if gives and names[line] <= {gives}:
                groups.setdefault(f"give `{gives}`", []).append(line)
            else:
                of = one_after_another(f"`{name}`" for name in sorted(names[line]))
                groups.setdefault(f"compute the same expression{f' of {of}' if of else ''}", []).append(line)
        texts: list[str] = []
        for words, own in groups.items():
            at = f"at line{'s' if len(own) > 1 else ''} {one_after_another(map(str, own))}"
            by = ", by the invariants" if any(names[line] for line in own) else ""
            texts.append(f"{at} both {'' if texts else 'runs '}{words}{by}")
        return f"{_capital('; '.join(texts))}."

    def _read_at(self, place: Place) -> set[str]:
        """The variables that the mechanism reads at the lines of a place."""
        nodes = (node for node in walk(*self.mechanism.program.body) if isinstance(node, Name))
        return {n.name for n in nodes if n.place.source == place.source and _is_inside(n.place, place)}

    def _grown(self) -> list[str]:
        """The lists that loops make longer: it is obliged that D′ appends to each what D appends."""
        rounds = (r.trace.round for r in self._records() if r.trace is not None and r.trace.round is not None)
        lists = (v for around in rounds for v in around.head.names.values() if isinstance(v, GrownList))
        return sorted({v.name for v in lists})

    def _at_head(self, record: Record) -> tuple[Any, ...]:
        """What the invariants say at the head of the loop of a path, where the program has one loop."""
        theory = self.proof.theory
        plans = theory.planned.plans if theory is not None else ()
        around = record.trace.round if record.trace is not None else None
        if around is None or len(self._loops()) != 1 or len(plans) != 1:
            return ()
        known = (i.holds(around.head, around.start) for i in plans[0].invariants)
        return tuple(formula for formula in known if formula is not True)

    def invariants(self) -> Iterator[Block]:
        """What holds whenever a loop begins a further iteration."""
        owed = [d.obligation for d in self.proof.decided if d.obligation.invariant is not None]
        named = dict.fromkeys((*self._beside(), *(o.invariant or "" for o in owed if o.condition != "cost")))
        if not named and not any(o.invariant for o in owed) and not self._grown():
            return
        sentences = [*self._before_loops()]
        by_name = {name: [o for o in owed if o.invariant == name] for name in named}
        reasons = {name: "; ".join(self._by_induction(own, name)) for name, own in by_name.items()}
        equal, why = self._equal_names(), self._why_equal(reasons)
        for name in self._grown():
            alike = "at first it is the same list, and each iteration appends the same items on both"
            sentences.append(f"`{name}` is equal on D and D′ ({alike}).")
        if equal:
            sentences.append(f"{equal} on D and D′{f' ({why})' if why else ''}.")
        of_equal = set(map(equality, self._equals())) if equal else set()
        for name, because in reasons.items():
            if name not in of_equal:
                sentences.append(f"{_as_code(self._primed(plain(name)))}{f' ({because})' if because else ''}.")
        if sentences:
            over = "and when it is over, if no iteration left it"
            words = f"Each of these holds whenever the loop begins an iteration, {over}, by induction"
            yield Paragraph(f"{words} [{_THEOREMS['loops']}]:", "Invariants.")
            yield BulletList(tuple(sentences))

    def _beside(self) -> list[str]:
        """What is put for the variables of the alignment's loops, one invariant for each."""
        theory = self.proof.theory
        plans = theory.planned.plans if theory is not None else ()
        alike = (invariant for plan in plans for invariant in reversed(plan.alike_in_alignment))
        return [*{invariant.variable: invariant.name for invariant in alike}.values()]

    def _by_induction(self, owed: Sequence[Obligation], name: str) -> Iterator[str]:
        """Why an invariant holds at first, and why each iteration keeps it, as far as that is not plain."""
        if name == ALIKE:
            yield self._adds_alike(owed)
            return
        asked = [o for o in owed if "kept" not in o.words and o.goal is not True]
        reasoned = ((o, self.reasons.reason(o)) for o in asked)
        at_first, first = next((each for each in reasoned if each[1]), (None, ""))
        if at_first is not None:
            with_goal = self._with_goal(at_first, first)
            yield f"at first {with_goal}" if with_goal != first else f"at first, {first}"

        def reason(record: Record) -> str:
            own = [o for o in record.obligations if o.invariant == name and "kept" in o.words and o.goal is not True]
            reasoned = ((o, self.reasons.reason(o)) for o in own)
            # An equation of values that an iteration gives is not told by the invariant, which names variables.
            told = next((self._with_goal(o, text) if _is_equation(o) else text for o, text in reasoned if text), "")
            found = {c.shown.key: c.place.line for c in record.compared if isinstance(c.shown, Formula)}
            lines = (found[o.goal.key] for o in own if isinstance(o.goal, Formula) and o.goal.key in found)
            line = next(lines, None)
            return told or (f"as line {line} finds" if line is not None else "")

        going_on = [r for r in self._records() if goes_on(r)]
        values = dict.fromkeys(filter(None, (self._becomes(r, name) for r in going_on if not reason(r))))
        if values:
            yield f"it is kept by an iteration that changes what it names, after which {'; or '.join(values)}"

        for case in named_cases(going_on, reason, self.mechanism):
            because = reason(case.records[0])
            if because:
                after = f" {case.name}, after which the loop goes on" if case.name else " after which the loop goes on"
                yield f"it is kept by an iteration{after}{':' if because.startswith('`') else ','} {because}"

    def _adds_alike(self, owed: Sequence[Obligation]) -> str:
        """Why D′ selects what D selects: the position that an iteration adds is the same, by what the output says."""
        of_output = [d.obligation for d in self.proof.decided if d.obligation.condition == "same_output"]
        told = {o.goal for o in of_output if o.invariant is None}
        added = {o.goal: "as shown for the output" if o.goal in told else self.reasons.reason(o) for o in owed}
        each = one_after_another(f"`{readable(goal)}`{f', {why}' if why else ''}" for goal, why in added.items())
        return f"at first neither has selected anything, and an iteration adds the same position on both: {each}"

    def _with_goal(self, obligation: Obligation, because: str) -> str:
        """A reason with what it is of, where that has a formula; "line 3 finds it" has none."""
        shown = self.reasons.formula(obligation) if because.startswith(("since", "by")) else ""
        return f"`{shown}`, {because}" if shown else because

    def cost(self) -> Iterator[Block]:
        """What each case costs, the bound that is kept, and the sum."""
        single = dict.fromkeys(self._single(key) for key, _ in loops_of(self._records()) if key)
        what = f"what {next(iter(single))} {self.sums.plural}" if len(single) == 1 else f"the {self.sums.noun}"
        so_far = f"; `{PRIVACY_COST}` is {what} before the iteration" if self._loops() or len(single) == 1 else ""
        yield Paragraph(f"{_capital(self.proof.conditions['cost'].how)}{so_far}.", self.sums.title)
        bounds = [d.obligation for d in self.proof.decided if d.obligation.condition == "cost"]
        items = [*self.calls, *self._costs()]
        needed = self._bounds_needed(bounds)
        for name in dict.fromkeys(o.invariant for o in bounds if o.invariant in needed):
            because = "; ".join(self._kept_bound(name or ""))
            if len(self._loops()) == 1:  # of several loops it may be the bound of an earlier one
                because = _BY_HYPOTHESIS.sub(_HYPOTHESIS, because).replace(f"since {_HYPOTHESIS}", f"by {_HYPOTHESIS}")
            items.append(f"So, by induction, `{plain(name)}`{f', {because}' if because else ''}.")
        ends = [o for o in bounds if o.invariant is None]
        items += self._stays()
        items += map(str, self._steps(ends))
        if any(o.words.endswith("for each unit by which its answer changes") for o in bounds):
            items.append(f"Adjacency bounds the sum of these changes, and so {self.sums.within}.")
        items = list(dict.fromkeys(items))
        if items:
            yield BulletList(tuple(items[:_MOST_COSTS]))
        if len(items) > _MOST_COSTS:
            yield Paragraph(_left_out(len(items) - _MOST_COSTS, "statement"))

    def _kept_bound(self, name: str) -> Iterator[str]:
        """Why a bound on the cost holds at first, and why each iteration keeps it, case by case, where that is owed."""

        def reason(record: Record) -> str:
            own = (o for o in record.obligations if o.invariant == name and o.condition == "cost")
            return "; ".join(filter(None, dict.fromkeys(self.reasons.reason(o) for o in own if o.goal is not True)))

        loops = [*loops_of([r for r in self._records() if reason(r)])]
        for key, records in loops:
            where = f"in the {self._loop(key)}" if key and len(loops) > 1 else ""
            named: dict[str, list[str]] = {}
            for case in named_cases(records, reason, self.mechanism):
                named.setdefault(reason(case.records[0]), []).append(case.name)
            # The bound alone is reason enough where an iteration costs nothing: that comes last.
            plain_last = sorted(named.items(), key=lambda each: each[0] == _ONLY_HYPOTHESIS)
            for because, names in plain_last:
                if because == _ONLY_HYPOTHESIS and len(named) > 1:
                    yield f"{where}{' ' if where else ''}otherwise {because}"
                    continue
                after = f"after an iteration {', or '.join(names)}" if any(names) else ""
                lead = " ".join(filter(None, (where, after)))
                yield f"{lead}{': ' if lead else ''}{because}"

    def _bounds_needed(self, owed: Sequence[Obligation]) -> set[str]:
        """The bounds on the cost of loops from which the claim follows; all of them where that is not known."""
        named = {o.invariant for o in owed if o.invariant is not None}
        plans = self.proof.theory.planned.plans if self.proof.theory is not None else ()
        if len(plans) != 1 or plans[0].inner:
            return named
        rounds = [r.trace.round for r in self._records() if r.trace is not None and r.trace.round is not None]
        bounds = [(b.name, b.holds(around.head, around.start)) for around in rounds for b in plans[0].apart()[1]]
        used = {fact for o in owed if o.invariant is None for fact in self.reasons.used(o)}
        return {name for name, at_head in bounds if at_head in used} or named

    def _costs(self) -> Iterator[str]:
        """What the shifts cost before a loop and in an iteration, case by case; says where costs are left out."""
        loops = [(key, group) for key, group in loops_of(self._records()) if key]
        several = len(loops) > 1
        left_out = 0
        for key, records in loops:
            where = f" of the {self._loop(key)}" if several else ""
            start = "the loop" if not several else f"the {self._loop(key)}"
            before = dict.fromkeys(starting_cost(r) for r in records)
            if len(before) == 1:
                (cost,) = before
                if cost and cost != "0" and len(cost) <= LONGEST:
                    yield f"Before {start} {self._single(key)} {self.sums.plural} {self._at_most(key)}`{cost}`."
            else:
                left_out += len(before)
            cases, only_going_on = self._iterations(records)
            for case in cases:
                cost = readable_term(moved_in(case.records[0]))
                if not case.distinct or len(cost) > LONGEST_COST:
                    left_out += 1
                    continue
                after = ", after which the loop goes on," if only_going_on else ""
                when = f" {case.name}" if case.name else ""
                yield f"An iteration{where}{when}{after} {self.sums.singular} {self._at_most(key)}`{cost}`."
        if left_out:
            noun = self.sums.noun
            what = f"The {noun} of one more case is" if left_out == 1 else f"The {noun}s of {left_out} more cases are"
            yield f"{what} bounded too; this text leaves {'it' if left_out == 1 else 'them'} out."

    def _single(self, key: str) -> str:
        """The shifts that count before a loop: those of lists of draws are bounded together, at the end."""
        loop = self._loop_of(key)
        lists = loop is not None and any(
            draw.depth and draw.place.end_line < loop.place.line for draw in self.mechanism.draws
        )
        return f"{self.sums.singles} (those of lists are added at the end)" if lists else self.sums.moved

    def _at_most(self, key: str) -> str:
        """Says so where a cost has bounds in it: of calls, or of loops inside the loop."""
        loop = self._loop_of(key)
        inner = loop is not None and any(isinstance(node, For) for node in walk(*loop.body))
        return "at most " if self.calls or inner else ""

    def _iterations(self, records: Sequence[Record]) -> tuple[tuple[NamedCase, ...], bool]:
        """The cases of an iteration by their costs, and whether they leave out the iterations that leave the loop."""
        going_on = [r for r in records if goes_on(r)]
        every = [r for r in records if goes_on(r) or leaves_its_loop(r)]

        def cost(record: Record) -> Hashable:
            return moved_in(record).key

        cases = named_cases(every, cost, self.mechanism)
        if len(going_on) < len(every) and {cost(r) for r in every} - {cost(r) for r in going_on} and going_on:
            return named_cases(going_on, cost, self.mechanism), True
        return cases, False

    def _records(self) -> Sequence[Record]:
        return self.proof.theory.records if self.proof.theory is not None else ()

    def _told_elsewhere(self, record: Record) -> list[Place]:
        """What a path goes through before its own iteration: other paths end before it, and tell that."""
        loop = next((self._loop_of(key) for key, _ in loops_of([record]) if key), None)
        if loop is None:
            return [] if record.trace is None else [other.place for other in self._loops()]
        statements = (node for node in walk(*self.mechanism.program.body) if isinstance(node, Statement))
        return [node.place for node in statements if node.place.end_line < loop.place.line]

    def _loop(self, key: str) -> str:
        """A loop by its line, of the symbol that stands for its iteration."""
        loop = self._loop_of(key)
        return f"loop at line {loop.place.line}" if loop is not None else f"loop of {in_program_words(key)}"

    def _loops(self) -> list[For]:
        theory = self.proof.theory
        return [plan.loop for plan in theory.planned.plans] if theory is not None else []

    def _loop_of(self, key: str) -> For | None:
        loops = self._loops()
        outer = [a for a in loops if not any(a is not b and _is_inside(a.place, b.place) for b in loops)]
        number = re.search(r"in loop (\d+)((?:\.\d+)*)$", key)
        place, steps = (int(number[1]) - 1, number[2].split(".")[1:]) if number is not None else (0, [])
        loop: Any = outer[place] if place < len(outer) else None
        for step in steps:
            inside = loop.body if isinstance(loop, For) else ()
            loop = inside[int(step) - 1] if int(step) <= len(inside) else None
        return loop if isinstance(loop, For) else None

    def other(self, name: str) -> Iterator[Block]:
        """What was shown for another condition."""
        condition = self.proof.conditions[name]
        own = (d.obligation for d in self.proof.decided if d.obligation.condition == name)
        owed = [o for o in own if o.goal is not True and not is_about_definedness(o)]
        cited = f" [{_THEOREMS[name]}]" if name in _THEOREMS else ""
        said = _capital(plain(condition.how))
        if name == "one_to_one" and said.startswith(_BY_ORDER):  # of draws, where [i] is the iteration
            said = said.replace("[i]", f"[{name_of_iteration()}]")
        theorem = self.proof.theory.planned.theorem if self.proof.theory is not None else None
        if theorem is Theorem.STEPS and name == "countable":
            said = f"Beside the answers, which are fixed for a step, {said[:1].lower()}{said[1:]}"
        if name == "noise_used" and self.mechanism.draws:
            said = f"{said}; {_BY_DRAWS if one_output_many_draws(self.proof) else _TOLD_BY_OUTPUT}"
        pieces = dict.fromkeys(self._determinants()) if name == "one_to_one" else {}
        if pieces:
            pieces["Elsewhere det J is 1 or -1."] = None
            owed = [o for o in owed if o.words != NONZERO]
        lattices = self._on_lattice() if name == "valid_noise" else ()
        steps = [*pieces, *lattices, *map(str, self._steps(owed))]
        if name == "one_to_one" and self._loops() and name_of_iteration() == "i" and any("[i]" in s for s in steps):
            said = f"{said}; here `i` is any position in a list of draws"
        yield Paragraph(f"{said}{cited}.", f"{_capital(TITLES[name])}.")
        if name == ADAPTIVE_QUERIES and theorem in _ASSUMPTIONS:
            yield BulletList(_ASSUMPTIONS[theorem])
        if steps and len(steps) <= MOST_FACTS:
            yield BulletList(tuple(steps))

    def _on_lattice(self) -> Iterator[str]:
        """Why aligned noise stays on its lattice: of what multiples the shifts are combined."""
        supports = {draw.name: draw.distribution.support for draw in self.mechanism.draws}
        found: dict[str, set[str]] = {}
        for record in self._records():
            for noise, shift in record.shifts.items():
                (atom,) = noise.atoms()
                name = atom.array if isinstance(atom, Element) else atom.key.removeprefix(Role.NOISE.prefix)
                support = supports.get(name)
                if support in (Support.LATTICE, Support.NONNEGATIVE_LATTICE, Support.CUT_LATTICE) and shift.parts:
                    found.setdefault(name, set()).update(_combined(shift))
        together: dict[tuple[str, ...], list[str]] = {}
        for name, numbers in found.items():
            together.setdefault(tuple(sorted(numbers)), []).append(f"`{name}`")
        for parts, names in together.items():
            of = one_after_another(f"`{number}`" for number in parts)
            words = f"of numbers on its lattice ({of}), or one of several such" if parts else "of its steps"
            yield f"Each shift of {one_after_another(names)} is a combination with whole factors {words}."

    def _determinants(self) -> Iterator[str]:
        """The determinant on each piece of the noise on which it is not 1 or -1, and that some run is on."""
        bounds = self.proof.theory.bounds if self.proof.theory is not None else ()
        owed = {d.obligation.goal: d.obligation for d in self.proof.decided if d.obligation.condition == "cost"}
        for bound in bounds:
            end = owed.get(bound.total.compare("<=", bound.claim))
            if bound.volume is not None and (end is None or not self.reasons.contradiction(end)):
                det = f"det J = `{readable_term(bound.volume.determinant)}`, which is not 0"
                yield f"{_capital(f'{_where(bound.volume, self._case(bound))}{det}')}."

    def _case(self, known: Obligation | Bound) -> str:
        """The case of D's run in which something is obliged, where the program has no loop, and several cases."""
        records = [r for r in self._records() if r.trace is not None]
        if self._loops() or len(records) < 2 or (isinstance(known, Obligation) and known.condition not in _BY_CASES):
            return ""
        if id(known) not in self._named:
            facts = {fact.key for fact in known.hypotheses.whole if isinstance(fact, Formula)}
            asked = {f.key for r in records if r.trace is not None for f in r.trace.assumed}

            def meant(record: Record) -> bool:
                branches = (f.key for f in record.trace.assumed if (~f).key in asked) if record.trace else ()
                return facts.issuperset(branches)

            cases = [case for case in named_cases(records, meant, self.mechanism) if meant(case.records[0])]
            self._named[id(known)] = cases[0].name if len(cases) == 1 and cases[0].distinct else ""
        return self._named[id(known)]

    # The cases of the first condition

    def _cases(self) -> Iterator[tuple[str, tuple[Step, ...]]]:
        # That a path is excluded is an obligation, and is told as one.
        possible = [record for record in self._records() if not (is_excluded(record) or self._is_impossible(record))]
        told = {id(record): tuple(dict.fromkeys(self._told(record))) for record in possible}
        loops = [*loops_of([r for r in possible if told[id(r)]])]
        for key, records in loops:
            where = (f"in the {self._loop(key)}" if key else "outside of iterations") if len(loops) > 1 else ""
            named: dict[str, list[tuple[Step, ...]]] = {}
            for case in named_cases(records, lambda record: told[id(record)], self.mechanism):
                name = "" if case.name == SOME else case.name.removeprefix(SOME_OF)
                named.setdefault(name, []).append(told[id(case.records[0])])
            for name, steps in named.items():
                # Of cases that no name tells apart, only what holds in all of them is said.
                in_all = tuple(step for step in steps[0] if all(step in others for others in steps))
                if in_all or len(steps) == 1:
                    yield " ".join(filter(None, (where, name))), in_all
                else:
                    yield " ".join(filter(None, (where, name))), (Step("D′ goes the way of D", _LEFT_OUT),)

    def _is_impossible(self, record: Record) -> bool:
        """Whether no run takes a path, since D′ finds there what contradicts what D finds, at the same positions."""
        if id(record) not in self._impossible:
            goals = {o.goal for o in record.obligations if isinstance(o.goal, Formula)}
            known = set(self._assumed(record)) | goals
            found = [c.shown for c in record.compared if c.other is None and c.shown not in known]
            found = [shown for shown in found if isinstance(shown, Formula) and Role.NOISE in roles(shown)]
            self._impossible[id(record)] = any(self._way_of_d(record, ~shown) for shown in found)
        return self._impossible[id(record)]

    def _only_on_impossible(self) -> set[Hashable]:
        """The obligations of paths that no run takes, but for those that other paths have too."""
        records = self._records()
        keys = {o.key for r in records if self._is_impossible(r) for o in r.obligations}
        return keys - {o.key for r in records if not self._is_impossible(r) for o in r.obligations}

    def _way_of_d(self, record: Record, shown: Formula) -> str:
        """Why D′ goes this way at a test of which nothing is owed: by what D asked, and by equal positions."""
        asked = tuple(f for f in self._assumed(record) if is_branch(f))
        owed = [o for o in record.obligations if o.condition == "same_output" and isinstance(o.goal, Comparison)]
        equal = tuple(o.goal for o in owed if o.goal.relation == "==" and roles(o.goal) <= {Role.INDEX})
        given = tuple(o for o in owed if o.goal in equal)
        if any({shown, ~shown} & set(self.reasons.used(o)) for o in given):
            return ""
        return self.reasons.since((*equal, *asked), shown)

    @staticmethod
    def _assumed(record: Record) -> tuple[Any, ...]:
        return record.trace.assumed if record.trace is not None else ()

    def _told(self, record: Record) -> Iterator[Step]:
        known = {f.key for f in record.trace.assumed} if record.trace is not None else set()
        goals = {o.goal.key: o for o in record.obligations if isinstance(o.goal, Formula)}
        elsewhere = self._told_elsewhere(record)
        for compared in record.compared:
            if any(_is_inside(compared.place, place) for place in elsewhere):
                continue
            shown, line = compared.shown, compared.place.line
            code = compared.place.source.text(line).strip()
            if compared.other is None:
                if Role.PRIVATE not in roles(shown) and Role.NOISE not in roles(shown):
                    continue
                at = f"at line {line} (`{code}`) D′"
                owed = goals.get(shown.key)
                because = self.reasons.reason(owed) if owed is not None else ""
                text = (self.reasons.formula(owed) if owed is not None else "") or readable(shown)
                if len(text) > (LONGEST if owed is not None else LONGEST_COST):
                    yield Step(f"{at} goes the way of D", because)
                elif owed is not None:
                    because = "which is what D finds" if because == f"since `{text}`" else because
                    yield Step(f"{at} finds `{text}`", because)
                else:
                    way = "which is what D finds" if shown.key in known else self._way_of_d(record, shown)
                    yield Step(f"{at} finds `{text}`", way)
            else:
                pairs = zip(numbers_within(shown), numbers_within(compared.other), strict=False)
                noisy = [(one, other) for one, other in pairs if Role.NOISE in roles(one)]
                if noisy:
                    s = "s" if len(noisy) > 1 else ""
                    same = all(one == other for one, other in noisy)
                    words = f"the number{s} that D gives" if same else f"the same number{s} as D"
                    yield Step(f"at line {line} (`{code}`) D′ gives {words}")

    def _is_told(self, obligation: Obligation) -> bool:
        return "only branch" in obligation.words or obligation.about_record

    # Reasons

    def _steps(self, owed: Iterable[Obligation]) -> list[Step]:
        found: dict[str, Step] = {}
        for o in owed:
            text = self._led(in_obligation_words(o, holds=True, formula=self.reasons.formula(o)))
            ends = self.proof.theory.bounds if self.proof.theory is not None and o.condition == "cost" else ()
            piece = next((b.volume for b in ends if b.volume and b.total.compare("<=", b.claim) == o.goal), None)
            text = f"{_where(piece, self._case(o))}{text}"
            text = self._at_end(_with_domains(text, o), o)
            # Of two outputs that are the same for reasons of which one is part of the other, the longer is told.
            told_before = found[text].because if text in found else ""
            if told_before and o.condition != "same_output":
                continue
            because = self.reasons.reason(o)
            if told_before and (told_before == because or told_before not in because):
                continue
            never = "" if piece is None else self.reasons.contradiction(o)
            if never:
                text, because = f"no run is {_where(piece, self._case(o)).removesuffix(', ')}", never
            says_all = o.goal is True or text.endswith("`") or not is_in_program_words(str(o.goal))
            if not because and isinstance(o.goal, Comparison) and o.condition == "same_output":
                because = "as both sides come to the same" if follows((), o.goal, self.reasons.solver) else ""
            because = because or ("" if says_all else _LEFT_OUT)
            if _is_same(o.goal):
                text, because = in_obligation_words(o, holds=True, formula=""), f"since {_SAME}"
            if o.words == SELECTION_LEMMA:
                text = text.replace(plain(SELECTION_LEMMA), _NAMED_COMES_FIRST)
                because = f"{because}; this is the premise of the selection lemma [{_THEOREMS['lemma']}]"
            items = _items(o) if re.search(r"\bj\b", f"{text} {because}") else ""
            if items and text.startswith(_ITEM):
                text = f"{_ITEM} ({items}){text.removeprefix(_ITEM)}"
            step = Step(text, because)
            if text not in found or (step.because and found[text].because in step.because):
                found[text] = step
        return list(found.values())

    def _at_end(self, text: str, obligation: Obligation) -> str:
        """What is said of the cost at the end of a path, with how it ends, where the program has one loop."""
        goal, loops = obligation.goal, self._loops()
        if obligation.condition != "cost" or len(loops) != 1:
            return text

        def owes(record: Record) -> bool:
            return any(b.total.compare("<=", b.claim) == goal for b in record.bounds)

        ends = [r for r in self._records() if r.trace is not None and r.trace.round is not None and not goes_on(r)]
        own = [record for record in ends if owes(record)]
        leaving = [record for record in ends if leaves_its_loop(record)]
        if not own or not all(record in leaving for record in own):
            how = " where no iteration leaves the loop" if own and not any(r in leaving for r in own) else ""
        else:
            name = self._way_out(own, leaving)
            how = f" if the loop is left in an iteration{f' {name}' if name else ''}"
        lead, colon, chain = text.partition(": `")
        return f"{lead}{how}{colon}{chain}"

    def _way_out(self, own: Sequence[Record], leaving: Sequence[Record]) -> str:
        """What tells the iterations that leave the loop at some cost from all others; empty where nothing does.

        Of the iterations after which the loop goes on those do not count that ask the same of the noise.
        """
        same, asked = {id(record) for record in own}, {branches_of(record) for record in own}
        going_on = [r for r in self._records() if goes_on(r) and branches_of(r) not in asked]
        for records in ([*leaving, *going_on], leaving):
            cases = named_cases(records, lambda record: id(record) in same, self.mechanism)
            named = [case for case in cases if id(case.records[0]) in same]
            if len(named) == 1 and named[0].distinct:
                return named[0].name
        return ""

    def _stays(self) -> Iterator[str]:
        """Why iterations that ask of the noise what none does that leaves the loop do not leave it."""
        theory = self.proof.theory
        leaving = [r for r in self._records() if leaves_its_loop(r)]
        plans = theory.planned.plans if theory is not None else ()
        if len(self._loops()) != 1 or len(plans) != 1 or not leaving:
            return
        asked = {branches_of(r) for r in leaving}
        staying = [r for r in self._records() if goes_on(r) and branches_of(r) not in asked]

        def reason(record: Record) -> str:
            tests = [c.shown for c in record.compared if c.other is None and _decides_to_leave(c.place, plans[0].loop)]
            if not tests or not all(roles(test) <= _EQUAL for test in tests):
                return ""
            goal = conjunction(tuple(tests))
            return self.reasons.since(self._at_head(record), goal) if goal is not True else ""

        others = [r for r in self._records() if (goes_on(r) or leaves_its_loop(r)) and branches_of(r) in asked]
        texts = {id(r): reason(r) for r in staying}
        if all(texts.values()):
            for case in named_cases([*others, *staying], lambda r: texts.get(id(r), ""), self.mechanism):
                because = texts.get(id(case.records[0]))
                if because and case.name and case.distinct:
                    yield f"The loop is not left in an iteration {case.name}, {because}."

    def _led(self, text: str) -> str:
        """A sentence that does not begin with a name of the program, which has no capital."""
        word, blank, rest = text.partition(" ")
        name = word.partition("[")[0]
        if name in {draw.name for draw in self.mechanism.draws}:
            return f"the noise `{word}`{blank}{rest}"
        return f"`{word}`{blank}{rest}" if name in {*self.mechanism.public, *self.mechanism.private} else text

    def _equals(self) -> list[str]:
        """The variables of loops that are equal on D and D′."""
        theory = self.proof.theory
        plans = theory.planned.plans if theory is not None else ()
        return sorted({name for plan in plans for name in plan.equal})

    def _equal_names(self) -> str:
        names = self._equals()
        told = one_after_another(f"`{name}`" for name in names)
        return f"{told} {'is' if len(names) == 1 else 'are'} equal" if names else ""

    def _why_equal(self, reasons: Mapping[str, str]) -> str:
        """Why variables are equal on D and D′: by the expressions that iterations give them, or for reasons."""
        equal = self._equals()
        because = [f"`{name}`: {reasons[equality(name)]}" for name in equal if reasons.get(equality(name))]
        states: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = []
        for record in self._records():
            if record.trace is not None and record.trace.round is not None:
                around = record.trace.round
                states.append((around.start.names, around.start.names_))
                # A path on which D′ goes another way, which was excluded, has nothing after the iteration.
                states += [(around.after.names, record.after_)] if around.after is not None and record.after_ else []
        told = {name for name in equal if reasons.get(equality(name))}
        if not all(one[n] == other[n] for one, other in states for n in equal if n not in told and n in one):
            return "; ".join(because)
        words = "at first, and after an iteration, each is the same expression" if len(equal) > 1 else ""
        words = words or "at first, and after an iteration, it is the same expression"
        return "; ".join([f"{words}{', or equal as follows' if because else ''}", *because])

    def _variables(self) -> Iterator[tuple[str, str, LoopRound]]:
        """What the iterations of each loop change, by the loop and the name of the variable."""
        for key, records in loops_of(self._records()):
            around = next((r.trace.round for r in records if r.trace is not None and r.trace.round is not None), None)
            if not key or around is None:
                continue
            for name, value in around.head.names.items():
                atoms = list(value.atoms()) if isinstance(value, Term) else []
                if len(atoms) == 1 and value == Term.of(atoms[0]) and atoms[0].role is Role.STATE:
                    yield key, name, around

    def _before_loops(self) -> Iterator[str]:
        """The values before each loop of what it changes."""
        found: dict[str, list[str]] = {}
        for key, name, around in self._variables():
            one, other = (Term.of(names[name]) for names in (around.start.names, around.start.names_))
            values = [(name, one), *([(f"{name}′", other)] if one != other else [])]
            texts = [f"`{name} = {readable_term(value)}`" for name, value in values if Role.STATE not in roles(value)]
            if all(len(text) <= LONGEST for text in texts):
                found.setdefault(key, []).extend(texts)
        for key, texts in found.items():
            where = "the loop" if len(self._loops()) == 1 else f"the {self._loop(key)}"
            if texts:
                yield f"Before {where} {one_after_another(texts)}."

    def _becomes(self, record: Record, invariant: str) -> str:
        """What an iteration makes of the variables that an invariant names; empty where it leaves them as they are."""
        around = record.trace.round if record.trace is not None else None
        if around is None or around.after is None or not record.after_ or len(self._loops()) != 1:
            return ""
        changed = []
        for name in (name for _, name, _ in self._variables() if re.search(rf"\b{name}_?(?!\w)", invariant)):
            one, other = (Term.of(names[name]) for names in (around.after.names, record.after_))
            if one != around.head.names[name] or other != around.head.names_[name]:
                changed.append(f"`{name}` is `{readable_term(one)}`")
                changed += [f"`{name}′` is `{readable_term(other)}`"] if one != other else []
        owed = [o for o in record.obligations if o.invariant == invariant and isinstance(o.goal, Formula)]
        plain = [f"`{readable(o.goal)}`" for o in owed if changed and follows((), o.goal, self.reasons.solver)]
        return one_after_another([*changed, *plain])

    def _primed(self, name: str) -> str:
        """An invariant in which a variable of D′ has a prime."""
        known = {*self.mechanism.private, *(variable for _, variable, _ in self._variables())}
        for variable in known:
            name = re.sub(rf"\b{variable}_(?!\w)", f"{variable}′", name)
        return name


# How the order of the noise is told that makes an alignment one-to-one.
_BY_ORDER = "Each shift depends on earlier noise only"

_HYPOTHESIS = "the bound so far"
_ONLY_HYPOTHESIS = "by the bound on `privacy_cost`"

# Among the reasons of a step of an induction, the bound itself at the head of the loop.
_BY_HYPOTHESIS = re.compile(r"the bound on `privacy_cost`")


def _is_equation(obligation: Obligation) -> bool:
    return isinstance(obligation.goal, Comparison) and obligation.goal.relation == "=="


def _is_same(goal: Any) -> bool:
    """Whether a goal says of a condition that it holds or that it does not: so D′ decides what D decides."""
    return isinstance(goal, Or) and len(goal.parts) == 2 and goal.parts[1].key == (~goal.parts[0]).key


def _as_code(name: str) -> str:
    """An invariant as a formula, where it is one; the others are sentences."""
    return f"`{name}`" if re.search(r"[<>=]|^not \(", name) else _capital(name)


# What is the same on D and on D′ where no mark says otherwise: variables that are not have symbols with a prime.
_EQUAL = {Role.PUBLIC, Role.INDEX, Role.STATE}


def _decides_to_leave(place: Place, loop: For) -> bool:
    """Whether what stands at a place is a test on which it depends that a loop is left."""
    tests = (node for node in walk(*loop.body) if isinstance(node, If))
    tests = (n for n in tests if n.test.place == place)
    return any(isinstance(n, Break | Return) for test in tests for n in walk(*test.then, *test.other))


def _is_plain(output: Any) -> bool:
    """Whether an output is of numbers and tags alone."""
    if isinstance(output, tuple):
        return all(map(_is_plain, output))
    return isinstance(output, Term | Tag | int | Fraction)


def _combined(shift: Term) -> Iterator[str]:
    """The numbers of which a shift is combined, by their names; those of all choices in it."""
    for monomial in shift.parts:
        for atom, _ in monomial:
            if isinstance(atom, Conditional):
                yield from (*_combined(atom.then), *_combined(atom.other))
            else:
                yield in_program_words(readable_term(Term.of(atom)).partition("[")[0])


_ITEM = "each item of the output is the same on D′"


def _items(obligation: Obligation) -> str:
    """Which items of an output an obligation is about that calls any of them `j`."""
    for fact in obligation.hypotheses.near:
        for atom in atoms_within(fact):
            index = Term.of(atom)
            asked = {part.term - index for part in fact.parts if part.relation == "<="} if _is_range(fact) else set()
            lengths = [1 - other for other in asked if atom not in set(atoms_within(other))]
            if atom.key.startswith("#index of the output") and len(lengths) == 1:
                return f"`j` is any of them, `0 ≤ j < {readable_term(lengths[0])}`"
    return ""


def _is_range(fact: Any) -> bool:
    return isinstance(fact, And) and len(fact.parts) == 2 and all(isinstance(p, Comparison) for p in fact.parts)


def _with_domains(text: str, obligation: Obligation) -> str:
    """That a weight is above 0, with the numbers in it that are above 0 by their domain: of these nothing is owed."""
    if not obligation.words.endswith(OF_A_WEIGHT) or not text.endswith("`") or isinstance(obligation.goal, bool):
        return text
    positive = [a for a in atoms_within(obligation.goal) if Term.of(a).compare(">", 0) is True]
    named = "".join(f"`0 < {readable_term(Term.of(atom))}` and " for atom in positive)
    said, colon, formula = text.partition(": `")
    return f"{said}: {named}`{formula}" if colon else text


def _where(volume: Volume | None, case: str = "") -> str:
    """Of which case, and of which piece of the noise, something is said."""
    pieces = () if volume is None else volume.conditions
    conditions = one_after_another(f"`{readable(condition)}`" for condition in pieces)
    asked = [*([case] if case else []), *([f"where {conditions}"] if conditions else [])]
    return f"{', and '.join(asked)}, " if asked else ""


def _is_inside(one: Place, other: Place) -> bool:
    return other.line <= one.line and one.end_line <= other.end_line


def _left_out(number: int, thing: str) -> str:
    was, it = ("was", "it") if number == 1 else ("were", "them")
    return f"{_counted(number, f'more {thing}')} of this kind {was} shown; this text leaves {it} out."


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
