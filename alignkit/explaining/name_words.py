"""What the names in a written proof stand for that selections and alignments bring in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from alignkit.explaining.named_values import NamedValue
from alignkit.explaining.readable_formulas import readable, readable_term
from alignkit.proving.facts.universals import PROBE_SYMBOL
from alignkit.proving.proof import Proof
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.formulas import Comparison, Or
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within
from alignkit.symbolic.trees import Role

_ANY_POSITION = Term.of(Symbol("any index 0", Role.INDEX, integer=True))

# The chapters that say what selected positions are.
_SELECTIONS = "docs/theory/proof-for-all-n.md#selections"
_RANKS = "docs/theory/selections.md#what-is-known"
_SELECTED = "docs/theory/selections.md#what-the-selected-cost-together"


def what_names_stand_for(text: str, proof: Proof, named: Sequence[NamedValue]) -> Iterator[str]:
    """What the names in a text stand for that selections bring in."""

    def occurs(name: str) -> bool:
        return re.search(rf"(?<![\w.]){name}\b", text) is not None

    if occurs("best"):
        words = "`best`, `best_2` and so on are the positions that `largest` selects, in order; of equal values"
        yield f"{words} that of the lower position comes first [{_SELECTIONS}]."
    for name, beaten in _extrema(proof).items():
        if occurs(name):
            least = "smallest" if name.startswith("argmin") else "largest"
            words = f"`{name}` is the first position of the {least} value over which a `{name[3:6]}` is taken"
            ties = " (ties have probability 0)" if " < " in beaten else ""
            yield f"{words}: `{beaten}` for every other `j` among these{ties}."
    for n in (n for n in named if n.moved is None and occurs(readable_term(n.name))):
        yield f"`{readable_term(n.name)}` is `{readable_term(n.value)}`."
    if occurs("the answers rise"):
        yield "`the answers rise` is the direction in which all answers change from D to D′; otherwise they fall."
    if occurs("rank") or occurs("position"):
        words = "`rank[j]` is the rank of position `j` in the order of `largest`, 0 for the first, and"
        of_equal = "of equal values that of the lower position comes first"
        yield f"{words} `position[i]` the position of rank `i`; {of_equal} [{_RANKS}]."
    if occurs("d"):
        words = "`d` is, of the positions that are selected and have no other name here, one whose shift costs most"
        together = "what they cost together is at most their number times that, or 0"
        yield f"{words}: {together} [{_SELECTED}]."
    if occurs("s") and occurs("r"):
        yield "`s` is any position that D selects, and `r` any that D ranks after it."


def _extrema(proof: Proof) -> dict[str, str]:
    """What is known of each position that `max` and `min` select, in words, by its name."""
    found: dict[str, str] = {}
    universals = (u for d in proof.decided for u in d.obligation.hypotheses.facts.universals)
    for general in dict.fromkeys(u.general for u in universals if isinstance(u.general, Or)):
        beaten = general.parts[-1]
        for at in (Term.of(a) for a in atoms_within(beaten) if a.key.startswith(("#argmax", "#argmin"))):
            # At the position itself what is said of all others compares a value with itself.
            if isinstance(beaten, Comparison) and not substitute(beaten.term, {PROBE_SYMBOL: at}).parts:
                found[readable_term(at)] = readable(substitute(beaten, {PROBE_SYMBOL: _ANY_POSITION}))
    return found
