"""The function compiled once more with exact arithmetic: the same function otherwise."""

from __future__ import annotations

import ast
import sys
import traceback
from fractions import Fraction

import pytest

from alignkit import InputError
from alignkit.language.reader import Reader
from alignkit.running.exact_functions import function_as_read

THIRD = Fraction(1, 3)


def exact_function(python):
    return function_as_read(Reader(python, noise=None).read()).compiled()


def test_numbers_are_exact_and_floats_stay_floats(define):
    f = define("""
        def f(x, n):
            y = n / 3 + 0.1 + 1e-3 - 2.5e2
            y /= 2
            return x / 3, y, -0.5
    """).f
    exact = exact_function(f)
    assert exact(1, 1) == (THIRD, (THIRD + Fraction(101, 1000) - 250) / 2, Fraction(-1, 2))
    assert exact(1.0, 1)[0] == f(1.0, 1)[0] == 1 / 3
    assert [type(x) for x in exact(0.5, 1)] == [float, Fraction, Fraction]
    assert exact(0.5, 1) == pytest.approx(f(0.5, 1))


def test_functions_that_are_called_are_exact_too(define):
    module = define("""
        def third(n):
            return n / 3

        def thirds(values):
            return [third(v) / 2 for v in values if any(third(w) == 1 / 3 for w in values)]

        def outer(values):
            total = sum(thirds(values))
            return total, max(third(v) for v in values)
    """)
    assert exact_function(module.outer)([1, 1]) == (THIRD, THIRD)
    assert module.outer([1, 1])[1] == 1 / 3


def test_closures(define):
    module = define("""
        def made(tag, change):
            def f(x):
                if x / 3 == 1 / 3:
                    return tag, change(x)
                return BELOW, [change(y) for y in (x, 2)]
            return f

        def half(x):
            return x / 2

        f = made(ABOVE, half)
        g = made(BELOW, made(ABOVE, half))
    """)
    f = exact_function(module.f)
    assert f(1) == (module.ABOVE, Fraction(1, 2))
    assert f(2) == (module.BELOW, [1, 1])
    assert exact_function(module.g)(1) == (module.BELOW, (module.ABOVE, Fraction(1, 2)))


def test_other_decorators_are_part_of_the_function(define):
    module = define("""
        def doubled(f):
            def wrapper(x):
                return 2 * f(x)
            return wrapper

        @doubled
        @doubled
        def f(x):
            return x / 3

        @mechanism
        def m(q: Query, noise: Noise):
            x = f(1)
            return x
    """)
    assert exact_function(module.f)(1) == 4 * THIRD
    assert module.m.replay(1, {}) == 4 * THIRD


def test_names_are_as_they_were_when_the_function_was_read(define):
    module = define("""
        def step(x):
            return x + 1

        @mechanism
        def m(q: Query, noise: Noise):
            x = step(q)
            if x > 1:
                return x, BELOW
            return max(x, 0), ABOVE
    """)
    tags = module.ABOVE, module.BELOW
    module.step, module.ABOVE, module.max = (lambda x: x + 2), module.BELOW, min
    assert module.m.replay(1, {}) == (2, tags[1])
    assert module.m.replay(-3, {}) == (0, tags[0])
    assert module.m.sample(1) == (2, tags[1])


def test_a_file_that_changes_before_the_first_run_changes_no_run(define):
    module = define("""
        def step(x):
            return x / 3

        @mechanism
        def m(q: Query, noise: Noise):
            return step(q)
    """)
    with open(module.__file__, "w", encoding="utf-8") as file:
        file.write("# nothing of it is left\n")
    assert module.m.exact(1, None) == THIRD


def test_a_name_that_is_also_an_attribute(define):
    """`noise.laplace` has nothing to do with a global called laplace, be it outside the language."""
    m = define("""
        def laplace(x):
            return laplace(x - 1)

        shift = lambda x: x

        @mechanism
        def m(q: Query, noise: Noise):
            e = noise.laplace(1 / 2)
            return q + e
    """).m
    assert m.replay(1, {"e": 1}) == 2


def test_generators_defaults_and_documentation(define):
    m = define('''
        @mechanism
        def m(q: Queries, noise: Noise, eps: Epsilon = 0.5):
            """Adds noise."""
            e = noise.laplace(1 / eps)
            yield q[0] + e
    ''').m
    assert m.exact.__doc__ == "Adds noise."
    assert m.exact.__qualname__ == m.python.__qualname__
    assert m.replay([1], {"e": 1}) == [2]
    assert m.replay([1], {"e": 1}, eps=2) == [2]
    assert len(m.sample([1], seed=1)) == 1


def test_tracebacks_point_to_the_users_lines(define):
    m = define("""
        @mechanism
        def m(q: Queries, noise: Noise):
            x = [
                1 / y
                for y in q]
            return x
    """).m
    with pytest.raises(InputError, match=r"division by zero \(line 6\)"):
        m.sample([0])
    with pytest.raises(InputError) as caught:
        m.replay([0], {})
    frames = traceback.extract_tb(caught.value.__cause__.__traceback__)
    assert any(frame.filename == m.file and frame.lineno == 6 for frame in frames)


def test_the_module_is_not_changed(define):
    module = define("""
        @mechanism
        def m(q: Queries, noise: Noise):
            return q[0] / 3
    """)
    names = set(vars(module))
    module.m.replay([1], {})
    assert set(vars(module)) == names
    assert "outer" not in names


def test_python_warnings_are_not_repeated(define, recwarn):
    define("""
        @mechanism
        def m(q: Queries, noise: Noise):
            if ABOVE is BELOW:
                return 1
            return q[0]
    """)
    assert not recwarn.list
    assert "numpy" in sys.modules


def test_attributes_that_others_add_to_shared_nodes_are_not_copied(define, monkeypatch):
    """IPython's tracebacks set such an attribute on ``Load()``: then each mechanism of a notebook cost seconds."""

    class Huge:
        def __deepcopy__(self, memo):
            raise AssertionError("copied")

    shared = ast.parse("x").body[0].value.ctx
    assert ast.parse("y").body[0].value.ctx is shared
    monkeypatch.setattr(shared, "parent", Huge(), raising=False)
    assert exact_function(define("def f(x):\n    return x / 3").f)(1) == THIRD
