"""From coefficients to the source of an alignment, as a person would write it."""

from __future__ import annotations

import ast
import itertools
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from alignkit.errors import InputError
from alignkit.finding.noise_limits import deltas
from alignkit.finding.output_parts import vector_of
from alignkit.finding.shapes import (
    CHANGE,
    DELTA,
    DOWN,
    LIFT,
    LOSER,
    NAMED,
    RAISED,
    UP,
    WINNER,
    ZERO,
    Case,
    Layout,
    Shape,
    Site,
)
from alignkit.finding.sums import helpers_of, on_the_neighbour
from alignkit.language.parameters import NamedMultiple
from alignkit.language.program import Builtin, Comprehension, Draw, walk
from alignkit.language.tags import ABOVE, BELOW, Tag
from alignkit.running.adjacency import Adjacency, check_declared
from alignkit.running.mechanism_decorator import Mechanism

WIDTH = 100
_NO_SHIFT = "0"

# What a variable is called where a parameter of the mechanism has its usual name.
_OTHER_NAMES = {"w": ("out", "output"), "i": ("j", "at"), "j": ("i", "at"), "up": ("rise",), "gap": ("lead",)}


# What the number of outputs before a loop is called.
_FIRST = ("$first", "$second", "$third", "$fourth", "$fifth", "$sixth")


def _place_in_sum(term: str) -> tuple[bool, bool]:
    """Terms that all draws share come first, and the change of the best loser last."""
    return term in (CHANGE, LIFT), term not in (DELTA, UP, DOWN)


@dataclass(frozen=True)
class AlignmentText:
    """The parts of an alignment's source, all but its claim; ``invariants`` are those that it states."""

    mechanism: Mechanism
    adjacency: Adjacency
    parameters: tuple[str, ...]
    tags: Mapping[str, Tag]
    docstring: str
    body: tuple[str, ...]
    invariants: tuple[str, ...] = ()
    deltas: tuple[str, ...] = ()  # what may pay for its limits, the least first; a source states the first

    def source(self, claim: str, name: str = "phi") -> str:
        """The definition with its decorator."""
        lines = [
            *self._decorator(claim),
            f"def {name}({', '.join(self.parameters)}):",
            *textwrap.indent(self._docstring(), "    ").splitlines(),
            *(f"    {line}" for line in self.body),
        ]
        return "\n".join(lines) + "\n"

    def _decorator(self, claim: str) -> list[str]:
        """The decorator, on one line or, where that is too long, on several."""
        unit = "eta" if any(draw.distribution.base for draw in self.mechanism.draws) else "epsilon"
        arguments = [self.mechanism.name, f'{unit}="{claim}"', *(f'delta="{delta}"' for delta in self.deltas[:1])]
        if self.adjacency is not Adjacency.EACH:
            arguments.append(f'adjacency="{self.adjacency}"')
        stated = ", ".join(f'"{text}"' for text in self.invariants)
        if stated:
            arguments.append(f"invariant={stated}" if len(self.invariants) == 1 else f"invariant=[{stated}]")
        line = f"@alignment({', '.join(arguments)})"
        return [line] if len(line) <= WIDTH else ["@alignment(", *(f"    {each}," for each in arguments), ")"]

    @property
    def imports(self) -> tuple[str, ...]:
        """The imports that the definition needs."""
        shared = sorted(name for name, tag in self.tags.items() if tag in (ABOVE, BELOW) and name == tag.name)
        used = helpers_of(self.mechanism, _names("\n".join(self.body)))
        own = sorted({*(name for name in self.tags if name not in shared), *used})
        module = self.mechanism.python.__module__
        return (
            f"from alignkit import {', '.join([*shared, 'alignment'])}",
            f"from {module} import {', '.join([*own, self.mechanism.name])}",
        )

    def _docstring(self) -> str:
        if len(self.docstring) + 10 <= WIDTH:
            return f'"""{self.docstring}"""'
        first, *rest = textwrap.wrap(f'"""{self.docstring}', WIDTH - 4)
        return "\n".join([first, *rest, '"""'])


NOT_SEARCHED = "no alignments are proposed under adjacency"


