"""What the names in a written proof stand for that selections and alignments bring in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from alignkit.explaining.grounds import about_positions, fewest, follows, settled
from alignkit.explaining.named_values import NamedValue
from alignkit.explaining.obligation_words import one_after_another
from alignkit.explaining.readable_formulas import in_program_words, own_symbol, readable, readable_term
from alignkit.proving.facts.universals import PROBE_SYMBOL
from alignkit.proving.proof import Proof
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import And, Comparison, Or, conjunction
from alignkit.symbolic.substitution import substitute
from alignkit.symbolic.terms import Term, atoms_within
from alignkit.symbolic.trees import Atom, Role
from alignkit.symbolic.z3_solver import Z3Solver

_ANY_POSITION = Term.of(Symbol("any index 0", Role.INDEX, integer=True))

# A longer condition on the positions over which a `max` is taken is left to the text of the program.
_LONGEST = 110

# The chapters that say what selected positions are.
_SELECTIONS = "docs/theory/proof-for-all-n.md#selections"
_RANKS = "docs/theory/selections.md#what-is-known"
_KNOWN = "docs/theory/loops.md#what-is-known"
_SUMS = "docs/theory/loops.md#sums-and-running-totals"
_SELECTED = "docs/theory/selections.md#what-the-selected-cost-together"

# The words of the obligation that is the premise of the selection lemma.
SELECTION_LEMMA = "on D' too, what D selects comes before everything that D ranks after it"


def what_names_stand_for(
    text: str, proof: Proof, named: Sequence[NamedValue], solver: Z3Solver, *, reads_direction: bool = False
) -> Iterator[str]:
    """What the names in a text stand for that selections bring in."""

    def occurs(name: str) -> bool:
        return re.search(rf"(?<![\w.]){name}\b", text) is not None

    if occurs("best") and (occurs("best_2") or "best′" in text):
        words = "`best`, `best_2` and so on are the positions that `largest` selects, in order; of equal values"
        yield f"{words} that of the lower position comes first [{_SELECTIONS}]."
    for name, (beaten, where) in _extrema(proof).items():
        if occurs(name):
            least = "smallest" if name.startswith("argmin") else "largest"
            words = f"`{name}` is the first position of the {least} value over which a `{name[3:6]}` is taken"
            ties = " (ties have probability 0)" if " < " in beaten else ""
            among = f"other `j` with `{where}`" if 0 < len(where) <= _LONGEST else "other `j` among these"
            yield f"{words}: `{beaten}` for every {among}{ties}."
    for name, value in ((readable_term(n.name), readable_term(n.value)) for n in named if n.moved is None):
        if occurs(name) and name != value:  # of public numbers the program says it
            yield f"`{name}` is `{value}`."
    if occurs("the answers rise") or occurs("the answers do not rise"):
        words = "`the answers rise` says in which direction the answers change: then no answer of D′ is below that of D"
        numbers = "; `direction` is 1 then, and -1 otherwise" if reads_direction else ""
        yield f"{words}, and otherwise none is above it{numbers}."
    if occurs("rank") or occurs("position"):
        words = "`rank[j]` is the rank of position `j` in the order of `largest`, 0 for the first, and"
        of_equal = "of equal values that of the lower position comes first"
        yield f"{words} `position[i]` the position of rank `i`; {of_equal} [{_RANKS}]."
    # Not the shift in ln f(x)/f(x+d), nor an item (d) of a page.
    d, s, r = map(own_symbol, ("d", "s", "r"))
    if re.search(rf"\[{d}\b|\b{d} [<≤+=] |[<≤] {d}\b|`{d}`|total shift of the selected|what the selected", text):
        words = f"`{d}` is, of the positions that are selected{_but_for_named(proof)}, one whose shift costs most"
        none = _why_there_is_one(proof, solver)
        exists = f"; there is such a position, as {none}" if none else ", where there is such a position"
        yield f"{words}{exists} [{_SELECTED}]."
    for name in dict.fromkeys(re.findall(r"total shift of the selected \w+|what the selected \w+ cost", text)):
        unit = ", in units of what a shift by 1 costs" if name.startswith("total") else ""
        words = f"`{name}` is the number of these positions times what the shift of `{d}` costs{unit}"
        words = f"{words} (0 for less than 0)"
        together = "the shifts at these positions cost no more together"
        most = f"where that of `{d}` costs at most 2, it is at most twice their number, and so for other bounds"
        yield f"{words}, and 0 where there are none: {together}; {most} [{_SELECTED}]."
    for name in dict.fromkeys(re.findall(r"dearest index of \w+", text)):
        words = f"`{name}` is a position in this list at which what is added up is greatest"
        yield f"{words}: all together come to no more than this times their number, or to 0 where it is less."
    if occurs(s) and occurs(r):
        yield from _ranked(proof)
    for name in dict.fromkeys(re.findall(r"(?<![\w.])(\w+)~", text)):
        value = "stands for" if any(readable_term(n.name) == name for n in named) else "is"
        words = f"`{name}~` is what `{name}` {value}" if value == "stands for" else f"`{name}~` is `{name}`"
        yield f"{words} for a second noise vector, with the same output and the same image under the alignment."
    if re.search(r"`[^`]*\boutputs so far\b[^`]*`", text):
        yield "`outputs so far` is how many outputs there are before the iteration, or when the loop is over."
    if occurs("the last iteration"):
        yield "`the last iteration` is the number of the iteration in which D returns, or of the items where none does."
    if occurs("the change of the answers over windows of"):
        words = "`the gain of the change of the answers over windows of w` after `t` iterations is `B(t) - B(t - w)`"
        sums = "`A(t)` is the sum of the changes of the first `t` answers and `B(t) = A(1) + … + A(t)`, both 0 below"
        grows = "it grows by `A(t + 1) - A(t + 1 - w)`, and by no more do the last `w` answers change"
        yield f"{words}, where {sums} `t = 1`: {grows} [{_KNOWN}]."
    ago = re.search(r"the gain of the change of the answers up to (\S+) iterations ago", text)
    if ago or re.search(r"the gain of the change of the answers(?! up to| over)", text):
        words = "`the gain of the change of the answers` is `A(i)`, what adjacency has spent on the first `i` answers"
        yield f"{words}{f', and up to {ago[1]} iterations ago it is `A(i - {ago[1]})`' if ago else ''} [{_KNOWN}]."
    if "j < · " in text:
        yield f"In a sum within a sum `·` stands for the index of the outer one [{_SUMS}]."
    one = own_symbol("one")
    if f"[{one}]" in text:
        yield f"`{one}` is a position at which what `all` asks fails, or what `any` asks holds, where there is one."
    read = own_symbol("p")
    if occurs("whose own shift reads no noise") and occurs(read):
        yield f"`{read}` is, where one shift reads other noise, the position of what it reads."
    for name in dict.fromkeys(re.findall(r"item of \w+ of \w+", text)):
        _, array, _, call = name.removeprefix("item ").split(" ")
        yield f"`{name}` is the position of any item of the list `{array}` that the call of `{call}` gets."
    for name in dict.fromkeys(n for n in map(in_program_words, _called(proof)) if n in text):
        yield f"`{name}` is what the call gives, which is the same on D and D′."
    if occurs("clamp"):
        words = "`clamp(x, low, high)` is the number nearest to `x` from `low` to `high`: it does not fall as `x` rises"
        yield f"{words}, changes by at most as much as `x`, and by as much as all three where they change alike."


# How a number stands to 0 where a relation to it does not hold.
_OTHERWISE = {"<": "≥ 0", "<=": "> 0", "==": "≠ 0", "!=": "= 0"}


def _why_there_is_one(proof: Proof, solver: Z3Solver) -> str:
    """Why there is, wherever a cost is owed, a dearest of the selected positions."""
    owed = [d.obligation for d in proof.decided if d.obligation.condition == "cost"]
    facts = [about_positions(o) for o in owed if any(map(_dearest_within, o.hypotheses.near))]
    shown: dict[str, None] = {}
    for known in dict.fromkeys(facts):
        position = next(filter(None, map(_dearest_within, known)), None)
        exists = False if position is None else Term.of(position).compare(">=", 0)
        if not follows(known, exists, solver):
            return ""
        # The definition says "there are none, or it is one of them".
        defining = (f for f in fewest(known, exists, solver) if isinstance(f, Or) and _dearest_within(f))
        for part in (part for f in defining for part in f.parts):
            if not isinstance(part, Comparison) or _dearest_within(part):
                continue
            number = settled(part.term, known, solver)
            otherwise = "≥ 1" if part.relation == "<=" and number.integer else _OTHERWISE[part.relation]
            shown[f"`{readable_term(number)} {otherwise}`"] = None
    return " and ".join(shown)


def _but_for_named(proof: Proof) -> str:
    """Which of the selected positions the dearest is none of, as they are counted by themselves; empty for none."""
    names: dict[str, None] = {}
    owed = (d.obligation for d in proof.decided if d.obligation.condition == "cost")
    for fact in dict.fromkeys(f for o in owed for f in o.hypotheses.near if isinstance(f, Or)):
        for part in fact.parts[-1].parts if isinstance(fact.parts[-1], And) else ():
            others = [a for a in atoms_within(part) if a != _dearest_within(part)]
            if isinstance(part, Comparison) and part.relation == "!=" and _dearest_within(part) and len(others) == 1:
                names[readable_term(Term.of(others[0]))] = None
    return f" and other than {one_after_another(f'`{name}`' for name in sorted(names))}" if names else ""


def _dearest_within(formula: Any) -> Atom | None:
    return next((atom for atom in atoms_within(formula) if atom.key.startswith("#dearest of the selected")), None)


def _called(proof: Proof) -> Iterator[str]:
    """The numbers that calls give."""
    goals = (d.obligation.goal for d in proof.decided if not isinstance(d.obligation.goal, bool))
    yield from (a.key for goal in goals for a in atoms_within(goal) if isinstance(a, Symbol) and a.called)


def _ranked(proof: Proof) -> Iterator[str]:
    """Which positions the premise of the selection lemma is about."""
    owed = next((d.obligation for d in proof.decided if d.obligation.words == SELECTION_LEMMA), None)
    facts = () if owed is None else tuple(f for f in owed.hypotheses.near if isinstance(f, Comparison))
    ranks = [f for f in facts if any(a.key.startswith("#a selected position") for a in _indices_of_ranks(f))]
    if ranks:
        asked = " and ".join(f"`{readable(fact)}`" for fact in ranks)
        s, r = own_symbol("s"), own_symbol("r")
        named = f"The output names `{s}`, and D ranks `{r}` after it."
        yield f"`{s}` and `{r}` are any two positions for which {asked}. {named}"


def _indices_of_ranks(fact: Comparison) -> Iterator[Atom]:
    for atom in atoms_within(fact):
        if isinstance(atom, Element) and "rank" in atom.array:
            yield from atom.index.atoms()


def _extrema(proof: Proof) -> dict[str, tuple[str, str]]:
    """What is known of each position that `max` and `min` select, and of which others, in words, by its name."""
    found: dict[str, tuple[str, str]] = {}
    universals = (u for d in proof.decided for u in d.obligation.hypotheses.facts.universals)
    for general in dict.fromkeys(u.general for u in universals if isinstance(u.general, Or)):
        beaten = general.parts[-1]
        for at in (Term.of(a) for a in atoms_within(beaten) if a.key.startswith(("#argmax", "#argmin"))):
            # At the position itself what is said of all others compares a value with itself.
            if isinstance(beaten, Comparison) and not substitute(beaten.term, {PROBE_SYMBOL: at}).parts:
                shown = [part for part in general.parts[:-1] if substitute(part, {PROBE_SYMBOL: at}) is not True]
                others = conjunction(tuple(~part for part in shown))
                where = "" if others is True else readable(substitute(others, {PROBE_SYMBOL: _ANY_POSITION}))
                found[readable_term(at)] = readable(substitute(beaten, {PROBE_SYMBOL: _ANY_POSITION})), where
    return found
