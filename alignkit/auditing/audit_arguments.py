"""The arguments of a sampled attack, checked before anything is run."""

from __future__ import annotations

import math
from concurrent.futures import Executor
from typing import Any

from alignkit.errors import InputError


def check_arguments(*, claim: Any, budget: Any, samples: Any, error: Any, seed: Any) -> None:
    """Raise InputError, naming the argument and what it may be, unless all make sense.

    >>> check_arguments(claim=1.0, budget=10, samples=None, error=1e-6, seed=0)
    """
    if claim is not None and not (_number(claim) and 0 <= claim < math.inf):
        raise InputError(f"claim is {claim!r}; it must be a number from 0, the claimed privacy loss, such as 1.0")
    check_positive(budget, "budget", " of seconds")
    if samples is not None and (isinstance(samples, bool) or not isinstance(samples, int) or samples < 1):
        raise InputError(f"samples is {samples!r}; it must be a whole number from 1: how many samples on each side")
    if not (_number(error) and 0 < error < 1):
        raise InputError(f"error is {error!r}; it must be a probability above 0 and below 1, such as 1e-6")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed is {seed!r}; it must be a whole number from 0")


def check_positive(value: Any, name: str, what: str = "") -> None:
    """Raise InputError unless a value is a finite number above 0."""
    if not (_number(value) and 0 < value < math.inf):
        raise InputError(f"{name} is {value!r}; it must be a number{what} above 0")


def executor_of(executor: Any) -> Executor | None:
    """An executor, or None; InputError where it has no ``submit``.

    Clusters' executors need not inherit from ``concurrent.futures.Executor``: what counts is ``submit``.
    """
    if executor is None or callable(getattr(executor, "submit", None)):
        found: Executor | None = executor
        return found
    raise InputError(
        f"executor is a {type(executor).__name__}; give a concurrent.futures.Executor, such as ThreadPoolExecutor(), "
        "or client.get_executor() of dask.distributed"
    )


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
