"""Functions as libraries have them, and the mechanism that each implements.

Each draw stands on a line of its own, so that the name which a report gives its noise is the noise of one draw.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from alignkit import Epsilon, Lattice, Noise, Positive, Queries, Query, Sensitivity, exp, mechanism
from mechanisms.composition import noisy_histogram
from mechanisms.exponential_mechanism import exponential_mechanism
from mechanisms.laplace import laplace_mechanism
from mechanisms.noisy_max import noisy_max, noisy_max_exponential
from mechanisms.output_shapes import numeric_or_zero
from mechanisms.sparse_vector import sparse_vector, sparse_vector_with_gap
from mechanisms.sums import clipped_sum, prefix_sums
from mechanisms.top_k import noisy_top_k

# Mechanisms that the catalogue has in another form.


@mechanism
def choice_by_weights(u: Annotated[Queries, Sensitivity("delta")], delta: Positive, eps: Epsilon, noise: Noise):
    """The exponential mechanism as one choice by its weights."""
    chosen = noise.choice([exp(eps * u_i / (2 * delta)) for u_i in u])
    return chosen


@mechanism
def geometric_counts(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
    """Whole answers, each with discrete Laplace noise."""
    eta = [noise.discrete_laplace(1 / eps) for q_i in q]
    return [q_i + eta_i for q_i, eta_i in zip(q, eta)]


@mechanism
def permute_and_flip_of_two(a: Query, b: Query, eps: Epsilon, noise: Noise):
    """Permute and flip for two answers: if the first one drawn is not accepted, it is the other."""
    u = [a, b]
    top = max(a, b)
    left = noise.choice([1, 1])
    accepted = noise.choice([1 - exp(eps * (u[left] - top) / 2), exp(eps * (u[left] - top) / 2)])
    return left if accepted == 1 else 1 - left


# Selection


def max_vectorized(scores: Any, epsilon: float, sensitivity: float = 1.0) -> Any:
    """Report noisy max with Laplace noise, by one array operation."""
    rng = np.random.default_rng()
    noise = rng.laplace(loc=0.0, scale=2 * sensitivity / epsilon, size=len(scores))
    return np.argmax(scores + noise)


def max_in_a_loop(scores: Any, epsilon: float) -> int:
    """Report noisy max with Laplace noise, by comparing one score after another."""
    best, best_value = -1, -math.inf
    for i, score in enumerate(scores):
        noisy = score + np.random.laplace(0, 2 / epsilon)
        if noisy > best_value:
            best, best_value = i, noisy
    return best


def max_exponential(scores: Any, epsilon: float) -> int:
    """Report noisy max with exponential noise."""
    rng = np.random.default_rng()
    noise = rng.exponential(2 / epsilon, size=np.shape(scores))
    noisy = np.asarray(scores, dtype=float) + noise
    return int(noisy.argmax())


def gumbel_max(utilities: Any, delta: float, eps: float) -> Any:
    """The exponential mechanism by Gumbel noise."""
    scaled = eps * np.asarray(utilities) / (2 * delta)
    noise = np.random.gumbel(size=len(scaled))
    return np.argmax(scaled + noise)


def choice_with_p(utilities: Any, delta: float, eps: float) -> Any:
    """The exponential mechanism by numpy's choice."""
    weights = np.exp(eps * (utilities - np.max(utilities)) / (2 * delta))
    return np.random.choice(len(utilities), p=weights / weights.sum())


def choice_by_cumsum(utilities: Any, delta: float, eps: float) -> int:
    """The exponential mechanism by the inverse of its distribution function."""
    weights = np.exp(eps * (utilities - max(utilities)) / (2 * delta))
    cumulative = np.cumsum(weights)
    u = np.random.random()
    for i, upper in enumerate(cumulative):
        if upper > u * cumulative[-1]:
            return i
    return len(utilities) - 1


def permute_and_flip(utilities: Any, epsilon: float) -> Any:
    """Permute and flip for two candidates."""
    rng = np.random.default_rng()
    order = rng.permutation(2)
    top = max(utilities)
    accepted = rng.binomial(1, np.exp(epsilon * (utilities[order[0]] - top) / 2))
    return order[0] if accepted == 1 else order[1]


