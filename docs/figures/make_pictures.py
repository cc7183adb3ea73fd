"""The pictures of the README: ``python docs/figures/make_pictures.py`` writes terminal.svg and page.png beside itself.

The first is the report of a check, the second a page to explore, both of the README's own program. The second takes
chromium and playwright, of the extra `test`.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from alignkit import load
from alignkit.explorer.page import explorer_page

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
    from PIL import Image
    from playwright.sync_api import sync_playwright

    file = folder / "page.html"
    file.write_text(explorer_page(load(f"{folder / 'my_svt.py'}::phi")).text, encoding="utf-8")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        opened = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        opened.goto(file.as_uri())
        shot = opened.screenshot()
        browser.close()
    out = io.BytesIO()
    Image.open(io.BytesIO(shot)).convert("RGB").quantize(256).save(out, "png", optimize=True)
    return out.getvalue()


def main() -> None:
    """Write both pictures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "my_svt.py").write_text(program(), encoding="utf-8")
        (HERE / "terminal.svg").write_text(terminal(folder), encoding="utf-8")
        (HERE / "page.png").write_bytes(page(folder))


if __name__ == "__main__":
    main()
