"""What an obligation follows from, and the steps from a cost to its claim, each of them asked of the solver.

An obligation is shown with few of the known facts, and without the cases that they exclude.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import z3

from alignkit.explaining.readable_formulas import chosen_among
from alignkit.proving.obligation import Obligation
from alignkit.proving.symbolic_inputs import RISES
from alignkit.symbolic.atoms import Conditional, Element, Inverse, Special, Symbol, ordered
from alignkit.symbolic.formulas import And, Comparison, Formula, Or, comparison, conjunction, disjunction
from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.substitution import Substitution, substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role
from alignkit.symbolic.z3_solver import Z3Solver

# To leave facts out of more than these would take long: the obligation is then shown without its facts.
_MOST = 75

# Facts are left out one by one where they are no more than these.
_AT_ONCE = 6

# The units of work for one question, so that a text is the same on every machine, and the seconds after which it ends
# at the latest: far more than the units take. Where it is not answered, the fact is kept.
_UNITS, _SECONDS = 500_000, 600.0

# So many of the latest models are tried on a question.
_MODELS = 40

# More conditions than these are not told apart case by case.
_MOST_SPLIT = 2

# What is said of positions is of these alone; how many outputs there are is not known beforehand.
_OF_POSITIONS = {Role.INDEX, Role.PUBLIC, Role.UNKNOWN}

# So many statements at the end of a group are its weakest.
_WEAKEST = 2

# A part of a cost is held against so many times what an answer may change by.
_MULTIPLES = (1, 2, 3, 4)


@dataclass(frozen=True)
class Grounds:
    """A goal and facts from which it follows, where ``where`` holds (True: everywhere).

    ``absurd`` says that the facts contradict one another where the goal does not hold, ``never`` that they do anyway,
    and ``excluded`` that they contradict ``where``: the case is impossible.
    ``steps`` are those of the facts that are no facts of the proof, but follow from them, with their own grounds.
    ``sides`` are two numbers of which the goal says that the first is at most the second, as they are shown.
    """

    goal: Any
    facts: tuple[Any, ...]
    where: Any = True
    absurd: bool = False
    never: bool = False
    excluded: bool = False
    steps: tuple[tuple[Any, tuple[Grounds, ...]], ...] = ()
    sides: tuple[Term, Term] | None = None


class _Model:
    """Numbers that met one question, and may meet others."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._met: set[int] = set()
        self._others: set[int] = set()

    def meets(self, formulas: Mapping[int, Any]) -> bool:
        """Whether formulas, by their numbers, hold of these values, and of 0 for what it does not name."""
        if not self._others.isdisjoint(formulas):
            return False
        for number in sorted(formulas.keys() - self._met):
            holds = z3.is_true(self._model.eval(formulas[number], model_completion=True))
            (self._met if holds else self._others).add(number)
            if not holds:
                return False
        return True


