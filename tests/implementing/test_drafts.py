"""Drafts of mechanisms from functions of different styles: each is what its function does, or there is none."""

from __future__ import annotations

import inspect
import math
import random
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from alignkit.errors import InputError, LanguageError
from alignkit.implementing import Conformity
from alignkit.implementing.drafts import Draft, draft

CAP = 10


def arrays(scores, epsilon):
    return np.argmax(scores + np.random.laplace(scale=2 / epsilon, size=len(scores)))


ARRAYS = """\
eta = [noise.laplace(2 / epsilon) for score in scores]
noisy = [score + eta_i for score, eta_i in zip(scores, eta)]
(best,) = largest(noisy, 1)
return best
"""


def appended(queries, threshold, cutoff, epsilon):
    if epsilon <= 0:
        raise ValueError("epsilon must be above 0")
    rho = np.random.laplace(scale=2 / epsilon)
    out = []
    count = 0
    for q in queries:
        nu = np.random.laplace(scale=4 * cutoff / epsilon)
        if q + nu >= threshold + rho:
            out.append(True)
            count += 1
            if count >= cutoff:
                break
        else:
            out.append(False)
    return out


APPENDED = """\
rho = noise.laplace(2 / epsilon)
count = 0
for q in queries:
    nu = noise.laplace(4 * cutoff / epsilon)
    if q + nu >= threshold + rho:
        yield ABOVE
        count += 1
        if count >= cutoff:
            break
    else:
        yield BELOW
"""


def returned_early(queries, T, k, eps, rng=None):
    """Gaps above a threshold."""
    if rng is None:
        rng = np.random.default_rng()
    limit = T + rng.laplace(0, 2 / eps)
    result = []
    found = 0
    for i in range(len(queries)):
        value = queries[i] + rng.laplace(0, 4 * k / eps)
        if value < limit:
            result.append(None)
            continue
        result.append(value - limit)
        found += 1
        if found == k:
            return result
    return result


RETURNED_EARLY = """\
eta = noise.laplace(2 / eps)
limit = T + eta
found = 0
for query in queries:
    nu = noise.laplace(4 * k / eps)
    value = query + nu
    if value < limit:
        yield NOTHING
    else:
        yield value - limit
        found += 1
        if found == k:
            break
"""


def a_given_generator(counts, rng, epsilon, *, sensitivity=1.0):
    counts = np.asarray(counts, dtype=float)
    noise = rng.laplace(0, sensitivity / epsilon, counts.shape)
    return np.clip(counts + noise, 0, None)


A_GIVEN_GENERATOR = """\
eta = [noise.laplace(sensitivity / epsilon) for count in counts]
return [max(count + eta_i, 0) for count, eta_i in zip(counts, eta)]
"""


def filled(x, T, k, epsilon):
    flags = np.zeros(len(x), dtype=bool)
    used = 0
    limit = T + np.random.laplace(scale=2 / epsilon)
    for i in range(len(x)):
        if used < k and x[i] + np.random.laplace(scale=4 * k / epsilon) >= limit:
            flags[i] = True
            used += 1
    return flags


FILLED = """\
used = 0
eta = noise.laplace(2 / epsilon)
limit = T + eta
for x_i in x:
    flags_i = False
    nu = noise.laplace(4 * k / epsilon)
    if used < k and x_i + nu >= limit:
        flags_i = True
        used += 1
    yield ABOVE if flags_i else BELOW
"""


def filled_by_numbers(x, epsilon):
    noisy = np.zeros(len(x))
    for i in range(len(x)):
        noisy[i] = x[i] + np.random.laplace(0, 1 / epsilon)
    return noisy


FILLED_BY_NUMBERS = """\
eta = [noise.laplace(1 / epsilon) for x_i in x]
noisy = [x_i + eta_i for x_i, eta_i in zip(x, eta)]
return noisy
"""


def masked(counts, threshold, epsilon):
    noisy = counts + np.random.laplace(scale=1 / epsilon, size=counts.size)
    noisy[noisy < threshold] = 0
    return noisy


MASKED = """\
eta = [noise.laplace(1 / epsilon) for count in counts]
noisy = [count + eta_i for count, eta_i in zip(counts, eta)]
noisy_2 = [0 if noisy_i < threshold else noisy_i for noisy_i in noisy]
return noisy_2
"""


def positions(x, T, epsilon):
    noisy = np.array(x) + np.random.laplace(scale=1 / epsilon, size=len(x))
    return np.flatnonzero(noisy > T)


POSITIONS = """\
eta = [noise.laplace(1 / epsilon) for x_i in x]
noisy = [x_i + eta_i for x_i, eta_i in zip(x, eta)]
return [i for i, noisy_i in enumerate(noisy) if noisy_i > T]
"""


