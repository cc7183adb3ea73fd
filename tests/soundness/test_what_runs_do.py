"""What the prover takes for known is what runs do; where it is not, nothing follows from the contradiction.

Every mechanism here releases a raw answer, or breaks its claim in another way. What leads to it stands where a reader
of the program's text might not look: in a helper, in a mechanism that is called, or after the loop.
"""

from __future__ import annotations

import pytest
from support.defining import define_in

from alignkit.results import Verdict

TAIL = """
@mechanism
def tail(x: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield e + (1000000 if x == 123456789 else 0)
"""

READS = """
@alignment({name}, epsilon="0")
def phi(q, q_, omega, H):
    return H.shift()
"""

# Bodies of mechanisms that put a raw answer out, by what hides it.
AFTER_THE_LOOP = {
    "a mechanism after the loop": """
    for q_i in q:
        d = noise.laplace(1 / eps)
        yield BELOW
    yield from tail(q[0], eps, noise)
    """,
    "a mechanism on one way after the loop": """
    for q_i in q:
        d = noise.laplace(1 / eps)
        yield BELOW
    if T > 0:
        yield from tail(q[0], eps, noise)
    """,
    "a mechanism after a loop that is left": """
    count = 0
    for q_i in q:
        d = noise.laplace(1 / eps)
        yield BELOW
        if d > T:
            break
    yield from tail(q[0], eps, noise)
    """,
    "a mechanism after two loops": """
    for q_i in q:
        d = noise.laplace(1 / eps)
        yield BELOW
    for q_i in q:
        c = noise.laplace(1 / eps)
    yield from tail(q[0], eps, noise)
    """,
    "a mechanism in a second loop": """
    for q_i in q:
        d = noise.laplace(1 / eps)
        yield BELOW
    for q_i in q:
        yield from tail(q_i, eps, noise)
    """,
    "a mechanism in the loop": """
    for q_i in q:
        d = noise.laplace(1 / eps)
        yield from tail(q_i, eps, noise)
    """,
    "a mechanism beside a tag": """
    for q_i in q:
        d = noise.laplace(1 / eps)
        yield BELOW
        yield from tail(q_i, eps, noise)
    """,
    "a mechanism before the loop": """
    yield from tail(q[0], eps, noise)
    for q_i in q:
        d = noise.laplace(1 / eps)
        yield BELOW
    """,
    "a mechanism that calls one": """
    for q_i in q:
        d = noise.laplace(1 / eps)
        yield BELOW
    yield from last(q[0], eps, noise)
    """,
}

LAST = """
@mechanism
def last(x: Query, eps: Epsilon, noise: Noise):
    yield from tail(x, eps, noise)
"""


@pytest.mark.parametrize("reads", ["omega", "the noise too"])
@pytest.mark.parametrize("body", AFTER_THE_LOOP.values(), ids=AFTER_THE_LOOP)
def test_outputs_of_called_mechanisms_count(body, reads, tmp_path, never_proved):
    source = f"{TAIL}{LAST}\n@mechanism\ndef leak(q: Queries, T: Real, eps: Epsilon, noise: Noise):{body}"
    phi = READS.format(name="leak")
    if reads != "omega":
        phi = phi.replace("H.shift()", "H.shift(d=[0 * d for d in H.d])")
    never_proved(define_in(tmp_path, source + phi).phi)


HELPERS = """
def secret(x):
    return 1 if x == 123456789 else 0

def add(out, x):
    return [*out, secret(x)]

def twice(out, x):
    return add([*out, 0], x)

def as_it_is(out):
    return out

def instead(out, x):
    return [BELOW, secret(x)]
"""

LISTS = {
    "returned by a helper": """
    out = []
    for q_i in q:
        d = noise.laplace(1 / eps)
        out = [*out, BELOW]
    return add(out, q[0])
    """,
    "by a helper of a helper": """
    out = []
    for q_i in q:
        d = noise.laplace(1 / eps)
        out = [*out, BELOW]
    return twice(out, q[0])
    """,
    "on one way": """
    out = []
    for q_i in q:
        d = noise.laplace(1 / eps)
        out = [*out, BELOW]
    if T > 0:
        return add(out, q[0])
    return out
    """,
    "inside the loop": """
    out = []
    for q_i in q:
        d = noise.laplace(1 / eps)
        out = [*out, BELOW]
        if d > T:
            return add(out, q[0])
    return out
    """,
    "a copy": """
    out = []
    for q_i in q:
        d = noise.laplace(1 / eps)
        out = [*out, BELOW]
        copy = as_it_is(out)
    last = as_it_is(out)
    return add(last, q[0])
    """,
    "a copy inside the loop": """
    out = []
    for q_i in q:
        d = noise.laplace(1 / eps)
        out = [*out, BELOW]
        copy = add(out, q_i)
        if d > T:
            return copy
    return out
    """,
    "beside a number": """
    out = []
    for q_i in q:
        d = noise.laplace(1 / eps)
        out = [*out, BELOW]
    return add(out, q[0]), 1
    """,
    "after a loop that is left": """
    out = []
    for q_i in q:
        d = noise.laplace(1 / eps)
        out = [*out, BELOW]
        if d > T:
            break
    return add(out, q[0])
    """,
    "another list": """
    out = []
    for q_i in q:
        d = noise.laplace(1 / eps)
        out = [*out, BELOW]
    return instead(out, q[0])
    """,
}


