"""What a check does with the second opinion on a proof, whatever that opinion is."""

from __future__ import annotations

import html
import json
import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from alignkit import (
    Epsilon,
    InputError,
    InternalError,
    Noise,
    Query,
    alignment,
    check,
    check_all,
    confirm,
    confirming,
    mechanism,
)
from alignkit.confirming import Opinion, Standing
from alignkit.reporting.html_report import result_html
from alignkit.reporting.json_documents import results_json
from alignkit.reporting.problems_for_ci import junit_report

EVERY_N = Opinion(Standing.EVERY_N)
BOUNDED = Opinion(Standing.BOUNDED, n=3, k=2, why="its loop was not examined")
UNEXAMINED = Opinion(Standing.NOT_EXAMINED, why="it calls exp")
CONTRADICTED = Opinion(
    Standing.CONTRADICTED,
    problem="the outputs differ",
    inputs={"q": (Fraction(1, 3), 2), "q_": (0, 2), "H": {"eta": Fraction(1, 2)}},
)

Answers = Callable[[Opinion | Exception], list[dict[str, Any]]]


@mechanism
def noisy_answer(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta


@alignment(noisy_answer, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta=q - q_)


@alignment(noisy_answer, epsilon="eps / 2", expect="refuted")
def cheap_phi(q, q_, H):
    return H.shift(eta=q - q_)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Have the second program answer with an opinion or an exception; list what it is asked."""

    def answer(given: Opinion | Exception) -> list[dict[str, Any]]:
        asked: list[dict[str, Any]] = []

        def confirm_alignment(alignment: Any, **settings: Any) -> Opinion:
            asked.append({"alignment": alignment, **settings})
            if isinstance(given, Exception):
                raise given
            return given

        monkeypatch.setattr(confirming, "confirm_alignment", confirm_alignment)
        return asked

    return answer


@pytest.mark.parametrize("opinion", [EVERY_N, BOUNDED, UNEXAMINED, CONTRADICTED], ids=lambda o: str(o.standing))
def test_an_opinion_is_had_of_an_alignment_and_of_a_result(answers: Answers, opinion: Opinion) -> None:
    result = check(phi, effort=0)
    asked = answers(opinion)
    assert confirm(phi) is confirm(result) is opinion
    assert [one["alignment"] for one in asked] == [phi, phi]
    assert asked[0]["effort"] > 1000
    with pytest.raises(InputError, match="computed in another process"):
        confirm(pickle.loads(pickle.dumps(result)))
    with pytest.raises(InputError, match=r"confirm takes an alignment or the result of a check, not"):
        confirm(noisy_answer)  # type: ignore[arg-type]


@pytest.mark.parametrize("opinion", [EVERY_N, BOUNDED, UNEXAMINED], ids=lambda o: str(o.standing))
def test_an_opinion_changes_no_verdict_and_is_reported_where_it_was_asked_for(
    answers: Answers, opinion: Opinion
) -> None:
    asked = answers(opinion)
    quick, full = check(phi, effort=0), check_all([phi], effort=0, confirm=True)[0]
    assert [(one.get("n"), one.get("k")) for one in asked] == [(2, 2), (None, None)]
    assert asked[0]["effort"] < 100 < asked[1]["effort"]
    words = f"second opinion: {opinion}"
    for result in (quick, full):
        assert (result.proved, result.opinion) == (True, opinion)
        assert json.loads(results_json([result]))["results"][0]["opinion"]["standing"] == str(opinion.standing)
        shown = [words in str(result), html.escape(words) in result_html(result), f'"{opinion}"' in junit(result)]
        assert shown == [result is full] * 3


def junit(result: Any) -> str:
    return html.unescape(junit_report([result], [], Path()))


@pytest.mark.parametrize("asked_for", [False, True])
def test_a_proof_that_is_contradicted_is_withdrawn(answers: Answers, asked_for: bool) -> None:
    answers(CONTRADICTED)
    with pytest.raises(InternalError, match="CONTRADICTED: the proof of noisy_answer / phi is withdrawn") as withdrawn:
        check(phi, effort=0, confirm=asked_for)
    assert "the outputs differ, at q = [1/3, 2], q_ = [0, 2], H = {eta: 1/2}; report" in str(withdrawn.value)
    with pytest.raises(InternalError, match="noisy_answer / phi: CONTRADICTED"):
        check_all([phi], effort=0, confirm=asked_for)


@pytest.mark.parametrize("problem", [RecursionError("too deep"), ValueError("no"), MemoryError()], ids=repr)
def test_what_breaks_in_the_second_program_breaks_no_check(answers: Answers, problem: Exception) -> None:
    answers(problem)
    result = check(phi, effort=0, confirm=True)
    assert result.proved
    assert str(result.opinion).startswith(f"not examined: the second program failed ({type(problem).__name__}")


@pytest.mark.parametrize("opinion", [EVERY_N, CONTRADICTED], ids=lambda o: str(o.standing))
def test_an_opinion_never_makes_anything_proved(answers: Answers, opinion: Opinion) -> None:
    """It is not even asked of what is not proved."""
    asked = answers(opinion)
    result = check(cheap_phi, effort=0, confirm=True)
    assert (str(result.verdict), result.opinion, asked) == ("refuted", None, [])
    assert "second opinion:" not in str(result)
