"""Everything outside the language is refused where the mechanism is defined: place, caret, what to write."""

from __future__ import annotations

import pytest

from alignkit import LanguageError

HEAD = """\
import random
import math
import numpy as np
from statistics import median
from random import random as uniform

STEP = 2
NOTHING = None

def fine(x):
    return x + 1

def drawn(scale, noise):
    e = noise.laplace(scale)
    return e

def generator(x):
    yield x

def recursive(x):
    y = recursive(x)
    return y

def optional(x, y=1):
    return x + y

def keyed(x, *, y):
    return x

def many(*x):
    return x[0]

def sometimes(x):
    if x > 0:
        return x

class Helper:
    pass

@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
"""

# name, body, the text that the caret marks (its first line), the problem, what to write instead
BODIES: list[tuple[str, str, str, str, str]] = [
    ("while", "while True:\n    yield ABOVE", "while True:", "`while` is not in", "use `for` over the queries"),
    ("try", "try:\n    x = 1\nexcept ValueError:\n    x = 2", "try:", "`try` is not in", "to exclude the bad case"),
    ("except*", "try:\n    x = 1\nexcept* ValueError:\n    x = 2", "try:", "`try` is not in", "to exclude the bad"),
    ("with", "with open('x') as f:\n    x = 1", "with open('x') as f:", "`with` is not in", "no input or output"),
    ("raise", "raise ValueError", "raise ValueError", "`raise` is not in", "`return`"),
    ("assert", "assert k > 0", "assert k > 0", "`assert` is not in", "type that excludes the bad case"),
    ("global", "global STEP\nSTEP = 3", "global STEP", "`global` is not in", "pass the value as a parameter"),
    ("import", "import math", "import math", "`import` inside", "at the top of the file"),
    ("from import", "from math import pi", "from math import pi", "`import` inside", "at the top of the file"),
    ("nested def", "def f(x):\n    return x", "def f(x):", "a function inside a function", "top level of the file"),
    ("async def", "async def f(x):\n    return x", "async def f(x):", "a function inside a", "top level of the file"),
    ("class", "class A:\n    pass", "class A:", "a class inside a function", "use tuples"),
    ("del", "x = 1\ndel x", "del x", "`del` is not in", "leave it out: a name keeps its value"),
    ("del item", "x = [1]\ndel x[0]", "del x[0]", "cannot be changed in place", "build a new value"),
    ("continue", "for x in q:\n    continue", "continue", "`continue` is not in", "under `else`"),
    ("match", "match k:\n    case 1:\n        x = 1", "match k:", "`match` is not in", "if / elif / else"),
    ("declaration", "x: int", "x: int", "a declaration without a value", "give the name its value"),
    ("in parentheses", "(x): int = 1", "(x): int = 1", "anything but a plain name", "leave the annotation out"),
    ("annotated item", "x = [1]\nx[0]: int = 1", "x[0]: int = 1", "anything but a plain name", "leave the annotation"),
    ("for else", "for x in q:\n    y = x\nelse:\n    z = 1", "z = 1", "`for … else`", "after the loop"),
    ("chained assignment", "x = y = 1", "x = y = 1", "a chained assignment", "one name per line"),
    ("starred target", "x, *y = q", "*y", "a starred target", "name every part"),
    ("item assignment", "x = [1]\nx[0] = 2", "x[0]", "cannot be changed in place", "build a new value"),
    ("attribute assignment", "eta.x = 2", "eta.x", "cannot be changed in place", "build a new value"),
    ("item update", "x = [1]\nx[0] += 2", "x[0] += 2", "cannot be changed in place", "build a new value"),
    ("append", "x = [1]\nx.append(2)", "x.append(2)", "`x.append(…)` is not in", "cannot be changed in place"),
    ("update with //", "x = eta\nx //= 2", "x", "an operand of // is a number", "a whole number"),
    ("update with **", "x = 5\nx **= 2", "x **= 2", "this augmented assignment", "+= -= *= or /="),
    ("unused value", "k + 1", "k + 1", "is not used", "assign it to a name"),
    ("unused call", "fine(k)", "fine(k)", "is not used", "assign it to a name"),
    ("print", "print(k)", "print", "`print` is the function print", "leave it out: only what a mechanism yields"),
    ("ellipsis", "...", "...", "`Ellipsis` is not in", "numbers and tags"),
    ("bare yield", "yield", "yield", "`yield` without a value", "yield a tag"),
    ("yield value", "x = yield 1", "yield 1", "`yield` inside an expression", "on a line of its own"),
    ("yield from", "yield from q", "yield from q", "`yield from` anything but the call", "in a loop"),
    ("generator returns", "yield ABOVE\nreturn 1", "return 1", "a generator returns a value", "yield it"),
    ("unreachable", "return eta\nx = 1", "x = 1", "this statement is never reached", "remove it"),
    ("unreachable after break", "for x in q:\n    break\n    y = x", "y = x", "statement is never reached", "remove"),
    # expressions
    ("lambda", "f = lambda x: x", "lambda x: x", "`lambda` is not in", "with `def`"),
    ("dict", "x = {1: 2}", "{1: 2}", "a dict is not in", "a tuple or a list"),
    ("dict comprehension", "x = {i: 1 for i in q}", "{i: 1 for i in q}", "a dict comprehension", "list compreh"),
    ("f-string", "yield f'{k}'", "f'{k}'", "an f-string is not in", "numbers, tags"),
    ("walrus", "x = (y := 2) + 1", "y := 2", "`:=` is not in", "a line of its own"),
    ("slice", "x = q[::2]", "q[::2]", "a slice with a step is not in", "[v[i] for i in range(len(v)) if i % 2 == 0]"),
    ("starred", "x = {*q}", "*q", "`*` unpacking here is not in", "unpack in lists only"),
    ("starred call", "x = fine(*q)", "fine(*q)", "`*` unpacking is not in", "write the arguments out"),
    ("floor division", "x = eta // 2", "eta", "an operand of // is a number", "a whole number"),
    ("modulo", "x = k % 0.5", "0.5", "an operand of % is a number", "a whole number"),
    ("power", "x = k ** eps", "k ** eps", "this operator is not in", "power(x, n) for another"),
    ("bitwise and", "x = k & 2", "k & 2", "this operator is not in", "+ - * and /"),
    ("bitwise or", "x = {1} | {2}", "{1} | {2}", "this operator is not in", "+ - * and /"),
    ("shift", "x = k << 2", "k << 2", "this operator is not in", "+ - * and /"),
    ("matrix product", "x = q @ q", "q @ q", "this operator is not in", "+ - * and /"),
    ("complement", "x = ~k", "~k", "this operator is not in", "use -"),
    ("unary plus", "x = +k", "+k", "this operator is not in", "leave it out"),
    ("string", "yield 'above'", "'above'", "a string is not in", 'NAME = Tag("NAME")'),
    ("bytes", "yield b'above'", "b'above'", "is not in the language", "numbers and tags"),
    ("None", "x = None", "None", "`None` is not in", "a tag"),
    ("complex", "x = 2j", "2j", "is not in the language", "numbers and tags"),
    ("too many digits", "x = 0.10000000000000000001", "0.10000000000000000001", "Python rounds this number", "0.1,"),
    ("infinity", "x = 1e999", "1e999", "a number that is not finite", "finite number"),
    ("attribute", "x = math.pi", "math.pi", "attributes are not in", "parameters and locals"),
    ("global number", "x = STEP", "STEP", "`STEP` is a number from outside", "make it a parameter or a local"),
    ("global None", "x = NOTHING", "NOTHING", "a value of type NoneType", "parameters, locals, and tags"),
    ("global function", "x = fine", "fine", "`fine` is the function fine", "parameters, locals, and tags"),
    ("global class", "x = Helper", "Helper", "`Helper` is the class Helper", "parameters, locals, and tags"),
    ("module", "x = math", "math", "`math` is the module math", "parameters, locals, and tags"),
    ("unknown name", "x = nowhere", "nowhere", "`nowhere` is not defined here", "define it above"),
    ("two fors", "x = [a for a in q for b in q]", "[a for a in q for b in q]", "more than one `for`", "a loop"),
    ("generator as a list", "x = (a for a in q)", "(a for a in q)", "a generator expression outside", "brackets"),
    ("loop over generator", "for x in (a for a in q):\n    y = x", "(a for a in q)", "a generator expr", "brackets"),
    ("kept zip", "x = zip(q, q)", "zip(q, q)", "zip(…) is used where nothing", "iterate over it in place"),
    ("kept range", "yield range(k)", "range(k)", "range(…) is used where", "[x for x in …]"),
    ("length of enumerate", "x = len(enumerate(q))", "enumerate(q)", "enumerate(…) is used", "in place"),
    # calls
    ("random.random", "x = random.random()", "random.random()", "`random.random(…)` is not", "noise.laplace(…)"),
    ("np.random", "x = np.random.rand()", "np.random.rand()", "`np.random.rand(…)` is", "noise.laplace(…)"),
    ("np.exp", "x = np.exp(k)", "np.exp(k)", "`np.exp(…)` is not in", "write exp(x)"),
    ("method", "x = q.copy()", "q.copy()", "`q.copy(…)` is not in", "leave it out"),
    ("imported random", "x = uniform()", "uniform", "not a function of the language", "your own functions"),
    ("stdlib function", "x = median(q)", "median", "`median` comes from statistics", "draw from the noise"),
    ("unknown function", "x = nowhere(k)", "nowhere", "`nowhere` is not defined here", "define it above"),
    ("other builtin", "x = int(k)", "int", "`int` is the class int, not", "write round(x), the nearest whole number"),
    ("round to digits", "x = round(k, 2)", "round(k, 2)", "round does not take 2 arguments", "write round(x)"),
    ("unhelpful builtin", "x = id(k)", "id", "`id` is the function id, not", "call abs, all, any"),
    ("tag in place", 'yield Tag("INSIDE")', "Tag", "`Tag` is the class Tag", 'top of the file, NAME = Tag("NAME")'),
    ("type call", "x = float(k)", "float", "`float` is the class float, not", "leave it out: numbers need no"),
    ("call of a call", "x = fine(1)(2)", "fine(1)(2)", "cannot be called", "by their name"),
    ("call of a variable", "x = eta(1)", "eta(1)", "`eta` is a variable", "functions defined in the file"),
    ("keyword argument", "x = fine(x=1)", "x=1", "keyword arguments are not in", "by position"),
    ("max with key", "x = max(q, key=fine)", "key=fine", "keyword arguments are not in", "by position"),
    ("arity of builtin", "x = abs(1, 2)", "abs(1, 2)", "abs does not take 2 arguments", "write abs(x)"),
    ("sum with start", "x = sum(q, 1)", "sum(q, 1)", "sum does not take 2 arguments", "write sum(q)"),
    ("arity of helper", "x = fine(1, 2)", "fine(1, 2)", "fine takes 1 arguments, not 2", "by position"),
    ("default left out", "x = optional(1)", "optional(1)", "optional takes 2 arguments, not 1", "pass all"),
    ("generator called", "x = generator(1)", "generator(1)", "generator is a generator", "returns its value"),
    ("noise to a builtin", "x = len(noise)", "noise", "`noise` cannot be used as a value", "draw from it"),
    # draws
    ("draw in a sum", "x = k + noise.laplace(1)", "noise.laplace(1)", "inside a larger expression", "by itself"),
    ("negative draw", "x = -noise.laplace(1)", "noise.laplace(1)", "inside a larger expression", "by itself"),
    ("yielded draw", "yield noise.laplace(1)", "noise.laplace(1)", "inside a larger expression", "by itself"),
    ("returned draw", "return noise.laplace(1)", "noise.laplace(1)", "inside a larger expression", "by itself"),
    ("draw and unpack", "x, y = noise.laplace(1), 2", "noise.laplace(1)", "inside a larger", "by itself"),
    ("draw in a condition", "if noise.laplace(1) > 0:\n    x = 1", "noise.laplace(1)", "inside a larger", "by itself"),
    ("draw under and", "x = k > 1 and noise.laplace(1) > 0", "noise.laplace(1)", "inside a larger", "by itself"),
    ("draw under a choice", "x = noise.laplace(1) if k > 1 else 0", "noise.laplace(1)", "inside a", "by itself"),
    ("repeated draw", "x = [noise.laplace(1)] * 3", "noise.laplace(1)", "inside a larger expression", "by itself"),
    ("draw in a tuple", "x = [noise.laplace(1)]", "noise.laplace(1)", "inside a larger expression", "by itself"),
    ("draw in a generator", "x = sum(noise.laplace(1) for i in q)", "noise.laplace(1)", "inside a", "by itself"),
    ("draw in a filter", "x = [i for i in q if noise.laplace(1) > 0]", "noise.laplace(1)", "inside a", "by itself"),
    ("draw in an element", "x = [1 + noise.laplace(1) for i in q]", "noise.laplace(1)", "inside a", "by itself"),
    ("draw in an argument", "x = [fine(noise.laplace(1)) for i in q]", "noise.laplace(1)", "inside", "by itself"),
    ("nested list of draws", "x = [[noise.laplace(1) for i in q] for j in q]", "noise.laplace(1)", "inside", "itself"),
    ("draw added on", "eta += noise.laplace(1)", "noise.laplace(1)", "inside a larger expression", "by itself"),
    ("draw unused", "noise.laplace(1)", "noise.laplace(1)", "is not used", "assign it to a name"),
    ("helper draw in a sum", "x = 1 + drawn(1, noise)", "drawn(1, noise)", "is passed the noise inside", "first"),
    ("helper draw under or", "x = k > 1 or drawn(1, noise) > 0", "drawn(1, noise)", "is passed the noise", "first"),
    ("helper draw in any", "x = any(drawn(i, noise) > 0 for i in q)", "drawn(i, noise)", "passed the", "in a loop"),
    ("helper draw, filter", "x = [i for i in q if drawn(i, noise) > 0]", "drawn(i, noise)", "passed", "first"),
    ("unknown noise", "x = noise.gauss(1)", "noise.gauss(1)", "`gauss` is not a known noise", "laplace, expo"),
    ("draw without scale", "x = noise.laplace()", "noise.laplace()", "is not given its scale", "noise.laplace(scale)"),
    ("too many parameters", "x = noise.laplace(1, 2)", "noise.laplace(1, 2)", "not take 2", "noise.laplace(scale)"),
    ("unknown parameter", "x = noise.laplace(mean=1)", "mean=1", "does not take this", "noise.laplace(scale)"),
    ("parameter twice", "x = noise.laplace(1, scale=1)", "scale=1", "does not take this", "noise.laplace(scale)"),
    ("draw called shift", "shift = noise.laplace(1)", "noise.laplace(1)", "cannot be called `shift`", "another name"),
    ("noise reassigned", "noise = 1", "noise", "`noise` is the noise and cannot be", "another name"),
    ("noise updated", "noise += 1", "noise += 1", "`noise` is the noise and cannot be", "another name"),
    ("noise as loop variable", "for noise in q:\n    x = 1", "noise", "`noise` is the noise", "another name"),
    ("noise in comprehension", "x = [1 for noise in q]", "noise", "`noise` is the noise", "another name"),
    ("noise copied", "x = noise", "noise", "`noise` cannot be used as a value", "draw from it"),
    ("noise yielded", "yield noise", "noise", "`noise` cannot be used as a value", "draw from it"),
    # kinds
    ("unassigned", "if k > 1:\n    x = 1\nyield x", "x", "`x` may have no value here", "on every path"),
    ("unassigned in else", "if k > 1:\n    x = 1\nelse:\n    y = 2\nyield y", "y", "`y` may have no", "every path"),
    ("assigned in a loop", "for a in q:\n    x = a\nyield x", "x", "`x` may have no value here", "every path"),
    ("used before", "y = x\nx = 1", "x", "`x` may have no value here", "give it a value before"),
    ("after its loop", "for x in q:\n    y = x\nyield x", "x", "`x` may have no value here", "ends with its loop"),
    ("next round", "for a in q:\n    if a > 0:\n        yield x\n    x = a", "x", "`x` may have no", "every path"),
    ("Boolean summand", "x = (k > 1) + 1", "k > 1", "a Boolean is used as a number", "compute with numbers"),
    ("Boolean constant", "x = True + 1", "True", "a Boolean is used as a number", "compute with numbers"),
    ("negative Boolean", "x = -(k > 1)", "k > 1", "a Boolean is used as a number", "compute with numbers"),
    ("sum of Booleans", "x = sum(a > 0 for a in q)", "sum(a > 0 for a in q)", "sum of a Boolean", "numbers"),
    ("tag summand", "x = 1 + ABOVE", "ABOVE", "a tag is used as a number", "compute with numbers"),
    ("tuple summand", "x = (1, 2) + (3, 4)", "(1, 2)", "a sequence is used as a number", "compute with numbers"),
    ("number as condition", "if k:\n    x = 1", "k", "a whole number is used as a condition", "x != 0"),
    ("list as condition", "if q:\n    x = 1", "q", "a sequence is used as a condition", "x != 0"),
    ("not number", "x = not k", "k", "a whole number is used as a condition", "x != 0"),
    ("and of numbers", "x = k and 1", "k", "a whole number is used as a condition", "x != 0"),
    ("filter by number", "x = [a for a in q if a]", "a", "a number is used as a condition", "x != 0"),
    ("choice by number", "x = 1 if eta else 2", "eta", "a number is used as a condition", "x != 0"),
    ("is on numbers", "x = k is eta", "k is eta", "`is` compares a whole number", "== for numbers"),
    ("is on Booleans", "x = (k > 1) is (k > 2)", "(k > 1) is (k > 2)", "`is` compares a Boolean", "and for Booleans"),
    ("number is True", "x = k is True", "k is True", "`is` compares a whole number", "== for numbers"),
    ("Boolean == number", "x = (k > 1) == 1", "(k > 1) == 1", "`==` compares a Boolean", "is a condition by itself"),
    ("tag < tag", "x = ABOVE < BELOW", "ABOVE < BELOW", "`<` compares a tag with a tag", "tags with `is`"),
    ("list == list", "x = q == [1]", "q == [1]", "`==` compares a sequence with", "one by one"),
    ("tuple in tuples", "x = (1, 2) in [(1, 2)]", "(1, 2) in [(1, 2)]", "`in` compares a seq", "one by one"),
    ("Boolean in numbers", "x = (k > 1) in (0, 1)", "(k > 1) in (0, 1)", "`in` compares a Bool", "with numbers"),
    ("in number", "x = 1 in k", "1 in k", "the right side of `in` is a whole number", "a tuple or a set"),
    ("set of tags", "x = {ABOVE}", "ABOVE", "a tag is used as a number", "compute with numbers"),
    ("set == set", "x = {1} == {2}", "{1} == {2}", "`==` compares a set of indices", "numbers with numbers"),
    ("loop over a set", "for x in {1, 2}:\n    y = x", "{1, 2}", "a set of indices cannot be", "queries, a list"),
    ("yielded set", "yield {1, 2}", "{1, 2}", "a set of indices is an output", "numbers, tags, and tuples"),
    ("returned set", "return {1, 2}", "{1, 2}", "a set of indices is an output", "numbers, tags, and tuples"),
    ("hidden set", "x = {1} if k > 1 else 2\nyield x", "x", "a value that may be a set", "numbers, tags"),
    ("loop over a number", "for x in k:\n    y = x", "k", "a whole number cannot be iterated", "queries, a list"),
    ("real index", "x = q[eta]", "eta", "the index is a number", "give it a whole number"),
    ("Boolean index", "x = q[True]", "True", "the index is a Boolean", "give it a whole number"),
    ("item of a number", "x = k[0]", "k[0]", "a whole number has no items", "index tuples, lists"),
    ("real range", "x = [a for a in range(eta)]", "eta", "an argument of range is a number", "whole number"),
    ("real k", "x = largest(q, eta)", "eta", "the k of largest(values, k) is a number", "whole number"),
    ("halved k", "x = largest(q, k / 2)", "k / 2", "the k of largest(values, k) is a number", "whole number"),
    ("max of tags", "x = max([ABOVE])", "max([ABOVE])", "max of a tag", "give it numbers"),
    ("any of numbers", "x = any(a for a in q)", "any(a for a in q)", "any of a number", "comparison out"),
    ("max of a number", "x = max(k)", "k", "a whole number cannot be iterated", "queries, a list"),
    ("unpacked number", "x, y = k", "x, y = k", "a whole number cannot be unpacked", "unpack tuples and lists"),
    ("unpacked short", "x, y = 1, 2, 3", "x, y = 1, 2, 3", "a sequence of 3 cannot be unpacked into 2", "as many"),
    ("in no items", "x = []\ny = (k > 1) in x", "(k > 1) in x", "an item of a list that is empty", "no items when"),
    ("an item of none", "x = []\ny = x[0] + 1", "x[0]", "an item of a list that is empty is used", "has no items when"),
    ("assigned nothing", "x = sometimes(1)\ny = x + 1", "x", "a value of varying kind is used", "numbers only"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "marked", "problem", "hint"), [c[1:] for c in BODIES], ids=[c[0] for c in BODIES])