class BriefSolver(Z3Solver):
    """A solver for questions on which no verdict rests: it gives up early, and asks nothing twice.

    Questions on the same formulas are many, so z3 keeps each formula, which is asked under a switch of its own. What
    contradicts itself does so with more formulas too, and numbers that meet one question often meet the next.
    """

    def __init__(self) -> None:
        super().__init__(seconds=_SECONDS, resources=_UNITS)
        self._answers: dict[Any, Answer] = {}
        self._switches: dict[int, tuple[Any, Any]] = {}
        self._kept = self._empty()
        self._contradictions: dict[frozenset[int], None] = {}
        self._models: deque[_Model] = deque(maxlen=_MODELS)
        self._formulas: dict[int, Any] = {}  # z3 gives the number of a formula to another one when it is not kept

    def decide(self, hypotheses: tuple[Any, ...], goal: Any) -> Answer:
        question = frozenset(hypotheses), goal
        if question not in self._answers:
            self._answers[question] = self._decide(hypotheses, goal)
        return self._answers[question]

    def _decide(self, hypotheses: tuple[Any, ...], goal: Any) -> Answer:
        if goal is True or any(h is False for h in hypotheses):
            return Answer(Outcome.FOLLOWS)
        asked = [f for f in (*hypotheses, True if goal is False else ~goal) if f is not True]
        if any(f is False for f in asked):
            return Answer(Outcome.FOLLOWS)
        encoded = self.encoders[0].question(asked)
        formulas = {formula.get_id(): formula for formula, _ in encoded}
        self._formulas |= formulas
        if any(model.meets(formulas) for model in self._models):
            return Answer(Outcome.POSSIBLE)
        switches = {switch.get_id(): switch for switch in (self._switch(f) for f, linear in encoded if linear)}
        if any(map(frozenset(switches).issuperset, self._contradictions)):
            return Answer(Outcome.FOLLOWS)
        found = self._kept.check(*switches.values())
        if found == z3.unsat:
            self._contradictions[frozenset(switch.get_id() for switch in self._kept.unsat_core())] = None
            return Answer(Outcome.FOLLOWS)
        if found == z3.sat:
            self._models.appendleft(_Model(self._kept.model()))
            if all(linear for _, linear in encoded):
                return Answer(Outcome.POSSIBLE)
        return super().decide(hypotheses, goal)

    def _switch(self, formula: Any) -> Any:
        """What is assumed where a formula is, which is kept from then on."""
        number = formula.get_id()
        if number not in self._switches:
            switch = z3.Bool(f"formula {number}", self.encoders[0].context)
            self._kept.add(z3.Or(z3.Not(switch), formula))
            self._switches[number] = switch, formula
        return self._switches[number][0]

    def _empty(self) -> Any:
        solver = z3.SimpleSolver(ctx=self.encoders[0].context)
        solver.set("ctrl_c", False)
        solver.set("timeout", int(_SECONDS * 1000))
        solver.set("rlimit", _UNITS)
        return solver


def brief_solver() -> BriefSolver:
    """A solver for one explanation."""
    return BriefSolver()


def facts_used(obligation: Obligation, solver: Z3Solver) -> tuple[Any, ...] | None:
    """Few facts from which the goal follows: what the solver finds superfluous is left out; None if not worked out."""
    goal = obligation.goal
    for facts in obligation.hypotheses.steps():
        if len(facts) <= _MOST and follows(facts, goal, solver):
            return fewest(facts, goal, solver)
    return None


def about_positions(obligation: Obligation) -> tuple[Any, ...]:
    """The facts that say which positions there are, and that positions differ."""
    facts = tuple(obligation.hypotheses.near)
    known = (fact for fact in facts if not isinstance(fact, bool))
    return tuple(fact for fact in known if roles(fact) <= _OF_POSITIONS and roles(fact) != {Role.UNKNOWN})


def grounds_of(
    facts: tuple[Any, ...], goal: Any, solver: Z3Solver, definitions: Collection[Any] = (), most: int = _MOST_SPLIT
) -> tuple[Grounds, ...]:
    """What a goal follows from, of facts from which it does; case by case where the formulas have few cases.

    ``definitions`` are facts whose cases are not told apart, and of other conditions no more than ``most`` are.
    """
    never = goal is False or follows(facts, False, solver)
    wanted = False if never else goal
    first = _settled(facts, wanted, True, solver)
    found = _by_cases(facts, wanted, first, never, solver, most, frozenset(definitions))
    return tuple(replace(grounds, never=never) for grounds in found)


def least_of_claim(
    total: Term, claim: Term, facts: tuple[Any, ...], solver: Z3Solver
) -> tuple[Grounds, ...]:
    """That a cost is at most a claim `max(x, y)`, split where a logarithm changes its sign, if only the split shows it.

    On each side the cost is at most one of the numbers. Empty where no split is needed, or where none was found.
    """
    chosen = next((chosen_among(a) for a in claim.atoms() if isinstance(a, Conditional) and claim == Term.of(a)), None)
    if chosen is None or chosen[0] != "max":
        return ()
    most, total = chosen[1], settled(total, facts, solver)

    def side(*where: Any) -> Term | None:
        return next((x for x in most if follows((*facts, *where), total.compare("<=", x), solver)), None)

    if side() is not None:
        return ()
    logarithms = (a.of for a in total.atoms() if isinstance(a, Special) and a.function == "log" and _is_telling(a.of))
    for condition in (above.compare(">=", below) for above, below in map(_quotient, map(_inside, logarithms))):
        if isinstance(condition, Formula):
            found = [(where, side(where)) for where in (condition, ~condition)]
            shown = tuple(_of_side(total, x, facts, where, solver) for where, x in found if x is not None)
            if len(shown) == len(found):
                return shown
    return ()


