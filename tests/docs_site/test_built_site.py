"""The site as it is built: no warning, a page for everything, and nothing that must be loaded from elsewhere."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path

import pytest
from staging import DOCS, MOVED, PROJECT_PAGES

from alignkit.catalogue import find_alignments

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as ``make docs`` does; a warning is an error there."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, DOCS / "build_site.py", "--to", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html"


def test_every_page_is_there(site: Path) -> None:
    pages = [path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md") if "_build" not in path.parts]
    pages += [Path(place).with_suffix("") for place in PROJECT_PAGES.values()]
    pages += [Path("gallery", Path(a.file).stem, a.name) for a in find_alignments([])]
    pages += [Path("reference", "alignkit"), Path("reference", "help"), Path("search")]
    assert [page for page in pages if not (site / f"{page}.html").is_file()] == []


def test_a_page_that_has_moved_leads_to_a_heading_of_the_site(site: Path) -> None:
    for name, target in MOVED.items():
        assert (site / f"{name}.html").is_file()
        page, _, heading = target.partition("#")
        assert not heading or f'id="{heading}"' in (site / f"{page}.html").read_text(encoding="utf-8"), target


def test_the_site_opens_from_a_folder(site: Path) -> None:
    """What a page loads, and every page that it leads to, is a file of the site."""
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"([^\"]+)\"", text)
        assert [place for place in loaded if re.match(r"(https?:)?//", place)] == [], path
        for place in {*loaded, *re.findall(r"<a\b[^>]*?href=\"([^\"]+)\"", text)}:
            file = html.unescape(place).partition("#")[0].partition("?")[0]
            if file and not re.match(r"[a-z]+:", file):
                assert (path.parent / file).exists(), (path, place)


def test_the_search_works_without_a_server(site: Path) -> None:
    """The index is a program that the page loads, and the page shows no summaries, which it would have to fetch."""
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    assert "sparse_vector_with_gap" in index
    search = (site / "search.html").read_text(encoding="utf-8")
    assert 'src="searchindex.js"' in search
    options = (site / "_static" / "documentation_options.js").read_text(encoding="utf-8")
    assert "SHOW_SEARCH_SUMMARY: false" in options
