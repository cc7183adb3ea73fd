"""The answers of many runs in arrays: the same as what each run's output says."""

from __future__ import annotations

import math

import measuring as answers_given
import numpy as np
import pytest
from figure_plans import EXPERIMENTS
from measuring import catalogue_mechanism, draw_noise, draw_runs

from alignkit import BELOW, InputError
from alignkit.mechanisms.adaptive_sparse_vector import adaptive_sparse_vector
from alignkit.mechanisms.laplace import laplace_mechanism
from alignkit.mechanisms.sparse_vector import sparse_vector, sparse_vector_with_gap
from alignkit.mechanisms.top_k import noisy_top_k_with_gap

COUNTS = [10, 900, 0, 870, 400, 5]


def test_a_stream_without_gaps() -> None:
    drawn = draw_runs(sparse_vector, 4, seed=1, q=COUNTS, T=600, k=2, eps=2)
    assert drawn.run.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert drawn.query.tolist() == [1, 3] * 4
    assert drawn.rank.tolist() == [0, 1] * 4
    assert np.isnan(drawn.gap).all()
    assert set(drawn.tag.tolist()) == {"ABOVE"}


def test_gaps_estimate_the_lead_over_the_threshold() -> None:
    drawn = draw_runs(sparse_vector_with_gap, 40, seed=2, q=COUNTS, T=600, k=2, eps=2)
    assert np.nanmean(drawn.table(drawn.gap, 2), axis=0) == pytest.approx([300, 270], abs=10)


def test_tags_and_costs() -> None:
    drawn = draw_runs(adaptive_sparse_vector, 5, seed=3, q=COUNTS, T=600, k=2, eps=4, theta="1/2")
    assert set(drawn.tag.tolist()) == {"TOP"}
    assert set(drawn.cost.tolist()) == {0.5}
    assert drawn.per_run(drawn.tag == "TOP").tolist() == [2] * 5


def test_a_selection_names_its_queries() -> None:
    drawn = draw_runs(noisy_top_k_with_gap, 3, seed=4, q=COUNTS, k=2, eps=5)
    assert drawn.query.reshape(3, 2).tolist() == [[1, 3]] * 3
    assert (drawn.gap >= 0).all()


def test_runs_without_an_answer() -> None:
    drawn = draw_runs(sparse_vector, 3, seed=5, q=[0, 0], T=10**6, k=1, eps=1)
    assert len(drawn.run) == 0
    assert drawn.per_run(np.ones(0, dtype=bool)).tolist() == [0, 0, 0]
    table = drawn.table(drawn.gap, 2)
    assert table.shape == (3, 2)
    assert all(map(math.isnan, table.ravel()))


def test_a_seed_fixes_the_runs() -> None:
    one, same, other = (
        draw_runs(sparse_vector_with_gap, 5, seed=seed, q=COUNTS, T=300, k=2, eps=1).gap for seed in (7, 7, 8)
    )
    assert one.tolist() == same.tolist() != other.tolist()


def test_noise_is_what_the_mechanism_adds() -> None:
    noise = draw_noise(laplace_mechanism, 2000, 2, seed=1, delta=3, eps=1)
    assert noise.shape == (2000, 2)
    # The mean of |noise| is the scale, 3, with a standard error of 3 / sqrt(4000).
    assert np.abs(noise).mean() == pytest.approx(3, abs=6 * 3 / math.sqrt(4000))


def test_the_catalogue_has_no_such_mechanism() -> None:
    with pytest.raises(InputError, match="an experiment runs mechanisms"):
        catalogue_mechanism("sparse_vector::phi")


MECHANISMS = sorted({name for e in EXPERIMENTS.values() for each in e.procedures for name in each.mechanisms})


@pytest.mark.parametrize("name", [name for name in MECHANISMS if name != "laplace_mechanism"])
def test_the_arrays_say_what_the_outputs_of_the_runs_say(name: str) -> None:
    """For every mechanism that an experiment runs; an output is a gap, a query with its gap, or tag, gap and cost."""
    mechanism = catalogue_mechanism(name)
    everything = {"q": COUNTS, "T": 300, "k": 2, "eps": 1, "theta": "1/3"}
    arguments = {key: value for key, value in everything.items() if key in mechanism.parameters}
    drawn = draw_runs(mechanism, 6, seed=9, **arguments)
    expected = []
    for run, output in enumerate(mechanism.sample_many(runs=6, seed=np.random.default_rng(9), **arguments).outputs()):
        for query, said in enumerate(output):
            if isinstance(said, tuple) and said[0] is not BELOW:
                tag, gap, cost = said if len(said) == 3 else ("", said[1], math.nan)
                expected.append((run, said[0] if len(said) == 2 else query, str(tag), float(gap), float(cost)))
            elif not isinstance(said, tuple) and said is not BELOW:
                expected.append((run, query, "", float(said), math.nan))
    found = list(zip(drawn.run, drawn.query, drawn.tag, drawn.gap, drawn.cost))
    assert expected
    assert repr([(int(r), int(q), str(t), float(g), float(c)) for r, q, t, g, c in found]) == repr(expected)


def test_many_runs_are_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_given, "_NUMBERS_AT_ONCE", 4 * len(COUNTS))
    drawn = draw_runs(noisy_top_k_with_gap, 10, seed=4, q=COUNTS, k=2, eps=5)
    assert drawn.runs == 10
    assert drawn.run.tolist() == [run for run in range(10) for _ in range(2)]
    assert len(set(drawn.gap.tolist())) == 20
