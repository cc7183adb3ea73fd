"""The sources of the site: every page is in its tables of contents, and every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import staging

PAGES = sorted(path for path in staging.DOCS.rglob("*.md") if "_build" not in path.parts)
OUTSIDE = [staging.ROOT / name for name in staging.PROJECT_PAGES]
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE))


def links(path: Path) -> list[str]:
    found = (match[1] for match in LINK.finditer(without_code(path.read_text(encoding="utf-8"))))
    return [target for target in found if not re.match(r"[a-z]+:", target)]


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("staged") / "source"
    staging.stage(folder)
    return folder


def test_the_index_names_every_page_once() -> None:
    entries = re.findall(r"^\* \[[^\]]*\]\(([^)#]+\.md)\)", (staging.DOCS / "index.md").read_text(), re.MULTILINE)
    pages = {path.relative_to(staging.DOCS).as_posix() for path in PAGES} - {"index.md"}
    outside = {f"../{name}" for name in staging.PROJECT_PAGES}
    assert sorted(entries) == sorted(pages | outside)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(staging.DOCS).as_posix())
def test_every_link_of_a_page_leads_to_a_file_of_the_repository(path: Path) -> None:
    assert [target for target in links(path) if not (path.parent / target).exists()] == []


def test_every_link_of_the_sources_stays_within_them(staged: Path) -> None:
    for path in staged.rglob("*.md"):
        for target in links(path):
            place = (path.parent / target).resolve()
            assert place.is_relative_to(staged.resolve()), (path, target)
            assert place.exists(), (path, target)


def test_line_numbers_stay(staged: Path) -> None:
    for path in PAGES:
        copy = (staged / path.relative_to(staging.DOCS)).read_text(encoding="utf-8").splitlines()
        assert len(copy) >= len(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [it](glossary.md)", "see [it](../glossary.md)"),
        ("see [it](docs/glossary.md#a)", "see [it](../glossary.md#a)"),
        ("see [the map](ARCHITECTURE.md)", "see [the map](architecture.md)"),
        ("see [a file](proofs/laplace.py)", "see a file"),
        ("see [a folder](docs/theory)", "see a folder"),
        ("see [a paper](https://example.org/a)", "see [a paper](https://example.org/a)"),
        ("see [here](#below)", "see [here](#below)"),
        ("```\n[it](docs/glossary.md)\n```\n", "```\n[it](docs/glossary.md)\n```\n"),
    ],
)
def test_links_of_a_page_outside_the_folder(text: str, expected: str) -> None:
    text = text.replace("(glossary.md)", "(docs/glossary.md)")
    assert staging.with_site_links(text, staging.ROOT / "README.md", "project/readme.md") == expected


def anchors(path: Path) -> set[str]:
    """What links can name in a page: its headings, as the site and GitHub write them in links."""
    text = re.sub(r"^(```|~~~).*?^\1", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#{1,4} (.*)$", text, re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("path", [*PAGES, *OUTSIDE], ids=lambda path: path.relative_to(staging.ROOT).as_posix())
def test_every_link_to_a_heading_leads_to_one(path: Path) -> None:
    for file, anchor in re.findall(r"\]\(([^)\s#:]*)#([^)\s]+)\)", without_code(path.read_text(encoding="utf-8"))):
        page = (path.parent / file).resolve() if file else path
        assert page.suffix != ".md" or anchor in anchors(page), f"{file}#{anchor}"


def test_a_page_that_has_moved_leads_to_where_its_text_is(staged: Path, tmp_path: Path) -> None:
    staging.write_redirects(tmp_path)
    written = {path.relative_to(tmp_path).with_suffix("").as_posix(): path for path in tmp_path.rglob("*.html")}
    assert written.keys() == staging.MOVED.keys()
    for name, path in written.items():
        assert not (staged / f"{name}.md").exists(), f"{name} is a page"
        [place] = re.findall(r"url=([^\"]+)", path.read_text(encoding="utf-8"))
        page, _, heading = place.partition("#")
        target = (staged / name).parent / page.replace(".html", ".md")
        assert heading in {"", *anchors(target)}, place


def test_a_list_of_links_becomes_a_table_of_contents() -> None:
    index = "# Top\n\n## Start\n\n* [One](one.md): first.\n* [Two](a/two.md)\n\n## Empty\n\nWords.\n"
    assert staging.contents(index) == (
        "```{toctree}\n:hidden:\n:caption: Start\n\nOne <one>\nTwo <a/two>\n```\n"
    )