def top_k_argsort(scores: Any, k: int, epsilon: float) -> Any:
    """The k largest noisy scores, by sorting all."""
    noise = np.random.laplace(scale=2 * k / epsilon, size=len(scores))
    noisy = scores + noise
    return np.argsort(-noisy, kind="stable")[:k]


def top_k_argpartition(scores: Any, k: int, epsilon: float) -> Any:
    """The k largest noisy scores, by sorting these alone."""
    noise = np.random.laplace(scale=2 * k / epsilon, size=len(scores))
    noisy = scores + noise
    part = np.argpartition(-noisy, k - 1)[:k]
    return part[np.argsort(-noisy[part])]


# Sparse vector


def sparse_loop(answers: Any, threshold: float, k: int, epsilon: float) -> list[bool]:
    """Sparse vector with a loop that ends at the k-th winner."""
    noisy_threshold = threshold + np.random.laplace(scale=2 / epsilon)
    found, count = [], 0
    for answer in answers:
        noise = np.random.laplace(scale=4 * k / epsilon)
        if answer + noise >= noisy_threshold:
            found.append(True)
            count += 1
            if count >= k:
                break
        else:
            found.append(False)
    return found


def sparse_masked(answers: Any, threshold: float, k: int, epsilon: float) -> Any:
    """Sparse vector on arrays: what follows the k-th winner is cut off."""
    rng = np.random.default_rng()
    noisy_threshold = threshold + rng.laplace(scale=2 / epsilon)
    noise = rng.laplace(scale=4 * k / epsilon, size=len(answers))
    above = answers + noise >= noisy_threshold
    winners = np.flatnonzero(above)
    end = winners[k - 1] + 1 if len(winners) >= k else len(above)
    return above[:end]


class AboveThreshold:
    """Sparse vector that is asked one question after another."""

    def __init__(self, threshold: float, k: int, epsilon: float) -> None:
        self.scale = 4 * k / epsilon
        self.left = k
        self.threshold = threshold + np.random.laplace(0.0, 2 / epsilon)

    def ask(self, answer: float) -> bool:
        """Whether a noisy answer is at the noisy threshold or above it."""
        if self.left == 0:
            raise RuntimeError("the budget is used up")
        noise = np.random.laplace(0.0, self.scale)
        above = bool(answer + noise >= self.threshold)
        self.left -= above
        return above


def sparse_class(answers: Any, threshold: float, k: int, epsilon: float) -> list[bool]:
    """What an ``AboveThreshold`` answers until it is used up."""
    stream = AboveThreshold(threshold, k, epsilon)
    found = []
    for answer in answers:
        if stream.left == 0:
            break
        found.append(stream.ask(answer))
    return found


def sparse_python(answers: Any, threshold: float, k: int, epsilon: float) -> list[str]:
    """Sparse vector by Python's random, whose Laplace noise is an exponential number with a sign."""
    left = k
    sign = random.choice([-1, 1])
    rho = sign * random.expovariate(epsilon / 2)
    found = []
    for answer in answers:
        if left == 0:
            break
        side = random.choice([-1, 1])
        nu = side * random.expovariate(epsilon / (4 * k))
        if answer + nu >= threshold + rho:
            found.append("ABOVE")
            left -= 1
        else:
            found.append("BELOW")
    return found


def sparse_numeric(answers: Any, threshold: float, k: int, epsilon: float) -> list[Any]:
    """Numeric sparse vector, which releases a winner's answer with fresh noise."""
    rho = np.random.laplace(scale=3 / epsilon)
    count = 0
    released = []
    for answer in answers:
        nu = np.random.laplace(scale=6 * k / epsilon)
        if answer + nu >= threshold + rho:
            fresh = np.random.laplace(scale=3 * k / epsilon)
            released.append(answer + fresh)
            count += 1
        else:
            released.append(0.0)
        if count == k:
            break
    return released


def sparse_gap(answers: Any, threshold: float, k: int, epsilon: float) -> list[Any]:
    """Sparse vector that releases a winner's gap, and None for the others."""
    rho = np.random.laplace(scale=2 / epsilon)
    gaps: list[Any] = []
    for answer in answers:
        nu = np.random.laplace(scale=4 * k / epsilon)
        gap = answer + nu - (threshold + rho)
        gaps.append(gap if gap >= 0 else None)
        if sum(g is not None for g in gaps) == k:
            break
    return gaps


