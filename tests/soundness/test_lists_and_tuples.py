"""A proof does not tell lists from tuples, so neither may what is given out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.defining import define_in

from alignkit import check, release
from alignkit.interpreting.output_form import in_one_form, returns_list

HEAD = """
@mechanism
def shape(x: Annotated[Query, Lattice(1)], eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
"""

FOOT = """
@alignment(shape, epsilon="0 * eps")
def phi(H):
    return H.shift()
"""

BODIES = {
    "returned": """
    if x > 0:
        return (e, 0)
    else:
        return [e, 0]
    """,
    "inside": """
    v = (1, 2) if x > 0 else [1, 2]
    return (e, v)
    """,
    "yielded": """
    for i in range(2):
        if x > 0:
            yield (e, i)
        else:
            yield [e, i]
    """,
    "by largest": """
    v = [0]
    if x > 0:
        v = largest([3, 2], 1)
    return v
    """,
    "joined": """
    a = [e, 1]
    if x > 0:
        return (*a, 2)
    return [*a, 2]
    """,
    "a comprehension": """
    if x > 0:
        return [0 for i in range(2)]
    return (0, 0)
    """,
    "whole numbers": """
    return 1 if x > 0 else 2 / 2
    """,
}

CALLER = """
@mechanism
def caller(x: Annotated[Query, Lattice(1)], eps: Epsilon, noise: Noise):
    y = shape(x, eps, noise)
    return (y, 1)

@alignment(caller, epsilon="0 * eps")
def caller_phi(H):
    return H.shift()
"""




def form(output):
    """The types of an output's sequences and numbers, without the numbers."""
    if isinstance(output, list | tuple):
        return (type(output).__name__, *map(form, output))
    return type(output).__name__


def indented(body):
    return "\n".join(f"    {line[4:]}" for line in body.strip("\n").splitlines())


@pytest.mark.parametrize("name", BODIES)
def test_what_is_given_out_has_one_form(name, tmp_path):
    module = define_in(tmp_path, HEAD + indented(BODIES[name]) + "\n" + FOOT)
    proof = check(module.phi)
    assert proof.proved  # on D and on D′ the same is put out, but for the kind of sequence
    released = {str(form(release(module.shape, proof=proof, x=x, eps=1))) for x in (0, 1)}
    sampled = {str(form(module.shape.sample(x, eps=1, seed=1))) for x in (0, 1)}
    drawn = {str(form(output)) for x in (0, 1) for output in module.shape.sample_many(x, eps=1, runs=2, seed=1)}
    assert len(released) == len(sampled) == 1
    assert sampled == drawn


@pytest.mark.parametrize("name", [name for name in BODIES if name != "whole numbers"])
def test_a_replay_has_one_form(name, tmp_path):
    module = define_in(tmp_path, HEAD + indented(BODIES[name]) + "\n" + FOOT)
    replayed = [module.shape.replay(x, eps=1, H={"e": 0}) for x in (0, 1)]
    assert len({str(form(output)) for output in replayed}) == 1
    assert type(replayed[0]) is type(module.shape.sample(0, eps=1))


def test_a_mechanism_that_calls_one_has_one_form_too(tmp_path):
    module = define_in(tmp_path, HEAD + indented(BODIES["returned"]) + "\n" + FOOT + CALLER)
    proof = check(module.caller_phi)
    assert proof.proved
    assert len({str(form(release(module.caller, proof=proof, x=x, eps=1))) for x in (0, 1)}) == 1


def test_the_program_alone_decides_whether_an_output_is_a_list(tmp_path):
    for name, first in (("returned", False), ("by largest", True), ("a comprehension", True), ("inside", False)):
        program = define_in(tmp_path, HEAD + indented(BODIES[name]) + "\n" + FOOT).shape.program
        assert returns_list(program) is first
    program = define_in(tmp_path, HEAD + indented(BODIES["yielded"]) + "\n" + FOOT).shape.program
    assert in_one_form(program, iter([[1, [Fraction(4, 2)]], 3])) == [(1, (Fraction(2),)), 3]


DIVIDED = """
@mechanism
def inner(x: Annotated[Query, Lattice(1)], k: Count, eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    return [k / 1, e]

@mechanism
def outer(x: Annotated[Query, Lattice(1)], k: Count, eps: Epsilon, noise: Noise):
    y = inner(x, k, eps, noise)
    return y[0] / 3

@alignment(outer, epsilon="0 * eps")
def phi(H):
    return H.shift()
"""


def test_what_a_call_returns_stays_exact(tmp_path):
    module = define_in(tmp_path, DIVIDED)
    third = Fraction(1, 3)
    assert module.outer.replay(1, k=1, eps=1, H={"inner_e": 0}) == third
    assert module.outer.sample(1, k=1, eps=1, seed=1) == third
    assert release(module.outer, proof=check(module.phi), x=1, k=1, eps=1) == third