def adjacency_of_search(name: str, mechanism: Mechanism) -> Adjacency:
    """The adjacency of a search for alignments; InputError where there is no search, or it does not fit."""
    adjacency = Adjacency.read(name)
    check_declared(adjacency, mechanism)
    if adjacency.most is not None:
        raise InputError(f"{NOT_SEARCHED} {adjacency}: look under each, and claim what the same shifts cost here")
    local = [name for name, kind in mechanism.private.items() if kind.local is not None]
    if local:
        raise InputError(
            "no alignments are proposed where a sensitivity holds under a condition, as that of "
            f"{local[0]} does: write the alignment, and `check` it"
        )
    return adjacency


def check_name(mechanism: Mechanism) -> None:
    """Raise InputError for a mechanism whose name hides what an alignment needs."""
    if mechanism.name == "alignment":
        raise InputError("a mechanism that is called alignment hides the decorator of its alignments; rename it")


def alignment_text(
    shape: Shape,
    shifts: Mapping[tuple[str, Case], Mapping[str, Fraction]],
    units: Mapping[str, str],
    kinds: Mapping[str, Sequence[Case]],
    aims: Mapping[tuple[str, Case], str],
) -> AlignmentText:
    """The source for the shifts of each draw in each case: the terms with their coefficients.

    ``units`` are the texts of the draws' units, other than 1; ``kinds`` the cases that occur for each draw; ``aims``
    say what shifts are for.
    """
    writer = _Writer(shape, units)
    arguments = []
    said = []
    limits = []
    for draw in shape.mechanism.draws:
        cases = {case: writer.expression(draw.key, shifts.get((draw.key, case), {})) for case in kinds[draw.key]}
        if all(text == _NO_SHIFT for text in cases.values()):
            continue
        at = "" if shape.sites[draw.key] is Site.SINGLE else "[$i]"
        if shape.limited is not None and draw.key in shape.limited.sites and draw.key not in units:
            terms = [{t: f for t, f in shifts.get((draw.key, case), {}).items() if f} for case in cases]
            limits.append(shape.limited.of(draw.key, cases, terms, at))
            writer.say_what_is_new(draw.key, at)
        moved = cases if shape.limited is None else shape.limited.moved(draw.key, cases, at)
        arguments.append(writer.named(f"{draw.key}={writer.argument(draw.key, moved)}"))
        where = "" if moved == cases else ", but not where one answer passes and the other does not"
        said.append(writer.named(f"{_in_words(draw.key, cases, aims, writer.tag_names)}{where}"))
    docstring = ". ".join(sentence[0].upper() + sentence[1:] for sentence in said) or "Moves no noise"
    stated = {
        "below": [(each.key, each.below) for each in limits if each.below],
        "above": [(each.key, each.above) for each in limits if each.above],
    }
    named = {
        method: [writer.named(f"{key}={writer.limit(key, text)}") for key, text in of] for method, of in stated.items()
    }
    text = in_full(
        shape.mechanism, shape.adjacency, [*map(writer.named, writer.before)], arguments, f"{docstring}.", named
    )
    paid = [each for each in limits if each.tails]
    return replace(text, deltas=tuple(deltas(shape, paid))) if paid else text


def in_full(
    mechanism: Mechanism,
    adjacency: Adjacency,
    before: Sequence[str],
    arguments: Sequence[str],
    docstring: str,
    limits: Mapping[str, Sequence[str]] | None = None,
) -> AlignmentText:
    """The source whose shifts are these arguments, such as ``eta=1``, after the lines ``before``.

    ``limits`` are the arguments of the methods that state limits, by the names of these.
    """
    calls = {"H.shift": arguments, **{f".{method}": of for method, of in (limits or {}).items() if of}}
    call = "return " + "".join(f"{name}({', '.join(of)})" for name, of in calls.items())
    lines = [call]
    if len(call) + 4 > WIDTH:
        lines = []
        for name, of in calls.items():
            opening = f"return {name}(" if not lines else f"{lines.pop()}{name}("
            lines += [opening, *(line for argument in of for line in _argument_lines(argument)), ")"]
    body = (*before, *lines)
    private = [n for name in mechanism.private for n in (name, f"{name}_")]
    used = _names("\n".join(body))
    parameters = [n for n in (*private, "omega") if n in used]
    parameters += [n for n in mechanism.public if n in used]
    tags = {name: tag for name, tag in tags_in_scope(mechanism).items() if name in used}
    return AlignmentText(mechanism, adjacency, (*parameters, "H"), tags, docstring, body)