# Answers


def histogram(counts: Any, epsilon: float) -> Any:
    """Counts with Laplace noise, one after another."""
    released = np.zeros(len(counts))
    for i in range(len(counts)):
        noise = np.random.laplace(loc=0.0, scale=1.0 / epsilon)
        released[i] = counts[i] + noise
    return released


def geometric(counts: Any, epsilon: float) -> list[Any]:
    """Counts with the difference of two geometric numbers."""
    p = 1 - np.exp(-epsilon)
    noisy = []
    for count in counts:
        up = np.random.geometric(p)
        down = np.random.geometric(p)
        noisy.append(count + up - down)
    return noisy


def inverse_cdf(answers: Any, delta: float, epsilon: float) -> list[Any]:
    """Laplace noise by the inverse of its distribution function."""
    b = delta / epsilon
    noisy = []
    for answer in answers:
        u = np.random.uniform(-0.5, 0.5)
        noisy.append(answer - b * np.sign(u) * np.log(1 - 2 * abs(u)))
    return noisy


def bounded_sum(values: Any, low: float, high: float, sensitivity: float, epsilon: float) -> Any:
    """The sum of clipped values with Laplace noise."""
    total = np.clip(values, low, high).sum()
    return total + np.random.laplace(0, sensitivity / epsilon)


def running_totals(values: Any, sensitivity: float, epsilon: float) -> Any:
    """Sums of the first noisy values."""
    rng = np.random.default_rng()
    noise = rng.laplace(0, sensitivity / epsilon, len(values))
    return np.cumsum(values + noise)


# What implements what


@dataclass(frozen=True)
class Shipped:
    """A function that implements a mechanism, how it is called, and what makes the mechanism's output of its own."""

    function: Callable[..., Any]
    mechanism: Any
    call: Callable[..., Any]
    post: Callable[[Any], Any] | None = None


def _none_is_below(found: list[Any]) -> list[Any]:
    return ["BELOW" if value is None else value for value in found]


def _selection(f: Any, q: Any, eps: Any) -> Any:
    return f(q, epsilon=eps)


def _utilities(f: Any, u: Any, delta: Any, eps: Any) -> Any:
    return f(u, delta, eps)


def _stream(f: Any, q: Any, T: Any, k: Any, eps: Any) -> Any:
    return f(q, threshold=T, k=k, epsilon=eps)


def _top(f: Any, q: Any, k: Any, eps: Any) -> Any:
    return f(q, k=k, epsilon=eps)


SHIPPED = (
    Shipped(max_vectorized, noisy_max, _selection),
    Shipped(max_in_a_loop, noisy_max, _selection),
    Shipped(max_exponential, noisy_max_exponential, _selection),
    Shipped(gumbel_max, exponential_mechanism, _utilities),
    Shipped(choice_with_p, choice_by_weights, _utilities),
    Shipped(choice_by_cumsum, choice_by_weights, _utilities),
    Shipped(permute_and_flip, permute_and_flip_of_two, lambda f, a, b, eps: f([a, b], eps)),
    Shipped(top_k_argsort, noisy_top_k, _top),
    Shipped(top_k_argpartition, noisy_top_k, _top),
    Shipped(sparse_loop, sparse_vector, _stream),
    Shipped(sparse_masked, sparse_vector, _stream),
    Shipped(sparse_class, sparse_vector, _stream),
    Shipped(sparse_python, sparse_vector, _stream),
    Shipped(sparse_numeric, numeric_or_zero, _stream),
    Shipped(sparse_gap, sparse_vector_with_gap, _stream, _none_is_below),
    Shipped(histogram, noisy_histogram, _selection),
    Shipped(geometric, geometric_counts, _selection),
    Shipped(inverse_cdf, laplace_mechanism, lambda f, q, delta, eps: f(q, delta, eps)),
    Shipped(bounded_sum, clipped_sum, lambda f, q, low, width, delta, eps: f(q, low, low + width, delta, eps)),
    Shipped(running_totals, prefix_sums, lambda f, q, delta, eps: f(q, delta, eps)),
)
