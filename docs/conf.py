"""Settings of Sphinx for the site; ``make docs`` builds it from the copy of the pages that ``staging.py`` makes."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert

from alignkit.version import __version__

project = "alignkit"
author = "The alignkit authors"
copyright = "the alignkit authors"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["dollarmath"]
html_math_renderer = "mathml"
root_doc = "index"
language = "en"

html_theme = "furo"
html_title = f"alignkit {version}"
html_copy_source = False
html_show_sphinx = False
# A summary would be read from the page that was found, which browsers refuse to pages opened from a folder.
html_show_search_summary = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("filter.js", {"defer": "defer"})]

myst_heading_anchors = 4
# A page may leave out a level of headings, and dots in a block of Python stand for what it leaves out.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

# Most blocks without a language are commands and reports.
highlight_language = "none"
pygments_style = "friendly"
pygments_dark_style = "monokai"

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
# In docstrings, single backquotes hold code too.
default_role = "code"


def _with_bars(app: object, kind: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """Keep the bars of absolute values in a docstring, which reStructuredText reads as substitutions."""
    lines[:] = [line.replace("|", "\\|") if "``" not in line else line for line in lines]


def _formula(translator: Any, node: Any) -> None:
    """Write a formula as MathML, which browsers show without a script."""
    display = "inline" if isinstance(node, nodes.math) else "block"
    formula = convert(node.astext(), display=display)
    # A prime that is made a superscript is too small to be seen.
    translator.body.append(re.sub(r"<msup>(<mi>\w</mi>)<mi>&#x02032;</mi></msup>", r"\1<mo>&#x02032;</mo>", formula))
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Register with Sphinx."""
    app.add_html_math_renderer("mathml", (_formula, None), (_formula, None))
    app.connect("autodoc-process-docstring", _with_bars)
