"""The reasons of the statements of a proof, in words: the facts that an obligation follows from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from alignkit.explaining.grounds import (
    Grounds,
    about_positions,
    brief_solver,
    cases_of_positions,
    facts_used,
    facts_without_cases,
    fewest,
    follows,
    grounds_of,
    in_steps,
    least_of_claim,
    settled,
    settling_positions,
    steps_to,
)
from alignkit.explaining.known_in_words import by_adjacency, by_images, by_selection_order, by_sums
from alignkit.explaining.name_words import SELECTION_LEMMA
from alignkit.explaining.named_values import (
    Named,
    NamedValue,
    comparisons_with_names,
    lists_of,
    named_in_order,
    names_of,
    names_of_noise,
)
from alignkit.explaining.obligation_words import LONGEST, is_in_program_words, one_after_another
from alignkit.explaining.pairs_in_words import PairOfVectors, gap_in_steps, order_in_steps
from alignkit.explaining.readable_formulas import chosen_among, readable, readable_term, without_nested
from alignkit.proving.conditions.cost import Bound
from alignkit.proving.obligation import Obligation
from alignkit.proving.proof import Proof
from alignkit.proving.runs.second_run import OTHER
from alignkit.running.alignment_decorator import Alignment
from alignkit.symbolic.atoms import Conditional, Element, Symbol
from alignkit.symbolic.formulas import And, Comparison, Formula
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role

# A longer cost is no help to a reader, and neither are more facts.
LONGEST_COST, MOST_FACTS, _MOST_SIGNS = 400, 9, 900

# In one of several cases these are no help.
_MOST_IN_CASE = 12

# Facts on ranks that are longer together are named, and not written out.
_MOST_RANKS = 330

# A reason that is longer is given with the names of the alignment, where that is shorter.
_SHORT = 400

# In a sum within a sum, the index of the outer one: what is said of these has words.
_SUM_OF_SUMS = "< · "

# What an equation of an output says that is too long.
_REAL_PART = "the real part is the same"

OTHERWISE = "for otherwise"

# The cost at the head of a loop.
COST_SO_FAR = f"{Role.STATE.prefix}cost so far"


@dataclass(frozen=True)
class _Inferred:
    """A goal, the facts that it follows from, and these case by case; ``named`` put names into them."""

    goal: Any
    facts: tuple[Any, ...]
    grounds: tuple[Grounds, ...]
    named: Named = field(default_factory=lambda: Named(()))

    @property
    def shown(self) -> Any:
        """The goal without the cases that facts exclude."""
        only = self.grounds[0].goal if len(self.grounds) == 1 else self.goal
        return only if isinstance(only, Formula) else self.goal

    @property
    def is_short(self) -> bool:
        """Whether the goal can be shown, as a whole or in each case."""
        return len(readable(self.goal)) <= LONGEST or all(len(readable(g.goal)) <= LONGEST for g in self.grounds)

    @property
    def in_steps(self) -> bool:
        """Whether there are statements between the facts and the goal, in some case."""
        return any(grounds.steps for grounds in self.grounds)


class Reasons:
    """What the obligations of one proof follow from; ``names`` are those of the program and of the alignment."""

    def __init__(self, alignment: Alignment, proof: Proof) -> None:
        self.proof = proof
        self.solver = brief_solver()
        # A solver keeps what it was asked of, which slows it down: questions with many facts have one of their own.
        self._apart = brief_solver()
        # The selection lemma is used where its premise is obliged.
        self._has_lemma = any(d.obligation.words == SELECTION_LEMMA for d in proof.decided)
        self._facts: dict[Any, tuple[Any, ...]] = {}
        self._found: dict[Any, _Inferred] = {}
        self._reasons: dict[Any, str] = {}
        self._items: dict[Any, NamedValue] = {}  # the items of lists that have names, by their definitions
        records = proof.theory.records if proof.theory is not None else ()
        named = names_of(alignment, records)
        self._lists = lists_of(alignment)
        self.names = (*names_of_noise(named, records, self._lists), *named)
        self.public = Named([n for n in named if roles(n.value) <= {Role.PUBLIC}])

    def formula(self, obligation: Obligation) -> str:
        """The goal as a reader needs it: without the cases that are excluded; empty where it is shown in parts."""
        if isinstance(obligation.goal, bool) or self._in_parts(obligation):
            return ""
        inferred = self._inferred(obligation)
        found = inferred.grounds
        if any(grounds.goal is True and grounds.facts for grounds in found) or _is_never(found):
            return ""
        against = self._cost_against_claim(obligation, inferred)
        if against:
            return against
        text = readable(inferred.shown)
        return text if len(text) <= (LONGEST if len(found) <= 1 else LONGEST // 2) else ""

    def _inferred(self, obligation: Obligation) -> _Inferred:
        """What an obligation follows from, with the names of the alignment where that is the shorter text."""
        if obligation.key not in self._found:
            facts, goal = self.used(obligation), without_nested(obligation.goal)
            facts = tuple(f for f in map(without_nested, facts) if f is not True)
            inferred = _Inferred(goal, facts, grounds_of(facts, goal, self.solver) if facts else ())
            text = self._because(inferred)
            long_goal = not isinstance(inferred.shown, bool) and len(readable(inferred.shown)) > LONGEST
            if facts and (long_goal or not _SHORT > len(text) > 0):
                others: list[tuple[str, _Inferred]] = []
                for other in self._with_names(obligation, facts):
                    others.append((self._because(other), other))
                    if others[-1][0] and other.in_steps:
                        break
                better = [other for because, other in others if because and (not text or other.in_steps)]
                better += [other for because, other in others if because and len(because) < len(text)]
                shorter = [other for because, other in others if because and other.is_short]
                better += shorter if long_goal else []
                inferred = next(iter(better), inferred)
            positions = about_positions(obligation)
            if any(g.where is not True and follows(positions, ~g.where, self.solver) for g in inferred.grounds):
                goal, facts = inferred.goal, inferred.facts
                facts += settling_positions(facts, goal, positions, self.solver)
                inferred = replace(inferred, facts=facts, grounds=grounds_of(facts, goal, self.solver))
            bound = self._end(obligation)
            known = () if bound is None else tuple(f for f in obligation.hypotheses.whole if f is not True)
            sides = () if bound is None else least_of_claim(bound.total, bound.claim, known, self.solver)
            inferred = replace(inferred, grounds=sides) if sides else inferred
            self._found[obligation.key] = inferred
        return self._found[obligation.key]

    def _with_names(self, obligation: Obligation, facts: tuple[Any, ...]) -> Iterator[_Inferred]:
        """The same with names for numbers, and with what these stand for, and where positions are, among the facts."""
        named = Named([*self.names], self._lists)
        goal = named(without_nested(obligation.goal))
        facts = tuple(map(named, dict.fromkeys((*facts, *about_positions(obligation)))))
        within = {a.key for value in (*facts, goal) for a in atoms_within(value)}
        used: list[NamedValue] = []
        for n in self.names:  # those of noise come first, and stand for numbers that have names
            if not within.isdisjoint(a.key for a in n.name.atoms()):
                used.append(n)
                within |= {a.key for a in atoms_within(n.value)}
        values = (*facts, goal, *(n.definition for n in used))
        used += [item for each in self._lists for item in each.definitions(v for v in values if v is not True)]
        self._items |= {n.definition: n for n in used if n not in self.names}
        facts = tuple(f for f in (*facts, *(n.definition for n in used)) if f is not True)
        if isinstance(goal, bool) or not follows(facts, goal, self.solver):
            return
        if isinstance(goal, Comparison) and goal.relation == "==":
            by_case = [*cases_of_positions(facts, goal, self.solver)] if len(readable(goal)) > LONGEST else []
            found = [(where, self._in_steps(known, there), known, there) for where, known, there in by_case]
            if any(steps is not None for _, steps, _, _ in found):
                apart = [
                    replace(g, where=where)
                    for where, steps, known, there in found
                    for g in ([steps] if steps is not None else grounds_of(known, there, self.solver)[:1])
                ]
                yield _Inferred(goal, facts, tuple(apart), named)
            steps = self._in_steps(facts, goal)
            if steps is not None:
                yield _Inferred(goal, facts, (steps,), named)
        yield _Inferred(goal, facts, grounds_of(facts, goal, self.solver, self._items), named)

    def _in_steps(self, facts: tuple[Any, ...], goal: Any) -> Grounds | None:
        """The grounds of an equation by comparisons with numbers that have names; those of itself where none helps."""
        return in_steps(facts, goal, comparisons_with_names(self.names, facts), self.solver)

    def _end(self, obligation: Obligation) -> Bound | None:
        """The end of the path at which an obligation holds the cost against the claim, if it does."""
        bounds = self.proof.theory.bounds if self.proof.theory is not None and obligation.condition == "cost" else ()
        return next((b for b in bounds if b.total.compare("<=", b.claim) == obligation.goal), None)

    def contradiction(self, obligation: Obligation) -> str:
        """That the facts contradict one another, in words, where no run comes to an obligation; empty elsewhere."""
        inferred = self._inferred(obligation)
        if not _is_never(inferred.grounds):
            return ""
        return self._because(replace(inferred, goal=False))

    def since(self, facts: tuple[Any, ...], goal: Any) -> str:
        """Few of some facts, from which a goal follows, as a reason; empty where it does not."""
        if not follows(facts, goal, self.solver):
            return ""
        few = fewest(facts, goal, self.solver)
        return (self._others(few) or "").removesuffix(", and ")

    def used(self, obligation: Obligation) -> tuple[Any, ...]:
        """The facts that an obligation follows from; none where that was not worked out."""
        if obligation.key not in self._facts:
            self._facts[obligation.key] = facts_used(obligation, self.solver) or ()
        return self._facts[obligation.key]

    def reason(self, obligation: Obligation) -> str:
        """The facts that an obligation follows from, in words; empty where they are none or too many."""
        question = obligation.key, obligation.invariant
        if question not in self._reasons:
            self._reasons[question] = self._reason(obligation)
        return self._reasons[question]

    def _reason(self, obligation: Obligation) -> str:
        goal = obligation.goal
        if self._in_parts(obligation):
            parts = [replace(obligation, goal=part) for part in goal.parts]
            shown = [(readable(self._inferred(part).shown), self.reason(part)) for part in parts]
            facts = self.used(obligation)
            if by_adjacency(obligation, facts):
                return by_adjacency(obligation, facts)
            # An equation that is too long is of the real part of an output; its cases are told with their formulas.
            of_output = obligation.condition == "same_output"
            by_case = {because for _, because in shown if of_output and "where `" in because}
            real = [_REAL_PART if because in by_case else "" for _, because in shown]
            names = [f"`{t}`" if len(t) <= LONGEST else words for (t, _), words in zip(shown, real, strict=True)]
            told = "; ".join(f"{name}, {because}" for name, (_, because) in zip(names, shown, strict=True))
            most = _MOST_SIGNS * (2 if of_output else 1)
            together = (self._others(facts) or "").removesuffix(", and ")
            one_reason = together and len({because for _, because in shown}) == 1  # which the parts would repeat
            if not one_reason and all(names) and all(because for _, because in shown) and len(told) <= most:
                return told
            return together
        because = self._because(self._inferred(obligation))
        of_cost = obligation.condition == "cost"
        if of_cost and (_SUM_OF_SUMS in because or (obligation.invariant is not None and not self.used(obligation))):
            because = self._by_sums(obligation) or because
        because = because or by_adjacency(obligation, self.used(obligation)) or self._by_order(obligation)
        if not because and all(grounds.goal is True for grounds in self._inferred(obligation).grounds):
            # What the facts exclude is not shown, and they are no reasons of what is left: then all are.
            because = (self._others(self.used(obligation)) or "").removesuffix(", and ")
        return because or self._by_clamps(obligation) or ("" if self.used(obligation) else self._by_pair(obligation))

    def _by_clamps(self, obligation: Obligation) -> str:
        """That clamped numbers lie in their ranges, where a goal follows from that alone; empty elsewhere."""
        goal = obligation.goal
        if isinstance(goal, bool) or self.used(obligation):
            return ""
        ranges: dict[tuple[str, str], list[str]] = {}
        known: list[Any] = []
        loose: dict[Atom, Term] = {}
        for atom in dict.fromkeys(a for a in atoms_within(goal) if isinstance(a, Conditional)):
            chosen = chosen_among(atom)
            if chosen is None or chosen[0] != "clamp":
                continue
            _, low, high = chosen[1]
            own = Term.of(atom)
            if not all(follows((), one.compare("<=", other), self.solver) for one, other in ((low, own), (own, high))):
                return ""
            number = Term.of(Symbol(f"any clamped {len(loose)}", Role.NOISE))
            loose[atom] = number
            known += [low.compare("<=", number), number.compare("<=", high)]
            ranges.setdefault((readable_term(low), readable_term(high)), []).append(f"`{readable_term(own)}`")
        if not loose or not follows(tuple(known), substitute(goal, loose), self.solver):
            return ""
        told = (
            f"{one_after_another(clamped)} {'lie' if len(clamped) > 1 else 'lies'} between `{low}` and `{high}`"
            for (low, high), clamped in ranges.items()
        )
        return f"since {one_after_another(told)}"

    def _by_pair(self, obligation: Obligation) -> str:
        """What is known of two noise vectors with one output and one image, as a reason; empty where that is none."""
        noise = {a.array for a in atoms_within(obligation.goal) if isinstance(a, Element) and a.role is Role.NOISE}
        if isinstance(obligation.goal, bool) or not any(name.endswith("~") for name in noise):
            return ""
        image, steps = self._pair_in_steps(obligation)
        if steps:
            lettered = "; ".join(f"({letter}) {step}" for letter, step in zip("abcdefgh", steps, strict=False))
            return f"in steps, where `{image}` is the image of both: {lettered}"
        at, outputs, selected, names = by_images(obligation, self.solver)
        if not at:
            return ""
        one, other = (readable_term(Term.of(Symbol(name, Role.NOISE))) for name in sorted(noise, key=len))
        images = f"the images of `{one}` and `{other}` are equal at {one_after_another(f'`{i}`' for i in at)}"
        defined = [*(f"`{name}`" for name in names), *(["what D selects"] if selected else [])]
        by = f", by the definition of {one_after_another(defined)}" if defined else ""
        return f"since {images}{' and so are the outputs' if outputs else ''}{by}"

    def _pair_in_steps(self, obligation: Obligation) -> tuple[str, tuple[str, ...]]:
        """What the image of two noise vectors is called, and why these are equal, in steps; empty for none."""
        records = self.proof.theory.records if self.proof.theory is not None else ()
        record = next((r for r in records if r.pair is not None and obligation in r.obligations), None)
        names = [n for n in self.names if n.moved is None and Role.NOISE in roles(n.name)]
        if record is None or not names:
            return "", ()
        of_other = {readable_term(n.name): record.named_again.get(readable_term(n.name)) for n in names}
        again = [*named_in_order({f"{name}{OTHER}": v for name, v in of_other.items() if v is not None}, self._lists)]
        try:
            pair = PairOfVectors(obligation, (names, again), self._lists, self.solver)
        except LookupError:
            return "", ()
        self._items |= {n.definition: n for n in (*pair.vectors[1].names, *pair.items)}

        def because(goal: Any, facts: tuple[Any, ...]) -> str:
            return self._because(_Inferred(goal, facts, grounds_of(facts, goal, self.solver, self._items)))

        return pair.image_name, pair.steps(because)

    def _by_sums(self, obligation: Obligation) -> str:
        """The theorem of sums, with the other facts, as a reason; empty where it is none, or these are too many."""
        told, facts = by_sums(obligation, self._apart)
        so_far = [fact for fact in facts if COST_SO_FAR in {a.key for a in atoms_within(fact)}]
        since = self._others([fact for fact in facts if fact not in so_far])
        if not told or since is None:
            return ""
        bounds = "the bounds on `privacy_cost` and " if len(so_far) > 1 else "the bound on `privacy_cost` and "
        return f"{since}by {bounds if so_far else ''}the theorem of sums: {told}"

    def _by_order(self, obligation: Obligation) -> str:
        """The order of `largest`, with the other facts, as a reason; empty where it is none, or these are too many."""
        if self.used(obligation) or obligation.goal is False or not is_in_program_words(readable(obligation.goal)):
            return ""
        for told in (order_in_steps, partial(gap_in_steps, has_lemma=self._has_lemma)):
            steps = told(obligation, self.names, self._lists, self.solver)
            if steps:
                return steps
        names, facts = by_selection_order(obligation, self._apart)
        since = self._others(facts)
        if since is None or not (names or facts):
            return ""
        lemma = ["the selection lemma"] if self._has_lemma else []
        defined = [f"the definition of {one_after_another(f'`{name}`' for name in names)}"] if names else []
        return f"{since}by {one_after_another(['the order of `largest`', *lemma, *defined])}"

    def _others(self, facts: Sequence[Any]) -> str | None:
        """The facts of a reason that are shown as they are; None where a reader can do nothing with them."""
        texts = [readable(fact) for fact in facts]
        if len(texts) > MOST_FACTS or sum(map(len, texts)) > _MOST_SIGNS or not all(map(is_in_program_words, texts)):
            return None
        return f"since {one_after_another(f'`{text}`' for text in texts)}, and " if texts else ""

    def _because(self, inferred: _Inferred) -> str:
        found = inferred.grounds
        parts_ = [self._ground(grounds, inferred.goal) for grounds in found]
        if not all(parts_):
            return ""
        if len(parts_) < 2:
            return "".join(parts_)
        return "; ".join(f"where `{readable(g.where)}`, {part}" for g, part in zip(found, parts_, strict=True))

    def _in_parts(self, obligation: Obligation) -> bool:
        """Whether a goal is too long to be shown as a whole, with names too, but has parts."""
        goal = obligation.goal
        if not isinstance(goal, And) or len(readable(goal)) <= LONGEST:
            return False
        return len(readable(self._inferred(obligation).goal)) > LONGEST

    def _ground(self, grounds: Grounds, goal: Any) -> str:
        """From which facts a goal follows in one case; empty where they are too many."""
        definitions = self._items | {n.definition: n for n in self.names if n.moved is None}
        names = list(dict.fromkeys(self._name(definitions[fact]) for fact in grounds.facts if fact in definitions))
        steps = {readable(step): self._because(_Inferred(step, (), own)) for step, own in grounds.steps}
        texts = list(dict.fromkeys(readable(fact) for fact in grounds.facts if fact not in definitions))
        so_far = {readable(fact) for fact in grounds.facts if COST_SO_FAR in {a.key for a in atoms_within(fact)}}
        texts = [text for text in texts if text not in so_far]
        ranks = [text for text in texts if "rank[" in text or "rank′[" in text]
        by_rank = sum(map(len, ranks)) > _MOST_RANKS
        texts = [text for text in texts if not by_rank or text not in ranks]
        most = MOST_FACTS if grounds.where is True else _MOST_IN_CASE
        if len(texts) > most or sum(map(len, texts)) > _MOST_SIGNS or not all(map(is_in_program_words, texts)):
            return ""
        lemma = " and the selection lemma" if self._has_lemma and any("rank′[" in text for text in ranks) else ""
        counts = [] if names or ranks else [f"`{symbol.name} ≥ 1`" for symbol in self._counted(grounds)]
        others = [*counts, f"the order of `largest`{lemma}"] if by_rank else counts
        others += ["the bound on `privacy_cost`"] if so_far else []
        others += [f"the definition of {one_after_another(f'`{name}`' for name in names)}"] if names else []
        reasoned = (f"`{text}`" + (f" ({steps[text]})" if steps.get(text) else "") for text in texts)
        known = one_after_another([*reasoned, *others])
        if grounds.goal is True:
            return f"since {known}, after which it is plain" if known else ""
        if grounds.excluded:
            return f"which is impossible, since {known}" if known else ""
        if grounds.never:
            this = "since" if goal is False else "on a way that no run takes, since"
            return f"{this} {known} contradict one another" if len(texts) + len(others) > 1 else ""
        if grounds.absurd and by_rank:
            return f"by {one_after_another([*others, *(f'`{text}`' for text in texts if text != readable(~goal))])}"
        if grounds.absurd:
            return f"{OTHERWISE} {known}, which contradict one another"
        given = [readable(part) for part in goal.parts] if isinstance(goal, And) else [readable(goal)]
        if so_far and known == "the bound on `privacy_cost`":
            return f"by {known}"
        if texts == given and not others and "~" in known and grounds.where is True:
            return "which is what equal outputs and images say"
        if not known or (texts == given and not others):
            return "this is plain" if grounds.where is not True else ""
        if known == f"`{readable(grounds.goal)}`" and grounds.where is not True:
            return f"{known}, which is known"
        sides = " ≤ ".join(map(readable_term, grounds.sides or ()))
        shown = f"`{sides or readable(grounds.goal)}`, " if grounds.where is not True and grounds.goal != goal else ""
        return f"{shown}{'by' if known.startswith('the definition of') else 'since'} {known}"

    def _counted(self, grounds: Grounds) -> list[Symbol]:
        """The whole numbers among the parameters of which a goal needs that they are at least 1."""
        goal = False if grounds.never or grounds.absurd else grounds.goal
        if isinstance(goal, bool) or grounds.steps:
            return []
        facts = tuple(fact for fact in (*grounds.facts, grounds.where) if fact is not True)
        atoms = dict.fromkeys(atom for value in (*facts, goal) for atom in atoms_within(value))
        found = []
        for atom in atoms:
            if isinstance(atom, Symbol) and atom.role is Role.PUBLIC and atom.positive and atom.integer:
                # Any number above 0 in its place: what follows of that does not need that it is at least 1.
                loose = Term.of(Symbol(f"any {atom.name}", Role.PUBLIC, positive=True))
                free = tuple(substitute(fact, {atom: loose}) for fact in facts)
                asked = substitute(goal, {atom: loose})
                if not follows(free, asked, self.solver) and follows(
                    (*free, loose.compare(">=", 1)), asked, self.solver
                ):
                    found.append(atom)
        return found

    def _name(self, named: NamedValue) -> str:
        """The name of a number, or of the list of which it is an item."""
        (atom,) = named.name.atoms()
        is_item = isinstance(atom, Element) and named.definition in self._items
        return atom.array if is_item and isinstance(atom, Element) else readable_term(named.name)

    def _cost_against_claim(self, obligation: Obligation, inferred: _Inferred) -> str:
        """The cost at the end of a path, what it is at most, step by step, and the claim; empty for other obligations.

        The solver is asked the same divided by what both have in common, which is neither a cost nor a claim.
        """
        bound = self._end(obligation)
        if bound is None or not isinstance(obligation.goal, Formula):
            return ""
        facts, claim = facts_without_cases(inferred.facts, self.solver), inferred.named(without_nested(bound.claim))
        on_piece = () if bound.volume is None else map(inferred.named, bound.volume.conditions)
        total = settled(inferred.named(without_nested(bound.total)), (*facts, *on_piece), self.solver)
        steps = (total, *steps_to(total, claim, facts, self.solver), claim)
        texts = [text for text in map(readable_term, steps) if len(text) <= LONGEST_COST]
        return " ≤ ".join(texts) if len(texts) > 1 and texts[0] == readable_term(total) else ""


def _is_never(found: Sequence[Grounds]) -> bool:
    """Whether facts contradict one another in every case."""
    return bool(found) and all(grounds.never for grounds in found)
