"""What an alignment asks of outputs beside what its mechanism puts out, as far as the texts of both say it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alignkit.errors import LanguageError
from alignkit.language.program import (
    Arithmetic,
    Assign,
    Choice,
    Compare,
    Comprehension,
    Constant,
    Draw,
    Expression,
    For,
    Function,
    Name,
    Negate,
    Return,
    Sequence,
    Yield,
    YieldFrom,
    assigned,
    target_names,
    walk,
)
from alignkit.language.tags import Tag
from alignkit.proving.proposals.invariants_to_try import as_written
from alignkit.running.alignment_program import AlignmentProgram

_NO_ITEMS, _OUT_OF_RANGE = "has no items", "is out of range"
_MOST_NOTES = 3


@dataclass(frozen=True)
class _Put:
    """One form of output: a tag alone, a number, or a tuple, whose first part may be a tag."""

    form: str
    tag: Tag | None
    line: int


def notes_on_outputs(alignment: AlignmentProgram, problem: str = "") -> tuple[str, ...]:
    """Notes on tests of outputs that come out one way only; and where a run has the ``problem`` that an index is out of
    range, on what is put out after the loop.
    """
    notes = list(dict.fromkeys(_one_way_tests(alignment)))[:_MOST_NOTES]
    after = _after_the_loop(alignment) if _OUT_OF_RANGE in problem else ""
    return (*notes, after) if after else tuple(notes)


def with_forms(problem: LanguageError, alignment: AlignmentProgram) -> LanguageError:
    """The error; where an output that is no tuple is asked for its parts, with what the mechanism puts out where."""
    puts = _put_out(alignment.mechanism.program)
    if puts is None or not problem.problem.endswith(_NO_ITEMS) or len({put.form for put in puts}) < 2:
        return problem
    lines = dict.fromkeys(f"{put.form} at line {put.line}" for put in puts)
    name = alignment.mechanism.name
    hint = f"{problem.hint}; {name} puts out {', '.join(lines)}: put out tuples wherever their parts are asked for"
    return LanguageError(
        problem.problem, file=problem.file, line=problem.line, column=problem.column, source=problem.source,
        width=problem.width, hint=hint,
    )  # fmt: skip


def _one_way_tests(alignment: AlignmentProgram) -> Iterator[str]:
    """Comparisons of a whole output with a tag that is never put out alone."""
    puts = _put_out(alignment.mechanism.program)
    if puts is None:
        return
    alone = {put.tag for put in puts if put.form == "a tag"}
    for name, test, tag in _tests(alignment.program):
        if tag in alone:
            continue
        outcome = "always" if test.operator in ("is not", "!=") else "never"
        first = next((put.line for put in puts if put.tag == tag), None)
        why = f"{alignment.mechanism.name} does not put out {tag}"
        if first is not None:
            why = f"{tag} is the first part of what is put out at line {first}: ask for `{name}[0]` of a tuple"
        yield f"line {test.place.line}: `{as_written(test)}` is {outcome} true: {why}"


def _tests(program: Function) -> Iterator[tuple[str, Compare, Tag]]:
    """The comparisons of an output with a tag, each after the name that the output has."""
    again = assigned(program.body)
    for node in walk(*program.body):
        if not isinstance(node, Comprehension) or "omega" in again:
            continue
        name = _name_of_output(node)
        below = [x for x in walk(node.element, *node.filters) if isinstance(x, Comprehension)]
        if name is None or name in again or any(name in target_names(x.target) for x in below):
            continue
        for test in walk(node.element, *node.filters):
            match test:
                case Compare(left=Name(name=left), right=Constant(value=Tag() as tag)) if left == name:
                    yield name, test, tag


def _name_of_output(node: Comprehension) -> str | None:
    """The name that each output has where a comprehension goes through them, with or without their positions."""
    match node.iterable, node.target:
        case Name(name="omega"), str(name):
            return name
        case Expression() as given, (str(), str(name)) if as_written(given) == "enumerate(omega)":
            return name
    return None


def _after_the_loop(alignment: AlignmentProgram) -> str:
    """That outputs after the loop are outputs too; empty where there are none, or where not every run has them."""
    body = alignment.mechanism.program.body
    loops = [number for number, node in enumerate(body) if isinstance(node, For)]
    after = [node for node in body[loops[-1] + 1 :] if isinstance(node, Yield)] if loops else []
    every = not any(isinstance(node, Return) for node in walk(*body))
    if not after or not every or "omega" not in alignment.program.parameters:
        return ""
    return (
        f"what is put out after the loop, at line {after[0].place.line}, is in `omega` too; the outputs before it are "
        f"`omega[:-{len(after)}]`"
    )


def _put_out(program: Function) -> list[_Put] | None:
    """The forms of what a mechanism yields; None where its text does not say."""
    nodes = list(walk(*program.body))
    if not program.is_generator or any(isinstance(node, YieldFrom) for node in nodes):
        return None
    puts: list[_Put] = []
    for node in nodes:
        if isinstance(node, Yield):
            forms = _forms(node.value, program, frozenset())
            if forms is None:
                return None
            puts += [_Put(form, tag, node.place.line) for form, tag in forms]
    return puts


_Forms = list[tuple[str, Tag | None]]


def _forms(value: Expression, program: Function, seen: frozenset[str]) -> _Forms | None:
    match value:
        case Constant(value=Tag() as tag):
            return [("a tag", tag)]
        case Constant() | Arithmetic() | Negate() | Draw():
            return [("a number", None)]
        case Sequence(items=items):
            first = _forms(items[0], program, seen) if items else None
            return None if first is None else [("a tuple", tag if form == "a tag" else None) for form, tag in first]
        case Choice(then=then, other=other):
            return _either([then, other], program, seen)
        case Name(name=name) if name not in seen:
            binding = [n for n in walk(*program.body) if isinstance(n, Assign | For) and name in target_names(n.target)]
            given = [node.value for node in binding if isinstance(node, Assign) and node.target == name]
            return _either(given, program, seen | {name}) if given and len(given) == len(binding) else None
    return None


def _either(values: list[Expression], program: Function, seen: frozenset[str]) -> _Forms | None:
    """The forms of several values."""
    found: _Forms = []
    for value in values:
        forms = _forms(value, program, seen)
        if forms is None:
            return None
        found += forms
    return found
