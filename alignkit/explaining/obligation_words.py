"""Obligations in words: that they hold, or that they were not shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from alignkit.explaining.readable_formulas import in_program_words, readable
from alignkit.proving.deciding import Decided
from alignkit.proving.obligation import Obligation
from alignkit.proving.words.reasons import names_a_problem

# A longer formula is no help to a reader.
LONGEST = 220


def what_is_owed(decided: Sequence[Decided], name: str, *, holds: bool) -> tuple[str, ...]:
    """What the obligations of a condition say, of those that hold or of those that were not shown."""
    own = [d.obligation for d in decided if d.obligation.condition == name and d.holds is holds]
    found: dict[str, None] = {}
    for o in own:
        where = "" if o.line is None else f"line {o.line}: "
        found[f"{where}{in_obligation_words(o, holds=holds)}."] = None
    return tuple(found)


# What an obligation without a goal says before the problem that it excludes.
_NO_PROBLEM = re.compile(r"^(the run is defined|the determinant is known on every piece): ")


def in_obligation_words(obligation: Obligation, *, holds: bool, formula: str | None = None) -> str:
    """What an obligation says: that it holds, or that this was not shown; ``formula`` is what to show as its goal."""
    goal = formula
    if goal is None:
        goal = "" if isinstance(obligation.goal, bool) else readable(obligation.goal)
        goal = goal if len(goal) <= LONGEST else ""
    shown = f": `{goal}`" if goal and is_in_program_words(goal) else ""
    problem = plain(_NO_PROBLEM.sub("", obligation.words))
    if not names_a_problem(obligation):
        words = plain(obligation.words.replace(" must be ", " is "))
        return f"{words}{shown}" if holds else f"not shown: {words}{shown}"
    problem = problem if obligation.problem else re.sub(r"\bmay be\b", "is", problem)
    return f"it is excluded that {_as_clause(problem)}{shown}" if holds else f"not excluded: {problem}{shown}"


_VERB = re.compile(r"\b(is|are|has|have|gives?|draws?|reads?|depends?|comes?|ends|calls|enters|passes|may|was|needs)\b")


def _as_clause(problem: str) -> str:
    """A problem as what stands after "that"; one that is a noun, such as "division by zero", gets a verb."""
    return problem if _VERB.search(problem) else f"this happens: {problem}"


# What names a symbol of the proof that the program does not have.
_OWN_WORDS = re.compile(r"\bindex of \w+ |\bchanged\b|parameter that changes|are compared")


def is_in_program_words(formula: str) -> bool:
    """Whether a formula is of names that a reader of the program knows."""
    return not _OWN_WORDS.search(formula)


def plain(text: str) -> str:
    """Words of an obligation, with names as the text has them, without what would be read as the end of a formula."""
    return in_program_words(text.replace("`", ""))


def one_after_another(texts: Iterable[str]) -> str:
    """Texts as a sentence lists them, with an "and" before the last."""
    parts = list(texts)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""
