"""``alignkit attack``: what it prints, its JSON, and its exit codes."""

from __future__ import annotations

import json
import math

import pytest

from alignkit.attacking.mechanism_attack import BY_THE_CLOCK
from alignkit.cli import main
from alignkit.formatting import loss_shown

QUICK = ["-j", "1", "--timeout", "0.6", "--quiet"]

OWN = '''
@mechanism
def half_the_noise(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(1 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best
'''


def attacked(capsys, *arguments: str) -> tuple[int, list[dict]]:
    code = main(["attack", *arguments, *QUICK, "--format", "json"])
    return code, json.loads(capsys.readouterr().out)["attacks"]


def test_a_known_violation_is_expected(capsys):
    code, [found] = attacked(capsys, "noisy_max_with_half_the_noise", "--eps", "0.1")
    assert code == 0
    assert (found["status"], found["method"], found["adjacency"]) == ("not private", "closed form", "each")
    assert 0.1 < found["claimed"] < 0.1 + 1e-12 or found["claimed"] == 0.1
    assert 0.15 < found["lower"] <= 0.2
    assert found["probability"] > found["probability_"] > 0
    assert found["parameters"] == {"eps": "1/10"}
    exec(found["snippet"], {})
    assert f"loss at least {loss_shown(found['lower'])}" in capsys.readouterr().out


def test_each_claim_is_attacked_under_its_adjacency(capsys):
    code, found = attacked(capsys, "noisy_max")
    assert code == 0
    assert [(f["claim"], f["adjacency"], f["status"]) for f in found] == [
        ("eps", "each", "open"), ("eps / 2", "monotone", "open"),
    ]  # fmt: skip
    assert all(f["lower"] <= f["claimed"] for f in found)


def test_an_infinite_loss(capsys):
    _, [found] = attacked(capsys, "sparse_vector_without_query_noise")
    assert (found["lower"], found["probability_"]) == ("inf", 0.0)
    assert math.isfinite(found["claimed"])


def test_a_users_own_mechanism_and_its_exit_code(define, capsys):
    file = define(OWN).__file__
    code, [found] = attacked(capsys, f"{file}::half_the_noise", "--claim", "eps")
    assert (code, found["alignment"], found["status"]) == (1, None, "not private")
    code, [found] = attacked(capsys, f"{file}::half_the_noise", "--claim", "2 * eps", "--adjacency", "monotone")
    assert (code, found["adjacency"], found["status"]) == (0, "monotone", "open")


WITH_DELTA = """
NOTHING = Tag("NOTHING")

@mechanism
def key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING

@alignment(key, epsilon="eps", delta="exp(-eps * (tau - 1)) / 2")
def right(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)

@alignment(key, epsilon="eps", delta="exp(-eps * tau) / 2")
def wrong(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)
"""


def test_claims_with_delta(define, capsys):
    file = define(WITH_DELTA).__file__
    code, [right, wrong] = attacked(capsys, file, "--set", "tau=5")
    assert code == 1
    assert [(found["alignment"], found["status"]) for found in (right, wrong)] == [
        ("right", "open"), ("wrong", "not private"),
    ]  # fmt: skip
    assert (right["claim"], right["delta"]) == ("eps", "exp(-eps * (tau - 1)) / 2")
    assert right["lower_delta"] <= right["claimed_delta"] == pytest.approx(right["lower_delta"], rel=1e-12)
    assert wrong["lower_delta"] > wrong["claimed_delta"]
    code, [given, _] = attacked(capsys, f"{file}::key", "--claim", "eps", "--delta", "0.01", "--set", "tau=5")
    assert (code, given["status"], given["delta"], given["claimed_delta"]) == (0, "open", "0.01", 0.01)
    assert main(["attack", f"{file}::wrong", *QUICK, "--set", "tau=5"]) == 1
    text = capsys.readouterr().out
    assert text.startswith("NOT PRIVATE  key / wrong    claim: epsilon eps = 1, delta exp(-eps * tau) / 2 = 0.00336897")
    assert "  delta at epsilon 1 is at least 0.00915781, by closed form\n" in text


def test_the_text_of_a_report(capsys):
    assert main(["attack", "sparse_vector_with_answer", *QUICK, "--set", "k=1"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("NOT PRIVATE  sparse_vector_with_answer / answer_phi    claim: eps = 1    adjacency: each")
    assert "loss at least" in text
    assert "by closed form" in text
    assert "event E: the output is (BELOW" in text
    assert "reproduce in Python:\nfrom" in text
    assert main(["attack", "noisy_max", *QUICK]) == 0
    assert "not a proof of privacy" in capsys.readouterr().out


UNCLAIMED = """
from alignkit import Epsilon, Noise, Query, mechanism


@mechanism
def one_answer(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q + e
"""


def test_without_a_claim_nothing_is_said_of_a_violation(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(UNCLAIMED)
    assert main(["attack", f"{tmp_path}/mine.py::one_answer", *QUICK]) == 0
    assert capsys.readouterr().out.startswith("NO CLAIM GIVEN  one_answer    adjacency: each\n  loss at least 0.9")
    assert main(["attack", f"{tmp_path}/mine.py", *QUICK]) == 2
    assert f"name something in it: {tmp_path}/mine.py::one_answer" in capsys.readouterr().err


def test_a_note_says_that_the_clock_ended_the_search(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(UNCLAIMED)
    target = f"{tmp_path}/mine.py::one_answer"
    assert main(["attack", target, *QUICK]) == 0
    assert f"\n  note: {BY_THE_CLOCK}\n" in capsys.readouterr().out
    reports = []
    for _ in range(2):
        assert main(["attack", target, "--effort", "60", "-j", "1", "--quiet"]) == 0
        reports.append(capsys.readouterr().out)
    assert reports[0] == reports[1]
    assert "clock" not in reports[0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["noisy_maxx"], "noisy_max"),
        (["noisy_max", "--eps", "0"], "must be a number above 0"),
        (["noisy_max", "--timeout", "0"], "must be a number of seconds above 0"),
        (["noisy_max", "--set", "k"], "write NAME=VALUE"),
        (["noisy_max", "--set", "k=2", *QUICK], "has no public parameter 'k'"),
        (["sparse_vector", "--set", "k=2", "--set", "k=3", *QUICK], "--set k=3: k was set before; give each"),
        (["noisy_max", "--eps", "1", "--set", "eps=2", *QUICK], "the budget is given twice, as eps and as"),
        (["noisy_max", "--claim", "delta", *QUICK], "delta"),
        (["noisy_max", "--adjacency", "some"], "--adjacency"),
        ([], "TARGET"),
    ],
    ids=lambda x: " ".join(x[:3]) if isinstance(x, list) else "",
)
def test_bad_input(arguments, words, capsys):
    assert main(["attack", *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert "Traceback" not in captured.err


def test_several_processes(capsys):
    code = main(["attack", "noisy_max_with_half_the_noise", "-j", "2", "--timeout", "2", "--quiet", "--format", "json"])
    [found] = json.loads(capsys.readouterr().out)["attacks"]
    assert (code, found["status"]) == (0, "not private")
