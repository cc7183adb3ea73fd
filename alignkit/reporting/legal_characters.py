"""Text that XML, JSON and logs can hold: characters that some of them forbid are replaced by their codes."""

from __future__ import annotations

import re

# What XML 1.0 does not allow (https://www.w3.org/TR/xml/#charsets): controls, lone surrogates and two noncharacters.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def legal_text(text: str) -> str:
    r"""Replace each character that XML forbids by its code, as Python writes it.

    >>> legal_text("a\x00b\ud800")
    'a\\x00b\\ud800'
    """
    return _ILLEGAL.sub(lambda match: match[0].encode("unicode_escape", "surrogatepass").decode("ascii"), text)