def _of_side(total: Term, most: Term, facts: tuple[Any, ...], where: Any, solver: Z3Solver) -> Grounds:
    goal = total.compare("<=", most)
    few = fewest(facts, goal, solver, (where,))
    return replace(_settled(few, goal, where, solver), sides=(total, most))


def _inside(term: Term) -> Term:
    """What an absolute value is of, without a minus in front; other numbers as they are."""
    atom = next(iter(term.atoms()), None)
    if not isinstance(atom, Conditional) or atom.then != -atom.other or Term.of(atom) != term:
        return term
    return min((atom.then, atom.other), key=lambda way: -max(way.parts.values()))


def _quotient(term: Term) -> tuple[Term, Term]:
    """The numerator and the denominator of a quotient of products; of other numbers, these themselves and 1."""
    if len(term.parts) != 1:
        return term, Term.of(1)
    ((monomial, coefficient),) = term.parts.items()
    above, below = Term.of(Fraction(coefficient).numerator), Term.of(Fraction(coefficient).denominator)
    for atom, power in monomial:
        if power > 0 and not isinstance(atom, Inverse):
            above = above * Term({((atom, power),): 1})
        else:
            of = atom.of if isinstance(atom, Inverse) else Term.of(atom)
            for _ in range(abs(power)):
                below = below * of
    return above, below


def _by_cases(
    facts: tuple[Any, ...],
    goal: Any,
    found: Grounds,
    never: bool,
    solver: Z3Solver,
    left: int,
    definitions: frozenset[Any] = frozenset(),
) -> Iterator[Grounds]:
    """The grounds, split by at most so many conditions that the numbers in them depend on."""
    conditions: dict[str, Any] = {}
    for formula in (found.goal, *(fact for fact in found.facts if fact not in definitions)):
        for condition in (*_cases_within(formula), *(_same_positions(formula) if never else ())):
            conditions.setdefault(min(condition.key, (~condition).key), condition)
    if not 0 < len(conditions) <= left:
        conditions = {RISES.key: RISES} if left and any(map(_depends_on_direction, found.facts)) else {}
    if not conditions:
        yield found
        return
    cases: list[Any] = [found.where]
    for condition in conditions.values():
        cases = [conjunction((case, way)) for case in cases for way in (condition, ~condition)]
    # What contradicts itself excludes every case. And a reader sees at once only what is excluded by the positions.
    plain = tuple(fact for fact in facts if not _is_telling(fact)) + ((_not(goal),) if found.absurd else ())
    at_once = never or found.absurd or not any(map(_is_telling, conditions.values()))
    for case in cases:
        if follows(plain, _not(case), solver):
            continue
        if not at_once and follows(facts, _not(case), solver):
            yield Grounds(False, _settled(facts, False, case, solver).facts, case, excluded=True)
            continue
        inside = _settled(facts, goal, case, solver)
        yield from _by_cases(facts, goal, inside, never, solver, left - len(conditions), definitions)


def settling_positions(
    facts: tuple[Any, ...], goal: Any, positions: tuple[Any, ...], solver: Z3Solver
) -> tuple[Any, ...]:
    """Few facts on ``positions`` that settle conditions on which numbers depend, and that the facts leave open.

    Where a position is known to be a selected one, a number that is another one elsewhere needs no cases.
    """
    plain = tuple(fact for fact in facts if not _is_telling(fact))
    open_ = {c.key: c for value in (goal, *facts) for c in _cases_within(value) if not _is_telling(c)}
    found: tuple[Any, ...] = ()
    for condition in open_.values():
        ways = (condition, ~condition)
        if not any(follows(plain, way, solver) for way in ways):
            settled_ = next((way for way in ways if follows((*plain, *positions), way, solver)), None)
            found += () if settled_ is None else fewest(positions, settled_, solver, plain)
    return tuple(fact for fact in dict.fromkeys(found) if fact not in facts)


