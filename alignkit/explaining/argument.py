"""The argument of a proof: what D′ does in each case, the invariants, the order of the noise, and what it costs.

Each sentence comes from obligations that were decided, and says from which facts they follow, or from a theorem, and
names the page that proves it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from alignkit.explaining.case_names import (
    NamedCase,
    goes_on,
    leaves_its_loop,
    loops_of,
    moved_in,
    named_cases,
    starting_cost,
)
from alignkit.explaining.grounds import Grounds, brief_solver, facts_used, grounds_of, settled, steps_to
from alignkit.explaining.readable_formulas import in_program_words, readable, readable_term
from alignkit.explaining.writers import Block, BulletList, Paragraph
from alignkit.language.program import For, Place, Statement, walk
from alignkit.proving.deciding import Decided
from alignkit.proving.facts.universals import PROBE_SYMBOL
from alignkit.proving.obligation import Obligation
from alignkit.proving.proof import Proof
from alignkit.proving.runs.path_trace import numbers_within
from alignkit.proving.symbolic_trial import Record
from alignkit.proving.words.reasons import is_about_definedness, names_a_problem
from alignkit.results import TITLES
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.formulas import And, Comparison, Formula, Or
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Role

# A longer formula is no help to a reader, and neither are more facts.
_LONGEST, _LONGEST_COST, _MOST_FACTS, _MOST_SIGNS = 220, 400, 9, 900

# Facts on ranks that are longer together are named, and not written out.
_MOST_RANKS = 330

# Of more cases, steps of a case, or statements on costs, the rest is left out.
_MOST_CASES, _MOST_COSTS = 12, 20

OTHERWISE = "for otherwise"

_ANY_POSITION = Term.of(Symbol("any index 0", Role.INDEX, integer=True))

# Said of what is shown, but not written out.
_LEFT_OUT = "which was decided too (its formulas are left out)"

# The cost at the head of a loop.
COST_SO_FAR = f"{Role.STATE.prefix}cost so far"

# The pages that prove what holds for all programs, and the chapters of which each argument makes use.
CONDITIONS_PAGE = "docs/theory/proof-for-all-n.md"
_THEOREMS = {
    "loops": f"{CONDITIONS_PAGE}#loops-over-the-queries",
    "names": f"{CONDITIONS_PAGE}#selections",
    "lemma": "docs/theory/selections.md#the-selection-lemma",
    "ranks": "docs/theory/selections.md#what-is-known",
    "selected": "docs/theory/selections.md#what-the-selected-cost-together",
    "one_to_one": f"{CONDITIONS_PAGE}#one-to-one",
}

# The words of the obligation that is the premise of the selection lemma.
SELECTION_LEMMA = "on D' too, what D selects comes before everything that D ranks after it"


@dataclass(frozen=True)
class Step:
    """A sentence with the facts that it follows from."""

    text: str
    because: str = ""

    def __str__(self) -> str:
        joint = ", " if self.text.endswith("`") or not self.because.startswith(("`", "where")) else ": "
        return f"{_capital(self.text)}{f'{joint}{self.because}' if self.because else ''}."


class Argument:
    """The text of one proof; ``calls`` says what calls cost by their lemmas."""

    def __init__(self, mechanism: Mechanism, proof: Proof, calls: Sequence[str] = ()) -> None:
        self.mechanism = mechanism
        self.calls = calls
        self.proof = proof
        self.solver = brief_solver()
        # The selection lemma is used where its premise is obliged.
        self._has_lemma = any(d.obligation.words == SELECTION_LEMMA for d in proof.decided)
        self._facts: dict[Any, tuple[Any, ...]] = {}
        self._found: dict[Any, tuple[Grounds, ...]] = {}

    def blocks(self) -> Iterator[Block]:
        """The whole argument of a complete proof."""
        shown = [*self.same_output(), *self.invariants(), *self.cost()]
        for name in ("one_to_one", "noise_used", "valid_noise", "termination", "countable", "adaptive_queries"):
            if name in self.proof.conditions:
                shown += self.other(name)
        names = tuple(self.names("\n".join(map(str, shown))))
        if names:
            yield Paragraph("What the names stand for that are not the program's:", "Names.")
            yield BulletList(names)
        yield from shown

    def names(self, text: str) -> Iterator[str]:
        """What the names in a text stand for that selections bring in."""

        def occurs(name: str) -> bool:
            return re.search(rf"(?<![\w.]){name}\b", text) is not None

        if occurs("best"):
            words = "`best`, `best_2` and so on are the positions that `largest` selects, in order; of equal values"
            yield f"{words} that of the lower position comes first [{_THEOREMS['names']}]."
        for name, beaten in self._extrema().items():
            if occurs(name):
                least = "smallest" if name.startswith("argmin") else "largest"
                words = f"`{name}` is the first position of the {least} value over which a `{name[3:6]}` is taken"
                ties = " (ties have probability 0)" if " < " in beaten else ""
                yield f"{words}: `{beaten}` for every other `j` among these{ties}."
        if occurs("rank") or occurs("position"):
            words = "`rank[j]` is the rank of position `j` in the order of `largest`, 0 for the first, and"
            of_equal = "of equal values that of the lower position comes first"
            yield f"{words} `position[i]` the position of rank `i`; {of_equal} [{_THEOREMS['ranks']}]."
        if occurs("d"):
            words = "`d` is, of the positions that are selected and have no other name here, one whose shift costs most"
            together = "what they cost together is at most their number times that, or 0"
            yield f"{words}: {together} [{_THEOREMS['selected']}]."
        if occurs("s") and occurs("r"):
            yield "`s` is any position that D selects, and `r` any that D ranks after it."

    def _extrema(self) -> dict[str, str]:
        """What is known of each position that `max` and `min` select, in words, by its name."""
        found: dict[str, str] = {}
        universals = (u for d in self.proof.decided for u in d.obligation.hypotheses.facts.universals)
        for general in dict.fromkeys(u.general for u in universals if isinstance(u.general, Or)):
            beaten = general.parts[-1]
            for at in (Term.of(a) for a in atoms_within(beaten) if a.key.startswith(("#argmax", "#argmin"))):
                # At the position itself what is said of all others compares a value with itself.
                if isinstance(beaten, Comparison) and not substitute(beaten.term, {PROBE_SYMBOL: at}).parts:
                    found[readable_term(at)] = readable(substitute(beaten, {PROBE_SYMBOL: _ANY_POSITION}))
        return found

    def same_output(self) -> Iterator[Block]:
        """What D′ decides and puts out, case by case."""
        cases = [*self._cases()]
        words = "D′ runs on the aligned noise, and does what D does on `H`:"
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
        steps = self._steps(o for o in others if o.goal is not True)
        if steps:
            yield BulletList(tuple(map(str, steps)))
        elif not cases:
            how = self.proof.conditions["same_output"].how
            words = "Each item of the output is the same number, tag or list on D and on D′"
            if all(o.goal is True for o in loose if not is_about_definedness(o)):
                call = ", or a call gives it, whose noise its lemma moves" if self.calls else ""
                yield BulletList((f"{words}: both runs compute it by the same expression{call}.",))
            else:
                yield BulletList((f"{words} (checked by the solver; too long to print): {plain(how)}.",))
        defined = sum(map(is_about_definedness, loose))
        if defined:
            words = "Every step of the alignment and of D′ is defined: indices are in range, nothing is divided by 0"
            yield Paragraph(f"{words} ({_counted(defined, 'obligation')}).")

    def invariants(self) -> Iterator[Block]:
        """What holds whenever a loop begins a further iteration."""
        owed = [d.obligation for d in self.proof.decided if d.obligation.invariant is not None]
        named = dict.fromkeys(o.invariant or "" for o in owed if o.condition != "cost")
        if not named and not any(o.invariant for o in owed):
            return
        sentences = []
        for name in named:
            steps = [o for o in owed if o.invariant == name and "kept" in o.words and o.goal is not True]
            because = next(filter(None, (self._reason(o) for o in steps)), "")
            begins = " holds whenever a further iteration begins" if name.startswith("not ") else ""
            sentences.append(f"`{plain(name)}`{begins}{f' (it is kept, {because})' if because else ''}.")
        equal = self._equal_names()
        if equal:
            sentences.insert(0, f"{equal} on D and D′.")
        if sentences:
            words = "Each of these holds whenever the loop begins an iteration or ends without a break, by induction"
            yield Paragraph(f"{words} [{_THEOREMS['loops']}]:", "Invariants.")
            yield BulletList(tuple(sentences))

    def cost(self) -> Iterator[Block]:
        """What each case costs, the bound that is kept, and the sum."""
        yield Paragraph(f"{_capital(self.proof.conditions['cost'].how)}.", "Cost.")
        bounds = [d.obligation for d in self.proof.decided if d.obligation.condition == "cost"]
        items = [*self.calls, *self._costs()]
        needed = self._bounds_needed(bounds)
        for name in dict.fromkeys(o.invariant for o in bounds if o.invariant in needed):
            reasons = [self._reason(o) for o in bounds if o.invariant == name and o.goal is not True]
            because = max(reasons, key=len, default="")
            if len(self._loops()) == 1:  # of several loops it may be the bound of an earlier one
                because = _BY_HYPOTHESIS.sub("the hypothesis", because).replace("since the h", "by the h")
            items.append(f"So, by induction, `{plain(name)}`{f', {because}' if because else ''}.")
        ends = [o for o in bounds if o.invariant is None]
        items += map(str, self._steps(ends))
        items = list(dict.fromkeys(items))
        if items:
            yield BulletList(tuple(items[:_MOST_COSTS]))
        if len(items) > _MOST_COSTS:
            yield Paragraph(_left_out(len(items) - _MOST_COSTS, "statement"))

    def _bounds_needed(self, owed: Sequence[Obligation]) -> set[str]:
        """The bounds on the cost of loops from which the claim follows; all of them where that is not known."""
        named = {o.invariant for o in owed if o.invariant is not None}
        plans = self.proof.theory.planned.plans if self.proof.theory is not None else ()
        if len(plans) != 1 or plans[0].inner:
            return named
        rounds = [r.trace.round for r in self._records() if r.trace is not None and r.trace.round is not None]
        bounds = [(b.name, b.holds(around.head, around.start)) for around in rounds for b in plans[0].apart()[1]]
        used = {fact for o in owed if o.invariant is None for fact in self._used(o)}
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
                if cost and cost != "0" and len(cost) <= _LONGEST:
                    yield f"Before {start} the shifts cost {self._at_most(key, before=True)}`{cost}`."
            else:
                left_out += len(before)
            cases, only_going_on = self._iterations(records)
            for case in cases:
                cost = readable_term(moved_in(case.records[0]))
                if not case.distinct or len(cost) > _LONGEST_COST:
                    left_out += 1
                    continue
                after = ", after which the loop goes on," if only_going_on else ""
                when = f" {case.name}" if case.name else ""
                yield f"An iteration{where}{when}{after} costs {self._at_most(key)}`{cost}`."
        if left_out:
            what = "The cost of one more case is" if left_out == 1 else f"The costs of {left_out} more cases are"
            yield f"{what} bounded too; this text leaves {'it' if left_out == 1 else 'them'} out."

    def _at_most(self, key: str, *, before: bool = False) -> str:
        """Says so where a cost has bounds in it: of calls, of vectors before the loop, or of loops inside it."""
        loop = self._loop_of(key)
        bounded = bool(self.calls)
        if loop is not None and before:
            bounded |= any(draw.depth and draw.place.end_line < loop.place.line for draw in self.mechanism.draws)
        elif loop is not None:
            bounded |= any(isinstance(node, For) for node in walk(*loop.body))
        return "at most " if bounded else ""

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
        yield Paragraph(f"{_capital(plain(condition.how))}{cited}.", f"{_capital(TITLES[name])}.")
        steps = self._steps(owed)
        if steps and len(steps) <= _MOST_FACTS:
            yield BulletList(tuple(map(str, steps)))

    # The cases of the first condition

    def _cases(self) -> Iterator[tuple[str, tuple[Step, ...]]]:
        told = {id(record): tuple(dict.fromkeys(self._told(record))) for record in self._records()}
        loops = [*loops_of([r for r in self._records() if told[id(r)]])]
        for key, records in loops:
            where = (f"in the {self._loop(key)}" if key else "outside of iterations") if len(loops) > 1 else ""
            for case in named_cases(records, lambda record: told[id(record)], self.mechanism):
                yield " ".join(filter(None, (where, case.name))), told[id(case.records[0])]

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
                text = (self._formula(owed) if owed is not None else "") or readable(shown)
                if len(text) > (_LONGEST if owed is not None else _LONGEST_COST):
                    yield Step(f"{at} goes the way of D", "" if owed is None else self._reason(owed))
                elif owed is not None:
                    yield Step(f"{at} finds `{text}`", self._reason(owed))
                else:
                    yield Step(f"{at} finds `{text}`{', which is what D finds' if shown.key in known else ''}")
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
            text = self._led(in_obligation_words(o, holds=True, formula=self._formula(o)))
            because = self._reason(o)
            says_all = o.goal is True or text.endswith("`") or not _is_in_program_words(str(o.goal))
            because = because or ("" if says_all else _LEFT_OUT)
            if o.words == SELECTION_LEMMA:
                because = f"{because}; this is the premise of the selection lemma [{_THEOREMS['lemma']}]"
            step = Step(text, because)
            if text not in found or (step.because and not found[text].because):
                found[text] = step
        return list(found.values())

    def _formula(self, obligation: Obligation) -> str:
        """The goal as a reader needs it: without the cases that are excluded; empty where it is shown in parts."""
        goal = obligation.goal
        if isinstance(goal, bool) or self._in_parts(goal):
            return ""
        found = self._grounds(obligation)
        if any(grounds.never or (grounds.goal is True and grounds.facts) for grounds in found):
            return ""
        against = self._cost_against_claim(obligation)
        if against:
            return against
        text = readable(found[0].goal if len(found) == 1 and isinstance(found[0].goal, Formula) else goal)
        return text if len(text) <= (_LONGEST if len(found) <= 1 else _LONGEST // 2) else ""

    def _grounds(self, obligation: Obligation) -> tuple[Grounds, ...]:
        facts = self._used(obligation)
        if obligation.key not in self._found:
            self._found[obligation.key] = grounds_of(facts, obligation.goal, self.solver) if facts else ()
        return self._found[obligation.key]

    def _used(self, obligation: Obligation) -> tuple[Any, ...]:
        """The facts that an obligation follows from; none where that was not worked out."""
        if obligation.key not in self._facts:
            self._facts[obligation.key] = facts_used(obligation, self.solver) or ()
        return self._facts[obligation.key]

    def _reason(self, obligation: Obligation) -> str:
        """The facts that an obligation follows from, in words; empty where they are none or too many."""
        goal = obligation.goal
        if self._in_parts(goal):
            parts = [(part, self._reason(replace(obligation, goal=part))) for part in goal.parts]
            if not all(because for _, because in parts):
                return ""
            return "; ".join(f"{self._shown(part)}{because}" for part, because in parts)
        found = self._grounds(obligation)
        parts_ = [self._ground(grounds, goal) for grounds in found]
        if not all(parts_):
            return ""
        if len(parts_) < 2:
            return "".join(parts_)
        return "; ".join(f"where `{readable(g.where)}`, {part}" for g, part in zip(found, parts_, strict=True))

    def _in_parts(self, goal: Any) -> bool:
        """Whether a goal is too long to be shown as a whole, but has parts."""
        return isinstance(goal, And) and len(readable(goal)) > _LONGEST

    def _shown(self, formula: Formula) -> str:
        text = readable(formula)
        return f"`{text}`, " if len(text) <= _LONGEST else "and "

    def _ground(self, grounds: Grounds, goal: Any) -> str:
        """From which facts a goal follows in one case; empty where they are too many."""
        texts = list(dict.fromkeys(map(readable, grounds.facts)))
        so_far = {readable(fact) for fact in grounds.facts if COST_SO_FAR in {a.key for a in atoms_within(fact)}}
        so_far -= {readable(goal)}
        texts = [text for text in texts if text not in so_far]
        ranks = [text for text in texts if "rank[" in text or "rank′[" in text]
        by_rank = sum(map(len, ranks)) > _MOST_RANKS
        texts = [text for text in texts if not by_rank or text not in ranks]
        if len(texts) > _MOST_FACTS or sum(map(len, texts)) > _MOST_SIGNS or not all(map(_is_in_program_words, texts)):
            return ""
        lemma = " and the selection lemma" if self._has_lemma and any("rank′[" in text for text in ranks) else ""
        named = [f"the order of `largest`{lemma}"] if by_rank else []
        named += ["the bound on `privacy_cost`"] if so_far else []
        listed = _listed([*(f"`{text}`" for text in texts), *named])
        if grounds.goal is True:
            return f"since {listed}, after which it is plain" if listed else ""
        if grounds.never:
            this = "since" if goal is False else "on a way that no run takes, since"
            return f"{this} {listed} contradict one another" if len(texts) + by_rank > 1 else ""
        if grounds.absurd and by_rank:
            return f"by {_listed([*named, *(f'`{text}`' for text in texts if text != readable(~goal))])}"
        if grounds.absurd:
            return f"{OTHERWISE} {listed}, which contradict one another"
        if not listed or texts == [readable(goal)]:
            return "this is plain" if grounds.where is not True else ""
        shown = f"`{readable(grounds.goal)}`, " if grounds.where is not True and grounds.goal != goal else ""
        return f"{shown}since {listed}"

    def _cost_against_claim(self, obligation: Obligation) -> str:
        """The cost at the end of a path, what it is at most, step by step, and the claim; empty for other obligations.

        The solver is asked the same divided by what both have in common, which is neither a cost nor a claim.
        """
        if self.proof.theory is None or obligation.condition != "cost" or not isinstance(obligation.goal, Formula):
            return ""
        for bound in self.proof.theory.bounds:
            if bound.total.compare("<=", bound.claim) == obligation.goal:
                facts = self._used(obligation)
                total = settled(bound.total, facts, self.solver)
                steps = (total, *steps_to(total, bound.claim, facts, self.solver), bound.claim)
                texts = [text for text in map(readable_term, steps) if len(text) <= _LONGEST_COST]
                return " ≤ ".join(texts) if len(texts) > 1 and texts[0] == readable_term(total) else ""
        return ""

    def _led(self, text: str) -> str:
        """A sentence that does not begin with a name of the program, which has no capital."""
        word, blank, rest = text.partition(" ")
        name = word.partition("[")[0]
        if name in {draw.name for draw in self.mechanism.draws}:
            return f"the noise `{word}`{blank}{rest}"
        return f"`{word}`{blank}{rest}" if name in {*self.mechanism.public, *self.mechanism.private} else text

    def _equal_names(self) -> str:
        theory = self.proof.theory
        plans = theory.planned.plans if theory is not None else ()
        names = sorted({name for plan in plans for name in plan.equal})
        return f"{_listed(f'`{name}`' for name in names)} {'is' if len(names) == 1 else 'are'} equal" if names else ""


# Among the reasons of a step of an induction, the bound itself at the head of the loop.
_BY_HYPOTHESIS = re.compile(r"the bound on `privacy_cost`$")


def _is_inside(one: Place, other: Place) -> bool:
    return other.line <= one.line and one.end_line <= other.end_line


def what_is_owed(decided: Sequence[Decided], name: str, *, holds: bool) -> tuple[str, ...]:
    """What the obligations of a condition say, of those that hold or of those that were not shown."""
    own = [d.obligation for d in decided if d.obligation.condition == name and d.holds is holds]
    found: dict[str, None] = {}
    for o in own:
        where = "" if o.line is None else f"line {o.line}: "
        found[f"{where}{in_obligation_words(o, holds=holds)}."] = None
    return tuple(found)


# What an obligation without a goal says before the problem that it excludes.
_NO_PROBLEM = re.compile(r"^(the run is defined|the determinant is known on every piece): ")


def in_obligation_words(obligation: Obligation, *, holds: bool, formula: str | None = None) -> str:
    """What an obligation says: that it holds, or that this was not shown; ``formula`` is what to show as its goal."""
    goal = formula
    if goal is None:
        goal = "" if isinstance(obligation.goal, bool) else readable(obligation.goal)
        goal = goal if len(goal) <= _LONGEST else ""
    shown = f": `{goal}`" if goal and _is_in_program_words(goal) else ""
    problem = plain(_NO_PROBLEM.sub("", obligation.words))
    if not names_a_problem(obligation):
        words = plain(obligation.words.replace(" must be ", " is "))
        return f"{words}{shown}" if holds else f"not shown: {words}{shown}"
    problem = problem if obligation.problem else re.sub(r"\bmay be\b", "is", problem)
    return f"it is excluded that {_as_clause(problem)}{shown}" if holds else f"not excluded: {problem}{shown}"


_VERB = re.compile(r"\b(is|are|has|have|gives?|draws?|reads?|depends?|comes?|ends|calls|enters|passes|may|was|needs)\b")


def _as_clause(problem: str) -> str:
    """A problem as what stands after "that"; one that is a noun, such as "division by zero", gets a verb."""
    return problem if _VERB.search(problem) else f"this happens: {problem}"


# What names a symbol of the proof that the program does not have.
_OWN_WORDS = re.compile(r"\bindex of \w+ |\bchanged\b|parameter that changes|are compared")


def _is_in_program_words(formula: str) -> bool:
    """Whether a formula is of names that a reader of the program knows."""
    return not _OWN_WORDS.search(formula)


def _left_out(number: int, thing: str) -> str:
    was, it = ("was", "it") if number == 1 else ("were", "them")
    return f"{_counted(number, f'more {thing}')} of this kind {was} shown; this text leaves {it} out."


def _listed(texts: Iterable[str]) -> str:
    parts = list(texts)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def plain(text: str) -> str:
    """Words of an obligation, with names as the text has them, without what would be read as the end of a formula."""
    return in_program_words(text.replace("`", ""))


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
