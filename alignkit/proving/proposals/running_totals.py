"""Invariants of running totals: a variable that adds up answers differs, on D′, by what their sum has changed by.

Three kinds are looked for: totals of all answers so far, totals of a block of answers that begins anew when a counter
does or after a public number of iterations, and variables that remember a recent answer. What a variable becomes in one
iteration is read off D's paths through it. Where a private condition decides that, the paths are put together again.
These are candidates only: the loop must keep them like all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from alignkit.proving.loops.invariants import Invariant
from alignkit.proving.proposals.counters_of_change import AnswerBlock
from alignkit.proving.runs.loop_states import CHANGE, ITERATION, OF_ANSWERS, ROUNDS, Gains, placeholder
from alignkit.proving.symbolic_inputs import Inputs, primed
from alignkit.symbolic.atoms import Element
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.summation import BOUND, BOUND_SYMBOL, NotASum, first_item, sum_over_range
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Atom, Role

# How many iterations a variable may be behind the answer that it remembers.
MOST_BEHIND = 8

# The iterations that are over at a state, of which a variable has summed the items of some.
OVER = placeholder(ROUNDS)


@dataclass(frozen=True)
class TotalOfBlock(Invariant):
    """That a variable differs by the change of the sum over a block of answers."""

    block: AnswerBlock = field(kw_only=True)


def totals_of_answers(inputs: Inputs, paths: Iterable[Gains]) -> tuple[Invariant, ...]:
    """The invariants of the variables that may be running totals."""
    listed = list(paths)
    if not listed:
        return ()
    blocks = (*_blocks(inputs, listed), *_blocks_of_size(inputs, listed))
    return (*_totals(inputs, listed), *_remembered(inputs, listed), *blocks, *_at_most_the_change(inputs, listed))


def _totals(inputs: Inputs, paths: list[Gains]) -> Iterator[Invariant]:
    for name in paths[0].gained:
        body = _body(paths, partial(Gains.gain, name=name))
        if body is not None:
            yield from _changed_sum(inputs, name, body, "so far", Term.of(0), OVER)


def _at_most_the_change(inputs: Inputs, paths: list[Gains]) -> Iterator[Invariant]:
    """That totals of some answers each, or that begin anew, differ by at most what the answers have changed by.

    Which answers are added to which total may be told by the outputs, and so by noise.
    """
    if inputs.most_change is None or inputs.vector is None:
        return
    partly = [name for name in paths[0].gained if _takes_answers(paths, name)]
    for some in dict.fromkeys((*((name,) for name in partly), tuple(partly))) if partly else ():
        apart = sum((abs(_apart(name) - _apart(name, before=True)) for name in some), Term.of(0))
        words = " + ".join(f"|{name}_ - {name}|" for name in some)
        most = placeholder(CHANGE) * inputs.per_unit(inputs.vector)
        yield Invariant(f"{words} <= the change of the answers", apart.compare("<=", most))


def _takes_answers(paths: list[Gains], name: str) -> bool:
    """Whether all that a variable takes up, on some paths only, is made of answers."""
    gained = [path.gained[name] for path in paths if not _is_public(path.after(name))]
    taken = all(roles(gain) <= OF_ANSWERS for gain in gained) and any(Role.PRIVATE in roles(gain) for gain in gained)
    return taken and _body(paths, partial(Gains.gain, name=name)) is None


def _apart(name: str, *, before: bool = False) -> Term:
    return placeholder(name, primed=True, before=before) - placeholder(name, before=before)


def _remembered(inputs: Inputs, paths: list[Gains]) -> Iterator[Invariant]:
    """Variables that become what an answer is, and those that become such a variable."""
    known: dict[str, tuple[Term, int]] = {}
    for behind in range(1, MOST_BEHIND + 1):
        for name in paths[0].gained:
            if name in known:
                continue
            body = _body(paths, partial(Gains.after, name=name)) if behind == 1 else None
            taken = {path.taken(name) for path in paths}
            source = taken.pop() if len(taken) == 1 else None
            if body is None and source in known and known[source][1] == behind - 1:
                body = known[source][0]
            if body is not None:
                known[name] = body, behind
    for name, (body, behind) in known.items():
        words = "one iteration ago" if behind == 1 else f"{behind} iterations ago"
        yield from _changed_sum(inputs, name, body, words, OVER - behind, OVER - (behind - 1))


def _blocks(inputs: Inputs, paths: list[Gains]) -> Iterator[Invariant]:
    """Totals that begin anew on the paths on which a counter of iterations does."""
    for counter in paths[0].gained:
        over = [path for path in paths if path.after(counter) == Term.of(0)]
        going_on = [path for path in paths if path.gained.get(counter) == Term.of(1)]
        whole = all(path.became[counter].integer for path in (*over, *going_on))
        if not over or not going_on or not whole or len(over) + len(going_on) < len(paths):
            continue
        bounded = Invariant(f"{counter} <= the iterations", placeholder(counter).compare("<=", OVER))
        found = []
        for name in paths[0].gained:
            anew = {path.after(name) for path in over}
            body = _body(going_on, partial(Gains.gain, name=name))
            if name == counter or body is None or len(anew) != 1 or not _is_public(anew.pop()):
                continue

            found += list(_sum_of_block(inputs, name, body, AnswerBlock(counter)))
        if found:
            yield bounded
            yield from found


def _blocks_of_size(inputs: Inputs, paths: list[Gains]) -> Iterator[Invariant]:
    """Totals that begin anew whenever the iterations so far are a multiple of a public number."""
    for size in sorted(frozenset.union(*(path.divisors for path in paths)), key=str):
        for name in paths[0].gained:
            over = [path for path in paths if _is_public(path.after(name))]
            going_on = [path for path in paths if path not in over]
            body = _body(going_on, partial(Gains.gain, name=name))
            if body is not None and len({path.after(name) for path in over}) == 1:
                yield from _sum_of_block(inputs, name, body, AnswerBlock(size=size))


def _sum_of_block(inputs: Inputs, name: str, body: Term, block: AnswerBlock) -> Iterator[Invariant]:
    for total in _changed_sum(inputs, name, body, f"in the last {block} iterations", OVER - block.seen, OVER):
        yield TotalOfBlock(total.name, total.formula, block=block)


def _is_public(value: Term | None) -> bool:
    return value is not None and roles(value) <= {Role.PUBLIC}


def _body(paths: list[Gains], of: Callable[[Gains], Term | None]) -> Term | None:
    """What paths make of something in the iteration that stands at BOUND; None where that is not made of answers."""
    ways = [(path.when, of(path)) for path in paths]
    cases = {(str(when), way.key): (when, way) for when, way in ways if way is not None}
    if not paths or len([way for _, way in ways if way is None]) or any(
        not roles(way) <= OF_ANSWERS for _, way in cases.values()
    ):
        return None
    first = next(iter(cases.values()))[1]
    if all(way == first for _, way in cases.values()):
        made = first
    elif any(isinstance(when, bool) for when, _ in cases.values()):
        return None
    else:
        made = sum((when.choose(way, 0) for when, way in cases.values()), Term.of(0))
    body: Term = substitute(made, {ITERATION: BOUND})
    return body if Role.PRIVATE in roles(body) else None


def _changed_sum(
    inputs: Inputs, name: str, body: Term, when: str, start: Term, end: Term
) -> Iterator[Invariant]:
    """The invariant that a variable differs on D′ by the change of the sum of ``body`` over some iterations.

    There is none where more than answers and public values is summed.
    """
    vectors = inputs.mechanism.private
    answers = (a for a in body.within if isinstance(a, Element) and a.array in vectors)
    moved: dict[Atom, Term] = {a: Term.of(Element(primed(a.array), a.index, Role.PRIVATE)) for a in answers}
    body_: Term = substitute(body, moved)
    offset = first_item(body)

    def summed(each: Term) -> Term:
        return sum_over_range(each, offset, end) - sum_over_range(each, offset, start)

    try:
        change = summed(body_) - summed(body)
    except NotASum:
        return
    shown = body.key.replace(BOUND_SYMBOL.key, "j")
    holds = (_apart(name) - _apart(name, before=True)).compare("==", change)
    yield Invariant(f"{name}_ - {name} == change of the sum of {shown} {when}", holds)
