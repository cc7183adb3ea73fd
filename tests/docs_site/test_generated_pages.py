"""Pages that are made from the code: the gallery, the Python interface, and the help of each command."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import gallery
import pytest
from explorers import write_explorers
from gallery import Entry, entry_of, recorded, write_gallery
from reference_pages import help_page, write_reference
from staging import DOCS, GENERATED

import alignkit
from alignkit.catalogue import load
from alignkit.cli.entry import COMMANDS
from alignkit.running.alignment_decorator import Alignment


def entry(name: str, seconds: float = 60.0) -> Entry:
    alignment = load(f"alignkit.proofs.{name}")
    assert isinstance(alignment, Alignment)
    return entry_of(alignment, DOCS, seconds)


def test_a_proved_entry() -> None:
    made = entry("sparse_vector.gap_phi")
    assert (made.place, made.verdict) == ("sparse_vector/gap_phi.md", "proved")
    headings = re.findall(r"^## (.*)$", made.page, re.MULTILINE)
    assert headings == [
        "The code",
        "Pictures",
        "sparse_vector_with_gap / gap_phi: a proof of eps-DP",
        "The bracket of the privacy loss",
        "Found",
        "The least noise that was found",
        "Mutants",
        "In the papers",
    ]
    assert "**Theorem.**" in made.page
    assert "∎" in made.page
    assert "    gap = q_i + eta_i - (T + eta)\n" in made.page
    assert "(https://doi.org/10.14778/3368289.3368295)" in made.page
    assert "| holds |" in made.page
    assert '<a href="../../explore/sparse_vector/gap_phi.html">Explore this alignment</a>' in made.page
    assert '"label":"Leave out the break in line 53"' in made.explorer
    assert [name for name, text in made.plots if "<svg" in text] == ["costs", "plane"]


def test_a_refuted_entry() -> None:
    made = entry("noisy_max_broken.maximum_phi")
    assert made.verdict == "refuted"
    assert "### Where the argument breaks" in made.page
    assert "| not private |" in made.page
    assert "∎" not in made.page


def test_the_explorer_of_a_page_shows_the_program_of_the_page(tmp_path: Path) -> None:
    program = (
        "# mine.py\nfrom alignkit import Epsilon, Noise, Query, alignment, mechanism\n\n\n@mechanism\n"
        "def noisy(q: Query, eps: Epsilon, noise: Noise):\n    e = noise.laplace(1 / eps)\n    return q + e\n\n\n"
        '@alignment(noisy, epsilon="eps")\ndef phi(q, q_, H):\n    return H.shift(e=q - q_)\n'
    )
    text = f"# Mine\n\n```python\n{program}```\n\n<!-- explorer: mine.py::phi -->\n"
    (tmp_path / "mine.md").write_text(text, encoding="utf-8")
    (tmp_path / "other.md").write_text("# Other\n", encoding="utf-8")
    extra = write_explorers(tmp_path)
    assert [path.name for path in (extra / "explore").iterdir()] == ["mine.html"]
    assert "noisy / phi" in (extra / "explore" / "mine.html").read_text(encoding="utf-8")
    page = (tmp_path / "mine.md").read_text(encoding="utf-8")
    assert 'src="explore/mine.html"' in page
    assert "<!--" not in page


def test_an_entry_that_is_not_checked_in_time() -> None:
    made = entry("adaptive_sparse_vector.many_branches_phi", seconds=0.01)
    assert made.verdict == "not checked in time"
    assert "## No proof on this page" in made.page
    assert "a proof of" not in made.page
    assert "∎" not in made.page


def test_every_figure_on_record_stands_on_the_page_of_an_entry() -> None:
    records = DOCS / "records"
    entries = alignkit.catalogue.find_alignments([])
    shown = {line for entry in entries for part in recorded(entry, records) for line in part.splitlines()}
    for name in ("found", "least_noise"):
        text = (records / f"{name}.txt").read_text(encoding="utf-8")
        assert {row for row in text.splitlines() if row.startswith("| `")} <= shown
    brackets = (records / "brackets.txt").read_text(encoding="utf-8").partition("\n\n")[0]
    assert set(brackets.splitlines()) <= shown
    mutation = (records / "mutation.txt").read_text(encoding="utf-8")
    counted = re.findall(r"^\| \S+/\S+ \|.*$", mutation, re.MULTILINE)
    proved = re.findall(r"^\* \S+/\S+, (.*)$", mutation, re.MULTILINE)
    assert len(counted) > 80
    assert {*counted, *(f"* {words}" for words in proved)} <= shown


def test_headings_of_programs_stay_as_they_are() -> None:
    made = entry("sparse_vector.gap_phi")
    for block in re.findall(r"^```.*?^```$", made.page, re.DOTALL | re.MULTILINE):
        assert not re.search(r"^##", block, re.MULTILINE)


@pytest.mark.slow
def test_entries_are_kept_while_what_they_are_made_from_is_the_same(tmp_path: Path, monkeypatch) -> None:
    alignment, *_ = alignkit.catalogue.find_alignments([])
    monkeypatch.setattr(gallery, "find_alignments", lambda targets: [alignment])
    kept = tmp_path / "entries"

    def written(comment: str) -> tuple[str, str]:
        """The page of the entry, and the name under which it is kept."""
        records = tmp_path / "docs"
        shutil.copytree(DOCS / "records", records / "records", dirs_exist_ok=True)
        (records / "paper_audit.md").write_text(comment, encoding="utf-8")
        (tmp_path / "catalogue.md").write_text("", encoding="utf-8")
        [entry] = write_gallery(tmp_path, records, kept)
        [file] = kept.iterdir()
        return entry.page, file.name

    first = written("")
    for name in kept.iterdir():
        changed = json.loads(name.read_text(encoding="utf-8")) | {"page": "from the folder"}
        name.write_text(json.dumps(changed), encoding="utf-8")
    assert written("") == ("from the folder", first[1]), "it is not checked again"
    page, name = written("another audit")
    assert (page, name != first[1]) == (first[0], True)
    (kept / name).write_text("{", encoding="utf-8")
    assert written("another audit") == (page, name), "a file that is cut off counts as none"


@pytest.mark.slow
def test_the_gallery_has_every_entry(tmp_path: Path) -> None:
    (tmp_path / "catalogue.md").write_text((DOCS / "catalogue.md").read_text(encoding="utf-8"), encoding="utf-8")
    entries = write_gallery(tmp_path, DOCS)
    catalogue = alignkit.catalogue.find_alignments([])
    assert [(e.mechanism, e.alignment) for e in entries] == [(a.mechanism.name, a.name) for a in catalogue]
    assert len({e.place for e in entries}) == len(entries)
    assert all((tmp_path / "gallery" / e.place).is_file() for e in entries)
    page = (tmp_path / "catalogue.md").read_text(encoding="utf-8")
    linked = re.findall(r"^\| \[.*?\]\(gallery/(\S+)\) \|", page, re.MULTILINE)
    assert sorted(linked) == sorted(e.place for e in entries)
    expected = {a.expect for a in catalogue}
    assert {e.verdict for e in entries} <= {*expected, "not checked in time"}
    for made, alignment in zip(entries, catalogue, strict=True):
        assert made.verdict in (alignment.expect, "not checked in time")


def test_every_public_name_is_in_the_reference(tmp_path: Path) -> None:
    write_reference(tmp_path)
    page = (tmp_path / "reference" / "alignkit.rst").read_text(encoding="utf-8")
    shown = set(re.findall(r"^\.\. [\w:]+:: alignkit\.(\w+)$", page, re.MULTILINE))
    assert shown == {name for name in alignkit.__all__ if not name.startswith("__")}
    for places in GENERATED.values():
        for place in places:
            assert any((tmp_path / f"{place}{ending}").is_file() for ending in (".rst", ".md"))
    written = {path.relative_to(tmp_path).with_suffix("").as_posix() for path in (tmp_path / "reference").iterdir()}
    assert written == {place for places in GENERATED.values() for place in places}


def test_the_help_on_the_site_is_what_the_commands_print() -> None:
    sections = dict(re.findall(r"^## (alignkit.*?)\n\n```text\n(.*?)```$", help_page(), re.DOTALL | re.MULTILINE))
    assert list(sections) == ["alignkit", *(f"alignkit {name}" for name in COMMANDS)]
    for command, shown in sections.items():
        arguments = [*command.split()[1:], "--help"]
        done = subprocess.run([sys.executable, "-m", "alignkit", *arguments], capture_output=True, text=True)
        assert done.stdout == shown