def first_above(queries, threshold, epsilon):
    limit = threshold + np.random.laplace(scale=2 / epsilon)
    for i, q in enumerate(queries):
        if q + np.random.laplace(scale=4 / epsilon) >= limit:
            return i
    return None


FIRST_ABOVE = """\
eta = noise.laplace(2 / epsilon)
limit = threshold + eta
for i, q in enumerate(queries):
    nu = noise.laplace(4 / epsilon)
    if q + nu >= limit:
        return i
return NOTHING
"""


def defaults(scores, epsilon, monotonic=False):
    scale = 1 / epsilon if monotonic else 2 / epsilon
    noisy = []
    for s in scores:
        noisy.append(s + np.random.exponential(scale))
    return int(np.argmax(noisy))


DEFAULTS = """\
scale = 2 / epsilon
eta = [noise.exponential(scale) for s in scores]
noisy = [s + eta_i for s, eta_i in zip(scores, eta)]
(best,) = largest(noisy, 1)
return best
"""


def sorted_and_cut(x, k, epsilon):
    noisy = x + np.random.laplace(scale=2 * k / epsilon, size=x.shape)
    top = np.argsort(noisy)[-k:][::-1]
    return top, noisy[top]


SORTED_AND_CUT = """\
eta = [noise.laplace(2 * k / epsilon) for x_i in x]
noisy = [x_i + eta_i for x_i, eta_i in zip(x, eta)]
top_2 = largest(noisy, k)
return top_2, [noisy[top_2_i] for top_2_i in top_2]
"""


def gap(x, epsilon):
    if len(x) < 2:
        raise ValueError("two answers are needed")
    noisy = x + np.random.laplace(scale=2 / epsilon, size=len(x))
    order = np.argsort(noisy)[::-1]
    return order[0], noisy[order[0]] - noisy[order[1]]


GAP = """\
eta = [noise.laplace(2 / epsilon) for x_i in x]
noisy = [x_i + eta_i for x_i, eta_i in zip(x, eta)]
order_of = largest(noisy, len(noisy))
return order_of[0], noisy[order_of[0]] - noisy[order_of[1]]
"""


def yielded(queries, T, eps):
    for q in queries:
        yield q + random.expovariate(eps) > T


YIELDED = """\
for q in queries:
    nu = noise.exponential(1 / eps)
    yield ABOVE if q + nu > T else BELOW
"""


def summed(x, epsilon):
    return sum(min(max(v, 0), CAP) for v in x) + np.random.laplace(0, CAP / epsilon)


SUMMED = """\
eta = noise.laplace(10 / epsilon)
return sum(min(max(v, 0), 10) for v in x) + eta
"""


_RNG = np.random.default_rng()


def _scale(sensitivity, epsilon):
    """The scale that a budget needs."""
    if epsilon <= 0:
        raise ValueError("epsilon must be above 0")
    return sensitivity / epsilon


def _noise(scale):
    return _RNG.laplace(scale=scale)


def by_helpers(values, sensitivity, epsilon):
    scale = _scale(2 * sensitivity, epsilon)
    noisy = [v + _noise(scale=scale) for v in values]
    return noisy.index(max(noisy))


BY_HELPERS = """\
scale = 2 * sensitivity / epsilon
eta = [noise.laplace(scale) for v in values]
noisy = [v + eta_i for v, eta_i in zip(values, eta)]
(best,) = largest(noisy, 1)
return best
"""


def largest_by_key(values, epsilon):
    noisy = (np.asarray(values, dtype=np.float64) + np.random.exponential(2.0 / epsilon, len(values))).tolist()
    return max(range(len(noisy)), key=lambda i: noisy[i])


LARGEST_BY_KEY = """\
eta = [noise.exponential(2.0 / epsilon) for value in values]
noisy = [value + eta_i for value, eta_i in zip(values, eta)]
(best,) = largest(noisy, 1)
return best
"""


def default_none(x, noise, epsilon=1.0, sensitivity=None):
    if sensitivity is None:
        sensitivity = 2.0
    noisy = x + noise + np.random.laplace(scale=sensitivity / epsilon)
    if noisy < 0:
        return None
    else:
        return noisy


DEFAULT_NONE = """\
sensitivity = 2.0
eta = noise_source.laplace(sensitivity / epsilon)
noisy = x + noise + eta
if noisy < 0:
    return NOTHING
else:
    return noisy
"""


