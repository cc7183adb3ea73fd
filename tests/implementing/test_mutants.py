"""Functions with one thing changed: nearly all differ from their mechanism, and the others have an argument here.

A difference is replayed as a user would: the function runs on plain floats, with the noise that the report names.
"""

from __future__ import annotations

import importlib.util
import inspect
import math
import random
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from implementing import functions
from implementing.functions import SHIPPED, Shipped
from support.examples import examples

from alignkit.implementing import Conformance, Conformity, implements
from alignkit.implementing.arrays import argpartition

TIE = "a tie between noisy values has probability 0"
SAME = "it computes the same"
SIGN = "symmetric noise has the same law with its sign changed"

HEAD = '''import math
import random
from typing import Any

import numpy as np


'''

# Function, text, other text; why the changed function does implement the mechanism, "" where it must differ.
MUTANTS = [
    ("max_vectorized", "loc=0.0, scale=2 * sensitivity / epsilon", "loc=2 * sensitivity / epsilon", ""),
    ("max_vectorized", "2 * sensitivity / epsilon", "sensitivity / epsilon", ""),
    ("max_vectorized", "2 * sensitivity / epsilon", "2 * sensitivity / epsilon**2", ""),
    ("max_vectorized", "2 * sensitivity / epsilon", "2 * sensitivity * epsilon", ""),
    ("max_vectorized", "scores + noise", "scores", ""),
    ("max_vectorized", "scores + noise", "scores - noise", SIGN),
    ("max_vectorized", "scores + noise", "scores + noise + noise", ""),
    ("max_vectorized", "scores + noise", "scores + noise[0]", ""),
    ("max_vectorized", "scores + noise", "scores + np.sort(noise)", ""),
    ("max_vectorized", "scores + noise", "scores + abs(noise)", ""),
    ("max_vectorized", "np.argmax", "np.argmin", ""),
    ("max_vectorized", "np.argmax(scores + noise)", "np.max(scores + noise)", ""),
    ("max_vectorized", "size=len(scores)", "size=1", ""),
    ("max_vectorized", "rng.laplace(loc=0.0,", "rng.gumbel(loc=0.0,", ""),
    ("max_in_a_loop", "noisy > best_value", "noisy >= best_value", TIE),
    ("max_in_a_loop", "noisy > best_value", "noisy < best_value", ""),
    ("max_in_a_loop", "best, best_value = i, noisy", "best, best_value = i, score", ""),
    ("max_in_a_loop", "best, best_value = i, noisy", "best = i", ""),
    ("max_in_a_loop", "best, best_value = -1, -math.inf", "best, best_value = -1, 0", ""),
    ("max_in_a_loop", "0, 2 / epsilon", "2 / epsilon", ""),
    ("max_in_a_loop", "best, best_value = i, noisy", "best, best_value = i + 1, noisy", ""),
    ("max_in_a_loop", "enumerate(scores)", "enumerate(scores[1:])", ""),
    ("max_exponential", "2 / epsilon", "1 / epsilon", ""),
    ("max_exponential", "rng.exponential(2 / epsilon, ", "rng.laplace(0, 2 / epsilon, ", ""),
    ("max_exponential", "+ noise", "- noise", ""),
    ("max_exponential", "dtype=float", "dtype=int", ""),
    ("gumbel_max", "(2 * delta)", "(delta)", ""),
    ("gumbel_max", "(2 * delta)", "(2)", ""),
    ("gumbel_max", "scaled + noise", "scaled - noise", ""),
    ("gumbel_max", "np.random.gumbel(size=", "np.random.laplace(size=", ""),
    ("gumbel_max", "np.random.gumbel(size=", "np.random.gumbel(0, 2 * delta / eps, size=", ""),
    ("choice_with_p", "- np.max(utilities)", "- np.min(utilities)", ""),
    ("choice_with_p", "/ (2 * delta)", "/ delta", ""),
    ("choice_with_p", "weights / weights.sum()", "weights[::-1] / weights.sum()", ""),
    ("choice_with_p", ", p=weights / weights.sum()", "", ""),
    ("choice_by_cumsum", "u * cumulative[-1]", "u * len(utilities)", ""),
    ("choice_by_cumsum", "return i\n", "return i + 1\n", ""),
    ("permute_and_flip", "order[0] if accepted == 1 else order[1]", "order[1] if accepted == 1 else order[0]", ""),
    ("permute_and_flip", "top) / 2)", "top))", ""),
    ("permute_and_flip", "order[1]", "order[0]", ""),
    ("top_k_argsort", "2 * k / epsilon", "2 / epsilon", ""),
    ("top_k_argsort", "-noisy,", "noisy,", ""),
    ("top_k_argsort", "[:k]", "[:k + 1]", ""),
    ("top_k_argsort", ', kind="stable"', "", TIE),
    ("top_k_argpartition", "k - 1)", "len(noisy) - 1)", ""),
    ("top_k_argpartition", "part[np.argsort(-noisy[part])]", "part", ""),
    ("top_k_argpartition", "part[np.argsort(-noisy[part])]", "part[np.argsort(-scores[part])]", ""),
    ("sparse_loop", ">= noisy_threshold", "> noisy_threshold", TIE),
    ("sparse_loop", ">= noisy_threshold", "<= noisy_threshold", ""),
    ("sparse_loop", "answer + noise", "answer", ""),
    ("sparse_loop", "4 * k / epsilon", "4 / epsilon", ""),
    ("sparse_loop", "4 * k / epsilon", "2 / epsilon", ""),
    ("sparse_loop", "4 * k / epsilon", "2 * k / epsilon", ""),
    ("sparse_loop", "count += 1", "pass", ""),
    ("sparse_loop", "count >= k", "count > k", ""),
    ("sparse_loop", "count >= k", "count == k", SAME),
    ("sparse_loop", "found.append(True)\n", "found.append(True)\n            noisy_threshold = threshold\n", ""),
    (
        "sparse_loop", "count += 1\n",
        "count += 1\n            noisy_threshold = threshold + np.random.laplace(scale=2 / epsilon)\n", "",
    ),
    ("sparse_loop", "threshold + np.random.laplace(scale=2 / epsilon)", "threshold", ""),
    ("sparse_loop", "threshold + np.random", "threshold - np.random", SIGN),
    ("sparse_loop", "found.append(False)", "found.append(bool(answer >= threshold))", ""),
    ("sparse_loop", "scale=2 / epsilon", "loc=2 / epsilon", ""),
    ("sparse_masked", "size=len(answers)", "size=1", ""),
    ("sparse_masked", "winners[k - 1] + 1", "winners[k - 1]", ""),
    ("sparse_masked", ">= k else", "> k else", ""),
    ("sparse_masked", "above[:end]", "above", ""),
    ("sparse_masked", "noise >= noisy_threshold", "noise >= threshold", ""),
    ("sparse_class", "self.left -= above", "self.left -= 1", ""),
    ("sparse_class", "np.random.laplace(0.0, self.scale)", "np.random.laplace(self.scale)", ""),
    ("sparse_class", "np.random.laplace(0.0, self.scale)", "np.random.laplace(0.0, 2 / self.scale)", ""),
    ("sparse_class", "if stream.left == 0:\n            break", "if stream.left == 0:\n            continue", SAME),
    ("sparse_class", "stream = AboveThreshold(threshold, k,", "stream = AboveThreshold(threshold, 1,", ""),
    ("sparse_python", "side * random", "sign * random", ""),
    ("sparse_python", "side * random", "random", ""),
    ("sparse_python", "epsilon / (4 * k)", "4 * k / epsilon", ""),
    ("sparse_python", 'found.append("ABOVE")\n            left -= 1', 'found.append("ABOVE")', ""),
    ("sparse_numeric", "answer + fresh", "answer + nu", ""),
    ("sparse_numeric", "answer + fresh", "answer", ""),
    ("sparse_numeric", "scale=3 * k / epsilon", "scale=3 / epsilon", ""),
    ("sparse_numeric", "released.append(0.0)", "released.append(min(0.0, answer - threshold))", ""),
    ("sparse_numeric", "answer + nu >= threshold + rho", "answer + nu >= threshold - rho", SIGN),
    ("sparse_gap", "threshold + rho)", "threshold)", ""),
    ("sparse_gap", "gap if gap >= 0", "answer - threshold if gap >= 0", ""),
    ("sparse_gap", "gap if gap >= 0", "answer + nu - threshold if gap >= 0", ""),
    ("sparse_gap", "gap >= 0", "gap > 0", TIE),
    ("sparse_gap", "gap if gap >= 0 else None", "gap", ""),
    ("histogram", "counts[i] + noise", "counts[i] + 2 * noise", ""),
    ("histogram", "counts[i] + noise", "counts[i]", ""),
    ("histogram", "counts[i] + noise", "counts[i] + noise if counts[i] else 0", ""),
    ("histogram", "counts[i] + noise", "max(counts[i] + noise, 0)", ""),
    ("histogram", "np.zeros(len(counts))", "np.zeros(len(counts), dtype=int)", ""),
    ("histogram", "range(len(counts))", "range(len(counts) - 1)", ""),
    ("histogram", "scale=1.0 / epsilon", "scale=2.0 / epsilon", ""),
    ("geometric", "+ up - down", "+ up", ""),
    ("geometric", "+ up - down", "- up + down", SAME + ", with the two numbers exchanged"),
    ("geometric", "np.exp(-epsilon)", "np.exp(-epsilon / 2)", ""),
    ("geometric", "1 - np.exp(-epsilon)", "np.exp(-epsilon)", ""),
    ("inverse_cdf", "np.sign(u) * ", "", ""),
    ("inverse_cdf", "1 - 2 * abs(u)", "1 - abs(u)", ""),
    ("inverse_cdf", "delta / epsilon", "1 / epsilon", ""),
    ("inverse_cdf", "uniform(-0.5, 0.5)", "uniform(0, 0.5)", ""),
    ("bounded_sum", "np.clip(values, low, high).sum()", "values.sum()", ""),
    ("bounded_sum", "np.clip(values, low, high).sum()", "np.clip(values.sum(), low, high)", ""),
    ("bounded_sum", "sensitivity / epsilon", "1 / epsilon", ""),
    ("bounded_sum", "low, high)", "-high, high)", ""),
    ("running_totals", "np.cumsum(values + noise)", "np.cumsum(values) + noise", ""),
    ("running_totals", "np.cumsum(values + noise)", "np.cumsum(values) + noise[0]", ""),
    ("running_totals", "0, sensitivity", "sensitivity", ""),
]  # fmt: skip


