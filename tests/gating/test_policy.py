"""A policy: what is read, what is refused, and which proofs it accepts."""

from __future__ import annotations

import pickle
import re
import tomllib
from dataclasses import fields, replace
from pathlib import Path

import pytest

from alignkit import Count, Epsilon, InputError, Noise, Queries, alignment, check, mechanism
from alignkit.confirming import Opinion, Standing
from alignkit.gating.breaches import policy_breaches
from alignkit.gating.policy import Policy, read_policy
from alignkit.gating.project_settings import read_settings
from alignkit.results import Result, Verdict

PAGE = (Path(__file__).parents[2] / "docs" / "gate.md").read_text(encoding="utf-8")


@mechanism
def noisy_answers(q: Queries, k: Count, eps: Epsilon, eps0: Epsilon, noise: Noise):
    for i in range(k):
        eta = noise.laplace(1 / eps)
        yield q[i] + eta


@mechanism
def noisy_answer(q: Queries, k: Count, eps: Epsilon, eps0: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q[0] + eta


@alignment(noisy_answer, epsilon="2 * eps")
def phi(q, q_, H):
    return H.shift(eta=q[0] - q_[0])


@alignment(noisy_answers, epsilon="len(omega) * eps")
def ex_post_phi(q, q_, omega, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(omega))])


@pytest.fixture(scope="module")
def proved() -> Result:
    return check(phi, effort=0).require()


@pytest.fixture(scope="module")
def ex_post(proved: Result) -> Result:
    return replace(proved, mechanism="noisy_answers", claim="len(omega) * eps", ex_post=True, cost="k * eps")


@pytest.mark.parametrize(
    ("most", "accepted"),
    [
        ("2 * eps", True),
        ("eps + eps", True),
        ("3 * eps", True),
        ("2 * eps + eps0", True),
        ("2 * k * eps", True),
        ("max(eps, 2 * eps)", True),
        ("eps", False),
        ("1", False),
        ("eps + eps0", False),
        ("2 * eps / k", False),
        ("2 * eps / (k - 1)", False),
        ("eps * eps", False),
    ],
)
def test_a_claim_is_accepted_only_if_it_is_at_most_the_largest_for_all_parameters(
    proved: Result, most: str, accepted: bool
) -> None:
    found = policy_breaches(Policy(claims={"noisy_answer": most}), phi, proved)
    refusal = f"the claim 2 * eps is not proved to be at most {most}, the largest that the policy accepts"
    assert found == (() if accepted else (refusal,))


def test_a_mechanism_with_a_line_of_its_own_is_not_held_against_the_others(proved: Result) -> None:
    assert policy_breaches(Policy(claims={"*": "eps", "noisy_answer": "2 * eps"}), phi, proved) == ()
    assert policy_breaches(Policy(claims={"*": "2 * eps", "noisy_answer": "eps"}), phi, proved) != ()
    assert policy_breaches(Policy(claims={"*": "eps"}), phi, proved) != ()
    assert policy_breaches(Policy(claims={"another": "eps"}), phi, proved) == ()


@pytest.mark.parametrize(
    ("most", "words"), [("epsilon", "uses `epsilon`"), ("eps +", "is not an expression"), ("q", "reads the list `q`")]
)
def test_a_largest_claim_that_does_not_fit_the_mechanism_is_broken(proved: Result, most: str, words: str) -> None:
    [found] = policy_breaches(Policy(claims={"*": most}), phi, proved)
    assert found.startswith(f"the policy's largest claim {most} cannot be compared with 2 * eps: ")
    assert words in found


def test_an_ex_post_claim_counts_by_its_worst_case_or_not_at_all(ex_post: Result) -> None:
    assert policy_breaches(Policy(claims={"*": "k * eps"}), ex_post_phi, ex_post) == ()
    assert policy_breaches(Policy(claims={"*": "len(omega) * eps"}), ex_post_phi, ex_post) == ()
    unbounded = replace(ex_post, cost=None)
    assert len(policy_breaches(Policy(claims={"*": "k * eps"}), ex_post_phi, unbounded)) == 1
    assert policy_breaches(Policy(ex_post=True), ex_post_phi, unbounded) == ()
    refusal = "the claim len(omega) * eps depends on the output, and the policy has ex_post = false"
    assert policy_breaches(Policy(ex_post=False), ex_post_phi, ex_post) == (refusal,)


@pytest.mark.parametrize(
    ("proved_under", "accepted", "breaks"),
    [
        ("each", ("each",), False),
        ("each", ("monotone",), False),
        ("monotone", ("each",), True),
        ("monotone", ("each", "monotone"), False),
        ("one", ("l1",), True),
        ("l1", ("one",), False),
    ],
)
def test_a_proof_must_cover_an_adjacency_of_the_policy(
    proved: Result, proved_under: str, accepted: tuple[str, ...], breaks: bool
) -> None:
    result = replace(proved, adjacency=proved_under)
    assert bool(policy_breaches(Policy(adjacency=accepted), phi, result)) is breaks


def test_a_proof_must_cover_the_scope_of_the_policy(proved: Result) -> None:
    bounded = replace(proved, scope={**proved.scope, "k": "up to 3"})
    refusal = ("it is proved for k up to 3, and the policy requires every k",)
    assert policy_breaches(Policy(scope=("n", "k")), phi, bounded) == refusal
    assert policy_breaches(Policy(scope=("all",)), phi, bounded) == refusal
    assert policy_breaches(Policy(scope=("n", "eps", "another")), phi, bounded) == ()
    assert policy_breaches(Policy(scope=("all",)), phi, proved) == ()


