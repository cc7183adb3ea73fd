"""Every entry of the catalogue gets the verdict, conditions, claim, cost and bounds that `verdicts.json` holds."""

from __future__ import annotations

import json

import pytest

from tests.catalogue.golden import GOLDEN, compare, results


@pytest.mark.slow
def test_the_catalogue_is_judged_as_before() -> None:
    assert compare(json.loads(GOLDEN.read_text()), results()) == []
