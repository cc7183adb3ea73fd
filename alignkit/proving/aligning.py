"""The alignment's symbolic run, and the shifts it gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Family, is_condition, is_number
from alignkit.language.program import Builtin, Place
from alignkit.proving.contexts import RunContext, SymbolicContext
from alignkit.proving.events import FamilyDraw, SymbolicDraw
from alignkit.proving.ledger import Ledger
from alignkit.proving.omega import OtherOutput
from alignkit.proving.selections import inside
from alignkit.proving.ties import tie_negligible
from alignkit.running.alignment_decorator import Alignment
from alignkit.symbolic.formulas import Unknown, conjunction, implies
from alignkit.symbolic.terms import Element, Role, Symbol, Term


class AligningContext(SymbolicContext):
    """The alignment's run. Which conditions it took is remembered: they are part of what it depends on."""

    condition = "same_output"
    label = " (in the alignment)"

    def __init__(self, ledger: Ledger, noise: Mapping[str, Any]) -> None:
        super().__init__(ledger, {})
        self.noise = noise
        self.conditions: list[Any] = []
        self.answered: set[str] = set()
        self.continuous: frozenset[str] = frozenset()  # noise among which ties are left out of account

    def decide(self, condition: Any, place: Place) -> bool:
        if not isinstance(condition, bool):
            self.conditions.append(condition)
        return super().decide(condition, place)

    def strictly(self, difference: Term, distinct: tuple[Term, Term]) -> bool:
        return bool(self.continuous) and tie_negligible(self.ledger, difference, self.continuous, distinct)

    def noise_value(self, name: str, place: Place) -> Any:
        if name not in self.noise:
            raise self.unsupported(f"the alignment reads H.{name}, which some runs do not draw", place)
        held = self.noise[name]
        if isinstance(held, Family):
            # A list of which nothing was drawn is not there, and not an empty one.
            self.oblige(Term.of(held.length).compare(">=", 1), place, f"H.{name} is drawn at least once")
        return held

    def element(self, family: Family, index: Any, place: Place) -> Any:
        written = not self.ledger.revisiting  # else D′'s run asks for the shift at an index of its own
        if written and self.ledger.roles(Term.of(index)) & {Role.NOISE, Role.OUTPUT}:
            raise self.unsupported("the alignment indexes by noise or by a real part of the output", place)
        return super().element(family, index, place)

    def reduce(self, function: str, family: Family, node: Builtin) -> Any:
        if function in ("any", "all"):
            return self._quantified(function, family, node)
        if function == "sum":
            return self._sum(family, node)
        return super().reduce(function, family, node)

    def largest(self, family: Any, k: Any, node: Builtin) -> Any:
        sample = family
        if isinstance(family, Family):
            with self.ledger.arbitrary() as index:
                sample = family.element(index)
        for value in map(_plain, sample if isinstance(sample, tuple) else (sample,)):
            if self.ledger.roles(value) & {Role.NOISE, Role.OUTPUT}:
                raise self.unsupported("the alignment selects by noise or by a real part of the output", node.place)
        return super().largest(family, k, node)

    def _sample(self, family: Family, node: Builtin) -> tuple[Any, Any]:
        """An arbitrary element and its filter, which must rest on answers and the discrete output only."""
        with self.ledger.arbitrary() as index:
            belongs = inside(family, index)
            with self.under(belongs):
                element = _plain(family.element(index))
        for value in (belongs, element):
            if isinstance(value, bool | int):
                continue
            if self.ledger.roles(value) & {Role.NOISE, Role.OUTPUT}:
                raise self.unsupported(
                    f"the alignment takes {node.function} over noise or over real parts of the output", node.place
                )
        return belongs, element

    def _quantified(self, function: str, family: Family, node: Builtin) -> Any:
        belongs, element = self._sample(family, node)
        if not is_condition(element):
            raise node.place.error(f"{function} of {op.kind(element)}", "write the comparison out")
        answer = Unknown(f"{function}({belongs!r}: {element!r})")
        if answer.name in self.answered:
            return answer
        if self.ledger.revisiting:
            raise self.unsupported(f"{function} that differs from element to element", node.place)
        self.answered.add(answer.name)
        some = answer if function == "any" else ~answer
        index = self.ledger.index(f"index for {function}")

        def telling(i: Term) -> Any:
            held = family.element(i)
            return conjunction((inside(family, i), held if function == "any" else op.negation(held)))

        self.ledger.assume(implies(some, telling(index)))
        self.ledger.universal(lambda i: implies(telling(i), some))
        return answer

    def _sum(self, family: Family, node: Builtin) -> Any:
        belongs, element = self._sample(family, node)
        if not is_number(element):
            raise node.place.error(f"sum of {op.kind(element)}", "give it numbers")
        whole = isinstance(element, int) or (isinstance(element, Term) and element.integer)
        return Term.of(Symbol(f"sum({belongs!r}: {element!r})", Role.UNKNOWN, integer=whole))