def _depends_on_direction(fact: Any) -> bool:
    """Whether a fact says one thing where all answers rise, and another where all fall."""
    return isinstance(fact, Or) and any(part in (RISES, ~RISES) for part in fact.parts)


def _same_positions(formula: Any) -> Iterator[Any]:
    """Questions whether two positions are the same, among the ways that a fact leaves open."""
    for part in formula.parts if isinstance(formula, Or) else ():
        if isinstance(part, Comparison) and part.relation == "==" and not _is_telling(part):
            yield part


def _one_name(plain: Iterable[Any], telling: Iterable[Any] = ()) -> dict[Atom, Term]:
    """For positions that are the same, the name of one of them; so for a parameter in the positions of ``telling``."""
    inside = {a for fact in telling for e in atoms_within(fact) if isinstance(e, Element) for a in e.index.atoms()}
    found: dict[Atom, Term] = {}
    for fact in plain:
        for part in fact.parts if isinstance(fact, And) else (fact,):
            if isinstance(part, Comparison) and part.relation == "==" and len(part.term.parts) == 2:
                atoms = [a for a in part.term.atoms() if a.role is Role.INDEX and a.integer]
                if len(atoms) == 2 and sorted(part.term.parts.values()) == [-1, 1]:
                    kept, other = sorted(atoms, key=lambda atom: (len(atom.key), atom.key))
                    found.setdefault(other, Term.of(kept))
            if isinstance(part, Comparison) and part.relation == "==" and not inside.isdisjoint(part.term.atoms()):
                atom = next((a for a in part.term.atoms() if a.role is Role.PUBLIC and a.integer), None)
                bound = None if not isinstance(atom, Symbol) else _solved(part, atom)
                if atom is not None and bound is not None and bound.integer:
                    found.setdefault(atom, bound)
    return found


def _settled(facts: tuple[Any, ...], goal: Any, where: Any, solver: Z3Solver) -> Grounds:
    """The grounds with what is known of positions put into them, and then as few as are needed."""
    of_case = () if where is True else _apart((where,))
    given = (*facts, *of_case)
    plain = tuple(fact for fact in given if not _is_telling(fact))
    same = _one_name(plain, [fact for fact in (*given, goal) if _is_telling(fact)])
    telling = tuple(substitute(fact, same) for fact in given if _is_telling(fact))
    goal = substitute(goal, same) if _is_telling(goal) else goal
    absurd = not _is_telling(goal) and any(Role.NOISE in roles(fact) for fact in telling)
    known = tuple(dict.fromkeys((*plain, *of_case, _not(goal)))) if absurd else plain
    inside = known if absurd else (*telling, *plain)
    settling = _Settling(known, inside, solver)
    shown = _apart(map(settling.whole, telling))
    target = False if absurd else settling.whole(goal)
    if target is True:
        return Grounds(target, tuple(f for f in plain if _one_name((f,))), where)
    few: tuple[Any, ...] = ()
    for ways in (tuple(_by_itself(f, known, inside, solver) for f in shown), shown, telling):
        few = tuple(f for f in dict.fromkeys((*ways, *known)) if f not in of_case and f is not True)
        if follows((*few, *of_case), target, solver):
            break
    few = fewest(few, target, solver, of_case, plain_first=True)
    if not absurd:
        few += _telling_of_output(known, few, of_case, goal, solver)
    return Grounds(goal if absurd else target, few, where, absurd)


def _telling_of_output(
    known: tuple[Any, ...], few: tuple[Any, ...], of_case: tuple[Any, ...], goal: Any, solver: Z3Solver
) -> tuple[Any, ...]:
    """The facts about the output that exclude cases of a goal, of which nothing is left where it was settled."""
    of_output = tuple(fact for fact in known if Role.UNKNOWN in roles(fact) and fact not in few)
    others = tuple(fact for fact in known if fact not in of_output)
    return fewest(of_output, goal, solver, (*few, *others, *of_case)) if of_output else ()


