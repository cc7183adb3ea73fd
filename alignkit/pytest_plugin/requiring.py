"""The check of an alignment in a test, which fails with the report where the verdict is not the expected one."""

from __future__ import annotations

import pytest

from alignkit.checking import check
from alignkit.reporting.full_report import plain_text
from alignkit.reporting.sentences import narrow_scope_shown
from alignkit.results import Result, Verdict
from alignkit.running.alignment_decorator import Alignment

_SCOPES = ("all", "bounded")


def required_result(
    alignment: Alignment, test: pytest.Item, *, timeout: float | None = None, seed: int = 0
) -> Result:
    """Check an alignment and give the test its verdict, claim and cost as properties; fail the test if need be.

    The test fails where the verdict is not the one that the alignment expects, or where a proof covers less than the
    marker ``alignkit_scope`` of the test requires.
    """
    __tracebackhide__ = True
    everything = _requires_everything(test)
    limit = test.config.getoption("alignkit_timeout") if timeout is None else timeout
    result = check(alignment, timeout=limit, seed=seed)
    test.user_properties += [("verdict", str(result.verdict)), ("claim", result.claim)]
    if result.cost is not None:
        test.user_properties.append(("cost", result.cost))
    report = plain_text(result, verbose=test.config.getoption("verbose") > 0)
    if not result.as_expected:
        pytest.fail(report, pytrace=False)
    narrow = narrow_scope_shown(result) if everything and result.verdict is Verdict.PROVED else ""
    if narrow:
        pytest.fail(f"{narrow}\n{report}", pytrace=False)
    return result


def _requires_everything(test: pytest.Item) -> bool:
    """Tell whether the marker of the test that is closest to it requires a proof for all values."""
    __tracebackhide__ = True
    marker = test.get_closest_marker("alignkit_scope")
    if marker is None:
        return False
    if len(marker.args) != 1 or marker.args[0] not in _SCOPES or marker.kwargs:
        pytest.fail("alignkit_scope takes 'all' or 'bounded': write @pytest.mark.alignkit_scope('all')", pytrace=False)
    return bool(marker.args[0] == "all")
