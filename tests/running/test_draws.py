"""A noise coordinate is call path × place in the source × iteration vector, never just a name."""

from __future__ import annotations

import re

import pytest

from alignkit import InputError
from alignkit.mechanisms.sparse_vector import sparse_vector
from alignkit.running.replaying import ReplayContext, exact_noise, run_program


def keys(mechanism):
    return [(draw.key, draw.depth) for draw in mechanism.draws]


def drawn(mechanism, q, H, **parameters):
    run = run_program(mechanism, mechanism.read((q,), parameters), ReplayContext(mechanism, exact_noise(H)))
    return [(str(each.where), each.value) for each in run.drawn]


def test_names_and_depths():
    assert keys(sparse_vector) == [("eta", 0), ("eta_i", 1)]
    assert [draw.distribution.name for draw in sparse_vector.draws] == ["laplace", "laplace"]


def test_one_name_drawn_twice(define):
    m = define("""
        @mechanism
        def m(q: Queries, noise: Noise):
            e = noise.laplace(1)
            yield q[0] + e
            e = noise.laplace(1)
            yield q[1] + e
    """).m
    assert keys(m) == [("e#1", 0), ("e#2", 0)]
    assert m.replay([0, 0], {"e#1": 1, "e#2": 2}) == [1, 2]
    with pytest.raises(InputError, match=re.escape("H names 'e', which m does not draw; it draws e#1, e#2")):
        m.replay([0, 0], {"e": 1})


def test_one_name_in_two_branches(define):
    m = define("""
        @mechanism
        def m(q: Queries, T: Real, noise: Noise):
            if T > 0:
                e = noise.laplace(1)
            else:
                e = noise.exponential(1)
            return q[0] + e
    """).m
    assert keys(m) == [("e#1", 0), ("e#2", 0)]
    assert m.replay([0], {"e#1": 1}, T=1) == 1
    assert m.replay([0], {"e#2": 2}, T=0) == 2


def test_a_helper_called_twice(define):
    m = define("""
        def inner(x, noise):
            e = noise.laplace(1)
            return x + e

        def outer(x, noise):
            a = inner(x, noise)
            b = inner(x, noise)
            return a, b

        @mechanism
        def m(q: Queries, noise: Noise):
            a, b = outer(q[0], noise)
            c, d = outer(q[0], noise)
            x = inner(q[0], noise)
            return a, b, c, d, x
    """).m
    assert keys(m) == [(f"e#{i}", 0) for i in range(1, 6)]
    assert m.replay([0], {f"e#{i}": i for i in range(1, 6)}) == (1, 2, 3, 4, 5)


def test_a_helper_called_in_a_loop_and_a_loop_in_a_helper(define):
    m = define("""
        def pair(x, noise):
            e = [noise.laplace(1) for i in range(2)]
            total = x
            for y in e:
                f = noise.laplace(1)
                total += y + f
            return total

        @mechanism
        def m(q: Queries, noise: Noise):
            for x in q:
                y = pair(x, noise)
                yield y
    """).m
    assert keys(m) == [("e", 2), ("f", 2)]
    H = {"e": [[1, 2], [3, 4]], "f": [[10, 20], [30, 40]]}
    assert m.replay([0, 0], H) == [33, 77]
    assert drawn(m, [0], {"e": ((1, 2),), "f": ((10, 20),)}) == [
        ("e[0][0]", 1), ("e[0][1]", 2), ("f[0][0]", 10), ("f[0][1]", 20)]  # fmt: skip
    with pytest.raises(InputError, match=re.escape("the run draws f[1][0], and f has 1 value")):
        m.replay([0, 0], {**H, "f": [[10, 20]]})
    with pytest.raises(InputError, match=re.escape("H must have a list for e[0], one value for each iteration, not 1")):
        m.replay([0, 0], {**H, "e": [1]})


def test_families_are_indexed_by_iteration_not_by_output(define):
    m = define("""
        @mechanism
        def m(q: Queries, noise: Noise):
            e = [noise.laplace(1) for x in q if x > 0]
            for i, x in enumerate(q):
                if x > 0:
                    f = noise.laplace(1)
                    yield f
            yield e
    """).m
    H = {"e": [None, 1, None, 2], "f": [None, 5, None, 6]}
    assert m.replay([-1, 1, -1, 1], H) == [5, 6, (1, 2)]
    run = run_program(
        m, m.read(([-1, 1, -1, 1],), {}), ReplayContext(m, exact_noise({n: tuple(v) for n, v in H.items()}))
    )
    assert run.H == {"e": (None, 1, None, 2), "f": (None, 5, None, 6)}


def test_nested_loops_that_end_early(define):
    m = define("""
        @mechanism
        def m(q: Queries, noise: Noise):
            for x in q:
                for y in q:
                    if y > x:
                        break
                    e = noise.laplace(1)
                    yield e
    """).m
    assert drawn(m, [2, 1], {"e": ((1, 2), (None, None))}) == [("e[0][0]", 1), ("e[0][1]", 2)]
    run = run_program(m, m.read(([1, 2],), {}), ReplayContext(m, exact_noise({"e": ((1, None), (2, 3))})))
    assert run.H == {"e": ((1,), (2, 3))}


def test_noise_under_other_names_in_helpers(define):
    m = define("""
        def f(source, x):
            e = source.laplace(x)
            return e

        @mechanism
        def m(q: Query, bits: Noise):
            a = f(bits, 2)
            return q + a
    """).m
    assert m.noise_name == "bits"
    assert m.replay(1, {"e": 2}) == 3


def test_a_helper_with_and_without_noise(define):
    """A parameter that is handed the noise in one call and a number in another is two programs."""
    m = define("""
        def f(x, y):
            return x

        @mechanism
        def m(q: Query, noise: Noise):
            a = f(q, noise)
            b = f(q, 1)
            return a + b
    """).m
    assert m.replay(2, {}) == 4


def test_a_list_of_draws_that_all_have_one_scale(define):
    """The scale is found out once, and only where something is drawn; the draws are not one another's."""
    m = define("""
        @mechanism
        def m(q: Queries, k: Count, eps: Epsilon, noise: Noise):
            late = [i for i in range(len(q)) if i >= k]
            e = [noise.laplace(1 / (len(late) * eps)) for i in late]
            yield sum(e)
    """).m
    assert m.replay([0, 0, 0], {"e": [1, 2]}, k=1, eps=1) == [3]
    assert m.replay([0], {}, k=1, eps=1) == [0]  # 1 / 0 is asked of nobody


def test_a_list_of_draws_whose_scales_differ(define):
    m = define("""
        @mechanism
        def m(q: Queries, eps: Epsilon, noise: Noise):
            e = [noise.laplace((1 + i) / eps) for i, q_i in enumerate(q)]
            yield sum(e)
    """).m
    run = run_program(m, m.read(([0, 0],), {"eps": 1}), ReplayContext(m, exact_noise({"e": (1, 2)})))
    assert [each.arguments for each in run.drawn] == [(1,), (2,)]