def test_refused(define, tmp_path, body, marked, problem, hint):
    source = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    with pytest.raises(LanguageError) as caught:
        define(source)
    error = caught.value
    assert problem in error.problem, error
    assert hint in error.hint, error
    assert error.file.startswith(str(tmp_path))
    line = source.splitlines()[error.line - 2]  # the prelude is the first line of the file
    assert error.source.rstrip() == line.rstrip()
    assert line[error.column : error.column + error.width] == marked, error
    assert error.line - 1 > len(HEAD.splitlines()), "the caret points into the body"
    text = str(error)
    assert text.startswith(f"{error.file}:{error.line}:{error.column + 1}: {error.problem}\n")
    assert "^" * error.width in text


def test_nonlocal(define):
    with pytest.raises(LanguageError, match="`nonlocal` is not in the language"):
        define("""
            def outer():
                x = 1
                @mechanism
                def m(q: Queries, noise: Noise):
                    nonlocal x
                    yield ABOVE
            outer()
        """)


def test_recursion(define):
    with pytest.raises(LanguageError, match="calls itself") as caught:
        define(HEAD + "    x = recursive(k)\n")
    assert "write a loop" in caught.value.hint


def test_mutual_recursion(define):
    with pytest.raises(LanguageError, match="calls itself"):
        define("""
            def one(x):
                y = other(x)
                return y
            def other(x):
                y = one(x)
                return y
            @mechanism
            def m(q: Query, noise: Noise):
                x = one(q)
                return x
        """)


