"""Where the source comes from: files, closures, notebooks; and the sources that cannot be had."""

from __future__ import annotations

import ast
import linecache
import re
import textwrap

import pytest
from support.defining import load

import alignkit
from alignkit import LanguageError, Noise, Queries, check, mechanism
from alignkit.language.source_code import parsed

M = """\
@mechanism
def m(q: Queries, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    yield q[0] + eta
"""


def given(**more):
    return {name: getattr(alignkit, name) for name in ("mechanism", "Queries", "Epsilon", "Noise")} | more


@pytest.mark.parametrize("file", ["<string>", "<stdin>", "no_such_file.py"])
def test_no_source(file):
    with pytest.raises(LanguageError, match="the source of m cannot be read") as caught:
        exec(compile(M, file, "exec"), given())
    assert "put the function into a .py file" in caught.value.hint
    assert caught.value.line == 1


def test_another_source_under_the_file_name(tmp_path):
    path = tmp_path / "other.py"
    path.write_text("x = 1\n")
    with pytest.raises(LanguageError, match="has changed since it was loaded"):
        exec(compile(M, str(path), "exec"), given())


def test_a_notebook_cell_has_source():
    linecache.cache["<cell 1>"] = (len(M), None, M.splitlines(keepends=True), "<cell 1>")
    names = given()
    exec(compile(M, "<cell 1>", "exec"), names)
    assert names["m"].replay([1], {"eta": 2}, eps=1) == [3]


def test_a_function_compiled_without_its_outer_decorators_has_source(tmp_path):
    """As marimo does with `@app.function` where a notebook is run as a script."""
    path = tmp_path / "notebook.py"
    path.write_text(f"@app.function\n{M}")
    names = given()
    exec(compile(f"\n{M}", str(path), "exec"), names)
    assert names["m"].replay([1], {"eta": 2}, eps=1) == [3]
    assert names["m"].line == 3


def test_a_body_that_changed_under_an_outer_decorator_has_no_source(tmp_path):
    path = tmp_path / "notebook.py"
    path.write_text(f"@app.function\n{M.replace('1 / eps', '2 / eps')}")
    with pytest.raises(LanguageError, match="has changed since it was loaded"):
        exec(compile(f"\n{M}", str(path), "exec"), given())


CELL = """\
def _():
    def helper(x):
        return 2 * x

    @mechanism
    def m(q: Queries, eps: Epsilon, noise: Noise):
        eta = noise.laplace(1 / eps)
        yield helper(q[0]) + eta
"""


def test_a_function_of_a_cell_that_was_compiled_as_a_module_has_source(tmp_path):
    """As marimo does where a notebook is run as a script: what is the cell's in the file is global there."""
    path = tmp_path / "notebook.py"
    path.write_text(CELL)
    body = textwrap.dedent("\n" + CELL.partition("\n")[2])
    names = given()
    exec(compile(body, str(path), "exec"), names)
    assert names["m"].replay([1], {"eta": 2}, eps=1) == [4]


@pytest.mark.parametrize(("old", "new"), [("1 / eps", "2 / eps"), ("helper(q[0]) +", "helper(q[0]) -")])
def test_a_function_of_a_cell_that_changed_has_no_source(tmp_path, old, new):
    path = tmp_path / "notebook.py"
    path.write_text(CELL.replace(old, new))
    body = textwrap.dedent("\n" + CELL.partition("\n")[2])
    with pytest.raises(LanguageError, match="has changed since it was loaded"):
        exec(compile(body, str(path), "exec"), given())


def test_lambda():
    with pytest.raises(LanguageError, match="a lambda cannot be a mechanism") as caught:
        mechanism(lambda q, noise: q)
    assert "with `def`" in caught.value.hint


@pytest.mark.parametrize("thing", [print, int, 3, "m", len])
def test_no_function(thing):
    with pytest.raises(LanguageError, match="is not a plain Python function"):
        mechanism(thing)


@pytest.mark.parametrize(
    ("old", "new"),
    [("1 / eps", "2 / eps"), ("q[0] + eta", "q[0] - eta"), ("1 / eps", "1.0 / eps"),
     ("    yield", "    yield eta\n    yield"), ("def m", "\n\ndef m"), ("def m", "def n"), ("eps", "eps +")],
)  # fmt: skip
def test_a_file_that_changed_after_its_import(tmp_path, old, new):
    path = tmp_path / "changing.py"
    path.write_text("from alignkit import Epsilon, Noise, Queries\n" + M.removeprefix("@mechanism\n"))
    module = load(path, "changing")
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(LanguageError, match="has changed since it was loaded") as caught:
        mechanism(module.m)
    assert "import it again in a new process" in caught.value.hint


