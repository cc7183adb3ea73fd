"""The values that a function may return after a loop, or from within it, by how the run ends.

A run that leaves the loop does so in one iteration, its last. What it returns is then known up to its real parts where
its whole numbers are functions of that iteration and of public values: an alignment that reads the value in an
earlier iteration knows that it will be one of these.

Variables that hold the number of an iteration, and are what a function returns: the winner of a noisy maximum.

``if q_i + eta_i > top: top = q_i + eta_i; best = i`` leaves ``best`` as it is or marks the iteration at hand with it.
If ``best`` is returned when all iterations have been run, the output says more of a run on D than its end: whatever is
marked now is the output, or the output is an iteration to come. This holds at the end, where ``best`` is the output. If
it holds after iteration i, then before it, too: what is marked then was marked before, or is i.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from alignkit.interpreting.values import Family
from alignkit.proving.runs.grown_lists import lists_within
from alignkit.proving.runs.loop_states import ITERATION
from alignkit.proving.runs.output_shapes import Shape, Shapes, Simple, part_name, shape
from alignkit.proving.runs.path_trace import of_iteration
from alignkit.proving.runs.seen_output import whole_part
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.formulas import Unknown, conjunction, disjunction
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

OMEGA = "omega"

# The iteration in which a run leaves the loop, or the length of the loop where none leaves it.
LAST = "the last iteration"

Path = tuple[int, ...]


@dataclass(frozen=True)
class ReturnForm:
    """What a run returns that ends in one way: its shape, its Booleans, and its whole numbers.

    ``inside`` is whether an iteration leaves the loop. A whole number is None where more than the last iteration and
    public values decide it. ``lists`` are the lists among its parts that the loop makes longer, and ``variables`` the
    parts that are variables as the loop leaves them.
    """

    inside: bool
    shape: Shape
    truths: tuple[tuple[Path, bool], ...]
    wholes: tuple[tuple[Path, Term | None], ...]
    lists: tuple[tuple[Path, str], ...]
    variables: tuple[tuple[Path, str], ...] = ()

    @staticmethod
    def of(value: Any, *, inside: bool) -> ReturnForm:
        """The form of a value that was returned."""
        parts = list(_parts(value, ()))
        truths = tuple((path, part) for path, part in parts if isinstance(part, bool))
        wholes = tuple((path, Term.of(part)) for path, part in parts if shape(part) is Simple.WHOLE)
        told = tuple((path, number if of_iteration(number) else None) for path, number in wholes)
        lists = tuple((path, grown.name) for path, grown in lists_within(value))
        variables = tuple((path, name) for path, number in wholes for name in _variable(number))
        return ReturnForm(inside, shape(value), truths, told, lists, variables)

    def holds(self, shapes: Shapes, last: Term) -> Any:
        """What is known of the returned value where the run ends in this way, in the iteration ``last``."""
        wholes = ((path, number) for path, number in self.wholes if number is not None)
        numbers = tuple(
            whole_part(OMEGA, path).compare("==", substitute(number, {ITERATION: last})) for path, number in wholes
        )
        return conjunction((shapes.matched(OMEGA, self.shape), *_truths(self.truths), *numbers))


@dataclass(frozen=True)
class ReturnForms:
    """All forms of what a function returns; None where they are not known."""

    forms: tuple[ReturnForm, ...] | None = None

    @staticmethod
    def of(forms: Iterable[ReturnForm]) -> ReturnForms:
        """These forms, each of them once."""
        return ReturnForms(tuple(dict.fromkeys(forms)))

    @property
    def shapes(self) -> Shapes:
        """The shapes that the returned value may have."""
        return Shapes(None) if self.forms is None else Shapes.of(form.shape for form in self.forms)

    @property
    def lists(self) -> tuple[tuple[Path, str], ...]:
        """The lists that every way to the end returns, at the same places."""
        common = [frozenset(form.lists) for form in self.forms or ()]
        return tuple(sorted(frozenset.intersection(*common))) if common else ()

    @property
    def whole_lists(self) -> frozenset[str]:
        """The names of these lists."""
        return frozenset(name for _, name in self.lists)

    def admit(self, value: Any, *, inside: bool) -> bool:
        """Whether a returned value has one of the forms."""
        return self.forms is not None and ReturnForm.of(value, inside=inside) in self.forms

    def one_holds(self, last: Term, length: Term) -> Any:
        """That the run ends in one of these ways: an iteration leaves the loop, or all of them are run."""
        return disjunction(
            tuple(
                conjunction((last.compare("<" if form.inside else "==", length), form.holds(self.shapes, last)))
                for form in self.forms or ()
            )
        )

    def returned(self, value: Any) -> Any:
        """That the returned value is this one, up to its real parts."""
        parts = list(_parts(value, ()))
        truths = tuple((path, part) for path, part in parts if isinstance(part, bool))
        numbers = tuple(
            whole_part(OMEGA, path).compare("==", part) for path, part in parts if shape(part) is Simple.WHOLE
        )
        return conjunction((self.shapes.matched(OMEGA, shape(value)), *_truths(truths), *numbers))


def _parts(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """The parts of a value that have no parts themselves."""
    if isinstance(value, tuple):
        for index, part in enumerate(value):
            yield from _parts(part, (*path, index))
    elif not isinstance(value, Family):
        yield path, value


def _variable(number: Term) -> Iterator[str]:
    """The variable of the first loop that a number is; none where it is something else."""
    for atom in number.atoms():
        if isinstance(atom, Symbol) and atom.role is Role.STATE and number == Term.of(atom):
            yield atom.name


def _truths(truths: Iterable[tuple[Path, bool]]) -> tuple[Unknown, ...]:
    return tuple(Unknown(part_name(OMEGA, path), truth) for path, truth in truths)


@dataclass(frozen=True)
class Mark:
    """A variable that each iteration keeps or sets to its own number plus ``offset``; it is returned at ``path``."""

    name: str
    path: Path
    offset: int

    @property
    def output(self) -> Term:
        """The returned number."""
        return whole_part(OMEGA, self.path)

    def to_come(self, rounds: Term) -> Any:
        """Whether the output marks an iteration that is still to come after ``rounds`` of them."""
        return self.output.compare(">=", rounds + self.offset)

    def known(self, names: Mapping[str, Any], rounds: Term) -> Any:
        """What the output says of a run on D after ``rounds`` iterations."""
        return self.output.compare("==", names[self.name]) | self.to_come(rounds)


@dataclass(frozen=True)
class ReturnedRange:
    """Where a variable that is returned at ``path`` stays, by what D's iterations do.

    It is no less than before the loop or, with an ``offset``, as before the loop or the number of an iteration that is
    over plus the offset.
    """

    name: str
    path: Path
    offset: int | None = None

    @property
    def words(self) -> str:
        """What the range says, for the reader of a report."""
        stays = "no less than before the loop" if self.offset is None else "that before the loop or of an iteration"
        return f"{self.name}, which is returned, is {stays}"

    def holds(self, value: Term, before: Term, rounds: Term) -> Any:
        """What it says of the variable's value after ``rounds`` iterations; ``before`` is that before the loop."""
        if self.offset is None:
            return value.compare(">=", before)
        marked = conjunction((value.compare(">=", self.offset), value.compare("<", rounds + self.offset)))
        return value.compare("==", before) | marked


def ranges_to_try(forms: ReturnForms, marks: Iterable[Mark], changed: Iterable[str]) -> tuple[ReturnedRange, ...]:
    """Ranges worth trying of the variables that every way to the end returns at the same places."""
    common = [frozenset(form.variables) for form in forms.forms or ()]
    found = sorted(frozenset.intersection(*common)) if common else []
    names = frozenset(changed)
    growing = (ReturnedRange(name, path) for path, name in found if name in names)
    return (*growing, *(ReturnedRange(mark.name, mark.path, mark.offset) for mark in marks))


def returned_marks(forms: ReturnForms, offsets: Mapping[str, int]) -> tuple[Mark, ...]:
    """The variables that every way to the end returns, at the same places, of those that mark iterations.

    There are none where an iteration may leave the loop.
    """
    known = forms.forms or ()
    if not known or any(form.inside for form in known):
        return ()
    common = frozenset.intersection(*(frozenset(form.variables) for form in known))
    return tuple(Mark(name, path, offsets[name]) for path, name in sorted(common) if name in offsets)