def _named(name: str) -> Shipped:
    return next(shipped for shipped in SHIPPED if shipped.function.__name__ == name)


def _changed(name: str, text: str, other: str, folder: Path) -> Callable[..., Any]:
    """The function of a module that is written anew with the change."""
    source = inspect.getsource(getattr(functions, name))
    if name == "sparse_class":
        source = inspect.getsource(functions.AboveThreshold) + "\n\n" + source
    assert source.count(text) == 1, text
    path = folder / "changed_functions.py"
    path.write_text(HEAD + source.replace(text, other))
    spec = importlib.util.spec_from_file_location("changed_functions", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["changed_functions"] = module
    spec.loader.exec_module(module)
    return getattr(module, name)  # type: ignore[no-any-return]


class Played:
    """numpy's and Python's generators, which give the noise that a report names."""

    def __init__(self, noise: Mapping[str, Any]) -> None:
        self._noise, self._met = noise, dict[str, int]()

    def _unit(self, family: str) -> Any:
        frame: Any = sys._getframe(1)
        while frame.f_code.co_filename == __file__:
            frame = frame.f_back
        place = f"{family} at {Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
        key = place if any(name.startswith(f"{place},") for name in self._noise) else family
        count = self._met.get(key, 0)
        self._met[key] = count + 1
        return self._noise[f"{key}, {count}"]

    def _of(self, family: str, size: Any, loc: Any = 0, scale: Any = 1) -> Any:
        if family != "uniform" and np.any(np.asarray(scale) < 0):
            raise ValueError("scale < 0")
        shape = () if size is None else size
        units = np.array([float(self._unit(family)) for _ in range(int(np.prod(shape)))]).reshape(shape)
        return loc + scale * (float(units) if size is None else units)

    def laplace(self, loc: Any = 0, scale: Any = 1, size: Any = None) -> Any:
        return self._of("laplace", size, loc, scale)

    def gumbel(self, loc: Any = 0, scale: Any = 1, size: Any = None) -> Any:
        return self._of("gumbel", size, loc, scale)

    def exponential(self, scale: Any = 1, size: Any = None) -> Any:
        return self._of("exponential", size, 0, scale)

    def expovariate(self, lambd: Any) -> Any:
        return self._of("exponential", None, 0, 1 / lambd)

    def uniform(self, low: Any = 0, high: Any = 1) -> Any:
        return self._of("uniform", None, low, high - low)

    def random(self) -> Any:
        return self._of("uniform", None)

    def geometric(self, p: Any) -> Any:
        return 1 + self._unit("geometric")

    def permutation(self, length: int) -> Any:
        return np.array(self._unit("permutation"))

    def binomial(self, n: int, p: Any) -> int:
        return int(self.random() >= 1 - p)

    def choice(self, elements: Any, p: Any = None) -> Any:
        elements = list(range(elements)) if isinstance(elements, int) else list(elements)
        if p is not None and np.isnan(p).any():
            raise ValueError("Probabilities contain NaN")
        upper = np.cumsum(np.ones(len(elements)) if p is None else p)
        return elements[int(np.searchsorted(upper, self.random() * upper[-1], side="right"))]


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, list | tuple | np.ndarray) and np.ndim(one):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, str | bool | np.bool_) or isinstance(other, str) or one is None:
        return bool(one == other)
    return math.isclose(float(one), float(other), rel_tol=1e-9, abs_tol=1e-9)


