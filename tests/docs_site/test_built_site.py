"""The site as it is built: no warning, a page for everything, and nothing that must be loaded from elsewhere."""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright
from staging import DOCS, MOVED, PROJECT_PAGES

from alignkit.catalogue import find_alignments

pytestmark = pytest.mark.slow

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
no_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed in which the site could be opened")
PAGES = ["index", "catalogue", "ten_minutes", "theory/proof-for-all-n", "gallery/sparse_vector/gap_phi"]


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


def test_formulas_are_typeset_without_a_script(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "$$" not in re.sub(r"<pre>.*?</pre>", "", text, flags=re.DOTALL), path
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML"' in (site / "ten_minutes.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module", params=[1280, 390])
def window(request: pytest.FixtureRequest) -> Iterator[Page]:
    """A window of a browser on a desk, and one of a telephone."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser.new_page(viewport={"width": request.param, "height": 900})
        browser.close()


@no_browser
@pytest.mark.parametrize("page", PAGES)
def test_no_page_is_wider_than_its_window(site: Path, window: Page, page: str) -> None:
    problems: list[str] = []
    window.on("pageerror", lambda error: problems.append(str(error)))
    window.goto((site / f"{page}.html").as_uri())
    assert window.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert len(window.screenshot()) > 10_000, "the window is not empty"
    assert problems == []


@no_browser
def test_the_first_page_begins_with_code_and_has_three_doors(site: Path, window: Page) -> None:
    window.goto((site / "index.html").as_uri())
    assert window.locator("pre").first.bounding_box()["y"] < 900
    assert window.locator("article table th").all_text_contents() == ["Prove", "Teach", "Gate"]
    assert window.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")


@no_browser
def test_the_effect_of_a_slider_is_in_view_beside_it(site: Path, window: Page) -> None:
    window.goto((site / "ten_minutes.html").as_uri())
    window.locator("iframe.explorer").scroll_into_view_if_needed()
    frame = window.frame_locator("iframe.explorer")
    slider, verdict = frame.get_by_role("slider", name="change of q[1], by slider"), frame.locator("#verdict")
    slider.scroll_into_view_if_needed()
    slider.focus()
    before = verdict.inner_text()
    for _ in range(6):
        slider.press("ArrowRight")
    assert verdict.inner_text() != before
    edges = window.locator("iframe.explorer").bounding_box()
    for box in (verdict.bounding_box(), slider.bounding_box()):
        assert max(0, edges["y"]) <= box["y"] <= box["y"] + box["height"] <= min(900, edges["y"] + edges["height"])


@no_browser
def test_the_catalogue_is_filtered_by_words(site: Path, window: Page) -> None:
    window.goto((site / "catalogue.html").as_uri())
    window.locator("input.table-filter").first.fill("refuted top_k")
    rows = window.locator("table.docutils").first.locator("tbody tr:visible")
    texts = [text.lower() for text in rows.all_text_contents()]
    assert 0 < len(texts) < 20
    assert all("refuted" in text and "top_k" in text for text in texts)
