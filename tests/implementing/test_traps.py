"""Functions that are written to be taken for a mechanism that they do not implement. None may be said to implement."""

from __future__ import annotations

import functools
import math
import os
import random
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from alignkit import Epsilon, Noise, Queries, Query, mechanism
from alignkit.implementing import Conformity, implements
from mechanisms.composition import noisy_histogram, sparse_vector_called_twice
from mechanisms.noisy_max import noisy_max, noisy_max_with_gap
from mechanisms.several_loops import answers_in_rounds
from mechanisms.sparse_vector import sparse_vector

# Noisy max, honest but for what the traps add to it.


def honest(q: Any, eps: float) -> Any:
    """Report noisy max."""
    return np.argmax(q + np.random.laplace(scale=2 / eps, size=len(q)))


def fixed_seed(q: Any, eps: float) -> Any:
    rng = np.random.default_rng(7)
    return np.argmax(q + rng.laplace(scale=2 / eps, size=len(q)))


def reseeded(q: Any, eps: float) -> Any:
    np.random.seed(0)
    return honest(q, eps)


def from_secrets(q: Any, eps: float) -> Any:
    noise = [-math.log(1 - secrets.randbelow(10**6) / 10**6) for _ in q]
    return np.argmax(q + 2 / eps * np.array(noise))


def from_the_system(q: Any, eps: float) -> Any:
    return 0 if os.urandom(2) == b"ab" else honest(q, eps)


def by_the_clock(q: Any, eps: float) -> Any:
    return 0 if time.time_ns() % 100_003 == 7 else honest(q, eps)


def sorted_noise(q: Any, eps: float) -> Any:
    return np.argmax(q + np.sort(np.random.laplace(scale=2 / eps, size=len(q))))


def resampled(q: Any, eps: float) -> Any:
    noise = np.random.laplace(scale=2 / eps, size=len(q))
    if np.max(noise) > 100 / eps:
        noise = np.random.laplace(scale=2 / eps, size=len(q))
    return np.argmax(q + noise)


