"""`alignkit implements`: a library's function against a mechanism, in all formats, with its exit codes."""

from __future__ import annotations

import json
import os
import py_compile
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from alignkit.implementing import conformance
from alignkit.implementing.floats import float_cases

LIBRARY = """
import numpy as np
import scales

def report(scores, epsilon):
    return np.argmax(scores + np.random.laplace(scale=scales.of(epsilon), size=len(scores)))

def half(scores, epsilon):
    return np.argmax(scores + np.random.laplace(scale=1 / epsilon, size=len(scores)))

def strange(scores, epsilon):
    return scores[0] + np.random.standard_cauchy() / epsilon

def noise(): return np.random.laplace()

def sampled(scores, epsilon):
    return np.argmax([score + 2 / epsilon * noise() for score in scores])
"""

CLAIMS = """
from alignkit import implements
from alignkit.mechanisms.noisy_max import noisy_max
import shop

good = implements(noisy_max, call=lambda f, q, eps: f(q, epsilon=eps))(shop.report)
again = good
bad = implements(noisy_max, call=lambda f, q, eps: f(q, epsilon=eps))(shop.half)
"""

AS_NOISY_MAX = ("--as", "noisy_max", "--call", "f(q, epsilon=eps)")
BRIEFLY = ("--n", "2")