def cases_of_positions(
    facts: tuple[Any, ...], goal: Any, solver: Z3Solver
) -> Iterator[tuple[Any, tuple[Any, ...], Any]]:
    """The possible cases of a goal by the positions in it: the case, the facts there, and the goal there.

    None where the goal has no such cases, or too many.
    """
    conditions = {min(c.key, (~c).key): c for c in _cases_within(goal) if not _is_telling(c)}
    cases: list[Any] = [True] if 0 < len(conditions) <= _MOST_SPLIT else []
    for condition in conditions.values():
        cases = [conjunction((case, way)) for case in cases for way in (condition, ~condition)]
    plain = tuple(fact for fact in facts if not _is_telling(fact))
    for case in cases:
        if not follows(plain, _not(case), solver):
            settling = _Settling(plain, plain, solver)
            inside = _Settling((*plain, *_apart((case,))), plain, solver)
            yield settling.whole(case), (*facts, case), inside.whole(goal)


def _apart(facts: Iterable[Any]) -> tuple[Any, ...]:
    """Facts without an "and": its parts are facts too."""
    return tuple(part for fact in facts for part in (fact.parts if isinstance(fact, And) else (fact,)))


def in_steps(
    facts: tuple[Any, ...], goal: Any, between: Iterable[Sequence[Any]], solver: Z3Solver
) -> Grounds | None:
    """The grounds of a goal with statements ``between`` it and the facts, each with its own grounds.

    Of each group of statements the first that follows is tried. Those that do not help are left out; None where none
    helps.
    """
    absurd = not _is_telling(goal)
    known = (*facts, ~goal) if absurd else facts
    # What contradicts itself proves anything: of D′, only what is said of one position at a time is used for steps.
    given = tuple(fact for fact in known if not absurd or len(_moved_positions(fact)) < 2)
    if absurd and follows(given, False, solver):
        return None
    first = (_strongest(group, known, given, solver) for group in between)
    found = tuple(step for step in dict.fromkeys(first) if step not in known and not isinstance(step, bool))
    rest = fewest((*found, *known), False if absurd else goal, solver, first=known)
    steps = [step for step in found if step in rest]
    if not steps:
        return None
    own = tuple((step, grounds_of(given, step, solver)) for step in steps)
    shown = tuple(fact for fact in rest if fact not in steps and not (absurd and fact == ~goal))
    return Grounds(goal, (*steps, *shown), absurd=absurd, steps=own)


def _strongest(group: Sequence[Any], known: tuple[Any, ...], given: tuple[Any, ...], solver: Z3Solver) -> Any:
    """The first of a group of statements that follows; each of them says one of the weakest, or more. True for none."""
    if not any(step in known or follows(given, step, solver) for step in group[-_WEAKEST:]):
        return True
    return next((step for step in group if step in known or follows(given, step, solver)), True)


def _moved_positions(fact: Any) -> set[str]:
    """The positions of the aligned noise that a fact is about."""
    return {a.index.key for a in atoms_within(fact) if isinstance(a, Element) and a.array.endswith("′")}


def _by_itself(fact: Any, known: tuple[Any, ...], inside: tuple[Any, ...], solver: Z3Solver) -> Any:
    """What an equation says where it decides itself which case of a number in it is meant: it follows from the facts.

    Where `x < level`, `level = max(x, y)` says that `level = y`.
    """
    if not isinstance(fact, Comparison) or fact.relation != "==" or not _cases_of(fact.term):
        return fact
    try:
        return comparison(_Settling(known, (*inside, fact), solver).term(fact.term), fact.relation)
    except ZeroDivisionError:
        return fact


def _not(formula: Any) -> Any:
    return (not formula) if isinstance(formula, bool) else ~formula