def _argument_lines(argument: str) -> list[str]:
    """An argument on a line, or a long comprehension on several."""
    head, _, rest = argument.partition("[")
    if len(argument) + 10 <= WIDTH or not head.endswith("="):
        return [f"    {argument},"]
    chosen, looped, loop = rest.removesuffix("]").rpartition(" for ")
    if not looped:
        return [f"    {head}[", *(f"        {item}," for item in loop.split(", ")), "    ],"]
    lines = [chosen]
    if len(chosen) + 12 > WIDTH and " if " in chosen:
        lines = re.split(r" (?=if |else )", chosen)
    return [f"    {head}[", *(f"        {line}" for line in lines), f"        for {loop}", "    ],"]


def tags_in_scope(mechanism: Mechanism) -> dict[str, Tag]:
    """The tags that the mechanism's own module has, by the names that it gives them."""
    return {name: value for name, value in mechanism.python.__globals__.items() if isinstance(value, Tag)}


def _names(text: str) -> set[str]:
    tree = ast.parse("def f():\n" + textwrap.indent(text, " "))
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _in_words(
    key: str, cases: Mapping[Case, str], aims: Mapping[tuple[str, Case], str], tag_names: Mapping[str, str]
) -> str:
    moved = dict(sorted((case, text) for case, text in cases.items() if text != _NO_SHIFT and case != (RAISED,)))
    everywhere = len(set(cases.values())) == 1
    known = {case: aim for case in moved if (aim := aims.get((key, case))) and "\\" not in aim and '"' not in aim}
    if everywhere and known:
        known = dict.fromkeys(moved, _as_one(dict.fromkeys(known.values())))
    by_words: dict[str, list[str]] = {}
    for case, text in moved.items():
        so_that = f", so that {known[case]}" if case in known else ""
        where = [] if everywhere else [where_in_words(case, tag_names)]
        by_words.setdefault(f"by {text}{{}}{so_that}", []).extend(where)
    parts = [words.format(f" {' or '.join(where)}" if where else "") for words, where in by_words.items()]
    words = f"moves {key} {', and '.join(parts)}"
    return f"{words}; the best loser too, {where_in_words((RAISED,), tag_names)}" if (RAISED,) in cases else words


def _as_one(aims: Iterable[str]) -> str:
    """Aims as one: a condition that is to stay true and to stay false keeps its truth value."""
    conditions: dict[str, list[str]] = {}
    for aim in aims:
        condition = aim.removesuffix("stays true").removesuffix("stays false")
        conditions.setdefault(condition, []).append(aim)
    return " and ".join(of[0] if len(of) == 1 else f"{c}keeps its truth value" for c, of in conditions.items())


def where_in_words(case: Case, tag_names: Mapping[str, str]) -> str:
    """Where a draw is in a case; ``tag_names`` are the names that a program has for tags."""
    if case == (LOSER,):
        return "where the output does not name its position"
    if case == (WINNER,):
        return "where the output names its position"
    if case == (RAISED,):
        return "where all losers of D' would fall short of the level"
    if case == ZERO:
        return "where the output is 0"
    if not _plain(case):
        return f"where the output is {tag_names.get(case[1], case[1])}"
    return "where the output is a number"


