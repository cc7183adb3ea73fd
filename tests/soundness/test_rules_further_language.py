"""Rules 15, 36, 42, 44 and 61 for what papers write beside the usual: sensitivities 2 Δ, slices, `while`, powers.

Uniform noise and choices in lists are refused; what the messages say to write instead is proved.

Each group has programs that are private by the alignment given, and neighbours of them that are not.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from alignkit.errors import InputError, LanguageError

# Sensitivities that are multiples of a parameter

OF_ONE = """
@mechanism
def m(q: Annotated[Query, Sensitivity("{sensitivity}")], delta: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace({distance} / eps)
    return q + e

@alignment(m, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""

OF_MANY = """
@mechanism
def m(q: Annotated[Queries, Sensitivity("2 * delta")], r: Annotated[Query, Sensitivity("delta")], delta: Positive,
      eps: Epsilon, noise: Noise):
    f = noise.laplace({of_r} / eps)
    yield r + f
    for q_i in q:
        e = noise.laplace({of_q} / eps)
        yield q_i + e

@alignment(m, epsilon="eps", adjacency="one")
def phi(q, q_, r, r_, omega, H):
    return H.shift(f=r - r_, e=[q[i] - q_[i] for i in range(len(omega) - 1)])
"""

CALLED = """
@mechanism
def each(q: Annotated[Queries, Sensitivity("2 * delta")], delta: Positive, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(2 * delta / eps)
        yield q_i + e

@alignment(each, epsilon="eps", adjacency="l1")
def lemma(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i, w in enumerate(omega)])

@mechanism
def m(q: Annotated[Queries, Sensitivity("b")], b: Positive, eps: Epsilon, noise: Noise):
    yield from each(q, {delta}, eps, noise)

@alignment(m, epsilon="eps", adjacency="l1", lemmas=[lemma])
def phi(H):
    return H.shift()
"""

# A sensitivity, and how far it lets an answer move.
MULTIPLES = {
    "2 * delta": "2 * delta",
    "delta*0.5": "delta / 2",
    "delta / 3": "delta / 3",
    "1/2 * delta": "delta / 2",
    "0.1 * delta": "delta / 10",
}

NO_SENSITIVITIES = (
    "-2 * delta", "0 * delta", "delta / 0", "delta * delta", "2 * delta * 3", "2 + delta", "2 * gamma", "True * delta",
    "2 * delta if 1 else 3", "nan * delta",
)


@pytest.mark.parametrize("sensitivity", MULTIPLES)
def test_a_multiple_of_a_parameter_bounds_the_change_of_an_answer(sensitivity, define, proved, never_proved):
    distance = MULTIPLES[sensitivity]
    proved(define(OF_ONE.format(sensitivity=sensitivity, distance=distance)).phi)
    never_proved(define(OF_ONE.format(sensitivity=sensitivity, distance=f"0.99 * {distance}")).phi, "cost")


def test_each_parameter_has_its_own_multiple(define, proved, never_proved):
    proved(define(OF_MANY.format(of_r="delta", of_q="2 * delta")).phi)
    never_proved(define(OF_MANY.format(of_r="2 * delta", of_q="delta")).phi, "cost")


def test_a_call_must_pass_answers_within_the_multiple(define, proved, never_proved):
    proved(define(CALLED.format(delta="b / 2")).phi)
    never_proved(define(CALLED.format(delta="b / 3")).phi, "cost")


@pytest.mark.parametrize("sensitivity", NO_SENSITIVITIES)
def test_what_is_no_positive_multiple_of_a_parameter_is_refused(sensitivity, define):
    with pytest.raises((InputError, LanguageError)):
        define(OF_ONE.format(sensitivity=sensitivity, distance="delta"))


def test_a_multiple_is_no_sensitivity_of_answers_on_a_lattice(define):
    source = OF_ONE.format(sensitivity="2 * delta", distance="2 * delta")
    with pytest.raises(LanguageError, match="2 \\* delta, which need not be a multiple of its lattice"):
        define(source.replace('delta")]', 'delta"), Lattice(1)]'))
    # What the message says to write instead.
    advised = source.replace('Sensitivity("2 * delta")]', 'Sensitivity("twice"), Lattice(1)]').replace("delta", "twice")
    assert define(advised).m.domain.lattices == {"q": 1, "twice": 1}


def test_every_door_refuses_changes_beyond_the_multiple(define):
    phi = define(OF_ONE.format(sensitivity="2 * delta", distance="2 * delta")).phi
    assert phi.replay(0, 3, {"e": 1}, delta="3/2", eps=1).violation is None
    with pytest.raises(InputError, match="q changes by 4, more than the sensitivity 3"):
        phi.replay(0, 4, {"e": 1}, delta="3/2", eps=1)


# Slices

DRAWN = """
@mechanism
def m(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for q_i in q[{cut}]]
    return [x + e_i for x, e_i in zip(q[{cut}], e)]

@alignment(m, epsilon="{claim}")
def phi(q, q_, k, omega, H):
    return H.shift(e={shift})
"""

SUMS = """
@mechanism
def m(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    a = sum(q[:k])
    b = sum(q[{rest}:])
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    return a + e, b + f

@alignment(m, epsilon="eps", adjacency="one")
def phi(q, q_, k, omega, H):
    return H.shift(e=sum(q[:k]) - sum(q_[:k]), f=sum(q[{rest}:]) - sum(q_[{rest}:]))
"""

BEFORE = """
@mechanism
def m(q: Queries, eps: Epsilon, noise: Noise):
    for i, q_i in enumerate(q):
        e = noise.laplace(1 / eps)
        yield sum(q[:i + 1]) + e

@alignment(m, epsilon="{claim}", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(e=[sum(q[:i + 1]) - sum(q_[:i + 1]) for i, w in enumerate(omega)])
"""

THRESHOLD = """
@mechanism
def m(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for q_i in q[1:]:
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            yield ABOVE
            break
        yield BELOW

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[{at}] - q_[{at}] if w is ABOVE else 0 for i, w in enumerate(omega)])
"""

LARGEST = """
@mechanism
def m(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    e = [noise.laplace({scale} / eps) for q_i in q[:k]]
    (best,) = largest([x + e_i for x, e_i in zip(q[:k], e)], 1)
    return best

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(e=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(H.e))])
"""

FIRST = "[q[i] - q_[i] for i in range(len(H.e))]"
LAST = "[x - y for x, y in zip(q[-k:], q_[-k:])]"

SLICED = {
    "the first k": DRAWN.format(cut=":k", claim="k * eps", shift=FIRST),
    "the last k": DRAWN.format(cut="-k:", claim="k * eps", shift=LAST),
    "two parts": SUMS.format(rest="k"),
    "all so far": BEFORE.format(claim="len(q) * eps"),
    "all but the first": THRESHOLD.format(at="i + 1"),
    "the largest of the first k": LARGEST.format(scale=2),
}

NOT_SLICED = {
    "one more than is paid for": DRAWN.format(cut=":k + 1", claim="k * eps", shift=FIRST),
    "one less is paid for": DRAWN.format(cut=":k", claim="(k - 1) * eps", shift=FIRST),
    "the last k by the changes of the first": DRAWN.format(cut="-k:", claim="k * eps", shift=FIRST),
    "all, where k counts from the end": DRAWN.format(cut=":-k", claim="k * eps", shift=FIRST),
    "a private end": DRAWN.format(cut=":1 if q[0] > 0 else 2", claim="2 * eps", shift=FIRST),
    "parts that overlap": SUMS.format(rest="k - 1"),
    "a part from the end": SUMS.format(rest="-k"),
    "each answer is paid for once": BEFORE.format(claim="eps"),
    "the change of the answer before": THRESHOLD.format(at="i"),
    "half the noise": LARGEST.format(scale=1),
}


@pytest.mark.parametrize("name", SLICED)
def test_slices_proved(name, define, proved):
    proved(define(SLICED[name]).phi)


@pytest.mark.parametrize("name", NOT_SLICED)
def test_slices_never_proved(name, define, never_proved):
    never_proved(define(NOT_SLICED[name]).phi)


CUTS = """
@mechanism
def m(q: Queries, a: Count, b: Count, eps: Epsilon, noise: Noise):
    v = [10 * x for x in q]
    e = noise.laplace(1 / eps)
    return v[a - 7:b - 7], v[:b - 7], v[a - 7:], v[:], v[-2:], v[:-2], v[1:3], v[-0:], sum(v[b - 7:]), e
"""


def test_a_slice_is_clipped_to_the_list_as_in_python(define):
    m = define(CUTS).m
    for n, a, b in itertools.product((1, 2, 4), range(1, 14, 2), range(1, 14)):
        v = [10 * x for x in range(n)]
        expected = v[a - 7:b - 7], v[:b - 7], v[a - 7:], v[:], v[-2:], v[:-2], v[1:3], v[-0:], sum(v[b - 7:])
        *parts, _ = m.replay(list(range(n)), {"e": 0}, a=a, b=b, eps=1)
        assert [list(p) if isinstance(p, tuple | list) else p for p in parts] == list(expected)
        *parts, _ = m.sample(list(range(n)), a=a, b=b, eps=1, seed=1)
        assert [list(p) if isinstance(p, tuple | list) else p for p in parts] == list(expected)


# Ends of slices that are at least 0 by how they are written, and others that look like them

WINDOWS = """
@mechanism
def m(q: Queries, w: Count, eps: Epsilon, noise: Noise):
    for i in range(len(q)):
        e = noise.laplace({scale} / eps)
        yield sum(q[{cut}]) + e

@alignment(m, epsilon="eps", adjacency="{adjacency}")
def phi(q, q_, w, H):
    return H.shift(e=[sum(q[{shift}]) - sum(q_[{shift}]) for i in range(len(q))])
"""


def windows(cut="max(0, i - w + 1):i + 1", shift="", scale="w", adjacency="one"):
    return WINDOWS.format(cut=cut, shift=shift or cut, scale=scale, adjacency=adjacency)


WINDOWED = {
    "the last w": windows(),
    "the last three": windows("max(i - 2, 0):i + 1", scale="3"),
    "counted from the end at first, where there is nothing or not more": windows("i - w + 1:i + 1"),
    "cut off at the length": windows("max(0, i - w + 1):min(i + 1, len(q))"),
}

NOT_WINDOWED = {
    "one more than is paid for": windows("max(0, i - w):i + 1"),
    "from the end in the mechanism": windows("i - w + 1:i + 1", "max(0, i - w + 1):i + 1"),
    "from the end in the alignment": windows("max(0, i - w + 1):i + 1", "i - w + 1:i + 1"),
    "the answer at hand is left out": windows(shift="max(0, i - w + 1):i"),
    "at the price of one answer": windows(scale="1"),
    "every answer may change": windows(adjacency="each"),
    "two answers may change": windows(adjacency="few(2)"),
    "all so far": windows(":i + 1"),
    "all that are left": windows("i:"),
    "one more, from the end at first": windows("i - w:i + 1"),
}


@pytest.mark.parametrize("name", WINDOWED)
def test_windows_proved(name, define, proved):
    proved(define(WINDOWED[name]).phi)


@pytest.mark.parametrize("name", NOT_WINDOWED)
def test_windows_never_proved(name, define, never_proved):
    never_proved(define(NOT_WINDOWED[name]).phi)


COUNTED_CUTS = """
def after(v, i):
    return sum(v[i + 1:])

@mechanism
def m(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    v = [10 * x for x in q]
    e = noise.laplace(1 / eps)
    low = [sum(v[max(0, i - 3):i + 1]) for i in range(len(v))]
    high = [sum(v[min(i, 2):]) + sum(v[2 * i // 3 + 1:]) for i, x in enumerate(v)]
    back = [sum(v[i + 1:]) for i in range(-3, 2)]
    left = [sum(v[j:j + 5]) for j in (-2, 0, 3)]
    kept = 0
    for n in range(len(v)):
        n = n - 2
        kept = kept + sum(v[n:])
    other = 0
    for p in range(2):
        other = other + sum(v[p - 1:]) + sum(v[min(p, -1):]) + sum(v[max(p, -2):]) + after(v, -2)
    return low, high, back, left, kept, other, sum(v[min(len(v), 2):]), sum(v[k % 3:k]), e
"""


def test_ends_of_slices_are_what_they_are_in_python(define):
    m = define(COUNTED_CUTS).m
    for n, k in itertools.product((1, 2, 4, 7), (1, 2, 5)):
        v = [10 * x + 10 for x in range(n)]
        low = [sum(v[max(0, i - 3) : i + 1]) for i in range(n)]
        high = [sum(v[min(i, 2) :]) + sum(v[2 * i // 3 + 1 :]) for i in range(n)]
        back = [sum(v[i + 1 :]) for i in range(-3, 2)]
        left = [sum(v[j : j + 5]) for j in (-2, 0, 3)]
        kept = sum(sum(v[i - 2 :]) for i in range(n))
        other = sum(sum(v[p - 1 :]) + sum(v[-1:]) + sum(v[p:]) + sum(v[-1:]) for p in range(2))
        expected = [low, high, back, left, kept, other, sum(v[min(n, 2) :]), sum(v[k % 3 : k])]
        for parts in (
            m.replay([x + 1 for x in range(n)], {"e": 0}, k=k, eps=1),
            m.sample([x + 1 for x in range(n)], k=k, eps=1, seed=1),
        ):
            assert [list(p) if isinstance(p, tuple | list) else p for p in parts[:-1]] == expected


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        ("q[::2]", "a slice with a step is not in the language"),
        ("[x for x in q][1:]", "a slice of a list that has no name"),
        ("q[1:][1:]", "a slice of a list that has no name"),
        ("q[0.5:]", "an argument of range is a number"),
    ],
)
def test_other_slices_are_refused(cut, words, define):
    with pytest.raises(LanguageError, match=words):
        define(f"""
@mechanism
def m(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum({cut}) + e
""")


def test_what_is_advised_instead_of_a_step(define):
    m = define("""
@mechanism
def m(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    v = [q[i] for i in range(len(q)) if i % 2 == 0]
    return sum(v[1:]) + e
""").m
    assert m.replay([1, 2, 3, 4, 5], {"e": 0}, eps=1) == 8


# while

ROUNDS = """
@mechanism
def m(q: Query, k: Count, eps: Epsilon, noise: Noise):
    i = 0
    while i < k:
        e = noise.laplace(k / eps)
        yield q + e
        i += 1

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(e=[q - q_ for w in omega])
"""

FOUND = """
@mechanism
def m(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    i = 0
    found = 0
    while i < len(q) and found < k:
        nu = noise.laplace(4 * k / eps)
        if q[i] + nu >= T + rho:
            yield ABOVE
            found += 1
        else:
            yield BELOW
        i += 1

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
"""

WHILE = {
    "k rounds": ROUNDS,
    "up to the end": ROUNDS.replace("i = 0", "i = 1").replace("i < k", "k >= i"),
    "counted before it is over": ROUNDS.replace("yield q + e\n        i += 1", "i += 1\n        yield q + e"),
    "until enough are found": FOUND,
    "which is asked first": FOUND.replace("i < len(q) and found < k", "found < k and i < len(q)"),
    "with the step written out": FOUND.replace("i += 1", "i = i + 1"),
}

NOT_WHILE = {
    "a round more": ROUNDS.replace("i < k", "i <= k"),
    "begins earlier": ROUNDS.replace("i = 0", "i = 0 - 1"),
    "begins where the answer says": ROUNDS.replace("i = 0", "i = 0 if q > 0 else 1"),
    "ends where the answer says": ROUNDS.replace("i < k", "i < (k if q > 0 else 1)"),
    "ends where noise says": ROUNDS.replace("i = 0", "i = 0\n    f = noise.laplace(1 / eps)").replace(
        "i < k", "i < (1 if f > q else 2)"
    ),
    "goes on while the answer says so": ROUNDS.replace("i < k", "i < k and q > i"),
    "two winners too many": FOUND.replace("found < k", "found <= k"),
    "stops at a small answer": FOUND.replace("found < k", "q[i] < T"),
}

# What is no count to a fixed end.
NO_COUNT = {
    "always": ROUNDS.replace("i < k", "True"),
    "a counter of winners": FOUND.replace("i < len(q) and found < k", "found < k"),
    "an end that moves": ROUNDS.replace("i < k", "i < n").replace("i = 0", "i = 0\n    n = k").replace(
        "i += 1", "n += 1\n        i += 1"
    ),
    "a step that noise decides": ROUNDS.replace("        i += 1", "        if q + e > 0:\n            i += 1"),
    "no step": ROUNDS.replace("i += 1", "i += 0"),
    "a step back": ROUNDS.replace("i += 1", "i += 1\n        i = i - 1"),
    "a step of True": ROUNDS.replace("i += 1", "i += True"),
    "down": ROUNDS.replace("i < k", "i > 0").replace("i = 0", "i = k").replace("i += 1", "i = i - 1"),
    "an item beyond the end is read first": FOUND.replace("i < len(q) and found < k", "q[i] > T and i < len(q)"),
}


@pytest.mark.parametrize("name", WHILE)
def test_while_proved(name, define, proved):
    proved(define(WHILE[name]).phi)


@pytest.mark.parametrize("name", NOT_WHILE)
def test_while_never_proved(name, define, never_proved):
    never_proved(define(NOT_WHILE[name]).phi)


@pytest.mark.parametrize("name", NO_COUNT)
def test_while_without_a_fixed_end_is_refused(name, define):
    with pytest.raises(LanguageError, match="`while` is not in the language, unless it counts up to a fixed") as shown:
        define(NO_COUNT[name])
    assert "for _ in range(N):, and in it first: if not (" in str(shown.value)


def test_what_is_advised_instead_of_while(define, proved):
    winners = FOUND.replace("i < len(q) and found < k", "found < k").replace("i += 1", "pass").replace("q[i]", "q[0]")
    with pytest.raises(LanguageError, match=r"for _ in range\(N\):, and in it first: if not \(found < k\): break"):
        define(winners)
    advised = "for _ in range(len(q)):\n        if not (found < k): break"
    proved(define(winners.replace("while found < k:", advised).replace("q_[i]", "q_[0]")).phi)


def test_the_counter_has_no_value_after_the_loop(define):
    with pytest.raises(LanguageError, match="`i` may have no value here"):
        define(ROUNDS.replace("        i += 1\n", "        i += 1\n    yield i\n"))
    with pytest.raises(LanguageError, match="`i` may have no value here"):
        define("""
@mechanism
def m(q: Queries, eps: Epsilon, noise: Noise):
    i = 0
    for q_i in q:
        while i < 3:
            e = noise.laplace(1 / eps)
            yield q_i + e
            i += 1
""")


COUNTS = """
@mechanism
def m(q: Query, a: Count, b: Count, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield e
    i = a - 4
    while {test}:
        {body}
    yield {last}

def plain(a, b):
    i = a - 4
    while {test}:
        {body}
    yield {last}
"""

BODIES = {
    "i < b": ("yield i\n        i += 1", "b"),
    "b > i and i != 3": ("yield i\n        i = i + 1", "b"),
    "i <= b and a < b + 2": ("yield 2 * i\n        i += 3", "i"),
    "a < b and i < 2 * b": ("i += 1\n        if i == 2:\n            break\n        i += 2\n        yield i", "i"),
    "i < a + b": ("j = 0\n        while j < i:\n            yield j\n            j += 1\n        i += 1", "a"),
}


@pytest.mark.parametrize("test", BODIES)
def test_while_runs_as_in_python(test, define):
    body, last = BODIES[test]
    module = define(COUNTS.format(test=test, body=body, last=last))
    for a, b in itertools.product(range(1, 9), repeat=2):
        expected = list(module.plain(a, b))
        assert list(module.m.replay(0, {"e": 0}, a=a, b=b, eps=1))[1:] == expected
        assert list(module.m.sample(0, a=a, b=b, eps=1, seed=1))[1:] == expected


# Powers

SCALED = """
@mechanism
def m(q: Query, s: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace({scale})
    return {output}

@alignment(m, epsilon="{claim}")
def phi(q, q_, H):
    return H.shift(e={shift})
"""

EVERY = """
@mechanism
def m(q: Queries, eps: Epsilon, noise: Noise):
    for i in range({rounds}):
        e = noise.laplace(8 / eps)
        yield q[0] + e if i % {rounds} < 8 else e

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(e=[q[0] - q_[0] for w in omega])
"""


def scaled(scale, claim, output="q + e", shift="q - q_"):
    return SCALED.format(scale=scale, claim=claim, output=output, shift=shift)


POWERS = {
    "a square": scaled("s ** 2 / eps", "eps / s ** 2"),
    "a square and a product": scaled("s ** 2 / eps", "eps / (s * s)"),
    "a cube by name": scaled("power(s, 3) / eps", "eps / s ** 3"),
    "one over a square": scaled("1 / (eps * power(s, -2))", "eps / s ** 2"),
    "of 2": scaled("2 ** 3 / eps", "eps / 8"),
    "minus binds less": scaled("(9 - -2 ** 2) / eps", "eps / 13"),
    "of a sum": scaled("(s + 1) ** 2 / eps", "eps / (s * s + 2 * s + 1)"),
    "as often as a power says": EVERY.format(rounds="power(2, 3)"),
    "as often as it is written": EVERY.format(rounds="2 ** 3"),
}

NO_POWERS = {
    "a higher power is not less": scaled("s ** 2 / eps", "eps / s ** 3"),
    "a lower one neither": scaled("s / eps", "eps / s ** 2"),
    "minus binds less": scaled("(9 - -2 ** 2) / eps", "eps / 14"),
    "a private square": scaled("1 / eps", "eps", "q ** 2 + e"),
    "a private square, moved by its change": scaled("1 / eps", "eps", "q ** 2 + e", "q ** 2 - q_ ** 2"),
    "one over a private square": scaled("1 / (eps * power(q, -2))", "eps"),
    "a round more": EVERY.format(rounds="3 ** 2"),
}


@pytest.mark.parametrize("name", POWERS)
def test_powers_proved(name, define, proved):
    proved(define(POWERS[name]).phi)


@pytest.mark.parametrize("name", NO_POWERS)
def test_powers_never_proved(name, define, never_proved):
    never_proved(define(NO_POWERS[name]).phi)


@pytest.mark.parametrize("exponent", ["-2", "s", "0.5", "True", "17", "0"])
def test_other_exponents_are_refused(exponent, define):
    with pytest.raises(LanguageError, match=r"write the exponent as a number from 1 to 16, or power\(x, n\)"):
        define(scaled(f"s ** {exponent} / eps", "eps"))


@pytest.mark.parametrize("count", ["power(2, -2)", "power(2.5, 2)", "power(2, 1 - 3)", "power(4, 0.5)"])
def test_a_power_that_need_not_be_whole_is_no_count(count, define):
    with pytest.raises(LanguageError, match="an argument of range is a number"):
        define(EVERY.format(rounds=count))


def test_powers_are_those_of_python(define):
    m = define(scaled("1 / eps", "eps", "[power(-2, 3), (-2) ** 3, -2 ** 2, s ** 3, power(s, 2), power(s, -1), e]")).m
    s = Fraction(3, 2)
    assert list(m.replay(0, {"e": 0}, s=s, eps=1)) == [-8, -8, -4, s**3, s**2, 1 / s, 0]
    assert list(m.sample(0, s=s, eps=1, seed=1))[:6] == [-8, -8, -4, s**3, s**2, 1 / s]


# Uniform noise, and choices in lists

UNIFORM = """
@mechanism
def m(q: Queries, {parameter}eps: Epsilon, noise: Noise):
    {draw}
    rho = noise.laplace(2 / eps)
    for q_i in q:
        nu = noise.laplace(4 / eps)
        if q_i + nu >= u + rho:
            yield ABOVE
            break
        yield BELOW

@alignment(m, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu=[1 + q[i] - q_[i] if w is ABOVE else 0 for i, w in enumerate(omega)])
"""

COINS = """
@mechanism
def m(q: Queries, eps: Epsilon, noise: Noise):
    {body}

@alignment(m, epsilon="{claim}", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
"""

IN_A_LIST = """b = [noise.choice([1, {weight}]) for q_i in q]
    e = [noise.laplace(1 / eps) for q_i in q]
    return [q_i + e_i if b_i == 0 else 0 for q_i, e_i, b_i in zip(q, e, b)]"""

IN_A_LOOP = """for q_i in q:
        b = noise.choice([1, {weight}])
        e = noise.laplace(1 / eps)
        yield q_i + e if b == 0 else 0"""


def test_a_uniform_threshold_is_proved_as_a_draw_and_as_a_parameter(define, proved):
    proved(define(UNIFORM.format(parameter="", draw="u = noise.uniform(0, 100)")).phi)
    proved(define(UNIFORM.format(parameter="u: Real, ", draw="pass")).phi)
    with pytest.raises(LanguageError, match="uniform gives a real number between two bounds, choice a whole number"):
        define(UNIFORM.format(parameter="", draw="u = noise.randint(0, 100)"))


def test_choices_are_proved_in_a_list_and_in_a_loop(define, never_proved, proved):
    proved(define(COINS.format(body=IN_A_LIST.format(weight=1), claim="eps")).phi)
    in_a_loop = COINS.format(body=IN_A_LOOP.format(weight=1), claim="eps").replace("range(len(q))", "range(len(omega))")
    proved(define(in_a_loop).phi)
    # Weights that read the answers leak, however little noise is moved: eps for the choice, and eps for the noise.
    never_proved(define(COINS.format(body=IN_A_LIST.format(weight="exp(eps * q_i)"), claim="2 * eps")).phi)
    by_answers = in_a_loop.replace("[1, 1]", "[1, exp(eps * q_i)]")
    proved(define(by_answers.replace('"eps"', '"2 * eps"')).phi)
    never_proved(define(by_answers.replace('"eps"', '"3 * eps / 2"')).phi)
