"""The output as the alignment sees it while the run that makes it is still symbolic.

Tags, whole numbers and public values are seen as they are. A real part becomes a symbol with a role of its own, so that
a shift into which the alignment lets it can be told; what D computes stands in its place where the shift is used
(``RealParts``). In an arbitrary iteration of a loop only that iteration's output
is on the path; every question about another output is an unknown, the same for the whole run. An alignment that
computes with another output, or takes a part of it, obliges that output to have a shape that allows this.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.operations import negation
from alignkit.interpreting.values import Family, is_condition, is_number
from alignkit.language.program import Place
from alignkit.language.tags import Tag
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.lemma_calls import from_a_call
from alignkit.proving.runs.loop_states import is_iteration
from alignkit.proving.runs.output_shapes import Shape, Shapes, Simple, is_tag, numbers_at, part_name
from alignkit.proving.symbolic_context import SymbolicContext
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import Unknown, conjunction
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role


class RealPart(Term):
    """The real part of an output, of which it is known that it equals no fixed number, but with probability 0.

    ``is_fixed`` says of a public number whether it is fixed before the noise of the output is drawn.
    """

    def __init__(self, term: Term, is_fixed: Callable[[Term], bool]) -> None:
        super().__init__(term.parts)
        self.is_fixed = is_fixed

    def compare(self, relation: str, other: Any) -> Any:
        if relation in ("==", "!=") and roles(Term.of(other)) <= {Role.PUBLIC} and self.is_fixed(Term.of(other)):
            return relation == "!="
        return super().compare(relation, other)


def fixed_at_the_start(number: Term) -> bool:
    """Whether a public number is no length, and no item of a list: those may be chosen after an output was seen."""
    return all(isinstance(atom, Symbol) and not atom.name.startswith("len(") for atom in atoms_within(number))


@dataclass
class RealParts:
    """The numbers that D has put out on one path, by the names of their places, and which of them a shift has read.

    Wherever an alignment is run, its output is what D puts out: so a real part that a shift reads is what D computes,
    a term over answers, noise and the state of a loop (docs/theory/proof-for-all-n.md). ``given`` are the keys of the
    indices that the output names, ``there`` has the conditions under which there is a number at all.
    """

    put_out: dict[str, Term] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    given: set[str] = field(default_factory=set)
    there: dict[str, Any] = field(default_factory=dict)

    def note(self, name: str, number: Term, there: Any = True) -> None:
        """Note a number of the output, which there is where the condition ``there`` holds."""
        self.put_out[name] = number
        self.there[name] = there
        if number.integer:
            self.given |= {atom.key for atom in number.atoms() if number == Term.of(atom)}

    def in_terms_of_noise(self, shift: Term, owed: Obligations, place: Place, *, noted: bool = True) -> Term:
        """A shift with what D computes in place of the real parts that it reads, as far as this is told.

        Where there is no such number it is obliged that the shift does not read it. Where it is not ``noted`` as read,
        what is computed on this path must be used on this path only.
        """
        known = self._known(shift)
        try:
            told = Term.of(substitute(shift, known))
        except ZeroDivisionError:
            return shift
        self.read |= {symbol.name for symbol in known} if noted else set()
        for symbol in [symbol for symbol in known if self.there[symbol.name] is not True]:
            nothing = Term.of(Symbol(f"{symbol.name}, which is not there", Role.OUTPUT))
            other = told.compare("==", substitute(shift, {**known, symbol: nothing}))
            words = f"no shift reads {symbol.name} where nothing was put out before"
            owed.oblige("countable", other, place, words, given=[~self.there[symbol.name]])
        return told

    def defined(self, condition: Any) -> Any:
        """What must hold so that a step of the alignment is defined, in terms of what D computes."""
        known = {} if isinstance(condition, bool) else self._known(condition)
        surely = {symbol: term for symbol, term in known.items() if self.there[symbol.name] is True}
        try:
            return substitute(condition, surely) if surely else condition
        except ZeroDivisionError:
            return condition

    def _known(self, value: Any) -> dict[Atom, Term]:
        """What D computes for the real parts that a term or condition reads, if all of it is told."""
        read = [a for a in value.within if isinstance(a, Symbol) and a.role is Role.OUTPUT and a.name in self.put_out]
        known: dict[Atom, Term] = {symbol: self.put_out[symbol.name] for symbol in read}
        return known if all(map(self._is_told, known.values())) else {}

    def _is_told(self, number: Term) -> bool:
        """Whether a number is one of answers, noise and state, without what only a call or a selection knows."""
        return not number.unknowns and all(
            (atom.role in _OF_D or is_iteration(atom) or atom.key in self.given) and not from_a_call(atom)
            for atom in number.within
        )


# What D computes its outputs from.
_OF_D = (None, Role.PUBLIC, Role.PRIVATE, Role.NOISE, Role.STATE)


def seen(
    value: Any,
    name: str = "omega",
    spread: Callable[[Term], bool] = lambda term: False,
    is_fixed: Callable[[Term], bool] = fixed_at_the_start,
    reals: RealParts | None = None,
) -> Any:
    """An output as the alignment may see it: real parts become symbols of their own.

    ``spread`` says of a real part whether it equals each fixed number with probability 0, ``is_fixed`` of a public
    number whether it is one; ``reals`` takes note of the numbers.
    """
    if isinstance(value, tuple):
        return tuple(seen(part, f"{name}[{i}]", spread, is_fixed, reals) for i, part in enumerate(value))
    if isinstance(value, Family):
        return Family(value.length, lambda index: _seen_item(value.element(Term.of(index)), Term.of(index), name))
    if reals is not None and is_number(value):
        reals.note(name, Term.of(value))
    if is_discrete(value):
        return value
    term = Term.of(Symbol(name, Role.OUTPUT))
    return RealPart(term, is_fixed) if spread(value) else term


def _seen_item(item: Any, index: Term, name: str) -> Any:
    """The item at an index of a list of symbolic length, or a part of that item."""
    if isinstance(item, tuple):
        return tuple(_seen_item(part, index, f"{name}[.][{i}]") for i, part in enumerate(item))
    if isinstance(item, Family):
        raise Unsupported("the alignment reads a list of lists of symbolic length")
    return item if is_discrete(item) else Term.of(Element(name, index, Role.OUTPUT))


# The keys of indices that stand for any index; a reader would call them i, j, l and m.
_ANY_INDEX = re.compile(re.escape(Role.INDEX.prefix) + r"any index (\d+)")


@dataclass(frozen=True)
class Reading:
    """An alignment that reads the output; ``place`` stands for the whole of it.

    ``names`` says whether a part of some output is a number, for a list of ``length`` outputs; None where it is not
    known of any number.
    """

    context: SymbolicContext
    place: Place
    length: Term | None = None
    names: Callable[[tuple[int, ...], Term], Any] | None = None

    def oblige(self, condition: Any, words: str) -> None:
        """Oblige that what the alignment reads is defined; ``words`` say what must hold."""
        self.context.oblige(condition, self.place, _ANY_INDEX.sub(lambda index: "ijlm"[int(index[1]) % 4], words))


def _of_the_number(operation: Callable[..., Any]) -> Callable[..., Term]:
    """The method that does an operation on the real part of an output, which obliges that the output is a number."""

    def method(output: OtherOutput, *others: Any) -> Term:
        return Term.of(operation(output.as_term(), *others))

    return method


class OtherOutput:
    """The output of an iteration other than the one at hand, or the part of it at ``path``.

    It stands for a number wherever it is used as one, which obliges that it is one. ``positions`` are the parts of the
    output that name the position at its rank: these parts are the positions themselves.
    """

    def __init__(
        self,
        whole: str,
        shapes: Shapes,
        reading: Reading,
        positions: Mapping[int | None, Term] | None = None,
        path: tuple[int, ...] = (),
    ) -> None:
        self.whole = whole
        self.shapes = shapes
        self.reading = reading
        self.positions = positions or {}
        self.path = path

    @property
    def name(self) -> str:
        return part_name(self.whole, self.path)

    def is_tag(self, tag: Tag) -> Unknown:
        return is_tag(self.name, tag)

    def part(self, index: Any) -> Any:
        """The part at an index, counted from the end where it is negative; obliges the output to have such a part."""
        if not isinstance(index, int):
            raise Unsupported(f"the alignment takes a part of {self.name} by an index that is not a fixed number")
        self._oblige(lambda shape: _parts(shape) > index >= -_parts(shape), f"{self.name} has a part [{index}]")
        counts = {_parts(shape) for shape in self.shapes.at(self.path)} - {0}
        at = index + counts.pop() if index < 0 and len(counts) == 1 else index
        if at in self.positions and not self.path:
            return self.positions[at]
        return OtherOutput(self.whole, self.shapes, self.reading, path=(*self.path, at)).plain()

    def parts(self, count: int) -> tuple[Any, ...]:
        """All parts, which obliges the output to be a tuple of so many."""
        self._oblige(lambda shape: _parts(shape) == count, f"{self.name} has {count} parts")
        return tuple(self.part(index) for index in range(count))

    def as_term(self) -> Term:
        """The number that it is: its real part, unless it is a whole number wherever it is a number."""
        ends = "; some run ends without an output: end the mechanism with a tag, such as `return BELOW`"
        nothing = Simple.NOTHING in self.shapes.at(self.path)
        self._oblige(_is_number, f"{self.name} is a number{ends if nothing else ''}")
        return self._number

    @property
    def _number(self) -> Term:
        if _is_whole(self.shapes, self.path):
            return whole_part(self.whole, self.path)
        return Term.of(Symbol(self.name, Role.OUTPUT))

    def plain(self) -> Any:
        """This output, or an unknown Boolean in its place where it cannot be anything but a Boolean."""
        return Unknown(self.name) if set(self.shapes.at(self.path)) == {Simple.BOOLEAN} else self

    def _oblige(self, fits: Callable[[Shape], bool], words: str) -> None:
        self.reading.oblige(self.shapes.where(self.whole, self.path, fits), words)

    def compare(self, relation: str, other: Any) -> Any:
        if relation not in ("==", "!="):
            return self.as_term().compare(relation, other)
        same = self._is_equal(other)
        return same if relation == "==" else negation(same)

    def _is_equal(self, other: Any) -> Any:
        """Whether it is the same number as another value: what is no number equals none."""
        fits = self.shapes.where(self.whole, self.path, _is_number)
        told = self.shapes.told_by_tags(self.path, _is_number)
        if not told or isinstance(other, OtherOutput):
            return self.as_term().compare("==", other)
        return fits & self._number.compare("==", other)

    __add__ = _of_the_number(operator.add)
    __radd__ = __add__
    __sub__ = _of_the_number(operator.sub)
    __rsub__ = _of_the_number(lambda number, other: other - number)
    __mul__ = _of_the_number(operator.mul)
    __rmul__ = __mul__
    __truediv__ = _of_the_number(operator.truediv)
    __rtruediv__ = _of_the_number(lambda number, other: other / number)
    __neg__ = _of_the_number(operator.neg)
    __abs__ = _of_the_number(abs)
    sqrt = _of_the_number(Term.sqrt)
    exp = _of_the_number(Term.exp)
    log = _of_the_number(Term.log)


def whole_part(whole: str, path: tuple[int, ...]) -> Term:
    """The whole number that an output, or a part of it, is: one unknown for the whole run."""
    return Term.of(Symbol(part_name(whole, path), Role.UNKNOWN, integer=True))


def whole_numbers_are(whole: str, shapes: Shapes, output: Any) -> Any:
    """That the whole numbers by which an unknown output is spoken of are those of ``output``."""
    numbers = ((path, number) for path, number in numbers_at(output) if _is_whole(shapes, path))
    return conjunction(tuple(whole_part(whole, path).compare("==", number) for path, number in numbers))


def _is_whole(shapes: Shapes, path: tuple[int, ...]) -> bool:
    """Whether the numbers that outputs may have at a place are all whole."""
    return set(filter(_is_number, shapes.at(path))) == {Simple.WHOLE}


def _is_number(shape: Shape) -> bool:
    return shape in (Simple.NUMBER, Simple.WHOLE)


def _parts(shape: Shape) -> int:
    """The number of parts of a shape: 0 where it is no tuple."""
    return len(shape) if isinstance(shape, tuple) else 0


def is_discrete(value: Any) -> bool:
    """Whether an output is seen in full through its discrete part."""
    if isinstance(value, tuple):
        return all(map(is_discrete, value))
    if isinstance(value, Term):
        return value.integer or roles(value) <= {Role.PUBLIC}
    return value is None or isinstance(value, Tag) or is_condition(value) or is_number(value)