class _Writer:
    """Writes expressions, and gathers the lines that must come before them."""

    def __init__(self, shape: Shape, units: Mapping[str, str]) -> None:
        self.shape = shape
        self.units = units
        self.before: list[str] = []
        self.tag_names = {tag.name: name for name, tag in tags_in_scope(shape.mechanism).items()}
        answers_on_both = {name for one in shape.mechanism.private for name in (one, f"{one}_")}
        self.taken = {*answers_on_both, *shape.mechanism.public, *self.tag_names.values()}
        answers = shape.answers
        self.answers = answers
        self.one = self.other = ""
        if answers is not None and (answers.before or answers.after):
            self.one, self.other = "$answers", "$answers_"
        elif answers is not None:
            self.one, self.other = answers.vector, f"{answers.vector}_"

    def named(self, text: str) -> str:
        """A text with names for its own variables that the mechanism's parameters leave free."""
        return re.sub(r"\$(\w+)", lambda found: self._free(found[1]), text)

    def _free(self, name: str) -> str:
        numbered = (f"{name}{number}" for number in itertools.count(2))
        others = itertools.chain([name], _OTHER_NAMES.get(name, ()), numbered)
        return next(other for other in others if other not in self.taken)

    def expression(self, key: str, terms: Mapping[str, Fraction]) -> str:
        """The sum of the terms, times the draw's unit."""
        ordered = sorted((term for term, factor in terms.items() if factor), key=_place_in_sum)
        without_unit = (CHANGE, LIFT, *self.shape.sums)
        number = _number_in(self.units.get(key, "1"))
        share = Fraction(1) if number is None else number
        in_units = [self._summand(key, term, share * terms[term]) for term in ordered if term not in without_unit]
        plain = [self._summand(key, term, terms[term]) for term in ordered if term in without_unit]
        return _sum([*self._times_unit(key, in_units), *plain]) or _NO_SHIFT

    def _times_unit(self, key: str, summands: Sequence[str]) -> list[str]:
        """Summands that are counted in the unit of a draw, unless that is a number."""
        unit = self.units.get(key)
        if unit is None or not summands or _number_in(unit) is not None:
            return list(summands)
        total = _sum(summands)
        if total == "1":
            return [unit]
        return [f"{unit} * ({total})" if len(summands) > 1 or " - " in total else f"{unit} * {total}"]

    def _summand(self, key: str, term: str, factor: Fraction) -> str:
        if term == DELTA:
            sensitivity = largest_sensitivity(self.shape.mechanism)
            if isinstance(sensitivity, NamedMultiple):
                return _times(factor * sensitivity.factor, sensitivity.name)
            if isinstance(sensitivity, str):
                return _times(factor, sensitivity)
            return _number(factor * sensitivity)
        if term in (UP, DOWN):
            self._say(self._direction(term))
            return _times(factor, f"${term}")
        if term in self.shape.sums:
            other = on_the_neighbour(self.shape.mechanism, term)
            return _difference(factor, _bracketed(term), _bracketed(other))
        if term == NAMED and self.shape.own_name:
            self._say_answers()
            return _difference(factor, f"{self.one}[$w[0]]", f"{self.other}[$w[0]]")
        if term.startswith(NAMED):
            self._say_answers()
            for line in self._opening():
                self._say(line)
            best = self._is_winner().removeprefix("$i == ")
            vector = term.removeprefix(NAMED).strip()
            one, other = (vector, f"{vector}_") if vector else (self.one, self.other)
            return _difference(factor, f"{one}[{best}]", f"{other}[{best}]")
        if term in (CHANGE, LIFT):
            for line in self._best_losers(key):
                self._say(line)
            return _difference(factor, "$after" if term == CHANGE else "$level", "$before")
        if self.answers is not None and term == self.answers.vector:
            self._say_answers()
            return _difference(factor, f"{self.one}[$i]", f"{self.other}[$i]")
        at = "[$i]" if self.shape.mechanism.private[term].vector else ""
        return _difference(factor, f"{term}{at}", f"{term}_{at}")

    def _say_answers(self) -> None:
        if self.answers is not None and self.one == "$answers":
            before = "".join(f"{name}, " for name in self.answers.before)
            after = "".join(f", {name}" for name in self.answers.after)
            both = (f"[{before}*{vector}{after}]" for vector in (self.answers.vector, f"{self.answers.vector}_"))
            self._say(f"$answers, $answers_ = {', '.join(both)}")

    def _say(self, line: str) -> None:
        if line not in self.before:
            self.before.append(line)

    def _direction(self, term: str) -> str:
        sensitivity = largest_sensitivity(self.shape.mechanism)
        tests = [
            f"all({name}[$i] <= {name}_[$i] for $i in range(len({name})))" if kind.vector else f"{name} <= {name}_"
            for name, kind in self.shape.mechanism.private.items()
        ]
        rises, falls = (sensitivity, 0) if term == UP else (0, sensitivity)
        return f"${term} = {rises} if {' and '.join(tests)} else {falls}"

    def _best_losers(self, key: str) -> Iterator[str]:
        q, q_ = self.one, self.other
        self._say_answers()
        unit = self.units.get(key)
        times = f"{unit} * " if unit else ""
        yield from self._opening()
        lost = self._is_winner().replace(" == ", " != ").replace(" in ", " not in ")
        for name, answers in (("$before", q), ("$after", q_)):
            yield f"{name} = max({times}{answers}[$i] + H.{key}[$i] for $i in range(len({q})) if {lost})"
        if self.shape.raised:
            difference = f"{times}({q_}[$i] - {q}[$i])" if times else f"{q_}[$i] - {q}[$i]"
            most = f"max({difference} for $i in range(len({q})) if {self._is_winner()})"
            if self.shape.layout in (Layout.POSITION, Layout.WITH_NUMBERS):
                best = self._is_winner().removeprefix("$i == ")
                most = f"{times}({q_}[{best}] - {q}[{best}])" if times else f"{q_}[{best}] - {q}[{best}]"
            yield f"$level = max($after, $before + {most})"

    def _opening(self) -> Iterator[str]:
        """The lines that take the output apart."""
        if self.shape.layout is Layout.WITH_NUMBERS:
            yield "$best = omega[0]"
        if self.shape.layout is Layout.LIST_WITH_NUMBERS:
            yield "$selected = {$j for $j, $gap in omega}"

    def _is_winner(self) -> str:
        return {
            Layout.POSITION: "$i == omega",
            Layout.POSITIONS: "$i in omega",
            Layout.WITH_NUMBERS: "$i == $best",
            Layout.LIST_WITH_NUMBERS: "$i in $selected",
        }[self.shape.layout]

    def argument(self, key: str, cases: Mapping[Case, str]) -> str:
        """The shift of a draw: a number, or a list of them."""
        site = self.shape.sites[key]
        if site is Site.SINGLE:
            if len(set(cases.values())) == 1:
                return next(iter(cases.values()))
            return self._by_kind(cases, "omega[0]" if self.shape.mechanism.program.is_generator else "omega")
        if site is Site.LOOP:
            chosen = self._by_kind(cases, "$w")
            if key in self.shape.ranges:
                return self._part_of_outputs(key, chosen)
            if self.shape.outputs_beyond:
                return f"[{chosen.replace('$w', 'omega[$i]')} for $i in range(len(H.{key}))]"
            return f"[{chosen} {_loop_over_outputs(chosen)}]"
        if (WINNER,) in cases and key in self.shape.places:
            chosen = f"{cases[WINNER,]} if $i == omega[{self.shape.places[key]}] else {_NO_SHIFT}"
        elif (WINNER,) in cases:
            lone = [f"omega is not {self.tag_names.get(tag, tag)}" for tag in self.shape.lone_tags]
            for line in () if lone else self._opening():
                if line not in self.before:
                    self.before.insert(0, line)
            test = " and ".join([*lone, "$i == omega[0]"]) if lone else self._is_winner()
            if self.shape.raised:
                times = f"{self.units[key]} * " if key in self.units else ""
                test += f" or ($after < $level and {times}{self.one}[$i] + H.{key}[$i] == $before)"
            chosen = f"{cases[WINNER,]} if {test} else {_NO_SHIFT}"
        else:
            chosen = cases[()]
        return f"[{chosen} for $i in {self._positions(key)}]"

    def say_what_is_new(self, key: str, at: str) -> None:
        """Name the test of an answer that holds on one side only."""
        limited = self.shape.limited
        if limited is not None and key in limited.new:
            test = limited.new[key].test(at)
            self._say(f"{limited.tests(key)} = {f'[{test} for $i in {self._positions(key)}]' if at else test}")

    def limit(self, key: str, text: str) -> str:
        """The limit of a draw: a number, or a list of them, one for each answer."""
        if self.shape.sites[key] is Site.SINGLE:
            return text
        return f"[{text} for $i in {self._positions(key)}]"

    def _part_of_outputs(self, key: str, chosen: str) -> str:
        """A list for the draws of a loop, which go with the outputs from the offset on."""
        first, count = self.shape.offsets.get(key, ""), self.shape.ranges[key]
        if not first:
            return f"[{chosen.replace('$w', 'omega[$i]')} for $i in range({count})]"
        named = first
        if "H." in first:
            texts = dict.fromkeys(text for text in self.shape.offsets.values() if "H." in text)
            named = _FIRST[list(texts).index(first)]
            self._say(f"{named} = {first}")
        return f"[{chosen.replace('$w', f'omega[{named} + $i]')} for $i in range({count.replace(first, named)})]"

    def _positions(self, key: str) -> str:
        """The positions of a vector of draws: the range that it is drawn over, or those of the answers."""
        for node in walk(*self.shape.mechanism.program.body):
            if isinstance(node, Comprehension) and isinstance(node.element, Draw) and node.element.name == key:
                drawn_over = node.iterable
                if isinstance(drawn_over, Builtin) and drawn_over.function == "range":
                    place = drawn_over.place
                    return place.source.text(place.line)[place.column : place.end_column]
        self._say_answers()
        lists = [name for name, kind in self.shape.mechanism.private.items() if kind.vector]
        one = vector_of(self.shape.mechanism, key) if len(lists) > 1 else self.one
        return f"range(len({one}))"

    def _by_kind(self, cases: Mapping[Case, str], output: str) -> str:
        """A choice among expressions by the kind of an output."""
        by_text: dict[str, list[Case]] = {}
        for case, text in cases.items():
            by_text.setdefault(text, []).append(case)
        if len(by_text) == 1:
            return next(iter(by_text))
        texts = sorted(by_text, key=lambda text: (text == _NO_SHIFT, any(_plain(c) for c in by_text[text])))
        chosen = ""
        for text in texts[:-1]:
            mine = by_text[text]
            others = [case for other in texts if other != text for case in by_text[other]]
            if any(_plain(case) for case in mine):
                guards = [] if any(case[0] == "tag" for case in mine) else [c for c in cases if c[0] == "tag"]
                others = list(dict.fromkeys([*guards, *sorted(others, key=lambda case: case[0] != "tag")]))
                test = " and ".join(self._is(case, output, "is not") for case in others)
            else:
                test = " or ".join(self._guarded(case, output, cases) for case in mine)
            chosen += f"{text} if {test} else "
        return chosen + texts[-1]

    def _guarded(self, case: Case, output: str, cases: Iterable[Case]) -> str:
        """Whether an output is of a kind; its first part is asked for where it is no plain tag."""
        plain = [other for other in cases if other[0] == "tag"] if case[0] == "first" else []
        return " and ".join([*(self._is(tag, output, "is not") for tag in plain), self._is(case, output, "is")])

    def _is(self, case: Case, output: str, relation: str) -> str:
        if case == ZERO:
            return f"{output} {'==' if relation == 'is' else '!='} 0"
        at = "[0]" if case[0] == "first" else ""
        return f"{output}{at} {relation} {self.tag_names.get(case[1], case[1])}"


