"""The cases of a proof, with names that tell them apart: by their conditions, or by the way through the program."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from alignkit.explaining.readable_formulas import readable, readable_term
from alignkit.language.program import Break, Compare, If, Place, Return, Statement, Yield, YieldFrom, walk
from alignkit.proving.runs.loop_states import ITERATION
from alignkit.proving.symbolic_trial import Record
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.symbolic.formulas import Comparison
from alignkit.symbolic.terms import Term, roles
from alignkit.symbolic.trees import Role

# Conditions that are longer, alone or together, are no name for a case.
_LONGEST, _LONGEST_NAME = 110, 170

# Marks words that hold a condition too long to print.
_TOO_LONG = " " * _LONGEST_NAME

# Which truth of a comparison of real numbers gives which relation, as terms state it.
_RELATIONS = {">=": ("<=", "<"), "<=": ("<=", "<"), ">": ("<", "<="), "<": ("<", "<="), "==": ("==", "!=")}


# What is said of one of several cases is said of some of those that have its name.
SOME_OF, SOME = "in some of the cases ", "in some cases"


@dataclass(frozen=True)
class NamedCase:
    """Paths of which the same is said; ``distinct`` is whether its name excludes all cases of which else is said."""

    name: str
    records: tuple[Record, ...]
    distinct: bool = True


# Where a test stands: file, column and line.
_Spot = tuple[str, int, int]

# What names a path: the keys of what holds, the keys of what does not, and the words.
_Marks = tuple[frozenset[str], frozenset[str], str]


def named_cases(
    records: Sequence[Record], said: Callable[[Record], Hashable], mechanism: Mechanism
) -> tuple[NamedCase, ...]:
    """The paths, grouped by what is said of them; where no name tells groups apart, each is some of the cases."""
    if len({said(record) for record in records}) <= 1:
        return (NamedCase("", tuple(records)),) if records else ()
    marks: list[_Marks] = []
    for marked in (_by_noise(records, said), _by_conditions(records, said), _by_way(records, said, mechanism)):
        marks = marked
        if _tells_apart(records, marks, said) and all(len(words) <= _LONGEST_NAME for _, _, words in marks):
            break
    apart = _tells_apart(records, marks, said)
    found: dict[tuple[str, Hashable], list[Record]] = {}
    for record, (_, _, words) in zip(records, marks, strict=True):
        found.setdefault((words, said(record)), []).append(record)
    names = [words for words, _ in found]
    cases = []
    for (words, _), group in found.items():
        name = f"where {words}" if words else ""
        if names.count(words) > 1:
            name = f"{SOME_OF}{name}" if words else SOME
        cases.append(NamedCase(name, tuple(group), apart))
    return tuple(cases)


def is_branch(formula: Any) -> bool:
    """Whether a condition is one that D asks of its noise, and not that one-sided noise is at least 0."""
    noisy = Role.NOISE in roles(formula)
    return noisy and (Role.PRIVATE in roles(formula) or any(len(c.term.parts) > 1 for c in formula.comparisons()))


def branches_of(record: Record) -> frozenset[str]:
    """The conditions on noise that D asks on a path, by their keys."""
    return frozenset(f.key for f in _assumed(record) if is_branch(f) and not _of_other(f))


def _assumed(record: Record) -> tuple[Any, ...]:
    return record.trace.assumed if record.trace is not None else ()


def _tells_apart(records: Sequence[Record], marks: list[_Marks], said: Callable[[Record], Hashable]) -> bool:
    """Whether of any two paths of which different things are said, one assumes what the other excludes."""
    distinct: dict[tuple[frozenset[str], frozenset[str], Hashable], None] = {}
    for record, (held, excluded, _) in zip(records, marks, strict=True):
        distinct[held, excluded, said(record)] = None
    paths = list(distinct)
    return all(
        one[2] == other[2] or one[0] & other[1] or one[1] & other[0]
        for n, one in enumerate(paths)
        for other in paths[:n]
    )


def _by_noise(records: Sequence[Record], said: Callable[[Record], Hashable]) -> list[_Marks]:
    """Names by the conditions on noise that D asks, of as few as tell the paths apart."""
    common = _common(records)

    def asked(formula: Any) -> bool:
        return formula.key not in common and is_branch(formula) and not _of_other(formula)

    return _fewest(records, [[f for f in _assumed(record) if asked(f)] for record in records], said)


def _by_conditions(records: Sequence[Record], said: Callable[[Record], Hashable]) -> list[_Marks]:
    """Names by the conditions of which some other path assumes the opposite, of as few as tell the paths apart."""
    everything = {f.key for record in records for f in _assumed(record)}

    def asked(formula: Any) -> bool:
        return (~formula).key in everything and not _of_other(formula)

    return _fewest(records, [[f for f in _assumed(record) if asked(f)] for record in records], said)


def _fewest(
    records: Sequence[Record], asked: list[list[Any]], said: Callable[[Record], Hashable]
) -> list[_Marks]:
    """Names by conditions, without those that are not needed to tell the paths apart."""
    if _tells_apart(records, [*map(_named, asked)], said):
        for key in dict.fromkeys(f.key for formulas in asked for f in formulas):
            fewer = [[f for f in formulas if key not in (f.key, (~f).key)] for formulas in asked]
            if _tells_apart(records, [*map(_named, fewer)], said):
                asked = fewer
    return [*map(_named, asked)]


def _by_way(records: Sequence[Record], said: Callable[[Record], Hashable], mechanism: Mechanism) -> list[_Marks]:
    """Names by which way the tests of the mechanism go, of as few tests as tell the paths apart."""
    tests = {_spot(node.test.place): node for node in walk(*mechanism.program.body) if isinstance(node, If)}
    ways = [_ways(record, tests) for record in records]
    apart = _tells_apart(records, [*map(_of_way, ways)], said)
    for spot in reversed(dict.fromkeys(spot for way in ways for spot in way)):
        fewer = [{other: true for other, true in way.items() if other != spot} for way in ways]
        needless = len({way[spot] for way in ways if spot in way}) == 1
        if needless or (apart and _tells_apart(records, [*map(_of_way, fewer)], said)):
            ways = fewer
    return [*map(_of_way, ways)]


def _of_way(way: Mapping[_Spot, bool]) -> _Marks:
    held = frozenset(f"{spot}" for spot, true in way.items() if true)
    excluded = frozenset(f"{spot}" for spot, true in way.items() if not true)
    words = []
    for true, word in ((True, "true"), (False, "false")):
        lines = list(dict.fromkeys(str(line) for (_, _, line), value in way.items() if value is true))
        if lines:
            listed = f"lines {', '.join(lines[:-1])} and {lines[-1]} are" if len(lines) > 1 else f"line {lines[0]} is"
            words.append(f"{listed} {word}")
    return held, excluded, " and ".join(words)


def _spot(place: Place) -> _Spot:
    return place.source.file, place.column, place.line


def _ways(record: Record, tests: dict[_Spot, If]) -> dict[_Spot, bool]:
    """Which way each test of a branch goes on a path, where that can be told from what comes after it."""
    found: dict[_Spot, bool] = {}
    for number, step in enumerate(record.compared):
        node = tests.get(_spot(step.place))
        if step.other is None and node is not None:
            way = _way(node, step.shown, _line_after(record, number))
            if way is not None:
                found[_spot(step.place)] = way
    return found


def _line_after(record: Record, number: int) -> int | None:
    """The line at which a path decides, puts out or ends after a step; None where it goes on to the next iteration."""
    if number + 1 < len(record.compared):
        return record.compared[number + 1].place.line
    trace = record.trace
    left = trace is not None and not trace.ended.split("; ")[-1].startswith("next")
    return trace.place.line if left and trace is not None and trace.place is not None else None


def _way(node: If, shown: Any, line: int | None) -> bool | None:
    for body, way in ((node.then, True), (node.other, False)):
        if line is not None and any(s.place.line <= line <= s.place.end_line for s in body):
            return way
        if _is_seen(body) and not any(s.place.line == node.test.place.line for s in body):
            return not way
    if isinstance(node.test, Compare) and isinstance(shown, Comparison) and not shown.term.integer:
        if_true, if_false = _RELATIONS.get(node.test.operator, ("", ""))
        return {if_true: True, if_false: False}.get(shown.relation)
    return None


def _is_seen(body: Sequence[Statement]) -> bool:
    """Whether statements put something out or leave the loop, so that a path through them shows it."""
    return any(isinstance(statement, Yield | YieldFrom | Break | Return) for statement in body)


def _common(records: Sequence[Record]) -> set[str]:
    return set.intersection(*({f.key for f in _assumed(record)} for record in records))


def _of_other(formula: Any) -> bool:
    """Whether a condition is on D′ or on the output."""
    return any(mark in formula.key for mark in ("'", "omega")) or Role.UNKNOWN in roles(formula)


def _named(formulas: list[Any]) -> _Marks:
    texts = list(dict.fromkeys(map(readable, formulas)))
    words = " and ".join(f"`{text}`" for text in texts)
    if any(len(text) > _LONGEST for text in texts):
        words = f"{words}{_TOO_LONG}"
    return frozenset(f.key for f in formulas), frozenset((~f).key for f in formulas), words


def loops_of(records: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """The paths through an iteration of each loop, by the symbol of its number; the others by the empty text."""
    found: dict[str, list[Record]] = {}
    for record in records:
        around = None if record.trace is None else record.trace.round
        inside = around is not None and (goes_on(record) or leaves_its_loop(record))
        found.setdefault(around.head.rounds.key if inside and around is not None else "", []).append(record)
    yield from found.items()


def goes_on(record: Record) -> bool:
    """Whether a path goes through an iteration after which its loop begins another."""
    return record.trace is not None and record.trace.round is not None and record.trace.round.after is not None


def leaves_its_loop(record: Record) -> bool:
    """Whether a path goes through an iteration that leaves its loop; where a loop is over, its number is a length."""
    trace = record.trace
    if trace is None or trace.round is None or not trace.round.head.rounds.key.startswith(f"#{ITERATION.name}"):
        return False
    return trace.ended.split("; ")[-1].startswith(("break", "return"))


def is_excluded(record: Record) -> bool:
    """Whether it is obliged that no run takes a path, as D′ parts there from D or a step has no value."""
    runs = [o for o in record.obligations if o.condition != "cost"]  # costs are added when the runs are over
    last = runs[-1] if runs else None
    return last is not None and last.problem and last.goal is False


def moved_in(record: Record) -> Term:
    """What the shifts of the path cost from the head of its loop on."""
    assert record.trace is not None
    return record.trace.cost


def starting_cost(record: Record) -> str:
    """What the shifts cost before the loop of a path; empty where an outer loop is around it."""
    around = record.trace.round if record.trace is not None else None
    if around is None or Role.STATE in roles(around.start.cost):
        return ""
    return readable_term(around.start.cost)