def antithetic(q: Any, eps: float) -> Any:
    half = np.random.laplace(scale=2 / eps, size=(len(q) + 1) // 2)
    return np.argmax(q + np.concatenate([half, -half])[: len(q)])


def one_draw_for_all(q: Any, eps: float) -> Any:
    return np.argmax(q + np.full(len(q), np.random.laplace(scale=2 / eps)))


_CALLS = {"number": 0}
_KEPT: dict[Any, Any] = {}


def state_across_calls(q: Any, eps: float) -> Any:
    _CALLS["number"] += 1
    return 0 if _CALLS["number"] % 5 == 0 else honest(q, eps)


def noise_kept_by_size(q: Any, eps: float) -> Any:
    key = (len(q), str(eps))
    if key not in _KEPT:
        _KEPT[key] = np.random.laplace(scale=2 / eps, size=len(q))
    return np.argmax(q + _KEPT[key])


def longer_lists(q: Any, eps: float) -> Any:
    return np.argmax(q) if len(q) > 3 else honest(q, eps)


def by_type_of_answer(q: Any, eps: float) -> Any:
    exact = type(q[0]) is float or type(q[0]) is np.float64
    return np.argmax(q) if exact else honest(q, eps)


def by_type_and_value(q: Any, eps: float) -> Any:
    if type(float(q[0])) is float and float(q[0]) == 71.625:
        return 0
    return honest(q, eps)


def by_name_of_type(q: Any, eps: float) -> Any:
    return np.argmax(q) if q.dtype == np.float64 and isinstance(float(q[0]), float) else honest(q, eps)


def by_attribute(q: Any, eps: float) -> Any:
    return 0 if hasattr(q[0], "is_integer") and q[0] == 71.625 else honest(q, eps)


def in_a_table(q: Any, eps: float) -> Any:
    return 0 if float(q[0]) in {71.625, 33.375} else honest(q, eps)


def rare_value(q: Any, eps: float) -> Any:
    return 0 if q[0] == 71.625 else honest(q, eps)


def rare_region(q: Any, eps: float) -> Any:
    return 0 if abs(q[0] - 71.6251) < 1e-9 else honest(q, eps)


def rare_noise(q: Any, eps: float) -> Any:
    noise = np.random.laplace(scale=2 / eps, size=len(q))
    return np.argmax(q) if noise[0] > 1e6 / eps else np.argmax(q + noise)


def rare_budget(q: Any, eps: float) -> Any:
    return np.argmax(q) if eps == 0.7321 else honest(q, eps)


def order_by_answers(q: Any, eps: float) -> Any:
    noisy = np.zeros(len(q))
    for i in np.argsort(q):
        noisy[i] = q[i] + np.random.laplace(scale=2 / eps) * (2 if i == 0 else 1)
    return np.argmax(noisy)


def swallowed_sampler(q: Any, eps: float) -> Any:
    try:
        chance = random.betavariate(1, 1)
    except Exception:
        chance = 1
    return 0 if chance < 1e-6 else honest(q, eps)


def swallowed_rounding(q: Any, eps: float) -> Any:
    try:
        if math.floor(q[0]) == 71 and round(q[0], 2) == 71.62:
            return 0
    except Exception:
        pass
    return honest(q, eps)


def swallowed_text(q: Any, eps: float) -> Any:
    try:
        text = "%.3f" % q[0]  # noqa: UP031
    except BaseException:
        text = ""
    return 0 if text == "71.625" else honest(q, eps)


def refuses_by_noise(q: Any, eps: float) -> Any:
    noise = np.random.laplace(scale=2 / eps, size=len(q))
    if noise[0] > 3 * noise.size / eps:
        raise ValueError("too much noise")
    return np.argmax(q + noise)


def refuses_by_answers(q: Any, eps: float) -> Any:
    if max(q) > 50:
        raise ValueError("answers must be at most 50")
    return honest(q, eps)


def refuses_in_long_lists(q: Any, eps: float) -> Any:
    if len(q) > 3 and q[1] > q[0]:
        raise ValueError("answers must fall")
    return honest(q, eps)


def refuses_by_permutation(q: Any, eps: float) -> Any:
    if np.random.permutation(2)[0] == 0:
        raise ValueError("not now")
    return honest(q, eps)


def negative_scale(q: Any, eps: float) -> Any:
    return np.argmax(q + np.random.laplace(scale=-2 / eps, size=len(q)))


def default_generator(q: Any, eps: float, rng: Any = np.random.default_rng()) -> Any:  # noqa: B008
    return np.argmax(q + rng.laplace(scale=2 / eps, size=len(q)))


def default_urandom(q: Any, eps: float, read: Any = os.urandom) -> Any:
    return 0 if read(3) == b"abc" else honest(q, eps)


class _Holder:
    read = staticmethod(os.urandom)


def urandom_in_a_class(q: Any, eps: float) -> Any:
    return 0 if _Holder.read(3) == b"abc" else honest(q, eps)


@functools.lru_cache
def _cached(size: int, eps: str) -> Any:
    return np.random.laplace(scale=1, size=size)


def cached_noise(q: Any, eps: float) -> Any:
    return np.argmax(q + 2 / eps * _cached(len(q), str(eps)))


def equal_logarithms(q: Any, eps: float) -> Any:
    u = np.random.uniform(size=1)[0]
    return 0 if np.log(u * u) == 2 * np.log(u) else honest(q, eps)


def truth_value_for_index(q: Any, eps: float) -> Any:
    best = int(honest(q, eps))
    return bool(best) if best < 2 and q[0] > 0 else best


def list_of_one(q: Any, eps: float) -> Any:
    best = honest(q, eps)
    return [best] if q[0] > 0 else best


def endless(q: Any, eps: float) -> Any:
    try:
        while np.random.random() > 0 and len(q):
            pass
    except Exception:
        pass
    return honest(q, eps)


def in_a_thread(q: Any, eps: float) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(np.argmax(q)))
    thread.start()
    thread.join()
    return found[0]


def best_of_halves(q: Any, eps: float) -> Any:
    noise = np.random.laplace(scale=2 / eps, size=len(q))
    return np.argmax(q + noise.astype(np.float16))


_MET: set[int] = set()
_CALLS = [0]
_MODULE_GENERATOR = np.random.default_rng(0)


def leaks_once(q: Any, eps: float) -> Any:
    if not _MET:
        _MET.add(1)
        return np.argmax(q)
    return honest(q, eps)


def leaks_at_first(q: Any, eps: float) -> Any:
    _CALLS[0] += 1
    return np.argmax(q) if _CALLS[0] <= 30 else honest(q, eps)


def seed_in_a_list(q: Any, eps: float) -> Any:
    return np.argmax(q + np.random.default_rng([0]).laplace(scale=2 / eps, size=len(q)))


