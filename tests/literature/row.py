"""A row of the table of the literature."""

from __future__ import annotations

from dataclasses import dataclass

PROVED, REFUTED, NOT_PRIVATE, CANNOT = "proved", "refuted", "not private", "cannot be stated"


@dataclass(frozen=True)
class Row:
    """A mechanism of the literature, with the claim that is tried and what is expected of it.

    ``expected`` says whether the claim holds and can be proved ("proved"), whether the alignment with this claim is
    wrong ("refuted"), whether the mechanism does not keep the claim ("not private"), or whether the language has no
    words for it ("cannot be stated"). ``program`` names the file and the alignment, or is empty if the program is
    ``<family>/<name>.py`` in this folder.
    """

    name: str
    source: str
    claim: str
    expected: str = PROVED
    adjacency: str = "each"
    family: str = ""
    why: str = ""
    program: str = ""