def _loop_over_outputs(chosen: str) -> str:
    if "[$i]" not in chosen:
        return "for $w in omega"
    return "for $i, $w in enumerate(omega)" if "$w" in chosen.replace("$w[0]]", "") else "for $i in range(len(omega))"


def largest_sensitivity(mechanism: Mechanism) -> Fraction | str | NamedMultiple:
    """The largest sensitivity of the private parameters, as a number or as Python."""
    declared = dict.fromkeys(kind.sensitivity for kind in mechanism.private.values())
    if len(declared) == 1 and isinstance(only := next(iter(declared)), NamedMultiple):
        return only
    numbers = [Fraction(each) for each in declared if isinstance(each, int | Fraction)]
    texts = [str(each) for each in declared if not isinstance(each, int | Fraction)]
    if not texts:
        return max(numbers)
    parts = [*texts, *(str(max(numbers)) for _ in numbers[:1])]
    return texts[0] if len(parts) == 1 else f"max({', '.join(parts)})"


def _number_in(text: str) -> Fraction | None:
    """The number that a text writes; None where it is another expression."""
    try:
        return Fraction(text.replace(" ", ""))
    except ValueError:
        return None


def _plain(case: Case) -> bool:
    """Whether no test tells this kind of output but that it is none of the others."""
    return case[0] not in ("tag", "first", "truth", "zero")


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value.numerator} / {value.denominator}"


def _times(factor: Fraction, text: str) -> str:
    sign = "-" if factor < 0 else ""
    size = abs(factor)
    times = f"{size.numerator} * " if size.numerator != 1 else ""
    over = f" / {size.denominator}" if size.denominator != 1 else ""
    return f"{sign}{times}{text}{over}"


def _bracketed(text: str) -> str:
    """An expression that may stand on either side of a minus."""
    node = ast.parse(text, mode="eval").body
    return f"({text})" if isinstance(node, ast.BinOp | ast.IfExp) else text


def _difference(factor: Fraction, one: str, other: str) -> str:
    if factor < 0:
        factor, one, other = -factor, other, one
    return f"{one} - {other}" if factor == 1 else _times(factor, f"({one} - {other})")


def _sum(summands: Sequence[str]) -> str:
    total = "".join(f" - {s[1:]}" if s.startswith("-") else f" + {s}" for s in summands)
    return total.removeprefix(" + ").replace(" - ", "-", 1) if total.startswith(" - ") else total.removeprefix(" + ")