def _replay(shipped: Shipped, function: Callable[..., Any], found: Conformance, patch: pytest.MonkeyPatch) -> Any:
    played = Played(found.noise)
    for name in ("laplace", "gumbel", "exponential", "uniform", "random", "geometric", "permutation", "choice"):
        patch.setattr(np.random, name, getattr(played, name))
    patch.setattr(np.random, "default_rng", lambda: played)
    # Many machines sort small arrays in full where numpy promises less.
    patch.setattr(np, "argpartition", argpartition)
    for name in ("choice", "expovariate"):
        patch.setattr(random, name, getattr(played, name))

    def plain(value: Any) -> Any:
        return float(value) if isinstance(value, Fraction) else value

    inputs = {
        name: np.array([float(v) for v in value]) if isinstance(value, list) else plain(value)
        for name, value in found.inputs.items()
    }
    for name, kind in shipped.mechanism.parameters.items():
        inputs[name] = int(inputs[name]) if kind.integer and not kind.vector else inputs[name]
    with np.errstate(all="ignore"):
        output = shipped.call(function, **inputs)
    return shipped.post(output) if shipped.post else output


@pytest.mark.parametrize("shipped", SHIPPED[:: examples(2, 1)], ids=lambda shipped: shipped.function.__name__)
def test_functions_as_libraries_have_them_implement_their_mechanisms(shipped: Shipped) -> None:
    claim = implements(shipped.mechanism, call=shipped.call, post=shipped.post)(shipped.function)
    # The signs of exponential numbers are decided one by one: as many paths again for each.
    size = 2 if shipped.function.__name__ == "sparse_python" else 3
    found = claim.check(n=size)
    assert (found.verdict, found.why) == (Conformity.IMPLEMENTS, "")
    assert found.paths > 0
    assert found.float_runs > 30


