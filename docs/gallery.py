"""The gallery: a page for each entry of the catalogue, from what the checker says of it and what is on record."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

from explorers import EXTRA, FOLDER, link
from staging import toctree

from alignkit.caching.opening import origin
from alignkit.caching.verdict_cache import meaning_of
from alignkit.catalogue import find_alignments
from alignkit.errors import InputError
from alignkit.explaining import WRITERS, Explanation, explain
from alignkit.explorer.page import page_of
from alignkit.plotting.all_plots import plots_of
from alignkit.plotting.figures import svg
from alignkit.running.alignment_decorator import Alignment

SECONDS = 20.0
"""An entry whose check takes longer has a page that says so, and no proof on it."""

LATE = "the time limit was reached"

PAPERS = {
    "VLDB 2020 paper": "https://doi.org/10.14778/3368289.3368295",
    "VLDB Journal paper": "https://doi.org/10.1007/s00778-022-00728-2",
    "Lyu, Su and Li": "https://doi.org/10.14778/3055330.3055331",
    "CCS 2020 paper": "https://doi.org/10.1145/3372297.3417282",
}
"""How docstrings name papers, and where these are."""


@dataclass(frozen=True)
class Entry:
    """An entry of the catalogue, as far as other pages need it, with the text of its own page."""

    family: str
    mechanism: str
    alignment: str
    claim: str
    adjacency: str
    verdict: str
    source: str
    page: str
    explorer: str = ""
    plots: tuple[tuple[str, str], ...] = ()

    @property
    def place(self) -> str:
        """The path of its page within the folder of the gallery."""
        return f"{self.family}/{self.alignment}.md"


def write_gallery(to: Path, docs: Path, kept: Path | None = None) -> list[Entry]:
    """Write all pages into the folder ``gallery`` of ``to``, and links to them into its page ``catalogue.md``.

    ``docs`` is the folder with the records and with the page of the audit, whose rows are repeated. Entries that are
    in the folder ``kept`` are not checked again, as long as all that they are made from is the same.
    """
    entries = _checked(docs, kept)
    for entry in entries:
        path = to / "gallery" / entry.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(entry.page, encoding="utf-8")
        for name, text in entry.plots:
            path.with_name(f"{entry.alignment}-{name}.svg").write_text(text, encoding="utf-8")
        if entry.explorer:
            explorer = to / EXTRA / FOLDER / entry.family / f"{entry.alignment}.html"
            explorer.parent.mkdir(parents=True, exist_ok=True)
            explorer.write_text(entry.explorer, encoding="utf-8")
    families: dict[str, list[Entry]] = {}
    for entry in entries:
        families.setdefault(entry.family, []).append(entry)
    for family, members in families.items():
        text = f"# {_in_words(family)}\n\n{_table(members)}\n\n{toctree(f'{e.family}/{e.alignment}' for e in members)}"
        (to / "gallery" / f"{family}.md").write_text(text, encoding="utf-8")
    index = to / "catalogue.md"
    text = with_links(index.read_text(encoding="utf-8"), entries)
    index.write_text(f"{text}\n\n{toctree(f'gallery/{family}' for family in families)}", encoding="utf-8")
    return entries


def with_links(catalogue: str, entries: list[Entry]) -> str:
    """The page of the catalogue, where the name of each entry that begins a row is a link to the entry's page."""
    places = {(e.mechanism, e.alignment): e.place for e in entries}

    def linked(match: re.Match[str]) -> str:
        place = places.get((match["mechanism"], match["alignment"]))
        return match[0] if place is None else f"| [{match['words']}](gallery/{place}) |"

    name = r"^\| (?P<words>`(?P<mechanism>\w+)` / `(?P<alignment>\w+)`) \|"
    return re.sub(name, linked, catalogue, flags=re.MULTILINE)