def test_noise_must_be_that_of_the_policy(proved: Result) -> None:
    refusal = "the mechanism draws laplace noise, and the policy accepts discrete_laplace, geometric"
    assert policy_breaches(Policy(noise=("discrete_laplace", "geometric")), phi, proved) == (refusal,)
    assert policy_breaches(Policy(noise=("laplace",)), phi, proved) == ()


@pytest.mark.parametrize(
    ("confirmed", "opinion", "accepted"),
    [
        ("every n", Opinion(Standing.EVERY_N), True),
        ("every n", Opinion(Standing.BOUNDED, n=3, k=2), False),
        (3, Opinion(Standing.EVERY_N), True),
        (3, Opinion(Standing.BOUNDED, n=3, k=2), True),
        (3, Opinion(Standing.BOUNDED, n=2, k=2), False),
        (1, Opinion(Standing.BOUNDED), False),
        (1, Opinion(Standing.NOT_EXAMINED, n=3, why="it calls exp"), False),
        (1, Opinion(Standing.CONTRADICTED, n=3, problem="the outputs differ"), False),
    ],
)
def test_a_second_program_must_confirm_as_much_as_the_policy_says(
    proved: Result, confirmed: int | str, opinion: Opinion, accepted: bool
) -> None:
    sizes = confirmed if confirmed == "every n" else f"n <= {confirmed}"
    refusal = f"the policy requires that a second program confirms the proof for {sizes}, and it "
    policy = Policy(confirmed=confirmed)
    found = policy_breaches(policy, phi, replace(proved, opinion=opinion))
    assert found == (() if accepted else (f"{refusal}says: {opinion}",))
    assert policy_breaches(policy, phi, replace(proved, opinion=None)) == (f"{refusal}was not asked",)


def test_only_proofs_and_undecided_alignments_can_break_a_policy(proved: Result) -> None:
    strict = Policy(claims={"*": "0"}, noise=("geometric",), undecided_blocks=True)
    assert policy_breaches(strict, phi, replace(proved, verdict=Verdict.REFUTED)) == ()
    undecided = replace(proved, verdict=Verdict.UNDECIDED)
    refusal = "it is undecided, and the policy has undecided_blocks = true"
    assert policy_breaches(strict, phi, undecided) == (refusal,)
    assert policy_breaches(replace(strict, undecided_blocks=False), phi, undecided) == ()


def test_names_that_nothing_has_are_listed(proved: Result) -> None:
    policy = Policy(scope=("n", "epsilon"), claims={"noisy_answer": "eps", "noisy_anser": "eps", "*": "eps"})
    assert policy.unused_names([proved]) == ("noisy_anser", "epsilon")


def test_the_page_names_every_setting(tmp_path: Path) -> None:
    reference = PAGE.partition("\n## The policy\n")[2]
    (tmp_path / "pyproject.toml").write_text(re.findall(r"```toml\n(.*?)```", reference, re.DOTALL)[0])
    stated = tomllib.loads((tmp_path / "pyproject.toml").read_text())["tool"]["alignkit"]["policy"]
    assert sorted(stated) == sorted(field.name for field in fields(Policy))
    below = tmp_path / "below"
    below.mkdir()
    policy = read_settings(below).policy
    assert policy == Policy(
        scope=("n", "k"), adjacency=("each",), claims={"noisy_max": "eps", "*": "2 * eps"}, delta={"*": "1e-09"},
        ex_post=False, undecided_blocks=True, noise=("discrete_laplace",), confirmed=3, implementations=True,
    )  # fmt: skip
    assert pickle.loads(pickle.dumps(policy)) == policy


def test_numbers_are_claims_too() -> None:
    assert read_policy({"claims": {"m": 1, "*": 0.5}, "scope": "all"}, "here") == Policy(
        scope=("all",), claims={"m": "1", "*": "0.5"}
    )


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"claim": {}}, "here: there is no setting 'claim'; did you mean `claims`? the settings are scope, adjacency"),
        ({"adjacency": ["echa"]}, "adjacency names 'echa', which is not known; did you mean `each`? choose among each"),
        ({"adjacency": []}, 'adjacency must be a list such as ["each"], not []'),
        ({"noise": ["Laplace"]}, "noise names 'Laplace', which is not known; did you mean `laplace`?"),
        ({"noise": 3}, 'noise must be a list such as ["discrete_laplace"], not 3'),
        ({"scope": {"k": "all"}}, 'scope must be "all", or a list of parameters'),
        ({"claims": "eps"}, "claims must be a table such as { noisy_max ="),
        ({"claims": {"m": True}}, "claims must be a table such as"),
        ({"claims": {"m": float("inf")}}, "claims must be a table such as"),
        ({"claims": {"m": " "}}, "claims must be a table such as"),
        ({"ex_post": "no"}, "ex_post must be true or false, not 'no'"),
        ({"undecided_blocks": 1}, "undecided_blocks must be true or false, not 1"),
        ({"confirmed": "all"}, 'confirmed must be "every n", or a whole number from 1 to 3, not \'all\''),
        ({"confirmed": 4}, 'confirmed must be "every n", or a whole number from 1 to 3, not 4'),
        ({"confirmed": True}, 'confirmed must be "every n", or a whole number from 1 to 3, not True'),
        ([1], "here must be a table"),
    ],
)
def test_what_is_no_policy_is_refused(table: object, words: str) -> None:
    with pytest.raises(InputError) as refusal:
        read_policy(table, "here")
    assert str(refusal.value).startswith("here")
    assert words in str(refusal.value)
