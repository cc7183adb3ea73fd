"""Hints: what to write instead of what Python and its libraries have and the language lacks."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def _rows_by_name(hints: dict[str, str]) -> dict[str, str]:
    """The table in which each name has a row, of one whose rows are for several names."""
    return {name: hint for names, hint in hints.items() for name in names.split()}


_ROUNDING = "write round(x), the nearest whole number, or floor(x) or ceil(x), from alignkit"

# Functions of Python, math or numpy, and methods.
FUNCTIONS = _rows_by_name({
    "abs absolute fabs": "write abs(x)",
    "max": "write max(x, y), or max(q) of a list",
    "amax": "write max(q)",
    "maximum fmax": "write max(x, y)",
    "min": "write min(x, y), or min(q) of a list",
    "amin": "write min(q)",
    "minimum fmin": "write min(x, y)",
    "sum fsum": "write sum(q)",
    "mean average": "write sum(q) / len(q)",
    "cumsum": "write a loop that adds up",
    "dot inner": "write sum(x * y for x, y in zip(a, b))",
    "any": "write any(x > 0 for x in q)",
    "all": "write all(x > 0 for x in q)",
    "sqrt": "write sqrt(x)",
    "exp": "write exp(x)",
    "exp2": "write exp2(x)",
    "log": "write log(x)",
    "log2": "write log(x) / log(2)",
    "pow power": "write power(x, n)",
    "square": "write x * x",
    "clip": "write clamp(x, low, high)",
    "where": "write x if condition else y",
    "index": "the index of the largest item is (i,) = largest(values, 1)",
    "argmax": "write (i,) = largest(values, 1)",
    "argmin": "write (i,) = largest([-x for x in values], 1)",
    "argsort argpartition sort sorted nlargest": "write largest(values, k), the indices of the k largest values",
    "reversed": "write [q[len(q) - 1 - i] for i in range(len(q))]",
    "array asarray list tuple": "write a list: [x for x in q]",
    "tolist": "leave it out: it is a list already",
    "copy": "leave it out: values cannot be changed in place, so a copy is not needed",
    "zeros": "write [0 for i in range(n)]",
    "ones": "write [1 for i in range(n)]",
    "arange": "write range(n), where it is iterated",
    "size": "write len(q)",
    "set frozenset": "write a set of indices: {i for i in range(n)}",
    "dict": "use a tuple or a list",
    "map": "write a comprehension: [f(x) for x in q]",
    "filter": "write a comprehension: [x for x in q if x > 0]",
    "int rint floor ceil trunc": _ROUNDING,
    "divmod": "write x // y and x % y, of whole numbers",
    "mod": "write x % y, of whole numbers",
    "float": "leave it out: numbers need no conversion",
    "Fraction": "leave it out: numbers need no conversion, and 1 / 3 is exact",
    "bool": "write the comparison out, for example `x != 0`",
    "Tag": 'name the tag at the top of the file, NAME = Tag("NAME"), and write NAME here',
    "str repr": 'outputs are numbers and tags: NAME = Tag("NAME") at the top of the file',
    "isinstance type": "leave the test out: the annotations of the parameters say what they are",
    "isnan isinf isfinite": "leave the test out: numbers are finite",
    "print": "leave it out: only what a mechanism yields or returns is its output",
    "input": "make it a parameter: a mechanism does no input or output",
    "open": "make what it reads a parameter: a mechanism does no input or output",
})

# Distributions that are not in the language: what follows the list of those that are.
DISTRIBUTIONS = _rows_by_name({
    "integers random randint": "; uniform gives a real number between two bounds, choice a whole number",
})

ATTRIBUTES = _rows_by_name({
    "pi": "write the number out, or use parameters and locals",
    "e": "write exp(1), or use parameters and locals",
    "inf": "there is no infinity: use a finite number, a parameter or a local",
    "nan": "every number is finite: use a parameter or a local",
    "size shape": "write len(q), or use parameters and locals",
})

# By the kind of a node of Python's syntax tree.
OPERATORS: dict[str, str] = {
    "Pow": "write the exponent as a number from 1 to 16, or power(x, n) for another whole power; sqrt(x) for a root",
    "BitXor": "use + - * and /, or power(x, n) for a whole power",
    "BitAnd": "use + - * and /, and `and` between conditions",
    "BitOr": "use + - * and /, and `or` between conditions",
    "MatMult": "use + - * and /: sum(x * y for x, y in zip(a, b))",
}

# What a parameter is likely to be, by its name and by the Python type that it was given.
_BY_NAME = _rows_by_name({
    "noise": "Noise",
    "q queries answers": "Queries",
    "eps epsilon": "Epsilon",
    "eta": "Eta",
    "k n": "Count",
    "T threshold": "Real",
    "theta": "Proportion",
    "delta sensitivity": "Positive",
})
_BY_TYPE = _rows_by_name({"int": "Count", "float": "Real", "list tuple ndarray": "Queries"})

PARAMETER_TYPES = "Queries, Query, Real, Reals, Positive, Proportion, Count, Epsilon, Eta or Noise"


def likely_type(name: str, given: str = "") -> str:
    """The type that a parameter of some name and Python type probably has; empty where nothing suggests one.

    >>> likely_type("eps"), likely_type("size", "int"), likely_type("x")
    ('Epsilon', 'Count', '')
    """
    return _BY_NAME.get(name) or _BY_TYPE.get(given.partition("[")[0], "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question that names the closest spelling, to be put before a hint; empty where there is none.

    >>> did_you_mean("epsilon", ["eps", "k"]), did_you_mean("above", ["ABOVE"])
    ('did you mean `eps`? ', 'did you mean `ABOVE`? ')
    """
    by_case = {word.lower(): word for word in known}
    close = difflib.get_close_matches(name.lower(), by_case, n=1)
    return f"did you mean `{by_case[close[0]]}`? " if close else ""