def test_a_function_may_be_read_after_its_file_changed_elsewhere(tmp_path):
    path = tmp_path / "changing.py"
    path.write_text("from alignkit import Epsilon, Noise, Queries\n" + M.removeprefix("@mechanism\n"))
    module = load(path, "changing")
    path.write_text(path.read_text() + "\nx = 1\n")
    assert mechanism(module.m).name == "m"


def test_a_mechanism_inside_a_test():
    # pytest rewrites the asserts of this very function.
    mark = alignkit.Tag("MARK")

    @mechanism
    def m(q: Queries, noise: Noise):
        eta = noise.laplace(1)
        if q[0] + eta > 0:
            yield mark

    assert m.replay([1], {"eta": 0}) == [mark]


def test_closures_over_tags_and_functions(define):
    module = define("""
        def made(tag, change):
            @mechanism
            def m(q: Queries, eps: Epsilon, noise: Noise):
                eta = noise.laplace(1 / eps)
                if change(q[0]) + eta > 0:
                    yield tag
                else:
                    yield [tag for x in q]
            return m
        def double(x):
            return 2 * x
        LOUD = Tag("LOUD")
        m = made(LOUD, double)
    """)
    assert module.m.replay([3], {"eta": -5}, eps=1) == [module.LOUD]
    assert list(module.m([3], 1, FixedNoise(-6))) == [(module.LOUD,)]


class FixedNoise(Noise):
    def __init__(self, value):
        self.value = value

    def draw(self, distribution, *parameters):
        return self.value


def test_closures_over_numbers_are_refused(define):
    with pytest.raises(LanguageError, match="`step` is a number from outside the function"):
        define("""
            def made(step):
                @mechanism
                def m(q: Queries, noise: Noise):
                    yield step
                return m
            made(1)
        """)


def test_inside_a_class(define):
    module = define("""
        class Family:
            @mechanism
            def m(q: Queries, noise: Noise):
                eta = noise.laplace(1)
                yield q[0] + eta
    """)
    assert module.Family.m.replay([1], {"eta": 1}) == [2]


def test_future_annotations(define):
    module = define(
        "from __future__ import annotations\nfrom alignkit import mechanism, Queries, Epsilon, Noise\n"
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from collections.abc import Iterator\n\n"
        + M.replace("noise: Noise)", "noise: Noise) -> Iterator[float]").replace("q: Queries", "q: Queries(lattice=1)"),
        prelude=False,
    )
    assert module.m.private["q"].lattice == 1
    assert module.m.replay([1], {"eta": 1}, eps=1) == [2]


def test_other_decorators_between_are_seen(define):
    with pytest.raises(LanguageError, match="`a` is not a plain parameter"):
        define("""
            import functools
            def plain(f):
                @functools.wraps(f)
                def wrapper(*a):
                    return f(*a)
                return wrapper
            @mechanism
            @plain
            def m(q: Queries, noise: Noise):
                yield ABOVE
        """)


def test_columns_are_characters(define):
    with pytest.raises(LanguageError) as caught:
        define("@mechanism\ndef m(q: Queries, ε: Epsilon, noise: Noise):\n    βήτα = ε + ε ** ε\n    yield βήτα\n")
    error = caught.value
    assert error.source[error.column : error.column + error.width] == "ε ** ε"
    assert str(error).splitlines()[2] == "    |" + " " * 16 + "^^^^^^"


def test_the_caret_stands_below_tabs(define):
    with pytest.raises(LanguageError) as caught:
        define("@mechanism\ndef m(q: Queries, noise: Noise):\n\tif q[0] > 0:\n\t\tx = 1 ** 1.5\n\tyield ABOVE\n")
    shown, caret = str(caught.value).splitlines()[1:3]
    assert "\t" not in shown
    assert shown[caret.index("^") :] == "1 ** 1.5"


def test_a_multi_line_expression(define):
    with pytest.raises(LanguageError) as caught:
        define("""
            @mechanism
            def m(q: Queries, noise: Noise):
                x = max(
                    1,
                    2 **
                    1.5)
                yield x
        """)
    error = caught.value
    assert error.line == 7
    assert error.source[error.column : error.column + error.width] == "2 **"


