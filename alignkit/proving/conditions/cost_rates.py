"""Rates: candidates for how much of a cost goes with a change of something else.

They are read off the cost; that a rate is right is an obligation wherever one is used.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from alignkit.interpreting import operations as op
from alignkit.proving.facts.known_sums import Twins, twins
from alignkit.proving.runs.loop_states import ITERATION
from alignkit.proving.symbolic_inputs import Inputs, primed
from alignkit.symbolic.atoms import Conditional, Element, Inverse, Symbol
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.substitution import answered, evaluate, substitute
from alignkit.symbolic.summation import BOUND, RunningSum, running_sum, running_sums
from alignkit.symbolic.terms import Term, atoms_within, roles
from alignkit.symbolic.trees import Atom, Role

# A cost that asks more questions about the output than this is not looked at for all ways to answer them.
MOST_QUESTIONS = 4

# From at most so many ways through the conditions on the noise are rates read off one cost.
MOST_WAYS = 64


class CutOff(enum.Enum):
    """How far an item of a sum is taken to move that is cut off at both ends: candidates all the same."""

    BY_ANSWER = "as its answer"
    BY_ENDS = "from one end to the other"
    LESS = "as its answer, but from one end to the other at most"


# The answers rise as far as they may, fall, or stay as they are.
DIRECTIONS = (1, -1, 0)


def candidate_rates(
    gains: Iterable[tuple[Term, Term]],
    inputs: Inputs,
    only: str | None = None,
    directions: tuple[int, ...] = DIRECTIONS,
) -> list[Term]:
    """Candidates for cost / gain, read off where the answers change as far as they may, and where they do not change.

    The largest candidate comes first. Which one that is may depend on the public parameters, and is judged at one
    point. What the alignment asks of the answers or the output (which way they move, say) is answered in every way.
    With ``only``, the answers of this parameter are the only ones that change; where several parameters share a change,
    each is looked at by itself too. ``directions`` are the ways in which they are moved.
    """
    alone = inputs.mechanism.private if inputs.shared and only is None else ()
    by_steps = (False, True) if any(inputs.least_change(name) for name in inputs.mechanism.private) else (False,)
    rates: dict[str, Term] = {}
    for cost, gain in gains:
        sums = running_sums((cost, gain))
        recent = (False, True) if sums else (False,)
        by_ends = tuple(CutOff) if any(_ends_of_items(each.body) for each in sums) else (CutOff.BY_ANSWER,)
        ways = itertools.product(directions, recent, (only, *alone), by_ends, by_steps)
        for direction, only_now, moving, ends, step in ways:
            at = extreme((cost, gain), inputs, direction, only_now, moving, by_ends=ends, by_steps=step)
            if at is not None:
                rates |= {rate.key: rate for rate in _rates(at)}
    return sorted(rates.values(), key=size_of_rate, reverse=True)


def read_off(moved: Iterable[tuple[Term, ...]]) -> list[Term]:
    """Candidates for cost / gain from pairs of these where the answers have been moved, the largest first."""
    rates = {rate.key: rate for at in moved for rate in _rates(at)}
    return sorted(rates.values(), key=size_of_rate, reverse=True)


def _rates(at: tuple[Term, ...]) -> Iterator[Term]:
    """What a cost is of a gain in each way through their conditions, where that is public."""
    for moved in _answers(at):
        for cost, gain in _ways(moved):
            rate = None if gain.constant == 0 else cost / gain
            if rate is not None and roles(rate) <= {Role.PUBLIC}:
                yield from where_defined(rate, moved)


def _answers(terms: tuple[Term, ...]) -> Iterator[tuple[Term, ...]]:
    """The terms with their questions answered, in each way that gives them a value; unanswered if they ask too many."""
    asked = sorted({name for term in terms for name in term.unknowns})
    if len(asked) > MOST_QUESTIONS:
        asked = []
    for way in itertools.product((True, False), repeat=len(asked)):
        answers = dict(zip(asked, way, strict=True))
        with suppress(ZeroDivisionError):
            yield tuple(answered(term, answers) for term in terms)


def _ways(terms: tuple[Term, ...]) -> Iterator[tuple[Term, ...]]:
    """The terms, or where they depend on noise (on what is clamped, say), on how long the output is, or on positions
    (where a sum begins, or where the answers to a call differ), what is left of them in each case.

    No run takes a way on which they divide by 0.
    """
    split = {Role.NOISE, Role.STATE, Role.PRIVATE, Role.UNKNOWN, Role.INDEX}
    if not any(split & roles(term) for term in terms):
        yield terms
        return
    left, made = [terms], 0
    while left and made < MOST_WAYS:
        current = left.pop()
        inner = next((atom for term in current for atom in atoms_within(term) if isinstance(atom, Conditional)), None)
        if inner is None:
            made += 1
            yield current
            continue
        for way in (inner.other, inner.then):
            with suppress(ZeroDivisionError):
                left.append(tuple(substitute(term, {inner: way}) for term in current))


def where_defined(rate: Term, known: tuple[Term, ...]) -> Iterator[Term]:
    """The rate, if it divides by nothing but what is above 0, sums of public values, lengths, or as the program does.

    It is 0 where a length by which it divides is 0: there are no iterations then. Where a sum is 0, nothing is said of
    its reciprocal, which stands for some number; it cancels out nowhere, and of whole numbers, which may be renamed,
    there is none.
    """
    inverses = {a for term in known for a in atoms_within(term) if isinstance(a, Inverse)}
    lengths: dict[str, Atom] = {}
    for monomial in rate.parts:
        for atom, power in monomial:
            if isinstance(atom, Inverse) and atom not in inverses and (atom.of.integer or running_sums([atom.of])):
                return
            if power < 0 and not atom.positive:
                if not atom.integer:
                    return
                lengths[atom.key] = atom
    some = conjunction(tuple(Term.of(length).compare(">=", 1) for length in lengths.values()))
    yield rate if some is True else Term.of(op.choose(some, rate, Term.of(0)))


def size_of_rate(rate: Term) -> Fraction:
    """How large a rate is at one point, by which rates are put in order."""
    atom = next(rate.atoms(), None)
    guarded = isinstance(atom, Conditional) and rate == Term.of(atom) and atom.other == Term.of(0)
    try:
        return evaluate(atom.then if guarded else rate, lambda atom: Fraction(2, 3))  # type: ignore[union-attr]
    except ZeroDivisionError:
        return Fraction(0)


def extreme(
    terms: tuple[Term, ...],
    inputs: Inputs,
    direction: int,
    only_now: bool = False,
    only: str | None = None,
    *,
    by_ends: CutOff = CutOff.BY_ANSWER,
    by_steps: bool = False,
) -> tuple[Term, ...] | None:
    """The terms where each answer of D′, and each sum, is that of D plus ``direction`` times the sensitivity.

    With ``only_now`` the sums before this iteration are those of D; with ``only`` the answers of all other parameters
    are those of D. ``by_ends`` says how an item of a sum moves that is cut off, and with ``by_steps`` answers on a
    lattice move as little as they may. None where the terms divide by 0 there, so that the alignment has no value.
    """
    replaced: dict[Any, Term] = {}
    sums = running_sums(terms)
    for name in inputs.mechanism.private:
        step = inputs.least_change(name) if by_steps else None
        by = (inputs.declared(name) if step is None else step) * (direction if only in (None, name) else 0)
        for term in terms:
            for atom in atoms_within(term):
                if isinstance(atom, RunningSum) and atom not in replaced:
                    pair = twins(inputs, atom.body)
                    if pair is not None and name in pair.vectors:
                        moved_by = Term.of(0) if only_now and _is_past(atom, sums) else by
                        replaced[atom] = _moved_sum(inputs, atom, pair, name, moved_by, by_ends=by_ends)
                elif isinstance(atom, Element) and atom.array == primed(name):
                    replaced[atom] = Term.of(Element(name, atom.index, Role.PRIVATE)) + by
                if isinstance(atom, Symbol) and atom.name == primed(name):
                    replaced[atom] = Term.of(Symbol(name, Role.PRIVATE)) + by
    try:
        return tuple(substitute(term, replaced) for term in terms)
    except ZeroDivisionError:
        return None


def only_moved(terms: tuple[Term, ...], inputs: Inputs, name: str, index: Term) -> tuple[Term, ...] | None:
    """The terms where one answer of D′ is that of D plus the sensitivity, and all others are those of D."""
    moved: dict[Any, Term] = {}
    for atom in (atom for term in terms for atom in atoms_within(term)):
        if isinstance(atom, Element) and atom.role is Role.PRIVATE:
            here = atom.array == primed(name) and atom.index == index
            for private in inputs.vectors:
                if atom.array == primed(private):
                    of_d = Term.of(Element(private, atom.index, Role.PRIVATE))
                    moved[atom] = of_d + inputs.declared(name) if here else of_d
    try:
        return tuple(substitute(term, moved) for term in terms)
    except ZeroDivisionError:
        return None


def _moved_sum(inputs: Inputs, of: RunningSum, pair: Twins, name: str, by: Term, *, by_ends: CutOff) -> Term:
    """A sum over the answers of D′ where one of them has moved by ``by``, or the whole sum, if that is not told.

    An item that is one of a few numbers, such as 1 and 0, moves from the least to the greatest or back; so does one
    that is cut off, as ``by_ends`` says. Where every answer may change, all of them have moved.
    """
    answer = Element(primed(name), BOUND, Role.PRIVATE)
    moved = substitute(pair.body_, {answer: Term.of(Element(name, BOUND, Role.PRIVATE)) + by}) - pair.body
    items = [way.constant for (way,) in _ways((pair.body_,))]
    numbers = [number for number in items if number is not None]
    ends = [] if by_ends is CutOff.BY_ANSWER else _ends_of_items(pair.body_)
    one: Term
    if roles(moved) <= {Role.PUBLIC}:
        one = moved
    elif by.sign and len(numbers) == len(items):
        one = Term.of(max(numbers) - min(numbers)) * by.sign
    elif by.sign and ends:
        spread = Term.of(op.maximum(ends)) - Term.of(op.minimum(ends))
        one = (spread if by_ends is CutOff.BY_ENDS else Term.of(op.minimum([abs(by), spread]))) * by.sign
    else:
        one = by
    return running_sum(pair.body, of.index) + (one * of.index if inputs.most_change is None else one)


def _ends_of_items(body: Term) -> list[Term]:
    """The public numbers that an item may be, if it is cut off: it is others, too."""
    ways = [way for (way,) in _ways((body,))]
    public = [way for way in ways if roles(way) <= {Role.PUBLIC}]
    ends = list(dict.fromkeys(public))
    return ends if len(ends) > 1 and len(public) < len(ways) else []


def _is_past(of: RunningSum, sums: Iterable[RunningSum]) -> bool:
    """Whether a sum is over, in a loop, before the iteration at hand, or before another of these sums of its body."""
    ends = _ends(of)
    apart = [end - own for other in sums if other.body == of.body for end in _ends(other) for own in ends]
    now = (end - Term.of(ITERATION) for end in ends)
    return any(by.sign == 1 for by in apart) or not any(
        by.sign == 1 if by.constant is None else by.constant >= 1 for by in (*now, *map(Term.__neg__, apart))
    )


def _ends(of: RunningSum) -> list[Term]:
    """Where a sum may end, in each way through the conditions on that."""
    return [end for (end,) in _ways((of.index,))]
