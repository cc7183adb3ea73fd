"""The sources of the site: a copy of the pages in which links and tables of contents are those of the site.

The pages are written so that they read well as files of the repository. In the copy a link to a page that stands
outside ``docs/`` goes to its copy, a link to any other file outside becomes plain text, and each list of links in
``index.md`` becomes a table of contents as well. Line numbers stay as they are, so that warnings name the right line.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"

PROJECT_PAGES = {
    "README.md": "project/readme.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "tests/README.md": "project/tests.md",
}
"""Pages outside ``docs/`` that are part of the site, and where they stand there."""

GENERATED = {
    "python_api.md": [
        "reference/alignkit",
        "reference/alignkit.results",
        "reference/alignkit.confirming",
        "reference/alignkit.attacking",
        "reference/alignkit.implementing",
        "reference/alignkit.laws",
        "reference/alignkit.releasing",
        "reference/alignkit.utility",
        "reference/alignkit.explaining",
        "reference/alignkit.data",
    ],
    "command_line.md": ["reference/help"],
}
"""Pages that are made from the code, by the page below which they stand; ``reference_pages.py`` writes them."""

MOVED = {
    "architecture_loops": "project/architecture#loops-in-the-prover",
    "attacking_a_library": "attacks#attacking-a-library",
    "brackets": "catalogue#brackets-of-the-privacy-loss",
    "course/teacher": "course/README#for-the-teacher",
    "discrete_noise": "number_models#discrete-noise",
    "explain": "command_line#explanations",
    "finding_further": "finding_results#further-mechanisms",
    "finding_peers": "finding_results#the-programs-of-other-tools",
    "finding_times": "finding_results#how-long-it-takes",
    "gallery": "catalogue",
    "interactive": "theory/adaptive-queries#asked-query-by-query",
    "json_schemas": "command_line#json-schemas",
    "least_noise": "choose_a_noise#the-least-noise-that-a-claim-needs",
    "mutation": "catalogue#mutation",
    "notebooks": "python_api#in-a-notebook",
    "pytest_plugin": "gate#the-pytest-plugin",
    "same_law": "python_api#same-law",
    "theory/calls": "theory/loops#calls-of-mechanisms",
    "theory/choice": "theory/loops#finite-choices",
    "theory/cost": "theory/proof-for-all-n#what-a-proof-costs-and-claims-that-depend-on-the-output",
    "theory/exponential-mechanism": "theory/selections#the-exponential-mechanism-by-gumbel-noise-and-with-its-gap",
    "theory/finding": "finding#the-cheapest-alignment-of-a-shape",
    "theory/one-to-one": "theory/proof-for-all-n#one-to-one",
    "theory/scales": "theory/loops#scales-that-vary",
    "theory/several-loops": "theory/loops#several-loops-in-one-proof",
    "theory/sums": "theory/loops#sums-and-running-totals",
    "theory/ties": "number_models#ties-under-discrete-noise",
    "time_limits": "command_line#time-limits-and-worker-processes",
    "types": "python_api#types",
}
"""Names of pages that are parts of other pages now: the page, and the heading there."""

_REDIRECT = """<!doctype html>
<meta charset="utf-8">
<title>This page has moved</title>
<meta http-equiv="refresh" content="0; url={place}">
<p>This page has moved <a href="{place}">here</a>.</p>
"""

# The builder of the site itself, and what it builds.
_LEFT_OUT = shutil.ignore_patterns(
    "_build", "_static", "__pycache__", "conf.py", "build_site.py", "experiments", "explorers.py", "gallery.py",
    "make_pictures.py", "records", "reference_pages.py", "staging.py",
)  # fmt: skip
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")  # of pictures too, whose mark stands before it
_ENTRY = re.compile(r"^\* \[([^\]]*)\]\(([^)#]+\.md)\)", re.MULTILINE)


def stage(to: Path) -> None:
    """Write the sources of the site into a folder, which is emptied first."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(DOCS, to, ignore=_LEFT_OUT)
    for path in DOCS.rglob("*.md"):
        place = path.relative_to(DOCS)
        if "_build" not in place.parts:
            _write(to / place, _site_text(path, place.as_posix()))
    for name, place in PROJECT_PAGES.items():
        _write(to / place, _site_text(ROOT / name, place))
    index = to / "index.md"
    _append(index, contents(index.read_text(encoding="utf-8")))
    for page, generated in GENERATED.items():
        _append(to / page, toctree(generated))


def write_redirects(extra: Path) -> None:
    """Write, for each page that has moved, a page of the site that leads on to where its text is now."""
    for name, target in MOVED.items():
        page, hash_sign, heading = target.partition("#")
        place = f"{os.path.relpath(f'{page}.html', Path(name).parent)}{hash_sign}{heading}"
        _write(extra / f"{name}.html", _REDIRECT.format(place=place))


def contents(index: str) -> str:
    """The tables of contents of a page of links: one for each heading of level two, in order, none of them shown."""
    tables = []
    for section in index.split("\n## ")[1:]:
        pages = [f"{words} <{target.removesuffix('.md')}>" for words, target in _ENTRY.findall(section)]
        if pages:
            tables.append(toctree(pages, section.splitlines()[0]))
    return "\n".join(tables)


def toctree(pages: Iterable[str], caption: str = "") -> str:
    """A table of contents that is shown beside the page only."""
    lines = "\n".join(pages)
    options = f":hidden:\n:caption: {caption}" if caption else ":hidden:"
    return f"```{{toctree}}\n{options}\n\n{lines}\n```\n"


def with_site_links(text: str, path: Path, place: str) -> str:
    """A page's text with the links of the site; ``path`` is its file, ``place`` its path within the site."""

    def linked(match: re.Match[str]) -> str:
        words, target = match.groups()
        file, hash_sign, anchor = target.partition("#")
        if not file or re.match(r"[a-z]+:", target):
            return match[0]
        there = _place_of(Path(os.path.normpath(path.parent / file)))
        if there is None:
            return words
        return f"[{words}]({os.path.relpath(there, Path(place).parent)}{hash_sign}{anchor})"

    parts, end = [], 0
    for fenced in _FENCED.finditer(text):
        parts += [_LINK.sub(linked, text[end : fenced.start()]), fenced[0]]
        end = fenced.end()
    return "".join([*parts, _LINK.sub(linked, text[end:])])


def _place_of(path: Path) -> str | None:
    """Where a file of the repository stands within the site; None if it is not part of it, as a folder is not."""
    if path.is_dir():
        return None
    name = path.relative_to(ROOT).as_posix()
    return name.removeprefix("docs/") if path.is_relative_to(DOCS) else PROJECT_PAGES.get(name)


def _site_text(path: Path, place: str) -> str:
    return with_site_links(path.read_text(encoding="utf-8"), path, place)


def _append(path: Path, text: str) -> None:
    _write(path, f"{path.read_text(encoding='utf-8')}\n{text}")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
