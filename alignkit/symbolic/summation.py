"""Running sums: what the first items of a sequence add up to, as a function of how many these are.

A running sum is the element at t of an array of its own: the sum of ``body`` over the whole numbers from 0 to t - 1;
for t below 0 it is the opposite of the sum over t, …, -1. So sums of equal length are equal, and a sum over any range
is the difference of two running sums.

What the items read beside the answers may be known by a name that hides nothing, such as a public parameter. All else
that is the same for all items, such as the threshold T[i] of an iteration or a midpoint that a loop changes, is a
*parameter* of the sum: an array has such a sum for each value of its parameters, and they are seen like the index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import suppress
from dataclasses import dataclass, field
from math import prod
from typing import Any

from alignkit.errors import Unsupported
from alignkit.symbolic.atoms import Conditional, Element, Monomial, Symbol
from alignkit.symbolic.formulas import And, Comparison, conjunction
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within
from alignkit.symbolic.trees import Atom, Role, lazy

# The index that runs through the items, bound in every body. No other index has its name.
BOUND_SYMBOL = Symbol("·", Role.INDEX, integer=True)
BOUND = Term.of(BOUND_SYMBOL)

# What is hidden in the name of a sum, where no condition of a proof would see noise. What else a body depends on is the
# same for all items, and a parameter.
_NAMED = {Role.PUBLIC, Role.PRIVATE}


class NotASum(Unsupported):
    """What is to be summed depends, item by item, on more than answers and public values.

    ``depends_on`` says on what, as far as symbols show it.
    """

    def __init__(self, depends_on: frozenset[Role] = frozenset()) -> None:
        super().__init__("a sum whose items depend on more than answers and public values")
        self.depends_on = depends_on


@dataclass(frozen=True, eq=False, repr=False)
class RunningSum(Element):
    """The sum of ``body`` over BOUND = 0, …, index - 1. Its name holds the body in full."""

    body: Term = field(default_factory=lambda: Term.of(0))

    @property
    def children(self) -> Iterable[Any]:
        return (self.index, *map(Term.of, (*self.parameters, *self.lists)))

    @lazy
    def lists(self) -> tuple[Element, ...]:
        """The first element of each list of a loop's state that items read: it shows on what the sum depends."""
        arrays = {atom.array: atom for atom in self.summands if atom.role is Role.STATE}
        return tuple(atom.at(Term.of(0)) for atom in arrays.values())

    @lazy
    def parameters(self) -> tuple[Atom, ...]:
        return parameters_of(self.body)

    @lazy
    def general(self) -> Term:
        """The body with a symbol of its own in the place of each parameter."""
        return general(self.body)[0]

    def at(self, index: Term) -> RunningSum:
        return RunningSum(self.array, index, self.role, self.integer, self.body)

    def rebuilt(self, term: Callable[[Term], Term], atom: Callable[[Atom], Term]) -> Element | Term:
        index, moved = term(self.index), {one: atom(one) for one in self.parameters}
        if all(Term.of(one) == other for one, other in moved.items()):
            return self.at(index)
        if any(BOUND_SYMBOL in other.within for other in moved.values()):
            raise NotASum(frozenset({Role.INDEX}))  # it would become one with the index of this sum's own items
        return running_sum(substitute(self.body, moved), index)

    @lazy
    def summands(self) -> tuple[Element, ...]:
        """The elements of arrays that the body mentions."""
        return tuple(atom for atom in atoms_within(self.body) if isinstance(atom, Element))


def running_sum(body: Term, index: Term) -> Term:
    """The sum of ``body`` over BOUND = 0, …, ``index`` - 1, a combination of running sums. Raises NotASum.

    >>> x = Term.of(Element("x", BOUND, Role.PRIVATE))
    >>> running_sum(2 * x + 1, Term.of(Symbol("n", Role.PUBLIC, integer=True)))
    n + 2 * sum(x[·])[n]
    """
    return FirstItems(body).up_to(index)


@dataclass(frozen=True)
class FirstItems:
    """The items of a body, to be summed up to several indices: what is the same for all of them is worked out once."""

    body: Term

    @lazy
    def _products(self) -> list[tuple[Term, _SumOfOne | None]]:
        allowed = {*_NAMED, Role.STATE} if Role.PRIVATE in _roles_of_items(self.body) else _NAMED
        products = ((factor, _sum_of_product(monomial, allowed)) for monomial, factor in self.body.parts.items())
        return [(before * factor, each) for factor, (before, each) in products]

    def up_to(self, index: Term) -> Term:
        """The sum of the first ``index`` items. Raises NotASum."""
        if index.constant == 0:
            return Term.of(0)
        sums = (before * (index if each is None else Term.of(each(index))) for before, each in self._products)
        return sum(sums, Term.of(0))


