"""The form of an output: which of its sequences are lists must not depend on the data.

A proof does not tell lists from tuples. So what a mechanism gives out must not tell either: a sequence inside an output
is a tuple, however the program writes it, and whether the output itself is a list is decided by the program alone.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

from alignkit.language.program import (
    Assign,
    Call,
    Choice,
    Comprehension,
    Expression,
    Function,
    Joined,
    Name,
    Return,
    Sequence,
    walk,
)


def in_one_form(function: Function, output: Any) -> Any:
    """An output of a mechanism's program, with its sequences in the form that the program alone decides.

    What a generator yields is a list. What is returned is a list where the first ``return`` of the program gives one.

    >>> from alignkit.mechanisms.laplace import laplace_mechanism
    >>> in_one_form(laplace_mechanism.program, (1.5, [2, (3,)]))
    [1.5, (2, (3,))]
    """
    if function.is_generator:
        return [_with_tuples(item) for item in output]
    if isinstance(output, list | tuple):
        items = map(_with_tuples, output)
        return list(items) if returns_list(function) else tuple(items)
    return _with_tuples(output)


def with_whole_numbers(output: Any) -> Any:
    """An output in which whole fractions are ints: which of the two a program computes may depend on the data.

    For what is given out only: to a mechanism that called this one, 1 / 3 of an int would be a float.

    >>> with_whole_numbers([Fraction(4, 2), (Fraction(1, 2),)])
    [2, (Fraction(1, 2),)]
    """
    if isinstance(output, list | tuple):
        return type(output)(map(with_whole_numbers, output))
    return output.numerator if isinstance(output, Fraction) and output.denominator == 1 else output


def _with_tuples(value: Any) -> Any:
    return tuple(map(_with_tuples, value)) if isinstance(value, list | tuple) else value


@functools.lru_cache(maxsize=256)
def returns_list(function: Function) -> bool:
    """Whether the first value that a program returns is a list, as far as its text says."""
    if function.is_generator:
        return True
    first = next((node.value for node in walk(*function.body) if isinstance(node, Return)), None)
    return first is not None and _is_list(first, function, frozenset())


def _is_list(node: Expression, function: Function, seen: frozenset[str]) -> bool:
    match node:
        case Sequence(is_list=is_list) | Joined(is_list=is_list):
            return is_list
        case Comprehension(form=form):
            return form == "list"
        case Choice(then=then):
            return _is_list(then, function, seen)
        case Call(function=called):
            return called is not function and returns_list(called)
        case Name(name=name) if name not in seen:
            given = (n.value for n in walk(*function.body) if isinstance(n, Assign) and n.target == name)
            value = next(given, None)
            # What is never assigned is a parameter: a vector is a list, and for a number it does not matter.
            return name in function.parameters if value is None else _is_list(value, function, seen | {name})
    return False
