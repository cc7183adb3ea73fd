"""Pictures of the pages: ``python docs/pictures/make_pictures.py`` writes them beside itself.

terminal.svg is the report of a check and page.png a page to explore, both of the README's own program; brackets.png has
the brackets of the catalogue. The second takes chromium and playwright, of the extra `test`; the third, minutes.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from alignkit import load
from alignkit.catalogue import find_alignments
from alignkit.errors import InputError
from alignkit.explorer.page import explorer_page
from alignkit.plotting import LossBracket, loss_bracket, plot_brackets

HERE = Path(__file__).parent

WIDTH, HEIGHT = 1000, 960


def program() -> str:
    """The program of the README."""
    readme = (HERE.parents[1] / "README.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```python\n(# my_svt\.py\n.*?)```", readme, re.DOTALL)
    return str(text)


def terminal(folder: Path) -> str:
    """The report of a check as a terminal shows it, as SVG that needs no font from elsewhere."""
    command = [sys.executable, "-m", "alignkit", "check", "my_svt.py", "--no-cache"]
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": "110"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    console = Console(record=True, width=116, file=io.StringIO(), force_terminal=True)
    console.print("$ alignkit check my_svt.py", highlight=False)
    console.print(Text.from_ansi("\n".join(done.stdout.splitlines()[:18])))
    made = console.export_svg(title="alignkit", unique_id="alignkit")
    return re.sub(r"@font-face \{.*?\}\s*", "", made, flags=re.DOTALL)


def page(folder: Path) -> bytes:
    """A page to explore in a browser, as PNG."""
    from playwright.sync_api import sync_playwright

    file = folder / "page.html"
    file.write_text(explorer_page(load(f"{folder / 'my_svt.py'}::phi")).text, encoding="utf-8")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        opened = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        opened.goto(file.as_uri())
        shot = opened.screenshot()
        browser.close()
    return small(shot, 256)


def brackets() -> bytes:
    """What is certified of the catalogue's mechanisms, beside what is proved, as PNG."""
    found: dict[str, LossBracket] = {}
    for alignment in find_alignments([]):
        with suppress(InputError):
            bracket = loss_bracket(alignment)
            before = found.get(alignment.mechanism.name)
            if before is None or (before.high is None and bracket.high is not None):
                found[alignment.mechanism.name] = replace(bracket, name=alignment.mechanism.name)
    out = io.BytesIO()
    plot_brackets(list(found.values())).savefig(out, format="png", dpi=90)
    return small(out.getvalue(), 64)


def small(picture: bytes, colours: int) -> bytes:
    """A picture with a palette of colours, which makes its file a third as large."""
    from PIL import Image

    out = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(colours).save(out, "png", optimize=True)
    return out.getvalue()


def main() -> None:
    """Write the pictures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "my_svt.py").write_text(program(), encoding="utf-8")
        (HERE / "terminal.svg").write_text(terminal(folder), encoding="utf-8")
        (HERE / "page.png").write_bytes(page(folder))
    (HERE / "brackets.png").write_bytes(brackets())


if __name__ == "__main__":
    main()
