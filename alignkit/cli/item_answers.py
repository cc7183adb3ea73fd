"""The output of a mechanism, read as answers about the items whose counts were its queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from alignkit.cli.selectable_items import longer_list
from alignkit.language.tags import BELOW, Tag
from alignkit.running.mechanism_decorator import Mechanism


@dataclass(frozen=True)
class ItemAnswer:
    """The output for one item: a tag, a gap or another noisy value, and the estimate gap + T of its count.

    ``item`` is None where the output belongs to no single item.
    """

    item: str | None
    tag: str | None = None
    gap: float | None = None
    value: float | None = None
    estimate: float | None = None


@dataclass(frozen=True)
class ItemAnswers:
    """The answers that stand out, in order.

    ``asked`` of the items were asked, ``below`` of them came out below. ``selected`` is set where the
    mechanism chose among all items instead of answering one after the other.
    """

    notable: tuple[ItemAnswer, ...]
    asked: int
    below: int
    selected: bool


def read_item_answers(
    mechanism: Mechanism, output: Any, items: Sequence[str], thresholds: Sequence[float]
) -> ItemAnswers:
    """Match an output with the items, in the order in which their counts were given.

    A generator's i-th output belongs to item i, unless it is an index; what a function returns is an index,
    an index with its gap, a list of those, or one value for each item. An index counts the items, or the
    entries of the list that the mechanism makes of them (see ``longer_list``). ``thresholds`` has T for each
    item, and is empty where the mechanism has no parameter T: then a number alone is a value, not a gap.
    """
    outputs = [tuple(x) if isinstance(x, list) else x for x in _as_list(output)]
    longer = longer_list(mechanism, items)
    if outputs and all(_is_selection(x) for x in outputs) and longer != ():
        selected = tuple(_selected(x, longer or items, [] if longer else thresholds) for x in outputs)
        return ItemAnswers(selected, len(items), 0, True)
    if len(outputs) > len(items) or longer == ():
        return ItemAnswers(tuple(_answer(None, x, None) for x in outputs), len(items), 0, False)
    answers = []
    for i, part in enumerate(outputs):
        item = items[i] if mechanism.program.is_generator or len(outputs) == len(items) else None
        answers.append(_answer(item, part, thresholds[i] if thresholds else None))
    # False says of an item what BELOW says.
    above = tuple(a for a, output in zip(answers, outputs, strict=True) if a.tag != BELOW.name and output is not False)
    return ItemAnswers(above, len(outputs), len(answers) - len(above), False)


def _as_list(output: Any) -> list[Any]:
    if _is_selection(output) or not isinstance(output, list | tuple):
        return [output]
    return list(output)


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_selection(value: Any) -> bool:
    """Tell whether a value is an index, or an index beside a number that is none."""
    if isinstance(value, list | tuple):
        return len(value) == 2 and _is_index(value[0]) and _is_number(value[1]) and not _is_index(value[1])
    return _is_index(value)


def _is_number(value: Any) -> bool:
    return hasattr(value, "__float__") and not isinstance(value, bool | str)


def _selected(value: Any, items: Sequence[str], thresholds: Sequence[float]) -> ItemAnswer:
    index, gap = value if isinstance(value, tuple) else (value, None)
    if gap is None:
        return ItemAnswer(items[index])
    estimate = float(gap) + thresholds[index] if thresholds else None
    return ItemAnswer(items[index], gap=float(gap), estimate=estimate)


def _answer(item: str | None, output: Any, threshold: float | None) -> ItemAnswer:
    parts = output if isinstance(output, tuple) else (output,)
    tags = [part.name for part in parts if isinstance(part, Tag)]
    others = [str(part) for part in parts if isinstance(part, bool)]
    numbers = [float(part) for part in parts if _is_number(part)]
    tag = " ".join(tags + others) or None
    if not numbers:
        return ItemAnswer(item, tag)
    if threshold is None:
        return ItemAnswer(item, tag, value=numbers[0])
    return ItemAnswer(item, tag, gap=numbers[0], estimate=numbers[0] + threshold)