DRAFTED = [
    (by_helpers, BY_HELPERS), (largest_by_key, LARGEST_BY_KEY), (default_none, DEFAULT_NONE),
    (arrays, ARRAYS), (appended, APPENDED), (returned_early, RETURNED_EARLY), (a_given_generator, A_GIVEN_GENERATOR),
    (filled, FILLED), (filled_by_numbers, FILLED_BY_NUMBERS), (masked, MASKED), (positions, POSITIONS),
    (first_above, FIRST_ABOVE), (defaults, DEFAULTS), (sorted_and_cut, SORTED_AND_CUT), (gap, GAP),
    (yielded, YIELDED), (summed, SUMMED),
]  # fmt: skip


def _body(made: Draft) -> str:
    lines = made.text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("def ")) + 2  # after the docstring
    last = next(i for i, line in enumerate(lines) if line.startswith("claim = "))
    return textwrap.dedent("\n".join(lines[first:last])).strip() + "\n"


@pytest.mark.parametrize(("function", "body"), DRAFTED, ids=lambda value: getattr(value, "__name__", ""))
def test_what_is_drafted_is_what_the_function_does(function: Callable[..., Any], body: str) -> None:
    made = draft(function, name="drafted", private=["x"] if function is default_none else [], n=2)
    assert made.conformance.verdict is Conformity.IMPLEMENTS
    assert _body(made) == body


# Functions that are read, but do something else than what is read.


def cut_to_whole(x, epsilon):
    return int(x + np.random.laplace(scale=1 / epsilon))


def of_two_lengths(values, thresholds, eps):
    out = np.zeros(len(values), dtype=bool)
    for i, (v, t) in enumerate(zip(values, thresholds, strict=False)):
        if v + np.random.laplace(0, 1 / eps) >= t:
            out[i] = True
    return out


def fixed_seed(x, epsilon):
    rng = np.random.default_rng(12)
    return x + rng.laplace(0, 1 / epsilon)


def refuses_by_noise(x, epsilon):
    noisy = x + np.random.laplace(0, 1 / epsilon)
    if noisy < 0:
        raise ValueError("below 0")
    return noisy


@pytest.mark.parametrize(
    ("function", "verdict", "words"),
    [
        (
            cut_to_whole,
            Conformity.DIFFERS,
            "what the source of test_drafts:cut_to_whole gives differs from the function",
        ),
        (of_two_lengths, Conformity.DIFFERS, "the outputs have different lengths"),
        (fixed_seed, Conformity.UNSUPPORTED, "a generator with the fixed seed 12"),
        (refuses_by_noise, Conformity.DIFFERS, "differs from the function: the function raises ValueError: below 0"),
    ],
)
def test_where_they_differ_there_is_no_draft(function: Callable[..., Any], verdict: Conformity, words: str) -> None:
    made = draft(function, name="drafted", n=2)
    assert made.conformance.verdict is verdict
    assert made.text == ""
    assert words in made.words.replace(function.__module__, "test_drafts")


def test_a_difference_is_told_with_its_input_and_noise() -> None:
    made = draft(cut_to_whole, name="drafted")
    found = made.conformance
    whole, real = found.of_function, float(found.of_mechanism)
    assert isinstance(whole, int)
    assert 0 < abs(whole - real) < 1
    assert f"  the function gives {whole}, and the draft {real!r}" in made.words
    assert "  for x = " in made.words
    assert ", epsilon = " in made.words


def tries(q, T, eps):
    for i in range(1000):
        first = np.random.laplace(scale=1 / eps)
        second = np.random.laplace(scale=1 / eps)
        third = np.random.laplace(scale=1 / eps)
        fourth = np.random.laplace(scale=1 / eps)
        if q + first + second + third + fourth >= T:
            return i
    return None


@pytest.mark.slow
def test_where_runs_were_cut_the_draft_says_so() -> None:
    made = draft(tries, name="drafted", private=["q"])
    assert made.conformance.verdict is Conformity.CUT
    assert made.words.startswith("cut: ")
    assert ":tries: cut, for all real inputs" in made.text
    assert "# Longer runs were not followed: more than" in made.text


# Functions that are declined.


def normal(x, epsilon):
    noisy = x + np.random.normal(scale=1 / epsilon, size=len(x))
    return np.argmax(noisy)


def until(x, epsilon):
    while True:
        z = np.random.laplace(scale=1 / epsilon)
        if z > 0:
            return x + z


def _twice(x):
    y = x
    return 2 * y


def helped(x, epsilon):
    return _twice(x) + np.random.laplace(scale=1 / epsilon)


def from_uniform(x, epsilon):
    u = np.random.uniform(-0.5, 0.5)
    return x - math.copysign(1, u) / epsilon * math.log(1 - 2 * abs(u))


