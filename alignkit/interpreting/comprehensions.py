"""Comprehensions: over the items of a concrete sequence one by one, over one of symbolic length as a family."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from alignkit.interpreting import operations as op
from alignkit.interpreting.values import NOISE, Coordinate, Family, FilteredList, Members, MembersOf
from alignkit.language.program import Call, Comprehension, Draw, Name
from alignkit.noise import CHOICE

if TYPE_CHECKING:
    from alignkit.interpreting.evaluator import Evaluator
    from alignkit.interpreting.values import Environment


def comprehension_value(evaluator: Evaluator, node: Comprehension, names: Environment) -> Any:
    """The value of a comprehension."""
    items = evaluator.gone_through(node.iterable, names)
    if isinstance(items, FilteredList):
        return family(evaluator, node, items.family, names, before=items.family.admits)
    if isinstance(items, Family):
        return family(evaluator, node, items, names)
    if isinstance(items, range):
        op.listable(items, node.place)
    result = []
    outer, steady = evaluator.iteration, node.steady_draw
    arguments = None  # of the draws, where all have the same
    # One scope for all items, since each binds the same names anew; whoever keeps a scope for later copies it.
    inner = dict(names)
    try:
        for index, item in enumerate(items):
            evaluator.context.tick()
            evaluator.bind(node.target, item, inner, node.place)
            evaluator.iteration = (*outer, index)
            if node.filters and not all(evaluator.decide(f, inner) for f in node.filters):
                continue
            if steady is None:
                result.append(evaluator.value(node.element, inner))
                continue
            if arguments is None:
                arguments = evaluator.draw_arguments(steady, inner)
            result.append(evaluator.drawn(steady, arguments))
    finally:
        evaluator.iteration = outer
    return Members(tuple(result)) if node.form == "set" else tuple(result)


def admitted(evaluator: Evaluator, node: Comprehension, names: Environment) -> Any:
    """Whether the filters let an element pass; a filter is evaluated only where those before it do."""
    passed: Any = True
    for test in node.filters:
        if passed is False:
            break
        with evaluator.context.under(passed):
            condition = evaluator.condition(test, names)
        passed = passed & condition
    return passed


def family(
    evaluator: Evaluator,
    node: Comprehension,
    items: Family,
    names: Environment,
    before: Callable[[Any], Any] | None = None,
) -> Any:
    """A comprehension over a sequence of symbolic length: evaluated at an index on demand.

    ``before`` are the filters of the list that it goes through, where nothing asks at which places its items stand.
    """
    context = evaluator.context
    if items.admits is not before:
        raise context.unsupported("a comprehension over a filtered sequence of symbolic length", node.place)
    is_filtered = bool(node.filters) or before is not None
    if is_filtered and node.form == "set":
        raise context.unsupported("a filtered set over a sequence of symbolic length", node.place)
    captured = dict(names)
    path, iteration = evaluator.path, evaluator.iteration

    def item(value: Callable[[Environment], Any]) -> Callable[[Any], Any]:
        """What a part of the comprehension is at an index, evaluated in the iteration of that item."""

        def at(index: Any) -> Any:
            outer = evaluator.path, evaluator.iteration
            evaluator.path, evaluator.iteration = path, (*iteration, index)
            try:
                bound = dict(captured)
                evaluator.bind(node.target, items.element(index), bound, node.place)
                return value(bound)
            finally:
                evaluator.path, evaluator.iteration = outer

        return at

    draws = isinstance(node.element, Draw) or (isinstance(node.element, Call) and _passes_noise(node.element, names))
    if draws and before is not None:
        raise context.unsupported(op.READS_FILTERED, node.place)
    if isinstance(node.element, Draw) and node.filters:
        raise context.unsupported("a filtered list of draws over a sequence of symbolic length", node.place)
    if isinstance(node.element, Draw):
        return _drawn(evaluator, node.element, items, item)
    if draws:
        raise context.unsupported("a function that draws, over a sequence of symbolic length", node.place)
    own = item(lambda bound: admitted(evaluator, node, bound))
    element = item(lambda bound: evaluator.value(node.element, bound))

    def admits(index: Any) -> Any:
        """An item is left where it was before, and where the filters let it pass, which are asked of no other."""
        passed = True if before is None else before(index)
        if passed is False:
            return False
        with context.under(passed):
            return passed & own(index)

    if is_filtered and node.form == "list":
        return context.filtered(Family(items.length, element, admits), node)
    whole = context.family(Family(items.length, element, admits if is_filtered else None), node)
    return MembersOf(whole) if node.form == "set" else whole


def _drawn(evaluator: Evaluator, draw: Draw, items: Family, item: Any) -> Family:
    context = evaluator.context

    def arguments(names: Environment) -> tuple[Any, ...]:
        if draw.distribution is CHOICE:
            return evaluator.weights(draw, names)
        return tuple(evaluator.number(a, names) for a in draw.arguments)

    where = Coordinate(context.key(evaluator.path, draw), evaluator.iteration)
    return context.draw_family(where, draw.distribution, item(arguments), items.length, draw.place)


def _passes_noise(call: Call, names: Environment) -> bool:
    return any(isinstance(a, Name) and names.get(a.name) is NOISE for a in call.arguments)
