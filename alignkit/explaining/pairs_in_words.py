"""Why two noise vectors with one output and one image are equal, in steps, where shifts are chosen by cases.

Each step is one that a reader can follow by itself: a number that is the largest of noisy answers on both vectors, a
number that is the same in each case of the shifts, and at last the noise. All of them are decided, of one obligation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest
from typing import Any

from alignkit.explaining.grounds import fewest, follows
from alignkit.explaining.named_values import Named, NamedList, NamedValue
from alignkit.explaining.obligation_words import one_after_another
from alignkit.explaining.readable_formulas import readable, readable_term
from alignkit.proving.obligation import Obligation
from alignkit.proving.runs.second_run import OTHER
from alignkit.symbolic.atoms import Conditional, Element, Symbol
from alignkit.symbolic.formulas import Comparison, Formula, Or, conjunction
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role
from alignkit.symbolic.z3_solver import Z3Solver

# The coordinate at which two noise vectors are compared.
_COORDINATE = Symbol("i", Role.INDEX, integer=True)

# Of more conditions there would be too many cases.
_MOST_CONDITIONS = 2

# From some facts why a statement follows, in words; empty where they are too many.
Because = Callable[[Any, tuple[Any, ...]], str]


@dataclass(frozen=True)
class _Bound:
    """That ``value`` is at least a noisy answer at the coordinate, wherever ``among`` holds of it."""

    answer: Term
    value: Term
    among: Any


@dataclass(frozen=True)
class _Vector:
    """One of the two noise vectors: its noise and shift at the coordinate, and the numbers that have names."""

    noise: Term
    shift: Term
    names: tuple[NamedValue, ...]
    asked: tuple[Any, ...]  # the conditions of the shift that are about numbers with names


class PairOfVectors:
    """Two noise vectors of one obligation, with names for numbers of both.

    A shift of another form raises LookupError.
    """

    def __init__(
        self,
        obligation: Obligation,
        names: tuple[Sequence[NamedValue], Sequence[NamedValue]],
        lists: Sequence[NamedList],
        solver: Z3Solver,
    ) -> None:
        self.solver = solver
        named = Named([*names[0], *names[1]], lists)
        given = dict.fromkeys(a for a in atoms_within(obligation.goal) if a.role is Role.INDEX)
        if len(given) != 1:
            raise LookupError
        (index,) = given
        self.at = Term.of(_COORDINATE)

        def told(formula: Any) -> Any:
            return formula if isinstance(formula, bool) else named(substitute(formula, {index: self.at}))

        known = tuple(dict.fromkeys(told(fact) for fact in obligation.hypotheses.whole if fact is not True))
        self.goal = told(obligation.goal)
        one, other = sorted(
            (a for a in atoms_within(self.goal) if isinstance(a, Element) and a.role is Role.NOISE),
            key=lambda a: a.array.endswith(OTHER),
        )
        self._one, self._other = one, other
        if [f"{readable_term(n.name)}{OTHER}" for n in names[0]] != [readable_term(n.name) for n in names[1]]:
            raise LookupError
        self._again = {next(iter(n.name.atoms())): m.name for n, m in zip(*names, strict=True)}
        own = self._shift(known)
        first = self._vector(Term.of(one), own, names[0])
        self.vectors = first, self._vector(Term.of(other), self._turned(own), names[1])
        defined = (n.definition for each in names for n in each)
        positions = [a for each in names for n in each for a in atoms_within(n.value) if a.role is Role.INDEX]
        self.positions = tuple(map(Term.of, dict.fromkeys(a for a in positions if isinstance(a, Symbol))))
        of_images = (f for p in (*self.positions, self.at) for f in self._images(p))
        facts = (*known, *defined, *of_images)
        self.items = tuple(item for each in lists for item in each.definitions((*facts, self.goal)))
        self.facts = tuple(dict.fromkeys((*facts, *(item.definition for item in self.items))))
        self.bounds = tuple(self._bounds(known))

    def _shift(self, facts: Iterable[Any]) -> Term:
        """The shift of the first vector at the coordinate, from that both have one image there."""
        for fact in facts:
            last = fact.parts[-1] if isinstance(fact, Or) else fact
            atoms = {*last.term.atoms()} if isinstance(last, Comparison) and last.relation == "==" else set()
            if {self._one, self._other} <= atoms:
                found = [a for a in atoms if isinstance(a, Conditional) and self._is_of_first(a)]
                if len(found) == 1 and self._turned(Term.of(found[0])) in map(Term.of, atoms):
                    return Term.of(found[0])
        raise LookupError

    def _is_of_first(self, atom: Atom) -> bool:
        within = {*atoms_within(Term.of(atom))}
        return not within & {a for m in self._again.values() for a in m.atoms()} and self._other not in within

    def _vector(self, noise: Term, shift: Term, names: Sequence[NamedValue]) -> _Vector:
        found: dict[str, Any] = {}
        for atom in atoms_within(shift):
            for asked in atom.condition.comparisons() if isinstance(atom, Conditional) else ():
                of_names = all(isinstance(a, Symbol) and a.role is Role.NOISE for a in atoms_within(asked))
                if of_names:
                    found.setdefault(min(asked.key, (~asked).key), asked)
        return _Vector(noise, shift, tuple(names), tuple(found.values()))

    def _turned(self, value: Any) -> Any:
        """What is said of the first noise vector, said of the second."""
        noise: dict[Atom, Term] = {
            a: Term.of(Element(f"{a.array}{OTHER}", a.index, a.role, a.integer))
            for a in atoms_within(value)
            if isinstance(a, Element) and a.array == self._one.array
        }
        return substitute(value, {**self._again, **noise})

    def image(self, position: Term) -> Term:
        """The noise of both where it is moved."""
        return Term.of(Element(f"{self._one.array}′", position, Role.NOISE, self._one.integer))

    @property
    def image_name(self) -> str:
        """What the noise of both is called where it is moved."""
        return readable_term(Term.of(Symbol(f"{self._one.array}′", Role.NOISE)))

    def _images(self, position: Term) -> Iterator[Any]:
        for vector in self.vectors:
            moved = vector.noise + vector.shift
            yield substitute(moved, {_COORDINATE: position}).compare("==", self.image(position))

    def _bounds(self, facts: Iterable[Any]) -> Iterator[_Bound]:
        """The numbers with names that are at least a noisy answer at the coordinate."""
        for fact in facts:
            last = fact.parts[-1] if isinstance(fact, Or) else None
            if not isinstance(last, Comparison) or last.relation not in ("<", "<="):
                continue
            for vector in self.vectors:
                for n in vector.names:
                    answer = last.term + n.name
                    ways = [p for p in fact.parts[:-1] if Role.NOISE not in roles(p)]
                    if vector.noise.parts.keys() <= answer.parts.keys() and len(answer.parts) == 2:
                        # At the position of the largest value itself the two are equal.
                        at = {p for p in self.positions if any(p == q for q in map(Term.of, atoms_within(n.value)))}
                        others = [p for p in ways if not any(p == self.at.compare("==", x) for x in at)]
                        yield _Bound(answer - vector.noise, n.name, conjunction(tuple(~p for p in others)))

    def steps(self, because: Because) -> tuple[str, ...]:
        """The steps, in words; none where one of them was not found. ``because`` says why a statement follows."""
        if any(len(vector.asked) > _MOST_CONDITIONS for vector in self.vectors):
            return ()
        if not follows(self.facts, self.goal, self.solver):
            return ()
        wanted = [n for n in self.vectors[0].names if set(n.name.atoms()) & set(atoms_within(self._moved(0)[1]))]
        found: list[str] = []
        equal: list[Any] = []
        for n in wanted:
            text = self._as_largest(n.name, (), because)
            if text:
                same = n.name.compare("==", self._turned(n.name))
                equal.append(same)
                found.append(f"{text}: `{readable(same)}`")
        both_ways = self._alike()
        for n in wanted:
            same = n.name.compare("==", self._turned(n.name))
            if same not in equal:
                cases = self._by_cases(n.name, tuple(equal), because)
                if not cases:
                    return ()
                equal.append(same)
                found.append(f"`{readable(same)}`: {cases}")
        last = self._at_coordinate((*equal, *both_ways), because)
        return (*found, last) if last else ()

    # Steps

    def _own(self, number: int) -> tuple[Any, ...]:
        """The facts that are about one vector only."""
        other = self.vectors[1 - number]
        names = {a for n in other.names for a in n.name.atoms()}
        array = (self._other if number == 0 else self._one).array

        def is_of_other(fact: Any) -> bool:
            within = set(atoms_within(fact))
            return bool(within & names) or any(isinstance(a, Element) and a.array == array for a in within)

        return tuple(fact for fact in self.facts if not is_of_other(fact))

    def _at(self, value: Any, position: Term) -> Any:
        return substitute(value, {_COORDINATE: position}) if not isinstance(value, bool) else value

    def _as_largest(self, name: Term, where: tuple[Any, ...], because: Because) -> str:
        """That a number is the largest of noisy answers with the aligned noise, on both vectors."""
        for bound in (b for b in self.bounds if b.value in {n.name for n in self.vectors[0].names}):
            noisy = bound.answer + self.image(self.at)
            text = self._largest(0, noisy, name, bound.among, where, because)
            turned = tuple(map(self._turned, where))
            if text and self._largest(1, noisy, self._turned(name), bound.among, turned, because):
                among = f"over all `i` with `{readable(bound.among)}`"
                largest = f"`{readable_term(name)}` is the largest of `{readable_term(noisy)}` {among}"
                other = readable_term(self._turned(name))
                return f"{largest} ({text}), and so is `{other}`, by the same for the second noise vector"
        return ""

    def _largest(
        self, number: int, noisy: Term, name: Term, among: Any, where: tuple[Any, ...], because: Because
    ) -> str:
        own = self._own(number)
        most = noisy.compare("<=", name)
        why = self._why(most, own, (among, *where), because)
        if not why:
            return ""
        attained: list[str] = []
        asked = [c for c in self.vectors[number].asked if c not in where and ~c not in where]
        for ways in product(*((c, ~c) for c in asked)):
            for position in self.positions:
                is_one = conjunction((self._at(among, position), self._at(noisy, position).compare("==", name)))
                if follows((*own, *where, *ways), is_one, self.solver):
                    case = f"where {one_after_another(f'`{readable(way)}`' for way in ways)} " if ways else ""
                    attained.append(f"{case}at `{readable_term(position)}`")
                    break
            else:
                return ""
        return f"no such value is above it, {why}, and it is attained {', and '.join(attained)}"

    def _why(self, goal: Any, facts: tuple[Any, ...], given: tuple[Any, ...], because: Because) -> str:
        known = (*given, *facts)
        return because(goal, fewest(known, goal, self.solver, first=facts)) if follows(known, goal, self.solver) else ""

    def _alike(self) -> tuple[Any, ...]:
        """That a condition of the shifts holds of both vectors or of none, where that follows."""
        ways = [(c, self._turned(c)) for c in self.vectors[0].asked]
        either = ((one & ~other, ~one & other) for one, other in ways)
        apart = [each for pair in either for each in pair]
        return tuple(~each for each in apart if follows(self.facts, ~each, self.solver))

    def _by_cases(self, name: Term, equal: tuple[Any, ...], because: Because) -> str:
        """That a number is the same on both vectors, in each case of the conditions of the shifts."""
        same = name.compare("==", self._turned(name))
        told: list[str] = []
        ended: list[tuple[frozenset[str], frozenset[str]]] = []
        one, other = self.vectors
        for ways in product(*((c, ~c) for c in (*one.asked, *other.asked))):
            case = f"where {one_after_another(f'`{readable(way)}`' for way in ways)}"
            if follows((*self.facts, *ways), False, self.solver):
                why = self._contradiction(equal, ways)
                # With the two vectors exchanged it is a case that was excluded before; this one was decided too.
                own = frozenset(self._turned(way).key for way in ways[: len(one.asked)])
                others = frozenset(way.key for way in ways[len(one.asked) :])
                seen = (others, own) in ended
                ended.append((own, others))
                told.append(f"{case}, which is impossible, {'for the same reason' if seen else why}")
            else:
                plain = tuple(f for f in self.facts if not self._is_of_image(f))
                why = self._why(same, plain, (*equal, *ways), because)
                why = why or self._as_largest(name, ways[: len(one.asked)], because)
                told.append(f"{case}, {why}")
            if not why:
                return ""
        return "; ".join(told)

    def _is_of_image(self, fact: Any) -> bool:
        arrays = {a.array for a in atoms_within(fact) if isinstance(a, Element)}
        return f"{self._one.array}′" in arrays or {self._one.array, self._other.array} <= arrays

    def _contradiction(
        self, equal: tuple[Any, ...], ways: tuple[Any, ...], positions: Sequence[Term] = ()
    ) -> str:
        """Few simple statements that contradict those given, in words; empty where none were found."""
        given = (*equal, *ways)
        known = [*dict.fromkeys(self._simple(positions or self.positions, given))]
        defined = {n.definition: n.name for vector in self.vectors for n in vector.names}
        if not follows((*known, *defined, *given), False, self.solver):
            return ""
        few = fewest((*known, *defined, *given), False, self.solver, first=known)
        names = [f"`{readable_term(defined[fact])}`" for fact in few if fact in defined]
        shown = [f"`{readable(fact)}`" for fact in few if fact not in defined and fact not in ways]
        by = [f"the definition of {one_after_another(names)}"] if names else []
        return f"since {one_after_another([*shown, *by])}"

    def _simple(self, positions: Sequence[Term], given: tuple[Any, ...]) -> Iterator[Any]:
        """The simple statements on one vector that follow, from the facts about it and what is given."""
        for fact in self.facts:
            last = fact.parts[-1] if isinstance(fact, Or) else None
            of_answers = isinstance(last, Comparison) and Role.PRIVATE in roles(last) and Role.NOISE not in roles(last)
            if of_answers and follows(self.facts, last, self.solver):
                yield last
        for number, vector in enumerate(self.vectors):
            own = (*self._own(number), *given)
            for position in positions:
                image, noise = self.image(position), self._at(vector.noise, position)
                asked = [noise.compare(relation, image) for relation in ("==", "<")]
                for bound in self.bounds:
                    answer = self._at(bound.answer, position)
                    for n in vector.names:
                        if n.name == bound.value:
                            asked += [(answer + value).compare("<=", n.name) for value in (noise, image)]
                        asked.append((answer + image).compare("==", n.name))
                        asked.append((answer + noise).compare("==", n.name))
                yield from (each for each in asked if isinstance(each, Formula) and follows(own, each, self.solver))

    def _moved(self, number: int) -> tuple[Any, Term]:
        """When the noise is moved at the coordinate, and by what."""
        shift = self.vectors[number].shift
        atom = next(iter(shift.atoms()), None)
        if not isinstance(atom, Conditional) or shift != Term.of(atom) or atom.other.parts:
            raise LookupError
        return atom.condition, atom.then

    def _at_coordinate(self, known: tuple[Any, ...], because: Because) -> str:
        """That the noise is equal, where both vectors are moved, one of them, or none."""
        told: list[str] = []
        one, other = self._moved(0)[0], self._moved(1)[0]
        noise = readable_term(self.vectors[0].noise)
        names = {
            (True, True): "where both noise vectors are moved there",
            (True, False): "that only the first is moved there is impossible",
            (False, True): "that only the second is moved there is impossible",
            (False, False): "where neither is moved there",
        }
        for (first, second), words in names.items():
            ways = (one if first else ~one, other if second else ~other)
            if first is second:
                images = tuple(self._images(self.at))
                if not follows((*known, *images, *ways), self.goal, self.solver):
                    return ""
                of = " and ".join(f"`{readable(k)}`" for k in fewest(known, self.goal, self.solver, (*images, *ways)))
                why = f"since both are moved by the same ({of})" if first else "since each is its image"
            else:
                why = self._contradiction(known, ways, (self.at,))
            if not why:
                return ""
            told.append(f"{words}, {why}")
        return f"so the images at `{noise}` are equal only where the noise is: {'; '.join(told)}"



@dataclass(frozen=True)
class _Ranked:
    """Noisy answers of which some, the selected ones too, rise by one number; ``given`` are a program's names."""

    obligation: Obligation
    given: tuple[Sequence[NamedValue], Sequence[NamedList]]
    moved: NamedValue
    solver: Z3Solver

    @property
    def _atoms(self) -> tuple[Element, Conditional]:
        assert self.moved.moved is not None
        ((noise,), shift) = self.moved.moved.atoms(), next(iter(self.moved.value.atoms()))
        assert isinstance(noise, Element)
        assert isinstance(shift, Conditional)
        return noise, shift

    @property
    def values(self) -> tuple[Term, ...]:
        """The numbers with names that noise decides."""
        return tuple(n.name for n in self.given[0] if n.moved is None and Role.NOISE in roles(n.name))

    def value_of(self, name: Term) -> Term:
        """What a number with a name stands for."""
        return next(n.value for n in self.given[0] if n.name == name)

    def meant(self, known: Iterable[Any], positions: Iterable[Term]) -> tuple[Any, ...]:
        """What names, shifts and items of lists stand for."""
        items = (item for each in self.given[1] for item in each.definitions(known))
        return (*self.defined(positions), *dict.fromkeys(item.definition for item in items))

    def known(self, positions: Iterable[Term]) -> tuple[Any, ...]:
        """What is known, in the words of the program, with the shifts at some positions."""
        names, lists = self.given
        facts = [*map(Named(names, lists), self.obligation.hypotheses.whole), *self.defined(positions)]
        facts += [item.definition for each in lists for item in each.definitions(f for f in facts if f is not True)]
        return tuple(dict.fromkeys(fact for fact in facts if fact is not True))

    def defined(self, positions: Iterable[Term]) -> tuple[Any, ...]:
        """What the names stand for, and the shifts at some positions."""
        at = [substitute(self.moved.definition, {self._anywhere: p}) for p in positions]
        return (*(n.definition for n in self.given[0] if n.moved is None), *at)

    @property
    def _anywhere(self) -> Atom:
        (atom,) = self._atoms[0].index.atoms()
        return atom

    def selected(self, position: Term) -> Any:
        """Whether the shift at a position is that of a selected one."""
        condition = self._atoms[1].condition
        assert isinstance(condition, Or)
        asked = next((part for part in condition.parts if Role.NOISE not in roles(part)), False)
        return asked if isinstance(asked, bool) else substitute(asked, {self._anywhere: position})

    def case(
        self, known: tuple[Any, ...], where: Any, steps: tuple[Any, ...], goal: Any, reasons: Sequence[str] = ()
    ) -> str | None:
        """The steps to a goal in one case, in words; empty where no run is in it, None where they do not lead there."""
        shown = where.parts[-1]
        if follows((*known, shown), False, self.solver):
            return ""
        if not follows(steps, goal, self.solver) or not all(follows((*known, shown), s, self.solver) for s in steps):
            return None
        texts = [f"`{readable(step)}`" for step in steps]
        texts = [f"{text} ({why})" if why else text for text, why in zip_longest(texts, reasons, fillvalue="")]
        return f"where `{readable(shown)}`, since {one_after_another(texts)}"

    def first_of_the_rest(self, one: Term, other: Term, known: tuple[Any, ...]) -> str:
        """Why the position that D ranks next is the one that D′ does, in words; empty where the steps do not hold.

        Each of the two is the first of what is left: ``one`` on D, and ``other`` on D′.
        """
        solver, apart = self.solver, ~one.compare("==", other)
        by_rank = {mark: tuple(f for f in known if _ranks(f, mark, one, other)) for mark in ("", "′")}
        of_d, of_d_ = (_ranks_of(by_rank[mark], mark, one, other) for mark in ("", "′"))
        if of_d is None or of_d_ is None:
            return ""
        next_ones = (of_d[0].compare("<=", of_d[1]), of_d_[1].compare("<=", of_d_[0]))
        if not all(follows(known, each, solver) for each in next_ones):
            return ""
        own = tuple(f for f in known if not any("rank′[" in readable_term(Term.of(a)) for a in atoms_within(f)))
        orders = [(*by_rank[""], next_ones[0], apart), (*by_rank["′"], next_ones[1], apart)]
        orders = [(*self._plain(known), *order, *self.defined((one, other))) for order in orders]
        if any(follows(order, False, solver) for order in orders):  # from a contradiction anything follows
            return ""
        where = self.selected(other)
        for noisy, aligned, rise in self.answers(known):
            first, then = noisy(other).compare("<", noisy(one)), aligned(one).compare("<=", aligned(other))
            rises = [aligned(p).compare("==", noisy(p) + rise) for p in (one, other)]
            if not (follows(orders[0], first, solver) and follows(orders[1], then, solver)):
                continue
            for value in self.values:
                above, below = value.compare("<", aligned(one)), aligned(other).compare("<=", value)
                of_one = all(follows(own, each, solver) for each in (rises[0], above))
                of_other = follows((*own, where), rises[1], solver) and follows((*own, ~where), below, solver)
                given = (first, then, rises[0], above, where & rises[1] | ~where & below)
                if of_one and of_other and follows(given, False, solver):
                    left = [f"`{readable(each)}`" for each in next_ones]
                    found = [f"`{readable(each)}`" for each in (first, then, *rises, above, below)]
                    return (
                        f"for otherwise {found[0]}, as {left[0]}, and {found[1]}, as {left[1]} (both have selected the "
                        f"same before); but {found[2]} and {found[4]}, and where `{readable(where)}`, {found[3]}, and "
                        f"elsewhere {found[5]}"
                    )
        return ""

    def _plain(self, known: Iterable[Any]) -> tuple[Any, ...]:
        """What the items of lists stand for, and between what positions lie."""
        items = {item.definition for each in self.given[1] for item in each.definitions(known)}
        return tuple(f for f in known if f in items or (isinstance(f, Comparison) and roles(f) <= _OF_POSITIONS))

    def answers(self, known: Iterable[Any]) -> Iterator[tuple[Callable[[Term], Term], Callable[[Term], Term], Term]]:
        """For each private list the noisy answer at a position on D and on D′, and by how much the selected rise."""
        noise, shift = self._atoms
        arrays = {a.array for f in known for a in atoms_within(f) if isinstance(a, Element) and a.role is Role.PRIVATE}
        for array, primed in ((a, a + mark) for a in sorted(arrays) for mark in "_'" if a + mark in arrays):

            def noisy(p: Term, array: str = array) -> Term:
                return Term.of(Element(array, p, Role.PRIVATE)) + Term.of(Element(noise.array, p, Role.NOISE))

            def aligned(p: Term, array: str = primed) -> Term:
                return Term.of(Element(array, p, Role.PRIVATE)) + Term.of(Element(f"{noise.array}′", p, Role.NOISE))

            at = Term.of(self._anywhere)
            rise = shift.then + Term.of(Element(primed, at, Role.PRIVATE)) - Term.of(Element(array, at, Role.PRIVATE))
            if self._anywhere not in {*atoms_within(rise)}:
                yield noisy, aligned, rise