def left_early(x, T, epsilon):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] + np.random.laplace(scale=1 / epsilon)
        if out[i] > T:
            break
    return out


def truncated(x, epsilon):
    noisy = x + np.random.laplace(scale=1 / epsilon, size=len(x))
    return noisy.astype(int)


def in_a_dict(x, epsilon):
    out = {}
    for i in range(len(x)):
        out[i] = x[i] + np.random.laplace(scale=1 / epsilon)
    return out


def changed_on_some_runs(x, epsilon, bound=None):
    noisy = x + np.random.laplace(scale=1 / epsilon)
    if noisy > 3:
        bound = 3
    return noisy if bound is None else bound


def prints(value, epsilon):
    print(value)
    return value + np.random.laplace(scale=1 / epsilon)


def without_noise(x, epsilon):
    return sum(x) / epsilon


def not_empty(x, epsilon):
    out = [0]
    for v in x:
        if v > 0:
            out.append(v + np.random.laplace(scale=1 / epsilon))
    return out


@pytest.mark.parametrize(
    ("function", "line", "words"),
    [
        (normal, "np.random.normal(", "normal noise is not in the language"),
        (until, "while True:", "write a `for` over the answers, with `break`"),
        (helped, "_twice(x) +", "a call of `_twice`, whose body is not read"),
        (from_uniform, "np.random.uniform(", "say by hand which noise is made of the uniform numbers"),
        (left_early, "out[i] = x[i] +", "`out` keeps what it holds where the loop is left early"),
        (truncated, "noisy.astype(int)", "numbers are cut to whole ones"),
        (in_a_dict, "out = {}", "`{}` is not translated"),
        (changed_on_some_runs, "bound = 3", "`bound`, which has its default, is changed on some runs only"),
        (prints, "print(value)", "`print(value)` is not translated"),
        (without_noise, "def without_noise", "it draws no noise that is seen here"),
        (not_empty, "out = [0]", "does not begin as an empty list"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_declined_names_its_line_and_what_to_write(function: Callable[..., Any], line: str, words: str) -> None:
    source, first = inspect.getsourcelines(function)
    [place] = [first + i for i, text in enumerate(source) if line in text]
    with pytest.raises(LanguageError) as caught:
        draft(function)
    assert caught.value.line == place
    assert line in str(caught.value)  # the line is shown
    assert words in str(caught.value)


# What the parameters are taken for


def two_lists(a, b, epsilon):
    return sum(a) + sum(b) + np.random.laplace(scale=1 / epsilon)


def test_what_is_private_is_asked_for_where_it_is_not_seen() -> None:
    with pytest.raises(InputError, match="a or b may be private; name it with --private NAME"):
        draft(two_lists)
    with pytest.raises(InputError, match="--private c: the function has no such parameter"):
        draft(two_lists, private=["c"])
    both = draft(two_lists, name="drafted", private=["a", "b"], n=1).text
    assert "def drafted(a: Queries, b: Queries, epsilon: Epsilon, noise: Noise):" in both
    one = draft(two_lists, name="drafted", private=["b"], n=1).text
    assert "def drafted(b: Queries, a: Reals, epsilon: Epsilon, noise: Noise):" in one
    assert "# Taken for private: b. For public: a (Reals), epsilon (Epsilon)." in one
    assert "# The sensitivity of answers cannot be read from code: that of b is taken to be 1." in one


@pytest.mark.parametrize(
    ("function", "parameters", "said"),
    [
        (appended, "queries: Queries, threshold: Real, cutoff: Count, epsilon: Epsilon", ""),
        (returned_early, "queries: Queries, T: Real, k: Count, eps: Epsilon", " rng is left out."),
        (defaults, "scores: Queries, epsilon: Epsilon", " monotonic is False."),
        (a_given_generator, "counts: Queries, epsilon: Epsilon, sensitivity: Positive", ""),
    ],
)
def test_the_other_parameters(function: Callable[..., Any], parameters: str, said: str) -> None:
    text = draft(function, name="drafted", n=1).text
    assert f"def drafted({parameters}, noise: Noise):" in text
    [guess] = [line for line in text.splitlines() if line.startswith("# Taken for private")]
    assert guess.endswith(f").{said}")


def test_names_that_mean_something_in_a_draft() -> None:
    with pytest.raises(InputError, match="largest means something else in the draft"):
        draft(arrays, name="largest")
    with pytest.raises(InputError, match="scores means something else in the draft"):
        draft(arrays, name="scores")
    with pytest.raises(InputError, match="stands by itself in its module"):
        draft(lambda x, epsilon: x)