@pytest.mark.parametrize("body", LISTS.values(), ids=LISTS)
def test_items_that_helpers_append_count(body, tmp_path, never_proved):
    source = f"{HELPERS}\n@mechanism\ndef leak(q: Queries, T: Real, eps: Epsilon, noise: Noise):{body}"
    never_proved(define_in(tmp_path, source + READS.format(name="leak")).phi)


SOME = """
@mechanism
def some(q: Annotated[Queries, Sensitivity(1)], T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    for q_i in q:
        if k == 1:
            eta_i = noise.laplace(4 / eps)
            yield ABOVE if q_i + eta_i > T + eta else BELOW
        if k == 1:
            break

@alignment(some, epsilon="eps")
def lem(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
"""

ZERO_OR_ONE = """
@mechanism
def some(x: Query, k: Count, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if e + x > 0:
        yield e + x

@alignment(some, epsilon="eps")
def lem(x, x_, H):
    return H.shift(e=x - x_)
"""

CALLS = {
    "as the whole output": """
@mechanism
def caller(x: Query, k: Count, eps: Epsilon, noise: Noise):
    yield from some(x, k, eps, noise)

@alignment(caller, epsilon="eps * len(omega)", lemmas=[lem])
def phi(H):
    return H.shift()
""",
    "before a tag": """
@mechanism
def caller(x: Query, k: Count, eps: Epsilon, noise: Noise):
    yield from some(x, k, eps, noise)
    yield BELOW

@alignment(caller, epsilon="eps * (len(omega) - 1)", lemmas=[lem])
def phi(H):
    return H.shift()
""",
    "in a loop": """
@mechanism
def caller(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for q_i in q:
        yield from some(q_i, k, eps, noise)

@alignment(caller, epsilon="eps * len(omega)", lemmas=[lem])
def phi(H):
    return H.shift()
""",
    "after a loop": """
@mechanism
def caller(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    for q_i in q:
        yield BELOW
    yield from some(q[0], k, eps, noise)

@alignment(caller, epsilon="eps * (len(omega) - len(q))", lemmas=[lem])
def phi(H):
    return H.shift()
""",
    "before a loop": """
@mechanism
def caller(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    yield from some(q[0], k, eps, noise)
    for q_i in q:
        yield BELOW

@alignment(caller, epsilon="eps * (len(omega) - len(q))", lemmas=[lem])
def phi(H):
    return H.shift()
""",
}


@pytest.mark.parametrize("caller", CALLS.values(), ids=CALLS)
def test_a_call_is_as_many_outputs_as_it_gives(caller, tmp_path, never_proved):
    never_proved(define_in(tmp_path, ZERO_OR_ONE + caller).phi)


ANSWERS = """
@mechanism
def answers(q: Queries, w: Reals, k: Count, eps: Epsilon, noise: Noise):
    count = 0
    for q_i, w_i in zip(q, w):
        e = noise.laplace(k / eps)
        yield {output}
        count += 1
        if count >= k:
            break

@alignment(answers, epsilon="eps", queries="adaptive")
def phi(q, q_, w, omega, H):
    return H.shift(e=[{shift} for i in range(len(omega))])
"""

# Public values that are chosen along the way may be those that were just put out.
NEVER_EQUAL = {
    "an item of a list that is chosen along the way": "q[i] - q_[i] if omega[i] != w[len(w) - 1] else 0",
    "the item of the step": "q[i] - q_[i] if omega[i] != w[i] else 0",
    "the number of questions": "q[i] - q_[i] if omega[i] != len(q) else 0",
    "the number of the items of a list": "q[i] - q_[i] if omega[i] != len(w) else 0",
    "a number that is chosen before": "q[i] - q_[i] if omega[i] != 7 else 0",
}


@pytest.mark.parametrize("shift", NEVER_EQUAL.values(), ids=NEVER_EQUAL)
def test_what_is_chosen_later_may_equal_an_output(shift, tmp_path, prover_alone):
    # The claim is true. The alignment does not show it: an analyst may ask next about what was just put out.
    proof = prover_alone(define_in(tmp_path, ANSWERS.format(output="q_i + e", shift=shift)).phi)
    assert proof.complete == (shift == NEVER_EQUAL["a number that is chosen before"])


LISTS_OF_REALS = "[q_i + e + x for x in [1, 2]]", "[q_i + e + i for i in range(k)]"


@pytest.mark.parametrize("output", LISTS_OF_REALS)
def test_a_list_of_reals_is_not_discrete(output, tmp_path, prover_alone):
    # What is put out shows the noise, so that the next question may be chosen by it: no shift may read a later answer.
    source = ANSWERS.format(output=output, shift="q[i] - q_[i]")
    source = source.replace("        yield", "        d = noise.laplace(k / eps)\n        yield")
    source = source.replace("H.shift(", "H.shift(d=[q[len(q) - 1] - q_[len(q) - 1] for w in omega], ")
    proof = prover_alone(define_in(tmp_path, source).phi)
    assert proof.conditions["adaptive_queries"].status is Verdict.UNDECIDED


TWO_LOOPS_OVER_PUBLIC = """
@mechanism
def chosen(q: Query, w: Reals, k: Count, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    total = 0
    for x in (w if k > 3 else [1, 2]):
        total += x
    for x in w:
        total += x
    yield q + e

@alignment(chosen, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""


def test_a_loop_that_is_of_symbolic_length_on_some_paths_only(tmp_path, prover_alone):
    assert prover_alone(define_in(tmp_path, TWO_LOOPS_OVER_PUBLIC).phi).complete
    wrong = TWO_LOOPS_OVER_PUBLIC.replace("yield q + e", "yield q + e + (q if k > 3 else 0)")
    assert not prover_alone(define_in(tmp_path, wrong).phi).complete