def fewest(
    facts: tuple[Any, ...],
    goal: Any,
    solver: Z3Solver,
    given: tuple[Any, ...] = (),
    *,
    plain_first: bool = False,
    first: Sequence[Any] = (),
) -> tuple[Any, ...]:
    """Few of the facts, from which with those ``given`` a goal follows; those that come ``first`` are kept longest."""
    # Long facts are left out first, so that of two sets the simple one is kept; many at once, where that is possible.
    waiting = [sorted(facts, key=lambda f: (f not in first, plain_first and _is_telling(f), -len(str(f))))]
    while waiting:
        some = waiting.pop()
        fewer = tuple(fact for fact in facts if not any(fact is other for other in some))
        if follows((*fewer, *given), goal, solver):
            facts = fewer
        elif len(some) > 1:
            half = len(some) // 2 if len(some) > _AT_ONCE else 1
            waiting += [some[half:], some[:half]]
    return facts


def follows(facts: tuple[Any, ...], goal: Any, solver: Z3Solver) -> bool:
    """Whether the solver finds that a goal follows from facts."""
    if isinstance(goal, bool) and goal:
        return True
    return solver.decide(facts, goal).outcome is Outcome.FOLLOWS


def _is_telling(formula: Any) -> bool:
    """Whether a formula is about noise or answers: the others say which positions there are, or bound parameters."""
    return bool(roles(formula) & {Role.NOISE, Role.PRIVATE})


class _Settling(Substitution):
    """Takes out of a formula what ``known`` facts exclude, and out of the numbers in it what those ``inside`` do.

    Conditions on positions and parameters are settled by ``known`` facts alone; ``answered`` keeps the answers.
    """

    def __init__(
        self, known: Sequence[Any], inside: Sequence[Any], solver: Z3Solver, answered: dict[Any, Any] | None = None
    ) -> None:
        super().__init__({})
        self.known = tuple(known)
        self.inside = tuple(inside)
        self.solver = solver
        self.answered = {} if answered is None else answered

    def _touches(self, value: Any) -> bool:
        return True

    def whole(self, formula: Any) -> Any:
        """The formula itself, which is not settled as a whole."""
        if isinstance(formula, bool):
            return formula
        try:
            return self._whole(formula)
        except ZeroDivisionError:
            return formula

    def _whole(self, formula: Formula) -> Any:
        match formula:
            case Comparison(term=term, relation=relation):
                inside = [fact for fact in self.inside if fact is not formula]
                own = _Settling(self.known, inside, self.solver, self.answered)
                return formula if not _cases_of(term) else comparison(own.term(term), relation)
            case And(parts=parts):
                open_ = [part for part in parts if not follows(self.known, part, self.solver)]
                return conjunction(tuple(map(self._whole, open_ or parts)))
            case Or(parts=parts):
                ways = [way for way in parts if not follows(self.known, ~way, self.solver)]
                return disjunction(tuple(map(self._whole, ways))) if ways else formula
        return formula

    def formula(self, formula: Formula) -> Any:
        """A condition inside a number, as far as it is open."""
        facts, ways = self.inside if _is_telling(formula) else self.known, ((formula, True), (~formula, False))
        if (formula, facts) not in self.answered:
            answer = next((answer for way, answer in ways if follows(facts, way, self.solver)), None)
            self.answered[formula, facts] = answer
        answer = self.answered[formula, facts]
        return super().formula(formula) if answer is None else answer

    def conditional(self, conditional: Conditional) -> Term:
        # An absolute value stays one, whatever is known of the sign of what is in it.
        if conditional.then == -conditional.other and _is_telling(conditional):
            return abs(self.term(conditional.other))
        found = super().conditional(conditional)
        if conditional.integer and not _is_telling(conditional) and Term.of(conditional) == found:
            # Where the condition is open, one way may still be the number on the other one too: max(x, 0) where x >= 0.
            asked = conditional.condition
            for condition, way in ((asked, conditional.other), (~asked, conditional.then)):
                if follows((*self.known, condition), found.compare("==", way), self.solver):
                    return self.term(way)
        return found


def facts_without_cases(facts: Sequence[Any], solver: Z3Solver) -> tuple[Any, ...]:
    """The facts, each without the cases by positions in it that the others exclude."""
    plain = tuple(fact for fact in facts if not _is_telling(fact))
    settling = _Settling(plain, plain, solver)
    return tuple(settling.whole(fact) if _is_telling(fact) else fact for fact in facts)


