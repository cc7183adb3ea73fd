"""The distributions under test: one with a scale is tested without further ado once it stands in DISTRIBUTIONS.

Those with a rate are tested against the one with a scale that has the same law (test_base2). test_noise holds that
every distribution there is one or the other, or tested in test_steps, so that none is proved with a bound that no test
proves.
"""

import pytest

from alignkit.noise import DISTRIBUTIONS
from alignkit.noise.distribution_parameters import SCALE

# Whose costs are no multiples of the shift: tested in test_steps.
STEPS = {d.name for d in DISTRIBUTIONS.values() if not d.homogeneous}

SCALED = {name: d for name, d in DISTRIBUTIONS.items() if SCALE in d.parameters and name not in STEPS}


@pytest.fixture(params=list(SCALED.values()), ids=list(SCALED))
def distribution(request):
    return request.param