def _checked(docs: Path, kept: Path | None) -> list[Entry]:
    """All entries, checked on all processors where they are not kept; then those of today are kept, and no others."""
    common = [origin().digest, *_digests((*sorted((docs / "records").glob("*.txt")), docs / "paper_audit.md"))]
    common += _digests(sorted(Path(__file__).parent.glob("*.py")))
    names = [f"{_key(alignment, common)}.json" for alignment in find_alignments([])]
    entries = {} if kept is None else {number: e for number, name in enumerate(names) if (e := _read(kept / name))}
    others = [number for number in range(len(names)) if number not in entries]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as executor:
        entries |= zip(others, executor.map(_entry, others, [docs] * len(others)), strict=True)
    if kept is not None:
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        for number, name in enumerate(names):
            (kept / name).write_text(json.dumps(asdict(entries[number])), encoding="utf-8")
    return [entries[number] for number in range(len(names))]


def _key(alignment: Alignment, common: list[str]) -> str:
    """What stands for all that an entry is made from."""
    own = _digests(sorted({Path(alignment.file), Path(inspect.getfile(alignment.mechanism.python))}))
    return hashlib.sha256("\n".join((meaning_of(alignment).digest, *own, *common)).encode()).hexdigest()


def _digests(files: Iterable[Path]) -> list[str]:
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]


