"""A row of the table of the literature."""

from __future__ import annotations

from dataclasses import dataclass

PROVED, REFUTED, NOT_PRIVATE, CANNOT = "proved", "refuted", "not private", "cannot be stated"
UNDECIDED, NOT_STATED = "undecided", "not stated"


@dataclass(frozen=True)
class Row:
    """A mechanism of the literature, with the claim that is tried and what is expected of it.

    ``expected`` says whether the claim holds and can be proved ("proved"), whether the alignment with this claim is
    wrong ("refuted"), whether the mechanism does not keep the claim ("not private"), or whether the language has no
    words for it ("cannot be stated"). ``program`` names the file and the alignment, or is empty if the program is
    ``<family>/<name>.py`` in this folder. ``at_first`` is the expectation before the row was tried, where it was
    wrong, and ``rewrite`` says how the program differs from the published one. ``eps``, ``fixed`` and ``effort`` are
    those of the attack on a mechanism that is not private.
    """

    name: str
    source: str
    claim: str
    expected: str = PROVED
    adjacency: str = "each"
    family: str = ""
    why: str = ""
    program: str = ""
    at_first: str = ""
    rewrite: str = ""
    eps: str = "1"
    fixed: tuple[tuple[str, int], ...] = ()
    effort: int = 1000
