"""`docs/alignkit_in_one_page.py` fits on its page, prints what it says, and refuses what is wrong."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).parents[2] / "docs" / "alignkit_in_one_page.py"
PAGE = runpy.run_path(str(FILE))
prove, first_above, phi = PAGE["prove"], PAGE["first_above"], PAGE["phi"]


def test_it_fits_on_its_page() -> None:
    assert len(FILE.read_text().splitlines()) <= 150


def test_it_prints_its_four_steps(capsys: pytest.CaptureFixture[str]) -> None:
    PAGE["main"]()
    assert capsys.readouterr().out.splitlines() == [
        "sample: 1",
        "replay: 1",
        "align:  1 1 1",
        "prove:  proved",
        "a shift that is too small:   refuted where the output is 0",
        "a shift that costs too much: refuted where the output is 0",
    ]


@pytest.mark.parametrize("n", [1, 2, 4])
def test_the_sparse_vector_is_proved(n: int) -> None:
    assert prove(first_above, phi, n) == "proved"


def released_answer(q: Any, T: Any, eps: Any, H: Any) -> Any:
    return q[0]


def no_noise(q: Any, T: Any, eps: Any, H: Any) -> int:
    return 1 if q[0] >= T else 0


def half_the_noise(q: Any, T: Any, eps: Any, H: Any) -> int:
    return 1 if q[0] + H.laplace("xi[1]", 1 / eps) >= T + H.laplace("eta", 2 / eps) else 0


def scale_by_answer(q: Any, T: Any, eps: Any, H: Any) -> int:
    return 1 if q[0] + H.laplace("xi[1]", q[0]) >= T + H.laplace("eta", 2 / eps) else 0


def noise_by_answer(q: Any, T: Any, eps: Any, H: Any) -> int:
    if q[0] >= T:
        H.laplace("xi[0]", 4 / eps)
    return 0


@pytest.mark.parametrize("mechanism", [released_answer, no_noise, half_the_noise, scale_by_answer, noise_by_answer])
def test_a_mechanism_that_is_not_private_is_refused(mechanism: Any) -> None:
    for shifts in ({}, {"eta": 1}, {"eta": 1, "xi[1]": 2}):
        drawn = {"noise_by_answer": {"xi[0]"}, "released_answer": set(), "no_noise": set()}
        names = drawn.get(mechanism.__name__, {"eta", "xi[1]"})
        chosen = {name: shift for name, shift in shifts.items() if name in names}
        assert prove(mechanism, lambda omega, chosen=chosen: chosen, 1) != "proved"