def _read(path: Path) -> Entry | None:
    """A kept entry; None where there is none, or the file is not whole."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return Entry(**{**fields, "plots": tuple((name, text) for name, text in fields["plots"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _entry(number: int, docs: Path) -> Entry:
    alignment = find_alignments([])[number]
    return entry_of(alignment, docs)


def entry_of(alignment: Alignment, docs: Path, seconds: float = SECONDS) -> Entry:
    """Check an alignment and write its page."""
    explanation = explain(alignment, timeout=seconds)
    result = explanation.result
    family = Path(alignment.file).stem
    late = any(LATE in text for text in (*result.notes, *(c.how for c in result.conditions.values())))
    verdict = "not checked in time" if late else str(result.verdict)
    summary = _with_papers(_first_line(alignment.mechanism.python))
    explorer = "" if late else _explorer(alignment, explanation)
    plots = () if late else tuple((name, svg(figure)) for name, figure in plots_of(alignment, result))
    body = _late(seconds) if late else _demoted(WRITERS["markdown"](explanation.document))
    page = "\n\n".join(
        part
        for part in (
            f"# {alignment.mechanism.name} / {alignment.name}",
            f"{summary} {_with_papers(_first_line(alignment.python))}",
            _facts(alignment, verdict),
            link(f"{family}/{alignment.name}.html") if explorer else "",
            _ways_on(alignment),
            _code(alignment),
            _pictures(alignment, [name for name, _ in plots]),
            body,
            *recorded(alignment, docs / "records"),
            _audit(alignment, docs),
        )
        if part
    )
    names = (family, alignment.mechanism.name, alignment.name, _claim(alignment), alignment.adjacency)
    return Entry(*names, verdict, summary, f"{page}\n", explorer, plots)


def _explorer(alignment: Alignment, explanation: Explanation) -> str:
    """The page to explore an entry; empty where no pair of runs can be shown."""
    try:
        return page_of(alignment, explanation).text
    except InputError:
        return ""


def _pictures(alignment: Alignment, names: list[str]) -> str:
    captions = {
        "costs": "What each shift costs, beside the claim.",
        "plane": "Where each output comes about under D and D′, over two noises, and where the alignment moves them.",
    }
    shown = [f"![{captions[name]}]({alignment.name}-{name}.svg)\n\n{captions[name]}" for name in names]
    return "\n\n".join(["## Pictures", *shown]) if shown else ""


def _claim(alignment: Alignment) -> str:
    return alignment.claim if alignment.delta is None else f"({alignment.claim}, {alignment.delta})"


def _facts(alignment: Alignment, verdict: str) -> str:
    """The table at the head of a page."""
    rows = {
        "verdict": f"**{verdict}**",
        "claim": f"`{_claim(alignment)}`",
        "adjacency": f"[{alignment.adjacency}](../../glossary.md)",
        "mechanism": f"`{_in_checkout(alignment.mechanism.python)}`",
        "alignment": f"`{_in_checkout(alignment.python)}`",
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())])


def _ways_on(alignment: Alignment) -> str:
    """What a reader can do with the entry, one line each."""
    target = f"{_in_checkout(alignment.python).partition(':')[0]}::{alignment.name}"
    commands = {
        f"alignkit check {target}": "the report of a check",
        f"alignkit explain {target}": "the text below",
        f"alignkit explain {target} --trace": "both runs side by side, statement by statement",
    }
    return "\n".join(f"* `{command}` prints {what}." for command, what in commands.items())


def _code(alignment: Alignment) -> str:
    """The source of the mechanism and of the alignment, with the line numbers of their files."""
    blocks = []
    for function in (alignment.mechanism.python, alignment.python):
        lines, start = inspect.getsourcelines(function)
        text = textwrap.dedent("".join(lines)).rstrip()
        blocks.append(f"```{{code-block}} python\n:lineno-start: {start}\n\n{text}\n```")
    return "\n\n".join(["## The code", *blocks])


def _late(seconds: float) -> str:
    return (
        f"## No proof on this page\n\nThe check takes longer than the {seconds:.0f} seconds that an entry of the "
        "gallery has. `alignkit explain` with a longer `--timeout` writes the proof."
    )


def _demoted(markdown: str) -> str:
    """A document of its own as a part of a page: its title becomes a heading of level two, and so on."""
    fenced = False
    lines = []
    for line in markdown.splitlines():
        fenced ^= line.startswith("```")
        lines.append(f"#{line}" if line.startswith("#") and not fenced else line)
    return "\n".join(lines)


def recorded(alignment: Alignment, records: Path) -> list[str]:
    """The sections about what is on record of an entry, each of which may be empty."""
    return [section(alignment, records) for section in (_bracket, _found, _least_noise, _mutants)]


def _bracket(alignment: Alignment, records: Path) -> str:
    """The brackets of this claim of the mechanism; a claim with delta has none."""
    if alignment.delta is not None:
        return ""
    text = (records / "brackets.txt").read_text(encoding="utf-8")
    start = f"| `{alignment.mechanism.name}` | `{alignment.claim}`"
    found = {row for row, _ in _table_rows(text) if row.startswith(start) and f" | {alignment.adjacency} | " in row}
    words = (
        "What an attack certifies of this claim, at ε = 1 and the parameters under “at” "
        "([brackets](../../catalogue.md#brackets-of-the-privacy-loss)):"
    )
    return _section("The bracket of the privacy loss", words, text, sorted(found))


def _found(alignment: Alignment, records: Path) -> str:
    """What the search finds for the mechanism alone, and how long that took."""
    if alignment.adaptive:
        return ""
    text, times = ((records / f"{name}.txt").read_text(encoding="utf-8") for name in ("found", "times"))
    name, adjacency = alignment.mechanism.name, alignment.adjacency
    rows = [row for row, _ in _table_rows(text) if row.startswith(f"| `{name}` | {adjacency} |")]
    seconds = [row.split(" | ")[-2] for row, _ in _table_rows(times) if row.startswith(f"| {name} | {adjacency} |")]
    words = "What [`find`](../../finding.md) proves, given the mechanism and the adjacency alone"
    if seconds:
        words += f", in [{seconds[0]} s](../../finding_results.md#how-long-it-takes) of processor time"
    return _section("Found", f"{words}:", text, rows)


def _least_noise(alignment: Alignment, records: Path) -> str:
    """Scales that suffice for a claim of the mechanism."""
    text = (records / "least_noise.txt").read_text(encoding="utf-8")
    page = "../../choose_a_noise.md#the-least-noise-that-a-claim-needs"
    words = f"Scales that [`find --noise`]({page}) has found to suffice, and what becomes of the sum of variances:"
    # Of every adjacency: a claim is tried where all answers change in one direction too, which is no entry of its own.
    rows = [row for row, _ in _table_rows(text) if row.startswith(f"| `{alignment.mechanism.name}` |")]
    return _section("The least noise that was found", words, text, rows)


def _mutants(alignment: Alignment, records: Path) -> str:
    """How many mutants of the entry came out which way, and those that are proved, each with the reason."""
    text = (records / "mutation.txt").read_text(encoding="utf-8")
    entry = f"{alignment.mechanism.name}/{alignment.name}"
    counted = [row for row, _ in _table_rows(text) if row.startswith(f"| {entry} |")]
    words = "What came out for changed copies of this entry ([mutation](../../catalogue.md#mutation)):"
    parts = [_section("Mutants", words, text, counted)]
    for section in text.split("\n### ")[1:]:
        reason = section.split("\n\n")[1]
        own = [line for line in section.splitlines() if line.startswith(f"* {entry}, ")]
        if own:
            lines = (f"* {line.removeprefix(f'* {entry}, ')}" for line in own)
            parts.append("\n".join(["Proved, since this holds of them: " + reason, "", *lines]))
    return "\n\n".join(parts) if counted else ""


def _section(heading: str, words: str, text: str, rows: list[str]) -> str:
    """Rows of the first table of a text under a heading of their own; empty if there are none."""
    if not rows:
        return ""
    return "\n".join([f"## {heading}", "", words, "", *_table_head(text), *rows])


def _audit(alignment: Alignment, docs: Path) -> str:
    """The rows of the audit that name the mechanism or the alignment."""
    names = f"(?:{re.escape(alignment.mechanism.name)}|{re.escape(alignment.name)})"
    named = re.compile(rf"(?:`|alignkit \w+ |::){names}(?:`| |$)")
    common = {"phi", "monotone_phi"}
    if alignment.name in common:
        named = re.compile(rf"(?:`|alignkit \w+ |::){re.escape(alignment.mechanism.name)}(?:`| |$)")
    rows = []
    for row, heading in _table_rows((docs / "paper_audit.md").read_text(encoding="utf-8")):
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        if named.search(row) and len(cells) == 5:
            outcome = cells[3].replace("](#", "](../../paper_audit.md#")
            rows.append(f"| {heading} | {' | '.join(cells[:2])} | {outcome} |")
    if not rows:
        return ""
    head = ["| paper | where | what is claimed | outcome |", "|---|---|---|---|"]
    words = "Rows of [the audit](../../paper_audit.md) that name this entry:"
    return "\n".join(["## In the papers", "", words, "", *head, *rows])


def _table_rows(text: str) -> Iterator[tuple[str, str]]:
    """The rows of all tables of a page, each with the heading of level two above it."""
    heading = ""
    for line in text.splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif line.startswith("| "):
            yield line, heading


def _table_head(text: str) -> tuple[str, str]:
    """The first table's line of titles and the rule below it."""
    lines = text.splitlines()
    [rule, *_] = [number for number, line in enumerate(lines) if line.startswith("|---")]
    return lines[rule - 1], lines[rule]


def _table(entries: list[Entry]) -> str:
    head = "| mechanism / alignment | claim | adjacency | verdict | the mechanism |\n|---|---|---|---|---|"
    rows = (
        f"| [{e.mechanism} / {e.alignment}]({e.place}) | `{e.claim}` | {e.adjacency} | {e.verdict} |"
        f" {e.source} |"
        for e in entries
    )
    return "\n".join([head, *rows])


def _first_line(function: Callable[..., object]) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0].replace("_", r"\_").replace("*", r"\*")


def _with_papers(text: str) -> str:
    """A text in which the name of each paper is a link to it, where it first occurs."""
    for name, place in PAPERS.items():
        text = text.replace(name, f"[{name}]({place})", 1)
    return text


def _in_checkout(function: Callable[..., object]) -> str:
    """The file and the line of a function, as they stand in a checkout."""
    path = Path(inspect.getfile(function))
    return f"{path.parent.name}/{path.name}:{inspect.getsourcelines(function)[1]}"


def _in_words(name: str) -> str:
    text = name.replace("_", " ")
    return text[:1].upper() + text[1:]