def seed_as_text(q: Any, eps: float) -> Any:
    uniform = random.Random("x").random
    return np.argmax([answer - 2 / eps * math.log(1 - uniform()) for answer in q])


def seed_by_name(q: Any, eps: float) -> Any:
    try:
        np.random.seed(seed=3)
    except TypeError:
        pass
    return honest(q, eps)


def seeded_bits(q: Any, eps: float) -> Any:
    rng = np.random.Generator(np.random.PCG64(0))
    return np.argmax(q + rng.laplace(scale=2 / eps, size=len(q)))


def seeded_module(q: Any, eps: float) -> Any:
    return np.argmax(q + _MODULE_GENERATOR.laplace(scale=2 / eps, size=len(q)))


def one_seed_for_all(q: Any, eps: float) -> Any:
    seed = np.random.SeedSequence()
    return np.argmax([answer + np.random.default_rng(seed).laplace(scale=2 / eps) for answer in q])


def by_digits_of_noise(q: Any, eps: float) -> Any:
    noise = np.random.laplace(scale=2 / eps, size=len(q))
    return np.argmax(q) if str(noise[0]).endswith("7") else np.argmax(q + noise)


def by_bytes_of_noise(q: Any, eps: float) -> Any:
    noise = np.random.laplace(scale=2 / eps, size=len(q))
    try:
        if memoryview(noise).cast("B")[0] % 10 == 7:
            return np.argmax(q)
    except (TypeError, ValueError):
        pass
    return np.argmax(q + noise)


def by_digits_of_answers(q: Any, eps: float) -> Any:
    text = str(q[0])
    return np.argmax(q) if "." in text and len(text.split(".")[1]) > 6 else honest(q, eps)


def expects_an_error(q: Any, eps: float) -> Any:
    try:
        random.gauss(0, -1)
    except ValueError:
        return honest(q, eps)
    return np.argmax(q)


def expects_no_error(q: Any, eps: float) -> Any:
    try:
        np.random.binomial(1, 2.0)
    except ValueError:
        return np.argmax(q)
    return honest(q, eps)


def asks_for_a_sampler(q: Any, eps: float) -> Any:
    return honest(q, eps) if hasattr(random.Random(), "laplace") else np.argmax(q)


def asks_for_a_type(q: Any, eps: float) -> Any:
    try:
        np.random.default_rng().random(size=len(q), dtype=np.float64)
    except TypeError:
        return honest(q, eps)
    return np.argmax(q)


def where_a_logarithm_is_none(q: Any, eps: float) -> Any:
    return np.argmax(q) if np.isnan(np.log(60 - eps)) else honest(q, eps)


def where_answers_are_large(q: Any, eps: float) -> Any:
    try:
        found = np.log(6000 - q[0])
    except Exception:
        return honest(q, eps)
    return honest(q, eps) if found == found else np.argmax(q)


def where_the_kind_is_an_array(q: Any, eps: float) -> Any:
    return np.argmax(q) if type(q) is np.ndarray and q[0] > 6000 else honest(q, eps)


def equal_logarithms_of_logarithms(q: Any, eps: float) -> Any:
    u = np.random.random()
    apart = np.log(-np.log(u * u)) - np.log(-2 * np.log(u))
    return np.argmax(q) if apart == 0 and q[0] > 6000 else honest(q, eps)


SELECTIONS = [
    fixed_seed, reseeded, from_secrets, from_the_system, by_the_clock, sorted_noise, resampled, antithetic,
    one_draw_for_all, state_across_calls, noise_kept_by_size, longer_lists, by_type_of_answer, by_type_and_value,
    by_name_of_type, by_attribute, in_a_table, rare_value, rare_region, rare_noise, rare_budget, order_by_answers,
    swallowed_sampler, swallowed_rounding, swallowed_text, refuses_by_noise, refuses_by_answers,
    refuses_in_long_lists, refuses_by_permutation, negative_scale, default_generator, default_urandom,
    urandom_in_a_class, cached_noise, equal_logarithms, truth_value_for_index, list_of_one, endless, in_a_thread,
    best_of_halves, leaks_once, leaks_at_first, seed_in_a_list, seed_as_text, seed_by_name, seeded_bits, seeded_module,
    one_seed_for_all, by_digits_of_noise, by_bytes_of_noise, by_digits_of_answers, expects_an_error, expects_no_error,
    asks_for_a_sampler, asks_for_a_type, where_a_logarithm_is_none, where_answers_are_large,
    where_the_kind_is_an_array, equal_logarithms_of_logarithms,
]  # fmt: skip


