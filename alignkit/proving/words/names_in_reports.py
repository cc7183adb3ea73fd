"""The names of a proof's symbols, as a report of the check writes them."""

from __future__ import annotations

import re

# The iteration of a loop is `i`, that of a loop inside another is `j`; prefixes that tell symbols apart are left out.
_NAMES = (
    (re.compile(r"#iteration in loop \d+\.[\d.]+"), "j"),
    (re.compile(r"#iteration(?: in loop \d+)?|#index of the output"), "i"),
    (re.compile(r"#any index \d+|#index that is read"), "j"),
    (re.compile(r"#(?=[A-Za-z_])"), ""),
    (re.compile(r"(?<!the )\bloop: (?=\w)"), ""),
    (re.compile(r"\bomega: (?=\w)"), ""),
    (re.compile(r"(?<![\w)\]])\? (?=\w)"), ""),
)


def in_report_words(text: str) -> str:
    """A text with the symbols of a proof called as the program calls them.

    >>> in_report_words("a[#iteration in loop 0][#iteration in loop 0.1] at 4 / eps, e[-1 + #iteration] at loop: scale")
    'a[i][j] at 4 / eps, e[-1 + i] at scale'
    >>> in_report_words("1 + ? len(omega) <= 0 at the head of the loop: count")
    '1 + len(omega) <= 0 at the head of the loop: count'
    """
    for pattern, name in _NAMES:
        text = pattern.sub(name, text)
    return text
