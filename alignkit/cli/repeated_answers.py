"""Many outputs of a mechanism, counted item by item."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from alignkit.cli.selectable_items import longer_list
from alignkit.language.tags import BELOW, Tag
from alignkit.running.mechanism_decorator import Mechanism

Array = np.ndarray[Any, Any]


class OutputArrays(Protocol):
    """What is read of many runs: the arrays that ``sample_many`` returns."""

    @property
    def lengths(self) -> Array: ...
    @property
    def tag_names(self) -> tuple[Tag, ...]: ...
    @property
    def tags(self) -> Array | None: ...
    @property
    def truths(self) -> Array | None: ...
    @property
    def indices(self) -> Array | None: ...
    @property
    def reals(self) -> Array | None: ...


@dataclass(frozen=True)
class Spread:
    """The mean and standard deviation of so many numbers; a single number has no deviation."""

    numbers: int
    mean: float
    deviation: float | None


@dataclass(frozen=True)
class CountRange:
    """What a count was at least, in the median, on average and at most."""

    min: int
    median: float
    mean: float
    max: int

    @classmethod
    def of(cls, counts: Array) -> CountRange:
        """The range of the counts of all runs."""
        return cls(int(counts.min()), float(np.median(counts)), float(counts.mean()), int(counts.max()))


@dataclass(frozen=True)
class RepeatedAnswer:
    """How often an item came out, with which tags, at which places of a selection, and with which numbers.

    ``item`` is None where the outputs at a position belong to no single item; ``position`` is that position.
    ``tags`` has no entry for outputs without a tag, and ``places`` is None unless the mechanism selects items.
    """

    item: str | None
    position: int | None
    runs: int
    tags: dict[str, int]
    places: tuple[int, ...] | None
    gap: Spread | None
    value: Spread | None
    estimate: Spread | None


@dataclass(frozen=True)
class RepeatedAnswers:
    """The answers of many runs, the most frequent first.

    ``outputs``, ``came_out`` and ``below`` are counts per run. ``numbers`` holds every gap, or every value
    where there are no gaps, and ``answers`` the number of answers that came out in each run.
    """

    selected: bool
    outputs: CountRange
    came_out: CountRange
    below: CountRange
    items: tuple[RepeatedAnswer, ...]
    kind: str | None
    numbers: Array = field(repr=False, compare=False)
    answers: Array = field(repr=False, compare=False)


@dataclass(frozen=True)
class _Events:
    """The answers that came out in all runs, one entry each: run, item, place, tag, number and threshold.

    Items from ``n`` on stand for positions that belong to no item. A number or threshold that is missing is NaN.
    """

    run: Array
    item: Array
    place: Array
    tag: Array
    number: Array
    threshold: Array


def count_answers(
    mechanism: Mechanism, samples: OutputArrays, items: Sequence[str], thresholds: Sequence[float]
) -> RepeatedAnswers:
    """Match the outputs of many runs with the items, by the rules of ``read_item_answers``."""
    longer = longer_list(mechanism, items)
    if longer:
        items, thresholds = (longer, []) if _selects(samples, len(longer)) else (items, thresholds)
    selected = longer != () and _selects(samples, len(items))
    texts = [""]
    if selected:
        events = _selections(samples, len(items), thresholds)
    else:
        events, texts = _answers(mechanism, samples, len(items), thresholds)
    runs = len(samples.lengths)
    answers = np.bincount(events.run, minlength=runs)
    below = np.zeros(runs, dtype=np.int64) if selected else samples.lengths - answers
    has_number = ~np.isnan(events.number)
    is_gap = has_number if selected else has_number & ~np.isnan(events.threshold)
    kinds = [("gap", is_gap), ("value", has_number & ~is_gap)]
    kind, shown = next(((name, which) for name, which in kinds if which.any()), (None, has_number))
    return RepeatedAnswers(
        selected=selected,
        outputs=CountRange.of(samples.lengths),
        came_out=CountRange.of(answers),
        below=CountRange.of(below),
        items=_counted(events, texts, items, is_gap, places=int(samples.lengths.max()) if selected else None),
        kind=kind,
        numbers=events.number[shown],
        answers=answers,
    )


def _selects(samples: OutputArrays, number: int) -> bool:
    """Whether every output is the index of an item, or such an index beside one number."""
    indices, reals = samples.indices, samples.reals
    if indices is None or indices.ndim != 2 or samples.tags is not None or samples.truths is not None:
        return False
    outputs = _existing(samples.lengths, indices.shape[1])
    within = (indices >= 0) & (indices < number)
    return (reals is None or reals.ndim == 2) and bool(within[outputs].all())


def _existing(lengths: Array, longest: int) -> Array:
    """For every run and position, whether there is an output."""
    return np.arange(longest) < lengths[:, np.newaxis]


def _selections(samples: OutputArrays, number: int, thresholds: Sequence[float]) -> _Events:
    assert samples.indices is not None
    run, place = np.nonzero(_existing(samples.lengths, samples.indices.shape[1]))
    item = samples.indices[run, place]
    numbers = np.full(len(run), np.nan) if samples.reals is None else samples.reals[run, place]
    by_item = np.array(thresholds or [np.nan] * number)
    return _Events(run, item, place, np.zeros(len(run), dtype=np.int64), numbers, by_item[item])


def _answers(
    mechanism: Mechanism, samples: OutputArrays, number: int, thresholds: Sequence[float]
) -> tuple[_Events, list[str]]:
    """The answers that came out, and the texts of their tags by code."""
    lengths = samples.lengths
    existing = _existing(lengths, int(lengths.max()))
    numbers = _first_numbers(samples, existing.shape)
    codes, texts = _tag_texts(samples, existing.shape)
    # False says of an item what BELOW says.
    unnotable = [code for code, text in enumerate(texts) if text == BELOW.name]
    refused = [code for code, text in enumerate(texts) if text == str(False)]
    below = np.isin(codes, unnotable) | (np.isin(codes, refused) & np.isnan(numbers))
    run, position = np.nonzero(existing & ~below)
    fits = lengths[run] <= number
    # Whole numbers that are no indices of items are not answers item by item either.
    in_turn = mechanism.program.is_generator and (samples.indices is None or len(texts) > 1)
    named = fits & (in_turn | (lengths[run] == number)) & (longer_list(mechanism, ()) != ())
    by_position = np.array([*thresholds, *[np.nan] * max(0, existing.shape[1] - len(thresholds))])
    events = _Events(
        run=run,
        item=np.where(named, position, number + position),
        place=position,
        tag=codes[run, position],
        number=numbers[run, position],
        threshold=np.where(fits, by_position[position], np.nan),
    )
    return events, texts


def _first_numbers(samples: OutputArrays, shape: tuple[int, ...]) -> Array:
    """The number that is shown of each output: its first real number, or else its first whole number."""
    numbers = np.full(shape, np.nan)
    whole = None if samples.indices is None else np.where(samples.indices == -1, np.nan, samples.indices)
    for array in (samples.reals, whole):
        columns = () if array is None else (array,) if array.ndim == 2 else np.moveaxis(array, 2, 0)
        for column in columns:
            numbers = np.where(np.isnan(numbers), column, numbers)
    return numbers


def _tag_texts(samples: OutputArrays, shape: tuple[int, ...]) -> tuple[Array, list[str]]:
    """A code for the tags and Booleans of each output, and the text of each code."""
    parts: list[tuple[Array, list[str]]] = []
    for array, names in ((samples.tags, [tag.name for tag in samples.tag_names]), (samples.truths, ["False", "True"])):
        if array is not None:
            columns = [array] if array.ndim == 2 else list(np.moveaxis(array, 2, 0))
            parts += [(column, names) for column in columns]
    codes, texts = np.zeros(shape, dtype=np.int64), [""]
    for column, names in parts:
        joined = codes * (len(names) + 1) + column + 1
        used, codes = np.unique(joined, return_inverse=True)
        codes = codes.reshape(shape)
        pairs = [divmod(int(code), len(names) + 1) for code in used]
        texts = [" ".join(filter(None, (texts[before], names[own - 1] if own else ""))) for before, own in pairs]
    return codes, texts


def _counted(
    events: _Events, texts: Sequence[str], items: Sequence[str], is_gap: Array, *, places: int | None
) -> tuple[RepeatedAnswer, ...]:
    """The answers of each item that came out, the most frequent first and equally frequent ones in order."""
    used, group = np.unique(events.item, return_inverse=True)
    size = len(used)
    counts = np.bincount(group, minlength=size)
    tags = _table(group, events.tag, size, len(texts))
    by_place = None if places is None else _table(group, events.place, size, places)
    has_number = ~np.isnan(events.number)
    gaps = _spreads(group, events.number, is_gap, size)
    values = _spreads(group, events.number, has_number & ~is_gap, size)
    estimated = is_gap & ~np.isnan(events.threshold)
    estimates = _spreads(group, events.number + events.threshold, estimated, size)
    order = np.argsort(-counts, kind="stable")
    return tuple(
        RepeatedAnswer(
            item=items[used[i]] if used[i] < len(items) else None,
            position=None if used[i] < len(items) else int(used[i]) - len(items),
            runs=int(counts[i]),
            tags={text: int(tags[i, code]) for code, text in enumerate(texts) if text and tags[i, code]},
            places=None if by_place is None else tuple(by_place[i].tolist()),
            gap=gaps[i],
            value=values[i],
            estimate=estimates[i],
        )
        for i in order
    )


def _table(group: Array, column: Array, size: int, width: int) -> Array:
    return np.bincount(group * width + column, minlength=size * width).reshape(size, width)


def _spreads(group: Array, numbers: Array, which: Array, size: int) -> list[Spread | None]:
    """The spread of the numbers of each group, as far as they count."""
    group, numbers = group[which], numbers[which]
    counts = np.bincount(group, minlength=size)
    with np.errstate(over="ignore", invalid="ignore"):
        means = np.bincount(group, numbers, size) / np.maximum(counts, 1)
        squares = np.bincount(group, (numbers - means[group]) ** 2, size)
        deviations = np.sqrt(squares / np.maximum(counts - 1, 1))
    return [
        Spread(int(c), float(m), float(d) if c > 1 else None) if c else None
        for c, m, d in zip(counts, means, deviations, strict=True)
    ]


def json_fields(answers: RepeatedAnswers) -> dict[str, Any]:
    """All counts as JSON has them, without the numbers that they were made from."""
    counts = {name: dataclasses.asdict(getattr(answers, name)) for name in ("outputs", "came_out", "below")}
    return {"selected": answers.selected, **counts, "items": [dataclasses.asdict(item) for item in answers.items]}