@pytest.mark.slow
def test_the_sparse_vector_of_pythons_random_implements_for_three_answers() -> None:
    shipped = _named("sparse_python")
    found = implements(shipped.mechanism, call=shipped.call)(shipped.function).check()
    assert found.implements
    assert found.n == 3


def _cases() -> list[Any]:
    # Of a sign and a number there are hundreds of readings to try.
    slow = [pytest.mark.slow]
    cases = [
        pytest.param(*mutant, id=f"{mutant[0]}-{i}", marks=slow if mutant[0] == "sparse_python" else [])
        for i, mutant in enumerate(MUTANTS)
    ]
    return cases[:: examples(3, 1)]


@pytest.mark.parametrize(("name", "text", "other", "argument"), _cases())
def test_a_changed_function_differs_on_noise_that_replays(
    name: str, text: str, other: str, argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = _named(name)
    function = _changed(name, text, other, tmp_path)
    claim = implements(shipped.mechanism, call=shipped.call, post=shipped.post)(function)
    found = claim.check(n=2)
    if argument:
        assert (found.verdict, found.why) == (Conformity.IMPLEMENTS, "")
        return
    assert found.verdict is Conformity.DIFFERS, found
    of_function, of_mechanism = claim.replay(found)
    assert (of_function, of_mechanism) == (found.of_function, found.of_mechanism)
    if of_function is None:
        with pytest.raises(Exception, match=found.why.split(": ", 1)[1].split(", and for")[0] or None):
            _replay(shipped, function, found, monkeypatch)
        return
    again = _replay(shipped, function, found, monkeypatch)
    assert _alike(again, of_function)
    assert not _alike(again, of_mechanism)


def test_at_least_nine_of_ten_changed_functions_differ() -> None:
    assert len(MUTANTS) >= 60
    assert sum(not argument for *_, argument in MUTANTS) >= 0.9 * len(MUTANTS)
