"""One run on real data, as a table and as JSON."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from alignkit.cli.item_answers import ItemAnswer, ItemAnswers
from alignkit.data import ItemCounts
from alignkit.errors import AlignkitError
from alignkit.formatting import aligned_columns
from alignkit.reporting.json_documents import exact_text
from alignkit.running.aligned_replay import show
from alignkit.running.mechanism_decorator import Mechanism

_SAMPLER = "the sampler uses floating point: it is for experiments, not for release"
_SEEDED = "a run with --seed can be repeated by anybody, so it is not private"
# One record changes many counts: adjacencies of a single change do not cover it.
_SINGLE_CHANGE = {"one", "l1"}


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
    if adjacencies <= _SINGLE_CHANGE:
        return [
            f"the proofs of {mechanism.name} are for adjacency {' and '.join(sorted(adjacencies))}: they do not "
            "cover a transaction that changes the counts of several items"
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