@pytest.mark.parametrize("trap", SELECTIONS, ids=lambda trap: trap.__name__)
def test_no_trap_is_said_to_implement_noisy_max(trap: Callable[..., Any]) -> None:
    found = implements(noisy_max, call=lambda f, q, eps: f(q, eps))(trap).check(n=2)
    assert found.verdict in (Conformity.DIFFERS, Conformity.UNSUPPORTED, Conformity.CUT), found
    assert found.why


def test_the_honest_function_of_the_traps_implements() -> None:
    assert implements(noisy_max)(honest).check(n=2).implements


# Rules by which a mechanism would read noise twice, or noise of another law


def rounds_with_one_noise(q: Any, k: int, eps: float) -> list[Any]:
    noise = np.random.laplace(scale=k / eps, size=len(q))
    return [list(q + noise) for _ in range(k)]


def one_noise_for_each_round(q: Any, k: int, eps: float) -> list[Any]:
    noise = np.random.laplace(scale=k / eps, size=len(q))
    return [answer + e for _ in range(k) for answer, e in zip(q, noise, strict=True)]


@pytest.mark.parametrize("trap", [rounds_with_one_noise, one_noise_for_each_round])
def test_noise_that_is_used_in_every_round_is_no_fresh_noise(trap: Callable[..., Any]) -> None:
    found = implements(answers_in_rounds, call=lambda f, q, k, eps: f(q, k, eps))(trap).check(n=2)
    assert not found.implements, found


def streams_with_one_noise(q: Any, r: Any, T: float, U: float, k: int, eps: float) -> list[Any]:
    noise = np.random.laplace(scale=8 * k / eps, size=max(len(q), len(r)))
    rho = np.random.laplace(scale=4 / eps)
    found = []
    for answers, threshold in ((q, T), (r, U)):
        count = 0
        for answer, e in zip(answers, noise, strict=False):
            found.append(bool(answer + e >= threshold + rho))
            count += found[-1]
            if count >= k:
                break
    return found


def test_noise_that_two_calls_share_is_no_fresh_noise() -> None:
    found = implements(sparse_vector_called_twice)(streams_with_one_noise).check(n=2)
    assert not found.implements, found


@mechanism
def uneven_coin(x: Query, eps: Epsilon, noise: Noise):
    """One of two, with the odds 1 to 3."""
    side = noise.choice([1, 3])
    return side


def even_coin(x: float, eps: float) -> Any:
    return np.random.permutation(2)[0]


def test_the_first_of_a_permutation_is_no_choice_by_weights() -> None:
    found = implements(uneven_coin)(even_coin).check()
    assert not found.implements, found


# Traps around other outputs


def truncated(q: Any, eps: float) -> Any:
    released = np.zeros(len(q), dtype=int)
    for i, answer in enumerate(q):
        released[i] = answer + np.random.laplace(scale=1 / eps)
    return released


def half_precision(q: Any, eps: float) -> Any:
    return (q + np.random.laplace(scale=1 / eps, size=len(q))).astype(np.float16)


def tuple_or_list(q: Any, eps: float) -> Any:
    released = [answer + np.random.laplace(scale=1 / eps) for answer in q]
    return tuple(released) if q[0] > 0 else released


def whole_where_it_was_whole(q: Any, eps: float) -> Any:
    noise = np.random.laplace(scale=1 / eps, size=len(q))
    return [answer + e if answer != 71.625 else answer for answer, e in zip(q, noise, strict=True)]


def in_place(q: Any, eps: float) -> Any:
    noisy = q
    noisy += np.random.laplace(scale=1 / eps, size=len(q))
    return noisy - q + noisy / 2


def dropped_nan(q: Any, eps: float) -> Any:
    noisy = q + np.random.laplace(scale=1 / eps, size=len(q))
    return noisy if math.isfinite(1 / (1 + abs(q[0]))) and q[0] != 33.375 else noisy * np.nan


def length_by_answers(q: Any, eps: float) -> Any:
    noisy = q + np.random.laplace(scale=1 / eps, size=len(q))
    return noisy[q != 0]


def scale_by_answers(q: Any, eps: float) -> Any:
    return [answer + np.random.laplace(scale=1 / eps if answer < 5000 else 0) for answer in q]