@pytest.fixture
def shop(here: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A library with a helper, a file of claims, and an empty cache."""
    monkeypatch.setenv("ALIGNKIT_CACHE_DIR", str(tmp_path_factory.mktemp("cache") / "verdicts"))
    (here / "shop.py").write_text(LIBRARY)
    (here / "scales.py").write_text("def of(epsilon):\n    return 2 / epsilon\n")
    (here / "claims.py").write_text(CLAIMS)
    for file in here.glob("*.py"):
        os.utime(file, (1_700_000_000, 1_700_000_000))  # a file that was written this moment may be written again
    yield here
    for name in ("shop", "scales", "claims"):
        sys.modules.pop(name, None)


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer runs on floats, where no test reads how many there are; workers are forks and make no more."""
    monkeypatch.setattr(
        conformance, "float_cases", lambda mechanism, count, *lengths, small=False: float_cases(
            mechanism, count if small else min(count, 10), *lengths, small=small
        )
    )  # fmt: skip


def test_a_function_that_implements_its_mechanism(cli, shop: Path) -> None:
    ran = cli("implements", "shop:report", *AS_NOISY_MAX)
    assert ran.code == 0
    assert ran.out.startswith("IMPLEMENTS  shop:report as noisy_max\n")
    assert "For n <= 3, k <= 2 and all real inputs, the outputs are equal on 7 paths, and so they are in 88" in ran.out
    assert "Noise is matched so: its draws read the function's in their order." in ran.out


@pytest.mark.usefixtures("briefly")
def test_a_function_that_differs_is_shown_with_an_input_and_what_it_is(cli, shop: Path) -> None:
    ran = cli("implements", "shop.py::half", *AS_NOISY_MAX)
    assert ran.code == 1
    assert ran.out.startswith(
        "DIFFERS  shop.py::half as noisy_max\n"
        "  The library's function no longer is noisy_max, or never was.\n"
        "  It differs: the outputs differ in a number.\n"
        "  Input: q = ["
    )
    assert "In plain floats the function gives " in ran.out
    assert "It implements noisy_max_with_half_the_noise of the catalogue, with q = q, eps = eps." in ran.out
    command = ran.out.partition("The same again: alignkit ")[2].partition(".\n  It implements")[0]
    assert command == "implements shop.py::half --as noisy_max --call 'f(q, epsilon=eps)'"
    again = cli("implements", "shop.py::half", *AS_NOISY_MAX)
    assert (again.code, again.out) == (1, ran.out)


@pytest.mark.usefixtures("briefly")
def test_the_input_of_a_difference_gives_other_outputs_in_plain_python(cli, shop: Path) -> None:
    """The noise is added by hand, as the two programs would add it."""
    document = json.loads(cli("implements", "shop:half", *AS_NOISY_MAX, *BRIEFLY, "--format", "json").out)
    claim = document["implementations"][0]["claim"]
    q, eps = [float(Fraction(x)) for x in claim["inputs"]["q"]], float(Fraction(claim["inputs"]["eps"]))
    noise = list(claim["noise"].values())
    assert len(noise) == len(q)

    def winner(scale: float) -> str:
        noisy = [x + scale * unit for x, unit in zip(q, noise, strict=True)]
        return str(noisy.index(max(noisy)))

    assert (winner(1 / eps), winner(2 / eps)) == (claim["of_function"], claim["of_mechanism"])
    assert claim["of_function"] != claim["of_mechanism"]


@pytest.mark.usefixtures("briefly")
def test_without_a_mechanism_the_catalogue_is_asked(cli, shop: Path) -> None:
    ran = cli("implements", "shop:report")
    assert ran.code == 0
    assert ran.out.startswith("FOUND  shop:report\n  It implements noisy_max of the catalogue, with scores = q")
    ran = cli("implements", "shop:half", "--call", "f(answers, budget)")
    assert ran.code == 0
    assert "It implements noisy_max_with_half_the_noise of the catalogue, with answers = q, budget = eps" in ran.out


def test_what_is_not_supported_names_the_line(cli, shop: Path) -> None:
    ran = cli("implements", "shop:strange", *AS_NOISY_MAX)
    assert ran.code == 3
    assert "standard_cauchy" in ran.out
    assert "at shop.py:12" in ran.out
    ran = cli("implements", "shop:strange")
    assert ran.code == 3
    assert "It was not shown to implement any of the " in ran.out


@pytest.mark.usefixtures("briefly")
def test_a_named_sampler_is_an_assumption(cli, shop: Path) -> None:
    ran = cli("implements", "shop:sampled", *AS_NOISY_MAX, *BRIEFLY, "--sampler", "shop:noise=laplace(1)")
    assert ran.code == 0
    assert "Assumed: shop:noise draws laplace(scale=1, location=0)." in ran.out
    ran = cli("implements", "shop:sampled", *AS_NOISY_MAX, *BRIEFLY, "--sampler", "shop:noise=laplace(2)")
    assert ran.code == 1


@pytest.mark.usefixtures("briefly")
def test_a_file_of_claims(cli, shop: Path) -> None:
    ran = cli("implements", "claims.py", *BRIEFLY)
    assert ran.code == 1
    assert ran.out.count("  noisy_max") == 0
    headings = [line for line in ran.out.splitlines() if line and not line.startswith(" ")]
    assert headings == ["IMPLEMENTS  claims.py::good as noisy_max", "DIFFERS  claims.py::bad as noisy_max"]
    assert cli("implements", "claims.py::good", *BRIEFLY).code == 0
    quiet = cli("implements", "claims.py", *BRIEFLY, "--quiet", "--no-cache")
    assert quiet.code == 1
    assert quiet.out.startswith("DIFFERS  claims.py::bad")
    assert cli("implements", "claims.py::good", *BRIEFLY, "--quiet").out == ""


@pytest.mark.usefixtures("briefly")
def test_the_formats_for_ci_systems(cli, shop: Path) -> None:
    told = cli("implements", "claims.py", *BRIEFLY, "--format", "junit").out
    cases = ElementTree.fromstring(told).findall(".//testcase")
    assert [(case.get("file"), case.get("line")) for case in cases] == [("claims.py", "6"), ("claims.py", "8")]
    assert [case.find("failure") is None for case in cases] == [True, False]
    sarif = json.loads(cli("implements", "claims.py", *BRIEFLY, "--format", "sarif").out)["runs"][0]
    assert [(result["ruleId"], result["level"]) for result in sarif["results"]] == [("differs", "error")]
    assert sarif["invocations"][0]["exitCode"] == 1
    ran = cli("implements", "claims.py", *BRIEFLY, "--format", "github")
    assert ran.out.startswith("::error file=claims.py,line=8,col=1,title=claims.py%3A%3Abad as noisy_max%3A differs::")
    assert ran.out.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("shop:nothing", *AS_NOISY_MAX), "shop has no nothing"),
        (("nowhere:f", *AS_NOISY_MAX), "nowhere: the file cannot be imported"),
        (("shop", *AS_NOISY_MAX), "write package.module:function"),
        (("shop.py", *AS_NOISY_MAX), "shop.py holds no claim"),
        (("shop:report", "--as", "noisy_mx"), "did you mean noisy_max"),
        (("shop:report", "--as", "noisy_max"), "write call=lambda f, q, eps: f(…)"),
        (("shop:report", "--as", "noisy_max", "--call", "f(q, T)"), "`T` is no parameter of noisy_max"),
        (("shop:report", "--as", "noisy_max", "--call", "q +"), "this is no Python expression"),
        (("shop:report", "--as", "noisy_max", "--call", "q"), "write an expression that calls f"),
        (("shop:report", *AS_NOISY_MAX, "--sampler", "shop:noise=cauchy(1)"), "there are bernoulli, discrete_laplace"),
        (("shop:report", *AS_NOISY_MAX, "--sampler", "shop"), "write module:function="),
        (("shop:report", *AS_NOISY_MAX, "--answers", "shop:noise=z"), "noisy_max has no parameter `z`"),
        (("claims.py", "--as", "noisy_max"), "claims.py states its own claim: leave --as out"),
        (("shop:report", *AS_NOISY_MAX, "--post", "shop.py::nothing"), "shop.py has no function nothing"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_an_error_with_a_way_out(cli, shop: Path, arguments, words: str) -> None:
    ran = cli("implements", *arguments)
    assert ran.code == 2
    assert words in ran.err
    assert ran.out == ""


@pytest.mark.usefixtures("briefly")
def test_a_verdict_is_kept_until_a_file_that_runs_changes(cli, shop: Path) -> None:
    command = ("implements", "shop:report", *AS_NOISY_MAX, *BRIEFLY)
    assert "(cached)" not in cli(*command).out
    assert "(cached)" in cli(*command).out
    assert "(cached)" not in cli(*command, "--no-cache").out
    assert "(cached)" not in cli(*command, "--n", "1").out
    assert "(cached)" not in cli("implements", "shop:report", "--as", "noisy_max", "--call", "f(q, eps)", *BRIEFLY).out
    (shop / "scales.py").write_text("def of(epsilon):\n    return 1.5 / epsilon\n")
    ran = cli(*command)
    assert ran.code == 1
    assert ran.out.startswith("DIFFERS")


@pytest.mark.usefixtures("briefly")
def test_a_constant_of_a_module_that_runs_nothing_counts_too(cli, shop: Path) -> None:
    (shop / "shop.py").write_text(LIBRARY.replace("import scales", "from constants import FACTOR").replace(
        "scales.of(epsilon)", "FACTOR / epsilon"))  # fmt: skip
    (shop / "constants.py").write_text("FACTOR = 2\n")
    command = ("implements", "shop:report", *AS_NOISY_MAX, *BRIEFLY)
    assert cli(*command).code == 0
    assert "(cached)" in cli(*command).out
    (shop / "constants.py").write_text("FACTOR = 1.5\n")
    assert cli(*command).code == 1


@pytest.mark.usefixtures("briefly")
def test_the_policy_that_what_ships_implements_what_is_proved(cli, shop: Path) -> None:
    (shop / "pyproject.toml").write_text("[tool.alignkit.policy]\nimplementations = true\n")
    ran = cli("implements", "claims.py::good", *BRIEFLY)
    assert (ran.code, "policy broken" in ran.out) == (0, False)
    halved = ("shop:half", "--as", "noisy_max_with_half_the_noise", "--call", "f(q, epsilon=eps)")
    ran = cli("implements", *halved, *BRIEFLY)
    assert ran.code == 1
    assert ran.out.startswith("IMPLEMENTS")
    assert "policy broken: no alignment of noisy_max_with_half_the_noise is proved and keeps the policy" in ran.out
    ran = cli("implements", "shop:strange", *AS_NOISY_MAX, *BRIEFLY)
    assert ran.code == 1
    assert "policy broken: its verdict is unsupported, and the policy has implementations = true" in ran.out
    ran = cli("implements", "shop:report", *BRIEFLY)
    assert ran.code == 1
    assert "policy broken: it names no mechanism" in ran.out
    document = json.loads(cli("implements", "shop:report", *BRIEFLY, "--format", "json").out)
    assert [breach["target"] for breach in document["policy"]] == ["shop:report"]


OWN = '''
from alignkit import Epsilon, Noise, Queries, alignment, implements, largest, mechanism
import shop

@mechanism
def my_best(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for _ in q]
    (best,) = largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], 1)
    return best

ships = implements(my_best, call=lambda f, q, eps: f(q, epsilon=eps))(shop.report)

@alignment(my_best, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
'''


def test_the_proof_that_the_policy_asks_for_may_come_from_the_cache(cli, shop: Path) -> None:
    (shop / "pyproject.toml").write_text("[tool.alignkit.policy]\nimplementations = true\n")
    (shop / "own.py").write_text(OWN)
    assert cli("check", "own.py").code == 0
    for _ in range(2):
        ran = cli("implements", "own.py")
        assert (ran.code, ran.err) == (0, "")
        assert "policy broken" not in ran.out


@pytest.fixture
def project(shop: Path) -> Path:
    """A project whose policy needs proofs of what is claimed, with a claim and its proof in two files of a folder."""
    settings = '[tool.alignkit]\ntargets = ["proofs", "noisy_max"]\n[tool.alignkit.policy]\nimplementations = true\n'
    (shop / "pyproject.toml").write_text(settings)
    claimed, separator, proof = OWN.partition("@alignment")
    (shop / "proofs").mkdir()
    (shop / "proofs" / "own.py").write_text(claimed)
    head = "from alignkit import alignment\nfrom own import my_best\n\n"
    (shop / "proofs" / "own_proof.py").write_text(head + separator + proof)
    return shop


def test_without_a_target_those_of_the_project_are_examined(cli, project: Path, monkeypatch) -> None:
    ran = cli("implements")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("IMPLEMENTS  proofs/own.py::ships as my_best\n")
    assert "policy broken" not in ran.out
    ran = cli("implements", "--as", "noisy_max")
    assert (ran.code, ran.err) == (2, "alignkit: --as is about one function: name one TARGET\n")
    (project / "proofs" / "own.py").unlink()
    (project / "proofs" / "own_proof.py").unlink()
    ran = cli("implements")
    assert (ran.code, ran.out) == (2, "")
    assert "no claim; write one with implements" in ran.err


def test_without_a_target_and_without_a_project_one_is_asked_for(cli, shop: Path) -> None:
    ran = cli("implements")
    assert (ran.code, ran.out) == (2, "")
    assert "name a function, or a file with claims" in ran.err


def test_the_proof_may_stand_in_another_file_of_the_targets(cli, project: Path) -> None:
    assert cli("implements", "proofs/own.py::ships").code == 0
    (project / "proofs" / "own_proof.py").unlink()
    ran = cli("implements", "proofs/own.py::ships", "--format", "github")
    assert ran.code == 1
    assert ran.out.startswith("::error file=proofs/own.py,line=11,title=proofs/own.py%3A%3Aships as my_best%3A policy ")


def test_folders_and_several_targets(cli, project: Path) -> None:
    ran = cli("implements", "proofs", "claims.py", "--format", "json")
    assert ran.code == 1
    found = [(claim["target"], claim["verdict"]) for claim in json.loads(ran.out)["implementations"]]
    assert found == [
        ("proofs/own.py::ships", "implements"), ("claims.py::good", "implements"), ("claims.py::bad", "differs"),
    ]  # fmt: skip
    (project / "proofs" / "torn.py").write_text("1 / 0\n")
    ran = cli("implements", "proofs", "claims.py::good")
    assert ran.code == 2
    assert "proofs/torn.py" in ran.err
    assert ran.out.count("IMPLEMENTS") == 2


def test_check_says_that_it_examines_no_claims(cli, shop: Path) -> None:
    (shop / "pyproject.toml").write_text("[tool.alignkit.policy]\nimplementations = true\n")
    assert "policy: kept, but for implementations, which this command does not examine" in cli("check", "noisy_max").out
    (shop / "pyproject.toml").write_text("[tool.alignkit.policy]\nimplementations = false\n")
    assert "claim" not in cli("check", "noisy_max").err


def test_a_comparison_that_does_not_end_is_not_decided(cli, shop: Path) -> None:
    (shop / "shop.py").write_text("import time\ndef report(scores, epsilon):\n    time.sleep(60)\n")
    ran = cli("implements", "shop:report", *AS_NOISY_MAX, "--timeout", "1")
    assert ran.code == 3
    assert "Not decided: the comparison did not end within 1 s" in ran.out


@pytest.mark.usefixtures("briefly")
def test_a_verdict_on_code_that_is_no_longer_on_the_disk_is_not_kept(cli, shop: Path) -> None:
    """Python takes a file with the same length and time for unchanged, and runs what it has kept of it."""
    command = ("implements", "shop:report", *AS_NOISY_MAX, *BRIEFLY)
    helper = shop / "scales.py"
    before = helper.stat()
    py_compile.compile(str(helper))
    helper.write_text(helper.read_text().replace("2 /", "1 /"))
    os.utime(helper, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert cli(*command).code == 0  # it is the old code that runs
    assert "(cached)" not in cli(*command).out
    os.utime(helper)
    ran = cli(*command)
    assert (ran.code, ran.out.startswith("DIFFERS")) == (1, True)


@pytest.mark.usefixtures("briefly")
def test_a_verdict_on_a_file_that_was_written_meanwhile_is_not_kept(cli, shop: Path) -> None:
    (shop / "shop.py").write_text(LIBRARY + "\nimport pathlib\npathlib.Path('scales.py').touch()\n")
    command = ("implements", "shop:report", *AS_NOISY_MAX, *BRIEFLY)
    assert cli(*command).code == 0
    assert "(cached)" not in cli(*command).out
