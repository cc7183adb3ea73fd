"""The argument of a proof: what D′ does in each case, the invariants, the order of the noise, and what it costs.

Each sentence comes from obligations that were decided, and says from which facts they follow, or from a theorem, and
names the page that proves it.
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
from alignkit.explaining.decisive_reasons import LONGEST_COST, MOST_FACTS, Reasons, one_after_another
from alignkit.explaining.grounds import follows
from alignkit.explaining.name_words import SELECTION_LEMMA, what_names_stand_for
from alignkit.explaining.obligation_words import LONGEST, in_obligation_words, is_in_program_words, plain
from alignkit.explaining.readable_formulas import in_program_words, readable, readable_term, with_names
from alignkit.explaining.writers import Block, BulletList, Paragraph
from alignkit.language.program import For, Place, Statement, walk
from alignkit.proving.conditions.adaptive_queries import Theorem
from alignkit.proving.conditions.cost import Bound
from alignkit.proving.conditions.one_to_one.by_pieces import NONZERO, Volume
from alignkit.proving.obligation import Obligation
from alignkit.proving.proof import Proof
from alignkit.proving.runs.path_trace import numbers_within
from alignkit.proving.symbolic_trial import Record
from alignkit.proving.words.reasons import is_about_definedness
from alignkit.results import ADAPTIVE_QUERIES, TITLES
from alignkit.running.alignment_decorator import Alignment
from alignkit.symbolic.formulas import Comparison, Formula, Or
from alignkit.symbolic.terms import roles
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


class Argument:
    """The text of one proof; ``calls`` says what calls cost by their lemmas."""

    def __init__(self, alignment: Alignment, proof: Proof, calls: Sequence[str] = ()) -> None:
        self.mechanism = alignment.mechanism
        self.calls = calls
        self.proof = proof
        self.reasons = Reasons(alignment, proof)
        self._named: dict[int, str] = {}  # the cases of obligations and of ends of paths

    def blocks(self) -> Iterator[Block]:
        """The whole argument of a complete proof."""
        with with_names(self.reasons.public):
            shown = [*self.same_output(), *self.invariants(), *self.cost()]
            for name in ("one_to_one", "noise_used", "valid_noise", "termination", "countable", "adaptive_queries"):
                if name in self.proof.conditions:
                    shown += self.other(name)
            text, named, solver = "\n".join(map(str, shown)), self.reasons.names, self.reasons.solver
            names = tuple(what_names_stand_for(text, self.proof, named, solver))
        if names:
            yield Paragraph("What names stand for:", "Names.")
            yield BulletList(names)
        yield from shown

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
            because = "; ".join(self._by_induction([o for o in owed if o.invariant == name], name))
            sentences.append(f"{_as_code(plain(name))}{f' ({because})' if because else ''}.")
        equal = self._equal_names()
        if equal:
            sentences.insert(0, f"{equal} on D and D′.")
        if sentences:
            over = "and when it is over, if no iteration left it"
            words = f"Each of these holds whenever the loop begins an iteration, {over}, by induction"
            yield Paragraph(f"{words} [{_THEOREMS['loops']}]:", "Invariants.")
            yield BulletList(tuple(sentences))

    def _by_induction(self, owed: Sequence[Obligation], name: str) -> Iterator[str]:
        """Why an invariant holds at first, and why each iteration keeps it, as far as that is not plain."""
        asked = [o for o in owed if "kept" not in o.words and o.goal is not True]
        first = next(filter(None, map(self.reasons.reason, asked)), "")
        if first:
            yield f"at first, {first}"

        def reason(record: Record) -> str:
            own = (o for o in record.obligations if o.invariant == name and "kept" in o.words and o.goal is not True)
            return next(filter(None, map(self.reasons.reason, own)), "")

        for case in named_cases([r for r in self._records() if goes_on(r)], reason, self.mechanism):
            because = reason(case.records[0])
            if because:
                after = f" {case.name}, after which the loop goes on" if case.name else " after which the loop goes on"
                yield f"it is kept by an iteration{after}, {because}"

    def cost(self) -> Iterator[Block]:
        """What each case costs, the bound that is kept, and the sum."""
        single = dict.fromkeys(self._single(key) for key, _ in loops_of(self._records()) if key)
        so_far = f"; `privacy_cost` is what {next(iter(single))} cost before the iteration" if len(single) == 1 else ""
        so_far = so_far or ("; `privacy_cost` is the cost before the iteration" if self._loops() else "")
        yield Paragraph(f"{_capital(self.proof.conditions['cost'].how)}{so_far}.", "Cost.")
        bounds = [d.obligation for d in self.proof.decided if d.obligation.condition == "cost"]
        items = [*self.calls, *self._costs()]
        needed = self._bounds_needed(bounds)
        for name in dict.fromkeys(o.invariant for o in bounds if o.invariant in needed):
            owed = (o for o in bounds if o.invariant == name and o.goal is not True)
            because = "; in another case, ".join(filter(None, dict.fromkeys(map(self.reasons.reason, owed))))
            if len(self._loops()) == 1:  # of several loops it may be the bound of an earlier one
                because = _BY_HYPOTHESIS.sub(_HYPOTHESIS, because).replace(f"since {_HYPOTHESIS}", f"by {_HYPOTHESIS}")
            items.append(f"So, by induction, `{plain(name)}`{f', {because}' if because else ''}.")
        ends = [o for o in bounds if o.invariant is None]
        items += map(str, self._steps(ends))
        if any(o.words.endswith("for each unit by which its answer changes") for o in bounds):
            items.append("Adjacency bounds the sum of these changes, and so the cost of all shifts by the claim.")
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
                    yield f"Before {start} {self._single(key)} cost {self._at_most(key)}`{cost}`."
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
                yield f"An iteration{where}{when}{after} costs {self._at_most(key)}`{cost}`."
        if left_out:
            what = "The cost of one more case is" if left_out == 1 else f"The costs of {left_out} more cases are"
            yield f"{what} bounded too; this text leaves {'it' if left_out == 1 else 'them'} out."

    def _single(self, key: str) -> str:
        """The shifts that count before a loop: those of lists of draws are bounded together, at the end."""
        loop = self._loop_of(key)
        lists = loop is not None and any(
            draw.depth and draw.place.end_line < loop.place.line for draw in self.mechanism.draws
        )
        return "the shifts of single draws (those of lists are added at the end)" if lists else "the shifts"

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
        theorem = self.proof.theory.planned.theorem if self.proof.theory is not None else None
        if theorem is Theorem.STEPS and name == "countable":
            said = f"Beside the answers, which are fixed for a step, {said[:1].lower()}{said[1:]}"
        if name == "noise_used" and self.mechanism.draws:
            said = f"{said}; the tags, indices and lengths of the output tell which draws are made"
        yield Paragraph(f"{said}{cited}.", f"{_capital(TITLES[name])}.")
        if name == ADAPTIVE_QUERIES and theorem in _ASSUMPTIONS:
            yield BulletList(_ASSUMPTIONS[theorem])
        pieces = dict.fromkeys(self._determinants()) if name == "one_to_one" else {}
        if pieces:
            pieces["Elsewhere det J is 1 or -1."] = None
            owed = [o for o in owed if o.words != NONZERO]
        steps = [*pieces, *map(str, self._steps(owed))]
        if steps and len(steps) <= MOST_FACTS:
            yield BulletList(tuple(steps))

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
                text = (self.reasons.formula(owed) if owed is not None else "") or readable(shown)
                if len(text) > (LONGEST if owed is not None else LONGEST_COST):
                    yield Step(f"{at} goes the way of D", "" if owed is None else self.reasons.reason(owed))
                elif owed is not None:
                    yield Step(f"{at} finds `{text}`", self.reasons.reason(owed))
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
            text = self._led(in_obligation_words(o, holds=True, formula=self.reasons.formula(o)))
            ends = self.proof.theory.bounds if self.proof.theory is not None and o.condition == "cost" else ()
            piece = next((b.volume for b in ends if b.volume and b.total.compare("<=", b.claim) == o.goal), None)
            text = f"{_where(piece, self._case(o))}{text}"
            text = self._at_end(text, o)
            if text in found and found[text].because:
                continue
            because = self.reasons.reason(o)
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
            step = Step(text, because)
            if text not in found or (step.because and not found[text].because):
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
            cases = [case for case in named_cases(leaving, owes, self.mechanism) if owes(case.records[0])]
            known = len(cases) == 1 and cases[0].distinct and cases[0].name
            how = f" if the loop is left in an iteration{f' {cases[0].name}' if known else ''}"
        lead, colon, chain = text.partition(": `")
        return f"{lead}{how}{colon}{chain}"

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
        told = one_after_another(f"`{name}`" for name in names)
        return f"{told} {'is' if len(names) == 1 else 'are'} equal" if names else ""


_HYPOTHESIS = "the bound so far"

# Among the reasons of a step of an induction, the bound itself at the head of the loop.
_BY_HYPOTHESIS = re.compile(r"the bound on `privacy_cost`")


def _is_same(goal: Any) -> bool:
    """Whether a goal says of a condition that it holds or that it does not: so D′ decides what D decides."""
    return isinstance(goal, Or) and len(goal.parts) == 2 and goal.parts[1].key == (~goal.parts[0]).key


def _as_code(name: str) -> str:
    """An invariant as a formula, where it is one; the others are sentences."""
    return f"`{name}`" if re.search(r"[<>=]|^not \(", name) else _capital(name)


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
