"""Build the site: ``python docs/build_site.py`` writes it to ``docs/_build/html``; warnings are errors.

With ``--without-gallery`` the catalogue is not checked, and its entries have no pages of their own.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from explorers import write_explorers
from gallery import write_gallery
from reference_pages import write_reference
from sphinx.cmd.build import build_main
from staging import DOCS, stage, write_redirects


def main(arguments: list[str]) -> int:
    """Build the site and return the exit code."""
    parser = argparse.ArgumentParser(description="Build the site of the documentation.")
    parser.add_argument("--without-gallery", action="store_true", help="do not check the catalogue")
    parser.add_argument("--to", type=Path, default=DOCS / "_build", help="folder for the site and its sources")
    options = parser.parse_args(arguments)
    source, site = options.to / "source", options.to / "html"
    stage(source)
    write_reference(source)
    if not options.without_gallery:
        write_gallery(source, DOCS, options.to / "entries")
    extra = write_explorers(source)
    write_redirects(extra)
    flags = ["-b", "html", "-c", str(DOCS), "-d", str(options.to / "doctrees"), "-W", "--keep-going", "-q"]
    flags += ["-D", f"html_extra_path={extra.resolve()}"]
    code = build_main([*flags, "-j", "auto", "-a", "-E", str(source), str(site)])
    if code == 0:
        print(f"the site: {site / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