@pytest.mark.parametrize(
    ("helper", "problem"),
    [("def f(x, *, y):\n    return x", "`y` is not a plain"), ("def f(*x):\n    return x[0]", "`x` is not a plain"),
     ("def f(x, /):\n    return x", "`x` is not a plain"), ("def f(x, **y):\n    return x", "`y` is not a plain"),
     ("def f(x):\n    while True:\n        x = 1", "`while`"), ("f = lambda x: x", "a lambda")],
)  # fmt: skip
def test_helpers_are_read_too(define, helper, problem):
    with pytest.raises(LanguageError, match=problem):
        define(helper + "\n@mechanism\ndef m(q: Query, noise: Noise):\n    x = f(q)\n    return x\n")


def test_a_helper_that_is_no_plain_function(define):
    with pytest.raises(LanguageError, match="not a function of the language"):
        define("""
            import functools
            @functools.lru_cache
            def f(x):
                return x
            @mechanism
            def m(q: Query, noise: Noise):
                x = f(q)
                return x
        """)


SIGNATURES = [
    ("no noise", "q: Queries", "no parameter has the type Noise", "noise: Noise", "def"),
    ("two noises", "q: Queries, a: Noise, b: Noise", "two parameters have the type Noise", "from `a`", "b: Noise"),
    ("no private", "eps: Epsilon, noise: Noise", "no parameter is private", "q: Queries", "def"),
    ("unannotated", "q: Queries, k, noise: Noise", "parameter `k` has no type", "write k: Count; the types are Q", "k"),
    ("noise unannotated", "q: Queries, noise", "parameter `noise` has no type", "or Noise", "noise"),
    ("unknown type", "q: Queries, k: int, noise: Noise", "the type int, which", "use Queries", "k: int"),
    ("args", "q: Queries, noise: Noise, *args", "`args` is not a plain parameter", "no *args", "args"),
    ("kwargs", "q: Queries, noise: Noise, **args", "`args` is not a plain parameter", "**kwargs", "args"),
    ("keyword-only", "q: Queries, *, noise: Noise", "`noise` is not a plain parameter", "a plain name", "noise: Noise"),
    ("positional-only", "q: Queries, /, noise: Noise", "`q` is not a plain parameter", "a plain name", "q: Queries"),
    ("private default", "noise: Noise, q: Queries = (1,)", "`q` has a default value", "only public", "q: Queries"),
    ("bad default", "q: Queries, noise: Noise, k: Count = 0", "does not have the parameter's type: k must be a whole",
     "give another", "k: Count"),
    ("called H", "q: Queries, H: Real, noise: Noise", "cannot be called `H`", "another name", "H: Real"),
    ("called omega", "q: Queries, omega: Real, noise: Noise", "cannot be called `omega`", "another", "omega: Real"),
    ("called seed", "q: Queries, seed: Count, noise: Noise", "cannot be called `seed`", "another", "seed: Count"),
    ("primed", "q: Queries, q_: Real, noise: Noise", "that an alignment uses for `q`", "another", "q_: Real"),
    ("unknown sensitivity", "q: Queries(sensitivity='d'), noise: Noise", "sensitivity of `q` is 'd'", "type Positive",
     "q: Queries(sensitivity='d')"),
    ("real sensitivity", "q: Query(sensitivity='d'), d: Real, noise: Noise", "sensitivity of `q` is 'd'",
     "type Positive", "q: Query(sensitivity='d')"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("signature", "problem", "hint", "marked"), [c[1:] for c in SIGNATURES], ids=[c[0] for c in SIGNATURES]
)
def test_signatures(define, signature, problem, hint, marked):
    with pytest.raises(LanguageError) as caught:
        define(f"@mechanism\ndef m({signature}):\n    eta = noise.laplace(1)\n    yield eta\n")
    error = caught.value
    assert problem in error.problem
    assert hint in error.hint
    assert error.line == 3
    assert error.source[error.column : error.column + error.width].startswith(marked)


def test_a_type_that_cannot_be_read(define):
    with pytest.raises(LanguageError, match="the type of parameter `q` cannot be read"):
        define("@mechanism\ndef m(q: 'Unknown', noise: Noise):\n    yield ABOVE\n")


def test_decorated_twice(define):
    with pytest.raises(LanguageError, match="m is a mechanism already"):
        define("@mechanism\n@mechanism\ndef m(q: Queries, noise: Noise):\n    yield ABOVE\n")


@pytest.mark.parametrize("name", ["if", "not an identifier", "1st", ""])
def test_tags_have_names(name):
    from alignkit import Tag

    with pytest.raises(TypeError, match="identifier"):
        Tag(name)
