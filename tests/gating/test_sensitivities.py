"""A baseline knows for which changes of the answers a claim is: for smaller ones it is a weaker claim."""

import pytest

from alignkit import check
from alignkit.gating.baseline import BaselineEntry, read_baseline, write_baseline
from alignkit.gating.baseline_changes import Direction, changes_from_baseline

TEXT = """
    @mechanism
    def sum_released(v: {of_v}, d: Query, s: Positive, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        return d + x

    @alignment(sum_released, epsilon="eps")
    def phi(d, d_, H):
        return H.shift(x=d - d_)
"""


def aligned(of_v, define):
    return define(TEXT.format(of_v=of_v)).phi


@pytest.mark.parametrize(
    ("before", "after", "direction", "words"),
    [
        ("2", "1", Direction.WORSE, "the sensitivity of v shrank from 2 to 1"),
        ("1/2", "0.75", Direction.BETTER, "the sensitivity of v grew from 1/2 to 3/4"),
        ("1", "s", Direction.CHANGED, "the sensitivity of v changed from 1 to s"),
        ("2 * s", "s", Direction.CHANGED, "the sensitivity of v changed from 2 * s to s"),
    ],
)
def test_a_smaller_sensitivity_is_a_weaker_claim(before, after, direction, words, define):
    _compare(f'Annotated[Query, Sensitivity("{before}")]', f'Annotated[Query, Sensitivity("{after}")]',
             direction, words, define)


@pytest.mark.parametrize(
    ("before", "after", "direction"),
    [
        ("1, where='d > 0'", "1", Direction.WORSE),
        ("1, where='d > 0'", "2", Direction.CHANGED),
        ("2", "1, where='d > 0'", Direction.CHANGED),
        ("1", "1, where='d > 0'", Direction.BETTER),
        ("2, where='d > 0'", "1, where='d > 0'", Direction.WORSE),
        ("1, where='d > 0'", "1, where='d > -100'", Direction.CHANGED),
    ],
)
def test_a_condition_makes_a_claim_stronger(before, after, direction, define):
    _compare(f"Annotated[Query, Sensitivity({before})]", f"Annotated[Query, Sensitivity({after})]",
             direction, "the sensitivity of v", define)


def _compare(before, after, direction, words, define):
    old, new = (aligned(text, define) for text in (before, after))
    was, now = (BaselineEntry.of(check(phi, effort=0).require()) for phi in (old, new))
    (change,) = changes_from_baseline(new, was, now)
    assert change.direction is direction
    assert words in change.words


def test_an_entry_without_sensitivities_is_read_and_not_compared(tmp_path, define):
    phi = aligned("Query", define)
    result = check(phi, effort=0).require()
    file = tmp_path / "verdicts.json"
    write_baseline(str(file), [result])
    (entry,) = read_baseline(str(file)).entries.values()
    assert entry == BaselineEntry.of(result)
    assert entry.sensitivities == {"v": "1", "d": "1"}
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if "sensitivities" in line)
    file.write_text("".join([*lines[:at], *lines[at + 4 :]]), encoding="utf-8")
    (older,) = read_baseline(str(file)).entries.values()
    assert older.sensitivities is None
    assert not changes_from_baseline(phi, older, entry)
