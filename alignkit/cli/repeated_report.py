"""Many runs on real data, as tables with a histogram and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from alignkit.cli.repeated_answers import CountRange, RepeatedAnswer, RepeatedAnswers, Spread, json_fields
from alignkit.cli.sample_report import SampleInputs, inputs_for_json, inputs_shown, notes_on
from alignkit.cli.streams import Page
from alignkit.cli.text_histograms import Histogram, draw_histogram, histogram_of
from alignkit.formatting import aligned_columns, counted

_MOST_ROWS = 20
_MOST_PLACES = 6


@dataclass(frozen=True)
class RepeatedReport:
    """So many runs with their inputs and what they gave."""

    inputs: SampleInputs
    runs: int
    answers: RepeatedAnswers

    def json(self) -> str:
        """Write all items and the histogram; what belongs to a single run is null."""
        histogram = {"of": self.answers.kind or "answers", "bars": [asdict(bar) for bar in self._histogram().bars]}
        document = {
            **inputs_for_json(self.inputs),
            "asked": None,
            "below": None,
            "answers": None,
            "notes": self._notes(),
            "runs": self.runs,
            "summary": {**json_fields(self.answers), "histogram": histogram},
        }
        return json.dumps(document, indent=2, ensure_ascii=False)

    def text(self, page: Page) -> str:
        """Write the most frequent items, counts per run, the histogram and the notes."""
        lines = [f"{inputs_shown(self.inputs)}    {counted(self.runs, 'run')}", ""]
        if self.answers.items:
            lines += [*self._items(), ""]
        lines += [*self._counts(), "", *self._drawn(page), ""]
        return "\n".join([*lines, *(f"note: {note}" for note in self._notes())])

    def _items(self) -> list[str]:
        items = self.answers.items[:_MOST_ROWS]
        columns = [["item", *map(_name, items)], ["runs", *(str(item.runs) for item in items)]]
        columns.append(["share", *(f"{item.runs / self.runs:.1%}" for item in items)])
        tags = list(dict.fromkeys(tag for item in items for tag in item.tags))
        columns += [[tag, *(str(item.tags.get(tag, 0)) for item in items)] for tag in tags]
        places = min(_MOST_PLACES, self.answers.outputs.max) if self.answers.selected else 0
        if places > 1:
            columns += [[f"place {i + 1}", *(str((item.places or ())[i]) for item in items)] for i in range(places)]
        for kind in ("gap", "value", "estimate"):
            spreads: list[Spread | None] = [getattr(item, kind) for item in items]
            if any(spreads):
                columns.append([kind, *("" if s is None else f"{s.mean:.2f}" for s in spreads)])
                columns.append(["± sd", *("" if s is None else _deviation(s) for s in spreads)])
        lines = aligned_columns(list(zip(*columns, strict=True)), range(1, len(columns)))
        if places and self.answers.outputs.max > places:
            lines.append(f"Left out: the places after {places}; --format json has them.")
        rest, rows = len(self.answers.items) - len(items), len(self.answers.items)
        if rest:
            lines.append(f"Left out: {rest} of the {rows} items that came out; --format json has all.")
        known = set(self.inputs.counts.items)
        number, named = len(known), sum(item.item in known for item in self.answers.items)
        if named < number and all(item.item is not None for item in self.answers.items):
            lines.append(f"{number - named} of {counted(number, 'item')} came out in no run.")
        return lines

    def _counts(self) -> list[str]:
        answers = self.answers
        rows = [["chosen" if answers.selected else "asked", *_row(answers.outputs)]]
        if not answers.selected:
            rows += [["came out", *_row(answers.came_out)], ["below", *_row(answers.below)]]
        return aligned_columns([["in one run", "min", "median", "mean", "max"], *rows], range(1, 5))

    def _drawn(self, page: Page) -> list[str]:
        kind = self.answers.kind
        of = counted(len(self.answers.numbers), kind) if kind else f"answers in each of {counted(self.runs, 'run')}"
        return [of, *draw_histogram(self._histogram(), page.width, blocks=page.blocks)]

    def _histogram(self) -> Histogram:
        return histogram_of(self.answers.numbers if self.answers.kind else self.answers.answers)

    def _notes(self) -> list[str]:
        estimates = any(item.estimate is not None for item in self.answers.items)
        return notes_on(self.inputs, selected=self.answers.selected, estimates=estimates)


def _name(item: RepeatedAnswer) -> str:
    return f"(output {item.position})" if item.item is None else item.item


def _deviation(spread: Spread) -> str:
    return "" if spread.deviation is None else f"{spread.deviation:.2f}"


def _row(counts: CountRange) -> list[str]:
    return [str(counts.min), f"{counts.median:g}", f"{counts.mean:.2f}", str(counts.max)]