class Shifts:
    """What the alignment returned: a shift for every coordinate, 0 where it names none."""

    def __init__(self, alignment: Alignment, ledger: Ledger, named: Mapping[str, Any], context: AligningContext):
        self.alignment = alignment
        self.ledger = ledger
        self.named = named
        self.context = context
        self._known: dict[Any, Term] = {}

    def of(self, draw: SymbolicDraw) -> Term:
        """The shift of a single coordinate."""
        if draw.where not in self._known:
            self._known[draw.where] = self._single(draw)
        return self._known[draw.where]

    def _single(self, draw: SymbolicDraw) -> Term:
        key, place = draw.where.key, self.alignment.program.place
        if key not in self.named:
            return Term.of(0)
        value = self.named[key]
        for index in draw.where.index:
            if isinstance(value, Family):
                value = self.context.element(value, index, place)
            elif isinstance(value, tuple) and isinstance(index, int):
                if index >= len(value):
                    words = f"no shift for {draw.where}, which D draws"
                    self.ledger.oblige("same_output", False, place, words)
                    return Term.of(0)
                value = value[index]
            else:
                raise Unsupported(f"{key} needs a list of shifts, one for each iteration", place)
        if not is_number(value):
            raise Unsupported(f"the shift of {draw.where} is not a number", place)
        return _term(value)

    def of_family(self, drawn: FamilyDraw, index: Term) -> Term:
        """The shift of a coordinate of a vector of draws."""
        if drawn.key not in self.named:
            return Term.of(0)
        value = self.named[drawn.key]
        place = self.alignment.program.place
        if not isinstance(value, Family):
            raise Unsupported(f"{drawn.key} needs a list of shifts, one for each draw", place)
        item = value.element(index)
        if not is_number(item):
            raise Unsupported(f"a shift of {drawn.key} is not a number", place)
        return _term(item)

    def lengths_match(self, drawn: FamilyDraw) -> None:
        """Oblige the alignment's list to reach as far as the draws."""
        value = self.named.get(drawn.key)
        if isinstance(value, Family):
            enough = op.compare(">=", Term.of(value.length), drawn.length, self.alignment.program.place)
            words = f"the alignment gives a shift for every {drawn.key}"
            self.ledger.oblige("same_output", enough, self.alignment.program.place, words)


def _plain(value: Any) -> Any:
    """Another iteration's output is a real part wherever it is used as a value."""
    return value.as_term() if isinstance(value, OtherOutput) else value


def _term(value: Any) -> Term:
    return value + Term.of(0) if not isinstance(value, int) else Term.of(value)


def noise_vector(run: RunContext) -> dict[str, Any]:
    """H as the alignment sees it: what D has drawn so far, by name; None where an iteration drew nothing."""
    noise: dict[str, Any] = {family.key: Family(family.length, family.value) for family in run.families}
    for draw in run.drawn:
        key, index = draw.where.key, draw.where.index
        if not index:
            noise[key] = draw.value
            continue
        held = list(noise.get(key, ()))
        held += [None] * (index[0] + 1 - len(held))
        held[index[0]] = draw.value
        noise[key] = tuple(held)
    return noise


def loop_noise(keys: Iterable[str], rounds: Term) -> dict[str, Any]:
    """The noise that every iteration of a loop draws, as the alignment sees it: a list with ``rounds`` entries each."""

    def family(key: str) -> Family:
        return Family(rounds, lambda i: Term.of(Element(key, Term.of(i), Role.NOISE)))

    return {key: family(key) for key in keys}
