"""What docs/python_api.md says of equal laws is truthful: its programs print what stands below them."""

import contextlib
import io
import re

from support.pages import section

BLOCKS = re.compile(r"^```(python)?\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def test_programs_print_what_the_page_says():
    names: dict[str, object] = {}
    printed = ""
    compared = 0
    for language, text in BLOCKS.findall(section("python_api.md", "## Same law")):
        if language:
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(text, names)
            printed = out.getvalue()
        else:
            assert printed == text
            compared += 1
    assert compared == 4
