"""Numbers by the names that the program and the alignment give them, in the formulas of a proof.

A name takes the place of what it stands for, so that a formula with names says what the formula without them says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.language.program import Assign, For, Function, Joined, Name, Node, target_names, walk
from alignkit.language.program import Sequence as Sequence_
from alignkit.proving.symbolic_trial import Record
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.symbolic.atoms import Conditional, Element, Inverse, Monomial, Special, Symbol, ordered
from alignkit.symbolic.substitution import Substitution
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role


@dataclass(frozen=True)
class NamedValue:
    """A name, as a symbol, and the number that it stands for; ``moved`` is the noise that it adds to, if it does."""

    name: Term
    value: Term
    moved: Term | None = None

    @property
    def definition(self) -> Any:
        """That the name stands for its number."""
        return self.name.compare("==", self.value)


@dataclass(frozen=True)
class NamedList:
    """The name of a list ``[first, *rest]`` of a parameter and an array, each by its key."""

    name: str
    first: str
    rest: str

    def item(self, value: Term) -> Term | None:
        """The item of the list that a number is."""
        atom = next(iter(value.atoms()), None)
        if not isinstance(atom, Conditional) or value != Term.of(atom) or atom.then.key != self.first:
            return None
        element = next(iter(atom.other.atoms()), None)
        if not isinstance(element, Element) or element.array != self.rest or atom.other != Term.of(element):
            return None
        index = element.index + 1
        found = atom.condition == index.compare("==", 0)
        return Term.of(Element(self.name, index, element.role, element.integer)) if found else None

    def definitions(self, values: Iterable[Any]) -> Iterator[NamedValue]:
        """What the items of the list are that occur in some formulas."""
        for atom in dict.fromkeys(a for value in values for a in atoms_within(value)):
            if isinstance(atom, Element) and atom.array == self.name:
                first = Term.of(Symbol(self.first, Role.PUBLIC))
                rest = Term.of(Element(self.rest, atom.index - 1, atom.role, atom.integer))
                yield NamedValue(Term.of(atom), atom.index.compare("==", 0).choose(first, rest))


def lists_of(alignment: AlignmentProgram) -> tuple[NamedList, ...]:
    """The lists ``[first, *rest]`` of parameters that an alignment gives names to, once."""
    private = {f"{name}_": f"{name}'" for name in alignment.mechanism.private}
    found: dict[str, NamedList] = {}
    for node in (n for n in walk(*alignment.program.body) if isinstance(n, Assign)):
        several = isinstance(node.value, Sequence_) and not isinstance(node.target, str)
        items = node.value.items if isinstance(node.value, Sequence_) and several else (node.value,)
        for name, value in zip(node.target if several else (node.target,), items, strict=True):
            match value:
                case Joined(parts=(Sequence_(items=(Name(name=first),)), Name(name=rest))) if isinstance(name, str):
                    if first in alignment.mechanism.public:
                        found[name] = NamedList(name, first, private.get(rest, rest))
    once = set(_bound_once(alignment.program))
    return tuple(each for name, each in found.items() if name in once)


class Named(Substitution):
    """Puts names in the place of numbers: in a sum, in a product, and within conditions."""

    def __init__(self, names: Sequence[NamedValue], lists: Sequence[NamedList] = ()) -> None:
        super().__init__({})
        self.names = names
        self.lists = lists

    def _touches(self, value: Any) -> bool:
        return True

    def conditional(self, conditional: Conditional) -> Term:
        result = super().conditional(conditional)
        items = (item for each in self.lists if (item := each.item(result)) is not None)
        return next(items, result)

    def sum(self, term: Term) -> Term:
        result = super().sum(term)
        for named in self.names:
            for factor in _factors(result, named.value):
                result = result + (named.name - named.value) * factor
        return result


def _factors(term: Term, value: Term) -> Iterator[Term]:
    """With what factors a value occurs in a sum, in full."""
    (first, share), *rest = value.parts.items()
    whole = dict(first)
    for monomial, coefficient in term.parts.items():
        powers = dict(monomial)
        if not all(powers.get(a, 0) * n > 0 and abs(powers[a]) >= abs(n) for a, n in whole.items()):
            continue
        factor = Term({_quotient(monomial, first): Fraction(coefficient) / Fraction(share)})
        product = factor * Term(dict(rest)) if rest else Term.of(0)
        if all(term.parts.get(m) == c for m, c in product.parts.items()):
            yield factor


def _quotient(monomial: Monomial, divisor: Monomial) -> Monomial:
    powers = dict(monomial)
    for atom, power in divisor:
        powers[atom] = powers.get(atom, 0) - power
    return ordered(powers.items())


def names_of(alignment: AlignmentProgram, records: Sequence[Record]) -> tuple[NamedValue, ...]:
    """The names that stand for one and the same number on all paths, in the order in which they get it.

    Those of D are names of public numbers: in the formulas of D's own branches and outputs nothing is put back.
    """
    found: dict[str, set[Term]] = {}
    shown: set[str] = set()
    for record in records:
        of_d, of_alignment = record.named
        for name, value in (*of_d.items(), *of_alignment.items()):
            found.setdefault(name, set()).add(value)
        shown |= {*of_alignment, *(name for name, value in of_d.items() if roles(value) <= {Role.PUBLIC})}
    of_text = [set(_bound(function.body)) for function in (alignment.mechanism.program, alignment.program)]
    in_both = {name for name in set.intersection(*of_text) if not any(name in record.named[0] for record in records)}
    known = {*alignment.mechanism.public, *alignment.mechanism.private, *(d.name for d in alignment.mechanism.draws)}
    once = {*_bound_once(alignment.mechanism.program), *_bound_once(alignment.program)} - known - in_both
    values = {name: next(iter(found[name])) for name in found if name in shown & once and len(found[name]) == 1}
    named = {name: value for name, value in values.items() if _is_long(value)}
    return tuple(named_in_order(named, lists_of(alignment)))


def named_in_order(values: Mapping[str, Term], lists: Sequence[NamedList]) -> Iterator[NamedValue]:
    """The names, each with its number in terms of those before it."""
    before: list[NamedValue] = []
    for name, value in values.items():
        inner = Named(before, lists).term(value)
        if len(inner.parts) == 1 and not any(isinstance(a, Conditional | Special | Inverse) for a in inner.atoms()):
            continue
        role = next((role for role in (Role.NOISE, Role.PRIVATE) if role in roles(value)), Role.PUBLIC)
        symbol = Term.of(Symbol(name, role, value.integer, value.sign == 1))
        before.append(NamedValue(symbol, inner))
        yield before[-1]


def _bound_once(function: Function) -> Iterator[str]:
    """The names that a function gives a value in one place, which is in no loop."""
    names = _bound(function.body)
    loops = [node for node in walk(*function.body) if isinstance(node, For)]
    inside = {name for loop in loops for name in (*_bound(loop.body), *target_names(loop.target))}
    yield from (name for name in names if names.count(name) == 1 and name not in inside)


def _bound(nodes: Iterable[Node]) -> list[str]:
    return [name for n in walk(*nodes) if isinstance(n, Assign) for name in target_names(n.target)]


def _is_long(value: Term) -> bool:
    """Whether a number is a sum, or a choice, root or quotient that a product of parameters is not."""
    return len(value.parts) > 1 or any(isinstance(a, Conditional | Special | Inverse) for a in value.atoms())


def names_of_noise(
    names: Sequence[NamedValue], records: Iterable[Record], lists: Sequence[NamedList] = ()
) -> tuple[NamedValue, ...]:
    """The aligned noise by its name, where it is moved by a number that is chosen by cases."""
    shifts = {noise: shift for record in records for noise, shift in record.shifts.items()}
    return tuple(_moved(noise, shift, Named(names, lists)) for noise, shift in shifts.items() if _is_chosen(shift))


def _moved(noise: Term, shift: Term, named: Named) -> NamedValue:
    (atom,) = noise.atoms()
    return NamedValue(Term.of(_primed(atom)) - noise, named.term(shift), noise)


def _primed(atom: Atom) -> Atom:
    if isinstance(atom, Element):
        name, bracket, rest = atom.array.partition("[")
        return Element(f"{name}′{bracket}{rest}", atom.index, atom.role, atom.integer)
    assert isinstance(atom, Symbol)
    name, bracket, rest = atom.name.partition("[")
    return Symbol(f"{name}′{bracket}{rest}", atom.role, atom.integer)


def _is_chosen(value: Term) -> bool:
    """Whether a number depends on noise or answers by cases."""
    asked = [atom.condition for atom in atoms_within(value) if isinstance(atom, Conditional)]
    return any(roles(condition) & {Role.NOISE, Role.PRIVATE} for condition in asked)


def comparisons_with_names(names: Sequence[NamedValue], facts: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """What may be between facts and a goal: how noisy answers of D and of D′ stand to numbers that have names.

    Each is a group of comparisons of the same two numbers, the strongest first.
    """
    atoms = dict.fromkeys(a for fact in facts for a in atoms_within(fact) if isinstance(a, Element))
    answers = [a for a in atoms if a.role is Role.PRIVATE]
    noise = [a for a in atoms if a.role is Role.NOISE]
    moved = any(b.array.endswith("′") for b in noise)
    values = [n.name for n in names if n.moved is None and roles(n.name) & {Role.NOISE, Role.PRIVATE}]
    for a in answers:
        for b in noise:
            # Of noise that has no name where it is moved, the same symbol is added to answers of D and of D′.
            if a.index == b.index and (not moved or a.array.endswith(("'", "_")) == b.array.endswith("′")):
                noisy = Term.of(a) + Term.of(b)
                for value in values:
                    yield tuple(noisy.compare(relation, value) for relation in ("==", "<", ">", "<=", ">="))
