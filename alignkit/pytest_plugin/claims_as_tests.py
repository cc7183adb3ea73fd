"""Claims that a function implements a mechanism, as tests: they pass where the comparison shows it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from alignkit.caching.folders import UnusableFolderError
from alignkit.checking import check
from alignkit.errors import AlignkitError, error_text
from alignkit.implementing.claims_from_text import StatedClaim, claims_of_module
from alignkit.implementing.conformance import EFFORT, Conformance, Implementation, implementations
from alignkit.implementing.conformance_cache import ConformanceCache
from alignkit.implementing.conformance_report import conformance_sentences
from alignkit.implementing.shipping import shipping_breaches
from alignkit.pytest_plugin.project import run_began, settings_of_run
from alignkit.pytest_plugin.requiring import opened_cache


class ClaimItem(pytest.Item):
    """The comparison of one function with its mechanism, by whose name it is selected too."""

    def __init__(self, *, stated: StatedClaim, claim: Implementation, **settings: Any) -> None:
        super().__init__(**settings)
        self.stated, self.claim = stated, claim
        self.extra_keyword_matches.add(claim.mechanism.name)

    def runtest(self) -> None:
        """Compare the function with the mechanism; fail unless it is shown to implement it."""
        try:
            kept = None if self.config.getoption("alignkit_no_cache") else self.stated.label
            required_conformance(self.claim, self, stated=kept)
        except AlignkitError as error:
            reason = error_text(error)
        else:
            return
        pytest.fail(reason, pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the place of the claim, and the heading of its report."""
        line = None if self.stated.line is None else self.stated.line - 1
        return self.path, line, f"{self.name} as {self.claim.mechanism.name}"


def claim_items(file: pytest.File, module: ModuleType) -> Iterator[ClaimItem]:
    """The claims of a file as tests, under their names."""
    for stated in claims_of_module(module, str(file.path), dict(implementations(module))):
        if stated.claim is not None:
            name = stated.label.rpartition("::")[2]
            yield ClaimItem.from_parent(file, name=name, stated=stated, claim=stated.claim)


def required_conformance(
    claim: Implementation, test: pytest.Item, *, n: int = 3, k: int = 2, stated: str | None = None
) -> Conformance:
    """Compare a function with its mechanism; fail the test unless it implements it and the policy is kept.

    Where it is ``stated`` by a name, the verdict may be one of an earlier run.
    """
    __tracebackhide__ = True
    settings = settings_of_run(test.config)
    conformance = _recalled_or_compared(claim, test, (n, k, EFFORT), stated)
    test.user_properties += [("verdict", str(conformance.verdict)), ("mechanism", conformance.mechanism)]
    timeout = test.config.getoption("alignkit_timeout") or settings.timeout
    decide = partial(check, timeout=timeout, seed=settings.seed, confirm=settings.confirms)
    breaches = shipping_breaches(settings.policy, conformance, claim.mechanism, decide, settings.targets)
    if not conformance.implements or breaches:
        heading = f"{str(conformance.verdict).upper()}  {conformance.function} as {conformance.mechanism}"
        remarks = [f"policy broken by {conformance.function}: {breach}" for breach in breaches]
        pytest.fail("\n".join([*remarks, heading, *conformance_sentences(conformance)]), pytrace=False)
    return conformance


def _recalled_or_compared(
    claim: Implementation, test: pytest.Item, sizes: tuple[int, int, int], stated: str | None
) -> Conformance:
    try:
        opened = None if stated is None else opened_cache(test.config)
    except UnusableFolderError as problem:
        test.user_properties.append(("cache not used", str(problem)))
        opened = None
    n, k, effort = sizes
    if opened is None or stated is None:
        return claim.check(n=n, k=k, effort=effort)
    cache = ConformanceCache(opened, sizes, run_began(test.config))
    known = cache.recall(claim, stated)
    if known is not None:
        test.user_properties.append(("cached", "true"))
        return known
    found = claim.check(n=n, k=k, effort=effort)
    memo = cache.memo(claim, stated, found)
    if memo is not None:
        with contextlib.suppress(UnusableFolderError):
            opened.folder.keep(memo)
    return found
