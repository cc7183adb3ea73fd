"""Which mechanism of the catalogue is it? Users' functions under the names that libraries give to their parameters."""

from __future__ import annotations

import numpy as np
import pytest

from alignkit.errors import InputError
from alignkit.implementing import NoiseDraw, implements, mechanisms_implemented, other_mechanisms
from alignkit.implementing.catalogue_search import CallSlot, parameters_for
from alignkit.mechanisms.noisy_max import noisy_max, noisy_max_exponential
from alignkit.mechanisms.sparse_vector import sparse_vector


def report(scores, epsilon):
    return np.argmax(scores + np.random.laplace(scale=2 / epsilon, size=len(scores)))


def report_with_exponential_noise(scores, epsilon):
    return np.argmax(scores + np.random.exponential(2 / epsilon, size=len(scores)))


def above(queries, threshold, epsilon, cutoff=1, *, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    found, noisy = [], threshold + rng.laplace(scale=2 / epsilon)
    for query in queries:
        found.append(bool(query + rng.laplace(scale=4 * cutoff / epsilon) >= noisy))
        if sum(found) >= cutoff:
            break
    return found


def of_no_mechanism(scores, epsilon):
    return np.argmax(scores + np.random.laplace(scale=7 / epsilon, size=len(scores)))


def names(answer) -> list[str]:
    return [found.mechanism for found, _ in answer.implemented]


def test_a_function_is_found_by_the_names_of_its_parameters() -> None:
    answer = mechanisms_implemented(report)
    assert names(answer) == ["noisy_max"]
    assert dict(answer.implemented[0][1]) == {"scores": "q", "epsilon": "eps"}
    assert set(names(answer)) <= set(answer.agreeing) <= set(answer.fitting)
    assert "noisy_max_exponential" in answer.fitting


def test_parameters_with_defaults_are_given_where_a_mechanism_has_them() -> None:
    answer = mechanisms_implemented(above)
    assert "sparse_vector" in names(answer)
    given = dict(next(given for found, given in answer.implemented if found.mechanism == "sparse_vector"))
    assert given == {"queries": "q", "threshold": "T", "epsilon": "eps", "cutoff": "k"}


def test_what_is_no_mechanism_of_the_catalogue_is_none() -> None:
    answer = mechanisms_implemented(of_no_mechanism)
    assert answer.implemented == ()
    assert answer.fitting


def test_a_claim_that_fails_leads_to_what_the_function_is() -> None:
    claim = implements(noisy_max, call=lambda f, q, eps: f(q, eps))(report_with_exponential_noise)
    assert not claim.check(n=2).implements
    answer = other_mechanisms(claim)
    assert names(answer) == [noisy_max_exponential.name]
    assert noisy_max.name not in answer.fitting


def test_a_call_a_sampler_and_answers_are_taken_as_by_implements() -> None:
    answer = mechanisms_implemented(
        _noisy_report, call=lambda f, values, budget: f(2, budget),
        samplers={f"{__name__}:_noise": NoiseDraw.laplace(1)}, answers={f"{__name__}:_histogram": "values"},
    )  # fmt: skip
    assert names(answer) == ["noisy_max"]
    (found, given), = answer.implemented
    assert dict(given) == {"values": "q", "budget": "eps"}
    assert len(found.assumptions) == 2
    with pytest.raises(InputError, match="the call has no parameter `q`"):
        mechanisms_implemented(report, answers={f"{__name__}:_histogram": "q"})


def _noise():
    return np.random.laplace()


def _histogram(bins):
    return np.zeros(bins)


def _noisy_report(bins, budget):
    return np.argmax([count + 2 / budget * _noise() for count in _histogram(bins)])


@pytest.mark.parametrize(
    ("call", "found"),
    [
        (("q", "T", "k", "eps"), {"q": "q", "T": "T", "k": "k", "eps": "eps"}),
        (("eps", "scores", "cutoff", "thresh"), {"eps": "eps", "scores": "q", "cutoff": "k", "thresh": "T"}),
        (("data", "strange", "k", "epsilon"), {"data": "q", "strange": "T", "k": "k", "epsilon": "eps"}),
        (("data", "sensitivity", "k", "epsilon"), None),
        (("data", "threshold", "epsilon"), None),
        (("data", "threshold", "epsilon", "k", "more"), None),
    ],
)
def test_parameters_are_matched_one_to_one(call, found) -> None:
    assert parameters_for([CallSlot(name) for name in call], sparse_vector) == found


def test_values_of_known_kinds_are_matched_in_their_order() -> None:
    kinds = {"a": "above 0", "b": "private list", "c": "number", "d": "count"}
    slots = [CallSlot(name, kind) for name, kind in kinds.items()]
    assert parameters_for(slots, sparse_vector) == {"a": "eps", "b": "q", "c": "T", "d": "k"}
    assert parameters_for(slots[:3], sparse_vector) is None
    assert parameters_for([*slots[:3], CallSlot("d", "number")], sparse_vector) is None