def settled(value: Term, facts: Sequence[Any], solver: Z3Solver) -> Term:
    """A number without the cases in it that facts exclude."""
    try:
        return _Settling([fact for fact in facts if not _is_telling(fact)], facts, solver).term(value)
    except ZeroDivisionError:
        return value


def _cases_of(value: Any) -> list[Conditional]:
    return [atom for atom in atoms_within(value) if isinstance(atom, Conditional)]


def _cases_within(formula: Any) -> Iterator[Any]:
    """The conditions on which numbers depend, but for those of absolute values, greatest and smallest numbers."""
    for atom in _cases_of(formula):
        plain = isinstance(atom.condition, Comparison) or not _is_telling(atom.condition)
        if plain and chosen_among(atom) is None and not isinstance(atom.condition, Or):
            yield atom.condition


# From a cost to its claim


def steps_to(total: Term, claim: Term, facts: tuple[Any, ...], solver: Z3Solver) -> tuple[Term, ...]:
    """Terms between a cost and its claim, each at most the next: its parts are replaced by what bounds them."""
    steps = [total]
    used: set[str] = set()
    while len(steps) < len(_MULTIPLES) + 2:
        bounds = _bounds_on_parts(steps[-1], facts, solver) or _bound_on_symbol(steps[-1], facts, used)
        following = substitute(steps[-1], bounds) if bounds else steps[-1]
        if following in steps or following == claim or not _at_most(steps[-1], following, facts, solver):
            break
        if not _at_most(following, claim, facts, solver):
            break
        used |= {atom.key for atom in bounds}
        steps.append(following)
    return tuple(steps[1:])


def _at_most(one: Term, other: Term, facts: tuple[Any, ...], solver: Z3Solver) -> bool:
    return follows(facts, one.compare("<=", other), solver)


def _bounds_on_parts(cost: Term, facts: tuple[Any, ...], solver: Z3Solver) -> dict[Atom, Term]:
    """Multiples of what an answer may change by, for the numbers chosen by cases that are at most so much."""
    units = {Term.of(1).key: Term.of(1)}
    for fact in facts:
        if isinstance(fact, Comparison) and Role.PRIVATE in roles(fact):
            parts = fact.term.parts.items()
            public = Term({m: c if c > 0 else -c for m, c in parts if all(a.role is Role.PUBLIC for a, _ in m)})
            if public.sign == 1:
                units.setdefault(public.key, public)
    found: dict[Atom, Term] = {}
    for atom in dict.fromkeys(cost.atoms()):
        if isinstance(atom, Conditional) and _is_telling(atom):
            most = (unit * n for n in _MULTIPLES for unit in units.values())
            bound = next((b for b in most if _at_most(Term.of(atom), b, facts, solver)), None)
            if bound is not None:
                found[atom] = bound
    return found


def _bound_on_symbol(cost: Term, facts: tuple[Any, ...], used: set[str]) -> dict[Atom, Term]:
    """What a fact says that one of the symbols in a cost is at most, where it is a variable of a loop or a sum."""
    for atom in dict.fromkeys(cost.atoms()):
        if isinstance(atom, Symbol) and atom.role is Role.STATE and atom.key not in used:
            for fact in facts:
                bound = _solved(fact, atom)
                if bound is not None:
                    return {atom: bound}
    return {}


def _solved(fact: Any, atom: Symbol) -> Term | None:
    """What a fact says that a symbol is at most."""
    if not isinstance(fact, Comparison) or fact.relation not in ("<=", "=="):
        return None
    own = [(m, Fraction(c)) for m, c in fact.term.parts.items() if any(a == atom for a, _ in m)]
    if len(own) != 1:
        return None
    (monomial, coefficient), term = own[0], fact.term
    powers = dict(monomial)
    if powers.pop(atom) != 1 or not all(a.positive for a in powers):
        return None
    if coefficient < 0:
        if fact.relation != "==":
            return None
        coefficient, term = -coefficient, -term
    factor = Term({ordered(powers.items()): coefficient})
    bound = Term.of(atom) - term / factor
    return None if any(a == atom for a in atoms_within(bound)) else bound
