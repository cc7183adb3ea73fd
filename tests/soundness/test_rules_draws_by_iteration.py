"""Rules 7 and 8: the number of the iteration tells draws apart only for runs that are at the same iteration."""

import pytest

HEAD = """
@mechanism
def m(q: Queries, T: Reals, k: Count, eps: Epsilon, noise: Noise):
    {body}

@alignment(m, epsilon="{claim}"{adjacency})
def phi(q, q_, omega, k, H):
    return H.shift({shift})
"""
EACH = "e=[q[i] - q_[i] for i, w in enumerate(omega)]"
ONE = ', adjacency="one"'


def program(*lines, claim="eps", shift=EACH, adjacency=ONE):
    return HEAD.format(body="\n    ".join(lines), claim=claim, shift=shift, adjacency=adjacency)


def each(*lines, before=("c = 0",), after=(), **rest):
    return program(*before, "for i, q_i in enumerate(q):", *("    " + line for line in lines), *after, **rest)


DRAW = "    e = noise.laplace(1 / eps)"
NOISY = ("e = noise.laplace(1 / eps)", "f = noise.laplace(1 / eps)")

PROVED = {
    "even places": each("if i % 2 == 0:", DRAW, "    yield q_i + e", "else:", "    yield 0"),
    "more noise at places of a public length": each(
        "if i % k == 0:", "    e = noise.laplace(1 / eps)", "    yield q_i + e",
        "else:", "    f = noise.laplace(1 / eps)", "    yield q_i + f",
        shift="e=[q[i] - q_[i] if i % k == 0 else 0 for i in range(len(omega))], "
        "f=[q[i] - q_[i] if i % k != 0 else 0 for i in range(len(omega))]",
    ),
}  # fmt: skip

NEVER = {
    "only even places are shown": each("if i % 2 == 0:", DRAW, "    yield q_i + e", "else:", "    yield q_i"),
    "even places or a private test": each(
        "if i % 2 == 0 or q_i > 0:", DRAW, "    yield ABOVE", "else:", "    yield ABOVE"
    ),
    "even places and a private test": each(
        "if i % 2 == 0 and q_i > 0:", DRAW, "    yield ABOVE", "else:", "    yield ABOVE"
    ),
    "a private counter beside the place": each(
        "if (i + c) % 2 == 0:", DRAW, "    yield q_i + e", "else:", "    yield q_i", "c = c + (1 if q_i > 0 else 0)"
    ),
    "a private counter equals the place": each(
        "if i == c:", DRAW, "    yield ABOVE", "else:", "    yield ABOVE", "c = c + (1 if q_i > 0 else 0)"
    ),
    "outputs of winners only": each(*NOISY, "if q_i + e > 0:", "    if i % 2 == 0:", "        yield f", "    else:",
        "        g = noise.laplace(1 / eps)", "        yield g"),
    "silent even places": each("if q_i > 0:", "    if i % 2 == 0:", "    " + DRAW, "        yield e"),
    "a draw at private places of a block": each(
        "if c % 2 == 0:", DRAW, "    yield q_i + e", "else:", "    yield q_i", "if q_i > 0:", "    c = i"
    ),
    "leaves at a private place": each("if i % 2 == 0:", DRAW, "    yield q_i + e", "else:", "    yield 0",
        "if q_i > 5:", "    break"),
    "too little noise at odd places": each("e = noise.laplace((1 if i % 2 == 0 else 1 / 2) / eps)", "yield q_i + e"),
    "private scale at even places": each(
        "e = noise.laplace((2 if i % 2 == 0 and q_i > 0 else 1) / eps)", "yield q_i + e"
    ),
    "an answer of another place": each(
        "if i % 2 == 0:", DRAW, "    yield q[0] + e", "else:", "    yield 0",
        shift="e=[q[0] - q_[0] for w in omega]",
    ),
    "no shift at odd places": each("e = noise.laplace(1 / eps)", "yield q_i + e",
        shift="e=[q[i] - q_[i] if i % 2 == 0 else 0 for i, w in enumerate(omega)]"),
    "the place read backwards": each(
        "if (len(q) - i) % 2 == 0:", DRAW, "    yield ABOVE", "else:", "    yield ABOVE", "if q_i > 0:", "    break"
    ),
    "a running total at odd places": each("c = c + q_i", "if i % 2 == 0:", DRAW, "    yield c + e", "else:",
        "    yield c"),
    "a running total paid at one place": each("c = c + q_i", "e = noise.laplace(1 / eps)", "yield c + e"),
    "totals of blocks that are never reset": each("c = c + q_i", "if i % k == 0:", DRAW, "    yield c + e", "else:",
        "    yield 0"),
    "small changes everywhere": each("if i % 2 == 0:", DRAW, "    yield q_i + e", "else:", "    yield 0",
        adjacency=""),
    "l1, rounded by tests": each("if i % 2 == 0:", "    if q_i > 0:", "        c = c + 1", DRAW, "    yield c + e",
        "else:", "    yield 0", shift="e=[0 for w in omega]", adjacency=', adjacency="l1"'),
    "private place remembered": each("if i == c + 1:", DRAW, "    yield e", "else:", "    yield 0", "if q_i > 0:",
        "    c = i"),
    "a second loop with other places": each("if i % 2 == 0:", DRAW, "    yield q_i + e", "else:", "    yield 0",
        after=("for j, r in enumerate(q):", "    if j % 2 == 1:", "        f = noise.laplace(1 / (2 * eps))",
               "        yield r + f", "    else:", "        yield 0"),
        shift="e=[q[i] - q_[i] for i in range(len(q))], f=[q[i] - q_[i] for i in range(len(q))]"),
    "a second loop after a private exit": each("if q_i > 0:", "    break", after=(
        "for j, r in enumerate(q):", "    if j % 2 == 0:", "        e = noise.laplace(1 / eps)",
        "        yield r + e", "    else:", "        yield 0")),
    "an inner loop to a private length": each("for j in range(i):", "    if j % 2 == 0 and q_i > 0:", "    " + DRAW,
        "        yield e", "    else:", "        yield 0", shift="e=[[0 for j in range(i)] for i in range(len(q))]"),
    "an inner place equals the outer": each("for j in range(k):", "    if i == j:", "    " + DRAW,
        "        yield q_i + e", "    else:", "        yield q_i",
        shift="e=[[q[i] - q_[i] for j in range(k)] for i in range(len(q))]"),
    "noise of an earlier place": each("e = noise.laplace(1 / eps)", "if c > 0 and i % 2 == 0:",
        "    f = noise.laplace(1 / eps)", "    yield ABOVE", "else:", "    yield ABOVE", "c = 1 if e > q_i else 0"),
    "places by earlier noise": each("e = noise.laplace(1 / eps)", "if (i + c) % 2 == 0:",
        "    f = noise.laplace(1 / eps)", "    yield ABOVE", "else:", "    yield ABOVE", "c = 1 if e > q_i else 0"),
    "public list by the place, private else": each("if len(T) > 0 and T[i % len(T)] > q_i:", DRAW, "    yield ABOVE",
        "else:", "    yield ABOVE"),
}  # fmt: skip


@pytest.mark.parametrize("source", PROVED.values(), ids=PROVED.keys())
def test_draws_at_public_places_are_proved(define, proved, source):
    proved(define(source).phi)


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_draws_that_the_output_does_not_tell_are_never_proved(define, refused_or_never_proved, source):
    refused_or_never_proved(lambda: define(source).phi)