def test_windows_line_ends_and_no_newline_at_the_end(tmp_path):
    path = tmp_path / "windows.py"
    path.write_bytes(
        ("from alignkit import mechanism, Queries, Epsilon, Noise\n" + M.rstrip()).replace("\n", "\r\n").encode()
    )
    assert load(path, "windows").m.replay([1], {"eta": 1}, eps=1) == [2]


def test_another_encoding(tmp_path):
    path = tmp_path / "latin.py"
    text = "# -*- coding: latin-1 -*-\n# é\nfrom alignkit import mechanism, Queries, Epsilon, Noise\n" + M
    path.write_bytes(text.encode("latin-1"))
    assert load(path, "latin").m.line == 5


def test_the_module_stays_what_it_was(define):
    """The decorated function is still a Python callable with its name and documentation."""
    import inspect

    module = define(M.replace("    eta =", '    """Adds noise."""\n    eta ='))
    m = module.m
    assert (m.__name__, m.__doc__, m.__module__) == ("m", "Adds noise.", module.__name__)
    assert list(inspect.signature(m).parameters) == ["q", "eps", "noise"]
    assert list(m([1], 1, FixedNoise(2))) == [3]
    assert repr(m) == "<mechanism m>"
    assert re.search(r"program_\d+\.py$", m.file)
    assert m.line == 3


HEX = "0x" + "f" * 4000

LONG = """
    {}
    @mechanism
    def m(q: Query, noise: Noise, T: Real = {}):
        e = noise.laplace(1)
        return q + e + {}
"""


@pytest.mark.parametrize("places", [("", "0", HEX), ("", HEX, "0"), (f"def helper(): return {HEX}\n", "0", "helper()")])
def test_a_number_of_more_digits_than_python_writes_is_refused_at_its_place(define, places):
    with pytest.raises(LanguageError, match="a number has more digits than Python writes out") as problem:
        define(LONG.format(*places))
    assert problem.value.width == len(HEX)


def test_such_a_number_elsewhere_in_the_file_does_not_matter(define):
    m = define(LONG.format(f"UNUSED = {HEX}\n", "0", "1")).m
    assert m.replay(1, {"e": 0}) == 2


# What is nested too deeply to be read

SUM = """
    @mechanism
    def m(q: Queries, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        {body}

    @alignment(m, epsilon="{claim}")
    def phi(q, q_, H):
        return H.shift(e={shift})
"""
SHORT = {"body": "yield q[0] + e", "claim": "eps", "shift": "q_[0] - q[0]"}
TERMS = " + ".join(["1"] * 400)


@pytest.mark.parametrize(
    "given",
    [
        {"body": f"yield q[0] + e + {TERMS}"},
        {"claim": f"eps + {TERMS}"},
        {"shift": f"q_[0] - q[0] + {TERMS}"},
    ],
    ids=["sum", "claim", "alignment"],
)
def test_what_is_nested_too_deeply_is_refused_in_words(define, given):
    with pytest.raises(LanguageError, match="the program is nested too deeply"):
        define(SUM.format(**{**SHORT, **given}))


def test_functions_that_call_one_another_too_deeply_are_refused_in_words(define):
    functions = "\n\n".join(f"    def f{i}(x):\n        return f{i - 1}(x) + 1" for i in range(1, 400))
    called = SUM.format(**{**SHORT, "body": "yield e + f399(q[0])"})
    with pytest.raises(LanguageError, match="functions call functions that call functions"):
        define("    def f0(x):\n        return x\n\n" + functions + called)


def test_a_sum_of_many_terms_is_read_and_run(define):
    module = define(SUM.format(**{**SHORT, "body": "yield q[0] + e + " + " + ".join(["1"] * 150)}))
    assert module.m.replay([1], {"e": 0}, eps=1) == [151]
    assert len(module.m.sample_many([1], eps=1, runs=2, seed=1)) == 2
    assert not check(module.phi, effort=0).proved


def test_a_tree_that_another_thread_has_upset_is_made_again(monkeypatch):
    parse, failures = ast.parse, [SystemError("AST constructor recursion depth mismatch (before=129, after=76)")]

    def upset(*arguments):
        if failures:
            raise failures.pop()
        return parse(*arguments)

    monkeypatch.setattr(ast, "parse", upset)
    assert ast.unparse(parsed("x+1", mode="eval")) == "x + 1"
    failures += [SystemError("it goes on")] * 4
    with pytest.raises(SystemError, match="it goes on"):
        parsed("x+1")
