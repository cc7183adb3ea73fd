"""The check of an alignment in a test, which fails with the report where the project does not accept the result."""

from __future__ import annotations

import contextlib
from functools import partial

import pytest

from alignkit.caching.folders import UnusableFolderError
from alignkit.caching.opening import OpenedCache, open_cache
from alignkit.caching.verdict_cache import VerdictCache
from alignkit.checking import check
from alignkit.gating.breaches import policy_breaches
from alignkit.pytest_plugin.project import settings_of_run
from alignkit.reporting.full_report import plain_text
from alignkit.reporting.gate_report import breach_shown
from alignkit.reporting.problems_for_ci import fails
from alignkit.reporting.sentences import narrow_scope_shown
from alignkit.results import Result, Verdict
from alignkit.running.alignment_decorator import Alignment

_CACHE = pytest.StashKey["OpenedCache | None"]()
_SCOPES = ("all", "bounded")
_TOLERATED = "it is undecided, and the policy has undecided_blocks = false"


def required_result(
    alignment: Alignment,
    test: pytest.Item,
    *,
    timeout: float | None = None,
    seed: int | None = None,
    cached: bool = False,
) -> Result:
    """Check an alignment and give the test its verdict, claim and cost as properties; fail the test if need be.

    The test fails where the verdict is not the one that the alignment expects, where the result breaks the policy of
    the project, or where a proof covers less than the marker ``alignkit_scope`` of the test requires. An undecided
    alignment to which the policy gives no effect is an expected failure of pytest (xfail): it is no proof, and so the
    test must not pass. With ``cached`` the verdict may be one of an earlier run. Raises InputError where the settings
    of the project are not understood.
    """
    __tracebackhide__ = True
    everything = _requires_everything(test)
    settings = settings_of_run(test.config)
    policy = settings.policy
    limit = test.config.getoption("alignkit_timeout") or settings.timeout if timeout is None else timeout
    seed = settings.seed if seed is None else seed
    decide = partial(_recalled_or_checked, test=test) if cached else check
    confirm = settings.confirms or test.config.getoption("alignkit_confirm")
    result = decide(alignment, timeout=limit, seed=seed, confirm=confirm)
    test.user_properties += [("verdict", str(result.verdict)), ("claim", result.claim)]
    if result.delta is not None:
        test.user_properties.append(("delta", result.delta))
    if result.cost is not None:
        test.user_properties.append(("cost", result.cost))
    if result.opinion_asked:
        test.user_properties.append(("opinion", str(result.opinion)))
    if result.cached:
        test.user_properties.append(("cached", "true"))
    report = plain_text(result, verbose=test.config.getoption("verbose") > 0)
    if policy is not None and policy.tolerates(result):
        pytest.xfail(f"{_TOLERATED}\n{report}")  # with --runxfail this does nothing, and the test fails
    target = f"{result.mechanism} / {result.alignment}"
    breaches = () if policy is None else policy_breaches(policy, alignment, result)
    remarks = [breach_shown(target, breach) for breach in breaches]
    if everything and result.verdict is Verdict.PROVED:
        remarks += filter(None, [narrow_scope_shown(result)])
    if remarks or fails(result):
        pytest.fail("\n".join([*remarks, report]), pytrace=False)
    return result


def _recalled_or_checked(
    alignment: Alignment, *, test: pytest.Item, timeout: float, seed: int, confirm: bool
) -> Result:
    """Take the result from the user's cache, or check the alignment and keep the result there."""
    try:
        opened = opened_cache(test.config)
    except UnusableFolderError as problem:
        test.user_properties.append(("cache not used", str(problem)))
        opened = None
    cache = None if opened is None else VerdictCache(opened, timeout, seed, confirm)
    result = None if cache is None else cache.recall(alignment)
    if result is None:
        result = check(alignment, timeout=timeout, seed=seed, confirm=confirm)
        memo = None if cache is None else cache.memo(alignment, result)
        if cache is not None and memo is not None:
            with contextlib.suppress(UnusableFolderError):
                cache.opened.folder.keep(memo)
    return result


def opened_cache(config: pytest.Config) -> OpenedCache | None:
    """Open the user's cache, once in a run."""
    if _CACHE not in config.stash:
        config.stash[_CACHE] = open_cache()
    return config.stash[_CACHE]


def _requires_everything(test: pytest.Item) -> bool:
    """Tell whether the marker of the test that is closest to it requires a proof for all values."""
    __tracebackhide__ = True
    marker = test.get_closest_marker("alignkit_scope")
    if marker is None:
        return False
    if len(marker.args) != 1 or marker.args[0] not in _SCOPES or marker.kwargs:
        pytest.fail("alignkit_scope takes 'all' or 'bounded': write @pytest.mark.alignkit_scope('all')", pytrace=False)
    return bool(marker.args[0] == "all")