def sum_over_range(body: Term, start: Term, length: Term) -> Term:
    """The sum of ``body`` over BOUND = 0, …, ``length`` - 1, whose items stand at ``start`` + BOUND of their arrays."""
    way = only_atom(length)
    if isinstance(way, Conditional):
        then, other = (sum_over_range(body, start, part) for part in (way.then, way.other))
        return way.condition.choose(then, other)
    if start == Term.of(0):
        return running_sum(body, length)
    moved = substitute(body, {BOUND_SYMBOL: BOUND - start})
    return running_sum(moved, start + length) - running_sum(moved, start)


def parameters_of(body: Any) -> tuple[Atom, ...]:
    """What a body reads that is the same for all items, and no public parameter or private answer by its name."""
    return tuple({atom.key: atom for atom in _free_atoms(body)}.values())


def _free_atoms(tree: Any) -> Iterator[Atom]:
    for child in tree.children:
        if isinstance(child, Atom) and not _is_bound(child) and (child.role is not None or child.unknowns):
            if child.unknowns or not child.roles | {child.role} <= _NAMED:
                yield child
        else:
            yield from _free_atoms(child)


def general(body: Term) -> tuple[Term, tuple[Symbol, ...]]:
    """A body with a symbol of its own, for any number, in the place of each parameter, and these symbols."""
    parameters = parameters_of(body)
    free = tuple(
        Symbol(f"{'whole ' * atom.integer}parameter {n} of a sum", Role.PUBLIC, integer=atom.integer)
        for n, atom in enumerate(parameters, start=1)
    )
    return substitute(body, dict(zip(parameters, map(Term.of, free), strict=True))), free


def sum_of_items(body: Term, length: Term, known: Callable[[Any], Any] = lambda condition: condition) -> Term:
    """The sum of ``body`` over BOUND = 0, …, ``length`` - 1. Raises NotASum.

    Where a filter gives the items a first or last position, as ``i - w < j <= i`` does, they are summed over the range
    between. Items in the opposite order, ``q[i - j]``, are summed in theirs. ``known`` decides conditions where it can.
    """
    # A filter by positions around the iteration at hand would otherwise be a parameter, of which less is known.
    if not parameters_of(body):
        with suppress(NotASum):
            return sum_over_range(body, first_item(body), length)
    window = _window(body, length, known)
    if window is None and not _backwards(body):
        return sum_over_range(body, first_item(body), length)
    if window is None:
        way = only_atom(length)
        if isinstance(way, Conditional):
            then, other = (sum_of_items(body, part, known) for part in (way.then, way.other))
            return way.condition.choose(then, other)
        return sum_of_items(substitute(body, {BOUND_SYMBOL: length - 1 - BOUND}), length, known)
    items, start, end = window
    some = known(start.compare("<=", end))
    moved = substitute(items, {BOUND_SYMBOL: BOUND + start})
    return sum_of_items(moved, _either(some, end - start, Term.of(0)), known)


def _window(body: Term, length: Term, known: Callable[[Any], Any]) -> tuple[Term, Term, Term] | None:
    """The items that a filter admits, with the range of their positions; None where it gives them neither end."""
    atom = only_atom(body)
    if not isinstance(atom, Conditional) or atom.other != Term.of(0):
        return None
    start, end, others = Term.of(0), length, []
    parts = atom.condition.parts if isinstance(atom.condition, And) else (atom.condition,)
    for part in parts:
        ends = list(_ends(part))
        for first, behind in ends:
            if first is not None:
                start = _either(known(first.compare("<=", start)), start, first)
            if behind is not None:
                end = _either(known(behind.compare("<=", end)), behind, end)
        if not ends:
            others.append(part)
    if len(others) == len(parts):
        return None
    return _either(conjunction(tuple(others)), atom.then, Term.of(0)), start, end


