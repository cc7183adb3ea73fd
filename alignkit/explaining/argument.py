"""The argument of a proof: what D′ does in each case, the invariants, the order of the noise, and what it costs.

Each sentence comes from obligations that were decided, and says from which facts they follow.

Which of the known facts a step rests on: the smallest set that is left when one after the other is left out.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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
from alignkit.explaining.readable_formulas import in_program_words, readable, readable_term
from alignkit.explaining.writers import Block, BulletList, Paragraph
from alignkit.interpreting.values import is_number
from alignkit.language.program import For, Place, Statement, walk
from alignkit.proving.deciding import Decided
from alignkit.proving.obligation import Obligation
from alignkit.proving.proof import Proof
from alignkit.proving.symbolic_trial import Record
from alignkit.proving.words.reasons import is_about_definedness, names_a_problem
from alignkit.results import TITLES
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.symbolic.atoms import Conditional
from alignkit.symbolic.formulas import Formula, Or, disjunction
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver

# Of more facts than these none is left out, which would take long.
_MOST = 60

# The seconds for one question; where it is not answered, the fact is kept.
_SECONDS = 0.5


def facts_used(obligation: Obligation, solver: Z3Solver) -> tuple[Any, ...] | None:
    """Facts from which the goal follows, and from no part of them; None where this was not worked out."""
    for facts in obligation.hypotheses.steps():
        if len(facts) <= _MOST and _follows(facts, obligation, solver):
            return _fewest(facts, obligation, solver)
    return None


def brief_solver() -> Z3Solver:
    """A solver for questions on which no verdict rests."""
    return Z3Solver(seconds=_SECONDS)


def _fewest(facts: tuple[Any, ...], obligation: Obligation, solver: Z3Solver) -> tuple[Any, ...]:
    # Long facts are left out first, so that of two sets the simple one is kept.
    for fact in sorted(facts, key=lambda fact: -len(str(fact))):
        fewer = tuple(other for other in facts if other is not fact)
        if _follows(fewer, obligation, solver):
            facts = fewer
    return facts


def _follows(facts: tuple[Any, ...], obligation: Obligation, solver: Z3Solver) -> bool:
    if obligation.goal is True:
        return True
    return solver.decide(facts, obligation.goal).outcome is Outcome.FOLLOWS


def telling_facts(facts: tuple[Any, ...], goal: Any, solver: Z3Solver) -> tuple[Any, ...]:
    """What is left of facts where the goal does not hold: without the ways that positions alone exclude.

    The others are left out: they say which positions there are.
    """
    plain = tuple(fact for fact in facts if not _is_telling(fact))
    known = plain if isinstance(goal, bool) or _is_telling(goal) else (*plain, ~goal)
    return tuple(_left(fact, known, solver) for fact in facts if _is_telling(fact))


def _is_telling(formula: Any) -> bool:
    return bool(roles(formula) & {Role.NOISE, Role.PRIVATE})


def _left(fact: Any, known: tuple[Any, ...], solver: Z3Solver) -> Any:
    """A fact without the ways that are excluded, and with its case distinctions resolved where they can be."""

    def excluded(way: Any) -> bool:
        return solver.decide(known, ~way).outcome is Outcome.FOLLOWS

    if isinstance(fact, Or):
        ways = [way for way in fact.parts if _is_telling(way) or not excluded(way)]
        fact = disjunction(tuple(ways)) if ways else fact
    resolved: dict[Any, Any] = {}
    for atom in fact.within if isinstance(fact, Formula) else ():
        if isinstance(atom, Conditional) and not _is_telling(atom.condition):
            if excluded(atom.condition):
                resolved[atom] = atom.other
            elif excluded(~atom.condition):
                resolved[atom] = atom.then
    return substitute(fact, resolved) if resolved else fact


# A longer formula is no help to a reader, and neither are more facts.
_LONGEST, _LONGEST_COST, _MOST_FACTS, _MOST_SIGNS = 110, 260, 5, 320

# Of more cases, steps of a case, or statements on costs, the rest is left out.
_MOST_CASES, _MOST_COSTS = 12, 20

OTHERWISE = "for otherwise"


@dataclass(frozen=True)
class Step:
    """A sentence with the facts that it follows from."""

    text: str
    because: str = ""

    def __str__(self) -> str:
        return f"{_capital(self.text)}{f', {self.because}' if self.because else ''}."


class Argument:
    """The text of one proof; ``calls`` says what calls cost by their lemmas."""

    def __init__(self, mechanism: Mechanism, proof: Proof, calls: Sequence[str] = ()) -> None:
        self.mechanism = mechanism
        self.calls = calls
        self.proof = proof
        self.solver = brief_solver()
        self._because: dict[Any, str] = {}

    def blocks(self) -> Iterator[Block]:
        """The whole argument of a complete proof."""
        yield from self.same_output()
        yield from self.invariants()
        yield from self.cost()
        for name in ("one_to_one", "noise_used", "valid_noise", "termination", "countable", "adaptive_queries"):
            if name in self.proof.conditions:
                yield from self.other(name)

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
            words = "Each of these holds whenever the loop begins an iteration or ends without a break, by induction:"
            yield Paragraph(words, "Invariants.")
            yield BulletList(tuple(sentences))

    def cost(self) -> Iterator[Block]:
        """What each case costs, the bound that is kept, and the sum."""
        yield Paragraph(f"{_capital(self.proof.conditions['cost'].how)}.", "Cost.")
        bounds = [d.obligation for d in self.proof.decided if d.obligation.condition == "cost"]
        items = [*self.calls, *self._costs()]
        for name in dict.fromkeys(o.invariant for o in bounds if o.invariant is not None):
            reasons = [self._reason(o) for o in bounds if o.invariant == name and o.goal is not True]
            because = max(reasons, key=len, default="")
            if len(self._loops()) == 1:  # of several loops it may be the bound of an earlier one
                because = _BY_HYPOTHESIS.sub(r"\g<0>, by the hypothesis", because)
            items.append(f"So, by induction, `{plain(name)}`{f', {because}' if because else ''}.")
        ends = [o for o in bounds if o.invariant is None]
        items += map(str, self._steps(ends))
        items = list(dict.fromkeys(items))
        if items:
            yield BulletList(tuple(items[:_MOST_COSTS]))
        if len(items) > _MOST_COSTS:
            yield Paragraph(_left_out(len(items) - _MOST_COSTS, "statement"))

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
        yield Paragraph(f"{_capital(plain(condition.how))}.", f"{_capital(TITLES[name])}.")
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
                text = readable(shown)
                if len(text) > _LONGEST:
                    yield Step(f"at line {line} (`{code}`) D′ goes the way of D")
                elif shown.key in goals:
                    yield Step(f"at line {line} (`{code}`) D′ finds `{text}`", self._reason(goals[shown.key]))
                elif shown.key in known:
                    yield Step(f"at line {line} (`{code}`) D′ finds `{text}`, which is what D finds")
                else:
                    yield Step(f"at line {line} (`{code}`) D′ finds `{text}`")
            elif isinstance(shown, Term) and Role.NOISE in roles(shown):
                same = is_number(compared.other) and Term.of(compared.other) == shown
                words = "the number that D gives" if same else "the same number as D"
                yield Step(f"at line {line} (`{code}`) D′ gives {words}")

    def _is_told(self, obligation: Obligation) -> bool:
        return "only branch" in obligation.words or obligation.about_record

    # Reasons

    def _steps(self, owed: Iterable[Obligation]) -> list[Step]:
        found: dict[str, Step] = {}
        for o in owed:
            text = self._led(in_obligation_words(o, holds=True, formula=self._cost_against_claim(o)))
            step = Step(text, self._reason(o) if text.endswith("`") else "")
            if text not in found or (step.because and not found[text].because):
                found[text] = step
        return list(found.values())

    def _reason(self, obligation: Obligation) -> str:
        """The facts that an obligation follows from, in words; empty where they are none or too many."""
        key = obligation.key
        if key not in self._because:
            self._because[key] = self._in_words(obligation)
        return self._because[key]

    def _in_words(self, obligation: Obligation) -> str:
        goal = obligation.goal
        facts = facts_used(obligation, self.solver) or ()
        telling = telling_facts(facts, goal, self.solver)
        noisy = any(Role.NOISE in roles(fact) for fact in telling)
        by_contradiction = noisy and not isinstance(goal, bool) and not roles(goal) & {Role.NOISE, Role.PRIVATE}
        texts = list(dict.fromkeys(readable(fact) for fact in (telling if by_contradiction else facts)))
        short = len(texts) <= _MOST_FACTS and sum(map(len, texts)) <= _MOST_SIGNS
        fits = texts and short and all(map(_is_in_program_words, texts))
        if not fits or (not isinstance(goal, bool) and texts == [readable(goal)]):
            return ""
        listed = _listed(f"`{text}`" for text in texts)
        return f"{OTHERWISE} {listed}, which contradict one another" if by_contradiction else f"since {listed}"

    def _cost_against_claim(self, obligation: Obligation) -> str:
        """The cost at the end of a path beside the claim, both as they are; empty for any other obligation.

        The solver is asked the same divided by what both have in common, which is neither a cost nor a claim.
        """
        if self.proof.theory is None or obligation.condition != "cost" or not isinstance(obligation.goal, Formula):
            return ""
        for bound in self.proof.theory.bounds:
            if bound.total.compare("<=", bound.claim) == obligation.goal:
                return f"{readable_term(bound.total)} ≤ {readable_term(bound.claim)}"
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
_BY_HYPOTHESIS = re.compile(r"`[^`]*\bprivacy_cost\b[^`]*`$")


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


def in_obligation_words(obligation: Obligation, *, holds: bool, formula: str = "") -> str:
    """What an obligation says: that it holds, or that this was not shown; ``formula`` is its goal."""
    goal = formula or ("" if isinstance(obligation.goal, bool) else readable(obligation.goal))
    shown = f": `{goal}`" if goal and len(goal) <= _LONGEST and _is_in_program_words(goal) else ""
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
_OWN_WORDS = re.compile(r"\bindex of \w+ in the cost|\bchanged\b|parameter that changes|are compared")


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