# Of what is said that is about positions alone.
_OF_POSITIONS = {Role.INDEX, Role.PUBLIC}


def _ranks_of(facts: Iterable[Any], mark: str, one: Term, other: Term) -> tuple[Term, Term] | None:
    """The ranks of two positions on D, or on D′ with its mark, in what is said of their order."""
    ranks = {a for f in facts for a in atoms_within(f) if isinstance(a, Element) and _is_rank(a, mark)}
    of_one, of_other = ([Term.of(a) for a in ranks if a.index == p] for p in (one, other))
    return (of_one[0], of_other[0]) if len(of_one) == len(of_other) == 1 else None


def _ranks(fact: Any, mark: str, one: Term, other: Term) -> bool:
    """Whether something is said of the order of two positions."""
    ranks = [a.index for a in atoms_within(fact) if isinstance(a, Element) and _is_rank(a, mark)]
    return one in ranks and other in ranks


def _is_rank(atom: Element, mark: str) -> bool:
    return readable_term(Term.of(atom)).startswith(f"rank{mark}[")


def _ranked(
    obligation: Obligation, names: Sequence[NamedValue], lists: Sequence[NamedList], solver: Z3Solver
) -> _Ranked | None:
    """The noisy answers of an obligation, where all of one list that are selected rise alike."""
    moved = next((n for n in names if n.moved is not None and _is_anywhere(n)), None)
    if moved is None or moved.moved is None:
        return None
    ((noise,), shift) = moved.moved.atoms(), next(iter(moved.value.atoms()))
    fits = isinstance(noise, Element) and isinstance(shift, Conditional) and isinstance(shift.condition, Or)
    return _Ranked(obligation, (names, lists), moved, solver) if fits else None