def _ends(condition: Any) -> Iterator[tuple[Term | None, Term | None]]:
    """The first position that a condition on BOUND admits and the one behind the last, if it says just that."""
    if not isinstance(condition, Comparison) or not condition.term.integer:
        return
    factor = condition.term.parts.get(((BOUND_SYMBOL, 1),), 0)
    at = BOUND - condition.term * factor
    if abs(factor) != 1 or BOUND_SYMBOL in at.within:
        return
    if condition.relation == "==":
        yield at, at + 1
    elif condition.relation == "<=":
        yield (None, at + 1) if factor > 0 else (at, None)


def _backwards(body: Term) -> bool:
    """Whether the elements that a body reads come in the opposite order."""
    read = [a.index for a in atoms_within(body) if isinstance(a, Element) and BOUND_SYMBOL in a.index.within]
    return bool(read) and all(index.parts.get(((BOUND_SYMBOL, 1),)) == -1 for index in read)


def _either(condition: Any, then: Term, other: Term) -> Term:
    if isinstance(condition, bool):
        return then if condition else other
    return condition.choose(then, other)  # type: ignore[no-any-return]


def first_item(body: Term) -> Term:
    """Where the first item of a body stands in its arrays: what is added to BOUND in the index of an element.

    Answers come before public items, since what adjacency says of sums is about sums from the first answer on.
    """
    read = [a for a in atoms_within(body) if isinstance(a, Element) and BOUND_SYMBOL in a.index.within]
    for atom in sorted(read, key=lambda each: each.role is not Role.PRIVATE):
        start = atom.index - BOUND
        if BOUND_SYMBOL not in start.within:
            return start
    return Term.of(0)


def summand(body: Term, index: Term) -> Term:
    """The item of a body at an index."""
    return substitute(body, {BOUND_SYMBOL: index})  # type: ignore[no-any-return]


def running_sums(formulas: Any) -> tuple[RunningSum, ...]:
    """The running sums that formulas mention, each once."""
    atoms = (atom for f in formulas if not isinstance(f, bool) for atom in atoms_within(f))
    return tuple({atom.key: atom for atom in atoms if isinstance(atom, RunningSum)}.values())


def arrays_summed(atom: Atom) -> frozenset[str]:
    """The arrays whose items an atom reads: its own, or for a running sum those that it adds up."""
    if isinstance(atom, RunningSum):
        return frozenset().union(*map(arrays_summed, atom.body.within))
    return frozenset({atom.array}) if isinstance(atom, Element) else frozenset()


_SumOfOne = Callable[[Term], RunningSum]


def _sum_of_product(monomial: Monomial, allowed: Set[Role]) -> tuple[Term, _SumOfOne | None]:
    """The factors of a product that are the same for all items, and the sum of the others, which may be none.

    Of lists of the state, where they are ``allowed``, no sum of sums is known.
    """
    before = prod((_power(a, n) for a, n in monomial if not _is_bound(a)), start=Term.of(1))
    within = prod((_power(a, n) for a, n in monomial if _is_bound(a)), start=Term.of(1))
    if within == Term.of(1):
        return before, None
    named, _ = general(within)
    others = _roles_of_items(named) - (_NAMED if running_sums([named]) else allowed)
    if named.unknowns or others:
        raise NotASum(others)
    roles = _roles_of_items(within)
    role = next((role for role in (Role.PRIVATE, Role.STATE) if role in roles), Role.PUBLIC)
    name = f"sum({within.key.replace(BOUND_SYMBOL.key, BOUND_SYMBOL.name)})"
    return before, lambda index: RunningSum(name, index, role, within.integer, within)


def _roles_of_items(body: Term) -> frozenset[Role]:
    return frozenset(atom.role for atom in body.within if atom.role is not None and atom != BOUND_SYMBOL)


def _is_bound(atom: Atom) -> bool:
    return atom == BOUND_SYMBOL or BOUND_SYMBOL in atom_parts(atom)


def atom_parts(atom: Atom) -> tuple[Atom, ...]:
    """The atoms inside an atom."""
    return tuple(inner for child in atom.children for inner in child.within)


def _power(atom: Atom, power: int) -> Term:
    base = Term.of(atom) if power > 0 else Term.of(atom).inverse()
    return prod([base] * abs(power), start=Term.of(1))


def only_atom(term: Term) -> Atom | None:
    """The atom that a term consists of; None where it is made of more."""
    atoms = tuple(term.atoms())
    return atoms[0] if len(atoms) == 1 and term == Term.of(atoms[0]) else None
