"""Plots of a claim with delta: none of a cost outside the limits, and no bracket of the loss."""

from __future__ import annotations

import pytest
from support.claims_with_delta import key_and_count_phi, key_phi

from alignkit import check
from alignkit.errors import InputError
from alignkit.plotting import loss_bracket, plot_costs, plot_densities, plot_plane

INSIDE = {"q": 1, "q_": 0, "tau": 5, "eps": 1}


def test_a_cost_is_drawn_within_the_limits_only() -> None:
    (axes,) = plot_costs(key_phi, **INSIDE, H={"x": 3}).axes
    assert axes.texts[0].get_text() == "epsilon eps = 1"
    with pytest.raises(InputError, match="outside the limits: x is 7, not below its limit 4"):
        plot_costs(key_phi, **INSIDE, H={"x": 7})


def test_noise_outside_the_limits_has_no_arrow() -> None:
    noise = {"noisy_key_x": 0, "y": 0}
    far = plot_plane(key_and_count_phi, **INSIDE, H=noise).axes[0]
    near = plot_plane(key_and_count_phi, **{**INSIDE, "tau": 2}, H=noise).axes[0]
    assert 0 < len(near.texts) < len(far.texts)


def test_there_is_no_bracket_of_the_loss() -> None:
    with pytest.raises(InputError, match="does not bound the privacy loss"):
        loss_bracket(key_phi)


def test_the_law_of_an_event_is_drawn_beside_the_delta_that_it_shows() -> None:
    leak = check(key_phi).privacy.leak
    (axes,) = plot_densities(key_phi.mechanism, leak, runs=500).axes
    assert axes.get_title().startswith("noisy_key: delta at least 0.5 for epsilon = 1, certified by")