def order_in_steps(
    obligation: Obligation, names: Sequence[NamedValue], lists: Sequence[NamedList], solver: Z3Solver
) -> str:
    """Why D and D′ rank one position first of those that are left, by the noisy answers at both; empty elsewhere."""
    goal = obligation.goal
    ends = [a for a in goal.term.atoms() if isinstance(a, Element)] if isinstance(goal, Comparison) else []
    if len(ends) != 2 or goal != Term.of(ends[0]).compare("==", ends[1]):
        return ""
    ranked = _ranked(obligation, names, lists, solver)
    if ranked is None:
        return ""
    one, other = sorted(map(Term.of, ends), key=lambda p: "′" in readable_term(p))
    return ranked.first_of_the_rest(one, other, ranked.known((one, other)))


def gap_in_steps(
    obligation: Obligation,
    names: Sequence[NamedValue],
    lists: Sequence[NamedList],
    solver: Z3Solver,
    *,
    has_lemma: bool,
) -> str:
    """Why the difference of two noisy answers is the same on D and D′: both rise alike; empty elsewhere.

    The answer behind may be the first that is not selected: a number with a name on D, and another on D′. Where it is
    selected, its position is the same by the selection lemma, or as that of the answer before it is.
    """
    goal, ranked = obligation.goal, _ranked(obligation, names, lists, solver)
    if ranked is None or not isinstance(goal, Comparison) or goal.relation != "==":
        return ""
    found = {a: a.index for a in atoms_within(goal) if isinstance(a, Element) and a.array.startswith("position in")}
    at = sorted(map(Term.of, found), key=readable_term)
    ranks = {Term.of(a): index for a, index in found.items()}
    pairs = [(p, o) for p in at for o in at if ranks[p] == ranks[o] and readable_term(p) < readable_term(o)]
    if len(at) != 4 or len(pairs) != 2:
        return ""
    extrema = (a for n in ranked.values for a in atoms_within(ranked.value_of(n)) if isinstance(a, Symbol))
    positions = (*at, *(Term.of(a) for a in extrema if a.role is Role.INDEX))
    known = ranked.known(positions)
    for noisy, aligned, rise in ranked.answers(known):
        for (one, one_), (behind, behind_) in (pairs, pairs[::-1]):
            gap = (noisy(one) - noisy(behind)).compare("==", aligned(one_) - aligned(behind_))
            before = next((v for v in ranked.values if any(v + rise == w for w in ranked.values)), None)
            if before is None or not follows((*ranked.meant(known, positions), gap), goal, solver):
                continue
            same = one.compare("==", one_), aligned(one).compare("==", noisy(one) + rise)
            both = behind.compare("==", behind_), aligned(behind).compare("==", noisy(behind) + rise)
            ends = noisy(behind).compare("==", before), aligned(behind_).compare("==", before + rise)
            first = tuple(f"as `{readable_term(p)}` comes first of those that are left" for p in (behind, behind_))
            selected = ranked.selected(behind)
            further = has_lemma or ranked.first_of_the_rest(behind, behind_, (*known, selected, same[0]))
            if not further and not follows((*known, selected), False, solver):
                continue
            why = "by the selection lemma" if has_lemma else f"as `{readable(same[0])}` was shown, one rank further"
            told = [
                ranked.case(known, selected, (*same, *both), gap, ("", "", why, "")),
                ranked.case(known, ~selected, (*same, *ends), gap, ("", "", *first)),
            ]
            if None not in told:
                return f"{'; '.join(filter(None, told))}; so `{readable(gap)}`"
    return ""


def _is_anywhere(named: NamedValue) -> bool:
    """Whether a name is of noise at any position, whose shift is a choice."""
    atom = None if named.moved is None else next(iter(named.moved.atoms()))
    at_any = isinstance(atom, Element) and "#any index" in atom.index.key and len(atom.index.parts) == 1
    return at_any and OTHER not in readable_term(named.value) and len(named.value.parts) == 1
