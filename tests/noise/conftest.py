"""The distributions under test: a distribution added to the registry is tested without further ado."""

import pytest

from alignkit.noise import DISTRIBUTIONS


@pytest.fixture(params=list(DISTRIBUTIONS.values()), ids=list(DISTRIBUTIONS))
def distribution(request):
    return request.param
