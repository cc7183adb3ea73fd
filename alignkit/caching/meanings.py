"""What an alignment means: equal for two alignments that differ in places and in the names of local variables only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alignkit.language.program import Assign, Call, Comprehension, For, Function, target_names, walk
from alignkit.running.alignment_program import PRIVACY_COST, ROUNDS_OVER, AlignmentProgram
from alignkit.running.digests import declared_parts, digest_of_parts, parts


@dataclass(frozen=True)
class Meaning:
    """The meaning of an alignment, and what it does not depend on.

    ``digest`` stands for the meaning. Where two alignments have the same, ``names`` lists the local variables of both
    in the same order, and ``lines`` the lines of their programs.
    """

    digest: str
    names: tuple[str, ...]
    lines: tuple[int, ...]


def meaning_of(alignment: AlignmentProgram) -> Meaning:
    """Take the meaning of an alignment, of its mechanism and of all functions that they call.

    Names that a user may write outside of a function's body count: those of parameters, of draws, and of the two
    functions.
    """
    mechanism = alignment.mechanism
    fixed = {*mechanism.parameters, mechanism.noise_name, "omega", "H", PRIVACY_COST, ROUNDS_OVER}
    fixed |= {draw.name for draw in mechanism.draws}
    fixed |= _paired_names(mechanism.program, fixed)

    functions = [*_functions(mechanism.program), *_functions(alignment.program)]
    names = {id(function): _local_names(function, fixed) for function in functions}

    def renaming(function: Function) -> dict[str, str]:
        return {name: f"local {number}" for number, name in enumerate(names[id(function)])}

    locals_ = renaming(mechanism.program)
    # In an invariant, a name with an underscore stands for the value on D′.
    in_invariants = locals_ | {f"{name}_": f"{new} on D'" for name, new in locals_.items()}
    listed = [
        alignment.dotted_name,
        mechanism.name,
        *parts(mechanism.program, renaming),
        *declared_parts(mechanism.parameters, mechanism.defaults),
        *parts(alignment.program, renaming),
        alignment.claim,
        *parts(alignment.claim_expression),
        *map(repr, (alignment.base, alignment.ex_post, str(alignment.adjacency), alignment.adaptive, alignment.expect)),
        *(meaning_of(lemma).digest for lemma in alignment.lemmas),
        *(part for _, invariant in alignment.invariants for part in parts(invariant, names=in_invariants)),
    ]
    return Meaning(
        digest=digest_of_parts(listed),
        names=tuple(name for function in functions for name in names[id(function)]),
        lines=tuple(line for function in functions for line in _lines(function)),
    )


def new_names(old: Meaning, new: Meaning) -> Mapping[str, str]:
    """Map each local variable that has another name in ``new`` to that name."""
    return {one: other for one, other in zip(old.names, new.names, strict=True) if one != other}


def new_lines(old: Meaning, new: Meaning) -> Mapping[int, int | None]:
    """Map each line of ``old`` to the one in ``new``; to None where that differs from one file to the other."""
    moved: dict[int, int | None] = {}
    for one, other in zip(old.lines, new.lines, strict=True):
        moved[one] = other if moved.get(one, other) == other else None
    return moved


def _local_names(function: Function, fixed: set[str]) -> list[str]:
    """List the variables that a function binds and that nothing outside of its body can name, in order."""
    binding = (node for node in walk(*function.body) if isinstance(node, Assign | For | Comprehension))
    names = dict.fromkeys(name for node in binding for name in target_names(node.target))
    return [name for name in names if name not in fixed and name not in function.parameters]


def _paired_names(program: Function, fixed: set[str]) -> set[str]:
    """List the local variables whose names differ from another one by an underscore at the end.

    Such a name has two readings in an invariant, and it depends on the rest of the program which one is meant.
    """
    own = _local_names(program, fixed)
    names = {*own, *fixed, *program.parameters}
    return {name for name in own if f"{name}_" in names or (name.endswith("_") and name[:-1] in names)}


def _functions(program: Function) -> Iterator[Function]:
    """Yield a program and, at each of its calls, the function that is called."""
    yield program
    for node in walk(*program.body):
        if isinstance(node, Call):
            yield from _functions(node.function)


def _lines(function: Function) -> Iterator[int]:
    yield function.place.line
    for node in walk(*function.body):
        yield node.place.line