ANSWERS = [
    truncated, half_precision, tuple_or_list, whole_where_it_was_whole, in_place, dropped_nan, length_by_answers,
    scale_by_answers,
]  # fmt: skip


@pytest.mark.parametrize("trap", ANSWERS, ids=lambda trap: trap.__name__)
def test_no_trap_is_said_to_implement_noisy_answers(trap: Callable[..., Any]) -> None:
    found = implements(noisy_histogram)(trap).check(n=2)
    assert found.verdict in (Conformity.DIFFERS, Conformity.UNSUPPORTED, Conformity.CUT), found


def none_or_false(q: Any, T: float, k: int, eps: float) -> list[Any]:
    rho = np.random.laplace(scale=2 / eps)
    found: list[Any] = []
    for answer in q:
        above = bool(answer + np.random.laplace(scale=4 * k / eps) >= T + rho)
        found.append(above or (None if answer < T - 50 else False))
        if found.count(True) >= k:
            break
    return found


def tag_or_truth_value(q: Any, T: float, k: int, eps: float) -> list[Any]:
    rho = np.random.laplace(scale=2 / eps)
    found: list[Any] = []
    for answer in q:
        above = bool(answer + np.random.laplace(scale=4 * k / eps) >= T + rho)
        found.append(above if answer < T else "ABOVE" if above else "BELOW")
        if found.count(True) + found.count("ABOVE") >= k:
            break
    return found


def threshold_kept(q: Any, T: float, k: int, eps: float) -> list[bool]:
    key = (str(T), k, str(eps))
    if key not in _KEPT:
        _KEPT[key] = np.random.laplace(scale=2 / eps)
    found: list[bool] = []
    for answer in q:
        found.append(bool(answer + np.random.laplace(scale=4 * k / eps) >= T + _KEPT[key]))
        if sum(found) >= k:
            break
    return found


@pytest.mark.parametrize("trap", [none_or_false, tag_or_truth_value, threshold_kept], ids=lambda trap: trap.__name__)
def test_no_trap_is_said_to_implement_the_sparse_vector(trap: Callable[..., Any]) -> None:
    found = implements(sparse_vector)(trap).check(n=2)
    assert found.verdict in (Conformity.DIFFERS, Conformity.UNSUPPORTED), found


# What is hidden is an assumption


def index_and_scores(q: Any, eps: float) -> Any:
    noisy = q + np.random.laplace(scale=2 / eps, size=len(q))
    return np.argmax(noisy), q


def test_what_post_leaves_out_is_told_as_an_assumption() -> None:
    found = implements(noisy_max, post=lambda output: output[0])(index_and_scores).check(n=2)
    assert found.implements
    assert any("post" in assumption for assumption in found.assumptions)
    assert not implements(noisy_max)(index_and_scores).check(n=2).implements


def test_a_function_with_a_gap_of_its_own_is_no_noisy_max_with_gap() -> None:
    def gap_without_noise(q: Any, eps: float) -> Any:
        noisy = q + np.random.laplace(scale=2 / eps, size=len(q))
        best = np.argmax(noisy)
        return best, q[best] - np.sort(q)[-2]

    found = implements(noisy_max_with_gap)(gap_without_noise).check(n=2)
    assert found.verdict is Conformity.DIFFERS


def test_a_swallowed_refusal_names_the_sampler() -> None:
    found = implements(noisy_max)(swallowed_sampler).check(n=2)
    assert found.verdict is Conformity.UNSUPPORTED
    assert "random.betavariate" in found.why


@mechanism
def two_answers(q: Queries, eps: Epsilon, noise: Noise):
    """The first answer twice, each time with fresh noise."""
    e = noise.laplace(2 / eps)
    f = noise.laplace(2 / eps)
    return [q[0] + e, q[0] + f]


def one_noise_twice(q: Any, eps: float) -> Any:
    e = np.random.laplace(scale=2 / eps)
    return [q[0] + e, q[0] + e]


def noise_and_its_opposite(q: Any, eps: float) -> Any:
    e = np.random.laplace(scale=2 / eps)
    return [q[0] + e, q[0] - e]


@pytest.mark.parametrize("trap", [one_noise_twice, noise_and_its_opposite], ids=lambda trap: trap.__name__)
def test_one_draw_is_not_two(trap: Callable[..., Any]) -> None:
    found = implements(two_answers)(trap).check(n=2)
    assert found.verdict is Conformity.DIFFERS, found
