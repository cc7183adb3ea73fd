"""One run on real data, as a table and as JSON.

What the indices that a mechanism puts out count: the items, or a list that holds more than them.

The output of a mechanism, read as answers about the items whose counts were its queries.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from alignkit.data import ItemCounts
from alignkit.errors import AlignkitError
from alignkit.formatting import aligned_columns
from alignkit.language.pretty_printing import pretty_expression
from alignkit.language.program import Assign, Joined, Name, walk
from alignkit.language.program import Sequence as Display
from alignkit.language.tags import BELOW, Tag
from alignkit.reporting.json_documents import exact_text
from alignkit.running.aligned_replay import show
from alignkit.running.mechanism_decorator import Mechanism


def longer_list(mechanism: Mechanism, items: Sequence[str]) -> tuple[str, ...] | None:
    """Name the entries of the list that a mechanism makes of its queries and something else.

    In ``[T, *q]`` index 0 is T, and index 1 the first item. The tuple is empty where the entries have no names. None
    stands for a program that joins no lists, so that its indices count the items.
    """
    nodes = list(walk(*mechanism.program.body))
    grown = {id(node.value) for node in nodes if isinstance(node, Assign) and _grows(node)}
    lists = [node for node in nodes if isinstance(node, Joined) and id(node) not in grown]
    if not lists:
        return None
    names: list[str] = []
    for part in lists[0].parts:
        if isinstance(part, Display):
            names += map(pretty_expression, part.items)
        elif isinstance(part, Name) and part.name in mechanism.private:
            names += items
        else:
            return ()
    return tuple(names) if len(lists) == 1 else ()


def _grows(node: Assign) -> bool:
    """Whether a list gets further items, as in ``out = [*out, i]``."""
    if not isinstance(node.value, Joined):
        return False
    starred = [part for part in node.value.parts if not isinstance(part, Display)]
    return all(isinstance(part, Name) and part.name == node.target for part in starred)


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
    chosen = [x[0] if isinstance(x, tuple) else x for x in outputs] if all(map(_is_selection, outputs)) else []
    if chosen and longer != () and all(0 <= index < len(longer or items) for index in chosen):
        selected = tuple(_selected(x, longer or items, [] if longer else thresholds) for x in outputs)
        return ItemAnswers(selected, len(items), 0, True)
    # Whole numbers that are no indices of items are not answers item by item either.
    if chosen or len(outputs) > len(items) or longer == ():
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


_SAMPLER = "the sampler uses floating point: it is for experiments, not for release"
_SEEDED = "a run with --seed can be repeated by anybody, so it is not private"
@dataclass(frozen=True)
class SampleInputs:
    """What was run on what. ``universe`` is None where the data named the items."""

    mechanism: Mechanism
    parameters: Mapping[str, Any]
    counts: ItemCounts
    universe: str | None
    seed: int | None


def _proof_notes(mechanism: Mechanism) -> list[str]:
    """List what the reader has to know about the proofs that stand beside a mechanism."""
    from alignkit.catalogue import alignments, alignments_in

    candidates = {id(a): a for a in alignments()}
    with contextlib.suppress(AlignkitError):
        candidates |= {id(a): a for a in alignments_in(mechanism.file)}
    proofs = [a for a in candidates.values() if a.mechanism is mechanism and a.expect == "proved"]
    if not proofs:
        return [f"the file of {mechanism.name} has no alignment that claims it is private"]
    adjacencies = {str(a.adjacency) for a in proofs}
    # One record changes many counts: adjacencies that allow few changes do not cover it.
    if all(a.adjacency.shared for a in proofs):
        items = "more items than that" if any(a.adjacency.most for a in proofs) else "several items"
        return [
            f"the proofs of {mechanism.name} are for adjacency {' and '.join(sorted(adjacencies))}: they do not "
            f"cover a transaction that changes the counts of {items}"
        ]
    return []


def notes_on(inputs: SampleInputs, *, selected: bool, estimates: bool) -> list[str]:
    """List the notes of a report, the most important last."""
    lines = _proof_notes(inputs.mechanism)
    if not selected:
        order = "in the order of the data, sorted" if inputs.universe is None else "in the order of --items"
        lines.append(f"the queries are asked item by item {order}: {_range(inputs.counts.items)}")
    if estimates:
        lines.append("the estimate of an item's count is gap + T")
    if inputs.universe is None:
        lines.append("the items are taken from the data, so the list of items itself is not private")
    if inputs.seed is not None:
        lines.append(_SEEDED)
    return [*lines, _SAMPLER]


def _notes(inputs: SampleInputs, answers: ItemAnswers) -> list[str]:
    estimates = any(answer.estimate is not None for answer in answers.notable)
    return notes_on(inputs, selected=answers.selected, estimates=estimates)


def inputs_for_json(inputs: SampleInputs) -> dict[str, Any]:
    """What a JSON document says of the inputs; parameters are exact."""
    from alignkit.version import __version__

    return {
        "alignkit": __version__,
        "mechanism": inputs.mechanism.name,
        "parameters": exact_text(inputs.parameters),
        "data": inputs.counts.source,
        "items": {"public": inputs.universe is not None, "universe": inputs.universe},
        "seed": inputs.seed,
    }


def inputs_shown(inputs: SampleInputs) -> str:
    """Name the mechanism, its parameters and the data."""
    parameters = ", ".join(f"{name} = {_parameter(value)}" for name, value in inputs.parameters.items())
    return f"{inputs.mechanism.name}    {parameters}    {inputs.counts.source}"


def sample_json(inputs: SampleInputs, answers: ItemAnswers) -> str:
    """Write the run as a JSON document; the output is in floats."""
    document = {
        **inputs_for_json(inputs),
        "asked": answers.asked,
        "below": answers.below,
        "answers": [asdict(answer) for answer in answers.notable],
        "notes": _notes(inputs, answers),
        "runs": 1,
        "summary": None,
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def sample_table(inputs: SampleInputs, answers: ItemAnswers) -> str:
    """Write the run as text: one line for each item, what was asked, and the notes."""
    table = [*_table(answers.notable), ""] if answers.notable else []
    summary = _summary(answers, len(inputs.counts.items))
    notes = [f"note: {note}" for note in _notes(inputs, answers)]
    return "\n".join([inputs_shown(inputs), "", *table, summary, *notes])


def _table(answers: tuple[ItemAnswer, ...]) -> list[str]:
    """Lay the answers out in columns; a column is shown only where some answer has something in it."""
    rows = [asdict(answer) for answer in answers]
    names = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    body = [[_cell(row[name]) for name in names] for row in rows]
    right = [i for i, name in enumerate(names) if name in ("gap", "value", "estimate")]
    return aligned_columns([["output" if name == "tag" else name for name in names], *body], right)


def _summary(answers: ItemAnswers, number: int) -> str:
    if answers.selected:
        return f"chosen among {number} items"
    above = len(answers.notable)
    text = f"{answers.asked} of {number} items were asked: {above} came out above, {answers.below} below"
    if answers.asked < number:
        text += f"; the run ended before the other {number - answers.asked} were asked"
    return text


def _range(items: tuple[str, ...]) -> str:
    return ", ".join(items) if len(items) <= 4 else f"{items[0]}, {items[1]}, …, {items[-1]}"


def _parameter(value: Any) -> str:
    if isinstance(value, tuple):
        return show(value[0]) if len(set(value)) == 1 else f"({len(value)} values)"
    return show(value)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" if isinstance(value, float) else str(value)
