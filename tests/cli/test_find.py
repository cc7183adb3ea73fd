"""``alignkit find``: what it prints and writes, and its exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from alignkit import BELOW, check
from alignkit.finding.findings import Findings, Proposal
from alignkit.output_events import Event
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.results import CertifiedLoss, Condition, Method, Verdict, Witness

MINE = '''\
from alignkit import Count, Epsilon, Noise, Queries, Query, mechanism


@mechanism
def noisy_count(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta


@mechanism
def bare(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q, q + eta
'''


# A search that is quick for one mechanism, and would take a minute for the other.
SLOW = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
import alignkit.finding.shape_search as shape_search
real = shape_search.check
def check(alignment, **settings):
    if alignment.mechanism.name != "noisy_count":
        print("started", file=sys.stderr, flush=True)
        time.sleep(60)
    return real(alignment, **settings)
shape_search.check = check
from alignkit.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_what_is_found_is_printed_with_its_imports(cli) -> None:
    ran = cli("find", "noisy_max", "-q")
    assert ran.code == 0
    assert ran.out.startswith("FOUND AND PROVED  noisy_max    adjacency: each    claim: eps\n")
    assert "from alignkit.mechanisms.noisy_max import noisy_max\n" in ran.out
    assert '@alignment(noisy_max, epsilon="eps")' in ran.out
    assert "that keeps eta still where the output does not name its position costs less (all eps)\n" in ran.out


def test_what_is_written_is_proved_by_check(cli, here: Path) -> None:
    (here / "mine.py").write_text(MINE)
    search = ("find", "mine.py::noisy_count", "--write", "my_proof.py", "-q")
    assert cli(*search).code == 0
    assert cli("check", "my_proof.py", "-q").code == 0
    again = cli(*search)
    assert again.code == 2
    assert "the file exists" in again.err


def test_every_mechanism_of_a_file_and_one_that_has_no_alignment(cli, here: Path) -> None:
    (here / "mine.py").write_text(MINE)
    ran = cli("find", "mine.py", "--format", "json", "-q")
    assert ran.code == 3
    document = json.loads(ran.out)
    found, none = document["found"]
    assert (found["mechanism"], found["verdict"], found["claim"]) == ("noisy_count", "proved", "eps")
    assert (none["mechanism"], none["verdict"], none["source"]) == ("bare", "undecided", None)
    assert none["reason"]
    assert none["certified_loss"] == "inf"
    assert found["notes"] == none["notes"] == []
    assert found["lower_bound"] == {"value": "eps", "region": "all eps", "shape": "plain"}
    assert (found["cheapest"], none["cheapest"], none["lower_bound"]) == (True, False, None)
    assert document["errors"] == []


KEY = """
from alignkit import Epsilon, Noise, Query, Real, Tag, mechanism

NOTHING = Tag("NOTHING")

@mechanism
def noisy_key(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING
"""


def test_a_claim_with_delta_is_written_and_proved_by_check(cli, here: Path) -> None:
    (here / "my_key.py").write_text(KEY)
    ran = cli("find", "my_key.py::noisy_key", "--write", "my_key_proof.py", "-q")
    assert ran.code == 0
    assert "claim: eps with delta = exp(-eps * (tau - 1)) / 2\n" in ran.out
    assert cli("check", "my_key_proof.py", "-q").code == 0


def test_a_delta_can_be_asked_for(cli, here: Path) -> None:
    (here / "my_key.py").write_text(KEY)
    ran = cli("find", "my_key.py", "--delta", "exp(-eps * tau) / 2", "--effort", "0", "--format", "json", "-q")
    assert ran.code == 3
    (found,) = json.loads(ran.out)["found"]
    assert (found["verdict"], found["claim"], found["delta"]) == ("undecided", None, None)
    assert (found["asked_delta"], found["proved_instead"]) == ("exp(-eps * tau) / 2", "eps")
    assert cli("find", "my_key.py", "--delta", "0", "--effort", "0", "-q").code == 3
    ran = cli("find", "my_key.py", "--claim", "eps", "--noise", "--delta", "0", "-q")
    assert (ran.code, "leave --delta out" in ran.err) == (2, True)


def test_a_timeout_that_is_too_short_says_so(cli) -> None:
    ran = cli("find", "adaptive_sparse_vector", "--timeout", "0.01", "-q")
    assert ran.code == 3
    assert "the time" in ran.out


def test_a_claim_that_is_not_reached_names_what_is_proved(cli) -> None:
    ran = cli("find", "noisy_max", "--claim", "eps / 3", "--effort", "20", "-q")
    assert ran.code == 3
    assert "the claim eps / 3 was not reached; what was proved is eps" in ran.out
    assert "an attack:" in ran.out
    assert "\n\nPROVED INSTEAD  noisy_max    adjacency: each    claim: eps\n" in ran.out


NEAR = """
from alignkit import Epsilon, Noise, Query, alignment, mechanism

@mechanism
def thrice(q: Query, eps: Epsilon, noise: Noise):
    x = noise.laplace(3 / eps)
    return q, q + x

@mechanism
def with_a_claim(q: Query, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    y = noise.laplace(1 / eps)
    return q * (x + y)

@alignment(with_a_claim, epsilon="eps")
def phi(q, q_, H):
    return H.shift(x=q - q_)
"""


def test_the_loss_is_compared_with_the_claims_of_the_file(cli, here: Path) -> None:
    (here / "near.py").write_text(NEAR)
    ran = cli("find", "near.py::with_a_claim", "--effort", "20", "-q")
    assert ran.code == 3
    assert "NO CLAIM GIVEN" not in ran.out
    assert "note: the claim is eps, that of phi\n" in ran.out
    ran = cli("find", "near.py::thrice", "--effort", "20", "-q")
    assert "    NO CLAIM GIVEN\n" in ran.out


def test_the_last_proposal_is_shown_with_what_is_undecided() -> None:
    undecided = replace(check(gap_phi, effort=0), verdict=Verdict.UNDECIDED, notes=("state an invariant",))
    cost = Condition("cost", Verdict.UNDECIDED, "line 3: not shown: the shifts cost at most eps")
    undecided = replace(undecided, conditions={**undecided.conditions, "cost": cost})
    proposal = Proposal("def phi(): ...", ("import nothing",), "2 * eps", undecided, "plain")
    weak = CertifiedLoss(0.5, Method.EXACT, Event(BELOW), Witness({}, {}, {}), claim=1.0)
    findings = Findings("scanned", "each", (proposal,), 7, 1.0, "one was proposed", "eps", loss=weak)
    shown = str(findings)
    assert "\n    NO VIOLATION FOUND (short search)    claim: 1\n" in shown
    assert shown.endswith(
        "\n\nTHE LAST PROPOSAL, UNDECIDED  scanned    adjacency: each    claim: 2 * eps\n"
        "  cost: not shown: the shifts cost at most eps\n  note: state an invariant\n\n"
        "import nothing\n\n\ndef phi(): ..."
    )
    html = findings._repr_html_()
    assert "THE LAST PROPOSAL, UNDECIDED" in html
    assert "NO VIOLATION FOUND (short search)" in html
    refuted = replace(proposal, result=replace(undecided, verdict=Verdict.REFUTED))
    assert "THE LAST PROPOSAL" not in str(replace(findings, proposals=(proposal, refuted)))


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are a matter of Unix")
def test_ctrl_c_prints_what_was_found_before(here: Path) -> None:
    (here / "mine.py").write_text(MINE.replace("return q, q + eta", "return q - eta"))
    command = [sys.executable, "-c", SLOW, "find", "mine.py", "-q"]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert running.stderr is not None
    assert running.stderr.readline() == "started\n"
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "FOUND AND PROVED  noisy_count" in out
    assert "NOT FOUND  bare    adjacency: each\n  the search was interrupted" in out
    assert "Traceback" not in err


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are a matter of Unix")
def test_what_was_proved_is_printed_where_the_process_dies_after_the_proof(here: Path) -> None:
    (here / "mine.py").write_text(MINE)
    program = """
import os, sys
import alignkit.finding.search as search
search.lower_bound = lambda *arguments: os._exit(9)
from alignkit.cli import main
sys.exit(main(sys.argv[1:]))
"""
    command = [sys.executable, "-c", program, "find", "mine.py::noisy_count", "-q"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0
    first, second, *_ = ran.stdout.splitlines()
    assert first == "FOUND AND PROVED  noisy_count    adjacency: each    claim: eps"
    assert second.startswith("  note: what comes after the proof was not finished")


def test_bad_claims_and_shapes_are_refused(cli) -> None:
    claim = cli("find", "noisy_max", "--claim", "zeta", "-q")
    assert claim.code == 2
    assert "the claim uses `zeta`" in claim.err
    shapes = cli("find", "noisy_max", "--shapes", "plain,nice", "-q")
    assert shapes.code == 2
    assert "'nice' is no shape" in shapes.err


def test_bad_targets(cli, here: Path) -> None:
    (here / "broken.py").write_text("import nothing_of_this_name\n")
    misspelt = cli("find", "noisy_maxx", "-q")
    assert misspelt.code == 2
    assert "noisy_maxx is not in the catalogue" in misspelt.err
    broken = cli("find", "broken.py", "-q")
    assert broken.code == 2
    assert "nothing_of_this_name" in broken.err


def test_files_without_a_mechanism_and_folders(cli, here: Path) -> None:
    (here / "empty.py").write_text("")
    empty = cli("find", "empty.py", "-q")
    assert (empty.code, empty.out) == (2, "")
    assert "empty.py has no mechanism" in empty.err
    folder = cli("find", ".", "-q")
    assert folder.code == 2
    assert ". is a folder" in folder.err


def test_a_target_that_cannot_be_used_is_an_error_of_the_document(cli) -> None:
    ran = cli("find", "missing.py", "--format", "json", "-q")
    assert ran.code == 2
    document = json.loads(ran.out)
    (error,) = document["errors"]
    assert document["found"] == []
    assert (error["target"], error["exit_code"]) == ("missing.py", 2)
    assert "missing.py does not exist" in error["message"]


def test_a_file_that_a_proof_could_not_import(cli, here: Path) -> None:
    (here / "my mine.py").write_text(MINE)
    for command in (("find", "my mine.py", "-q"), ("new", "my_proof", "--from", "my mine.py::noisy_count")):
        ran = cli(*command)
        assert ran.code == 2
        assert "rename it, for example to my_mine.py" in ran.err


def test_a_mechanism_with_the_name_of_the_decorator(cli, here: Path) -> None:
    (here / "mine.py").write_text(MINE.replace("def noisy_count", "def alignment"))
    for flags in ((), ("--claim", "eps", "--noise")):
        ran = cli("find", "mine.py::alignment", "-q", *flags)
        assert ran.code == 2
        assert "hides the decorator" in ran.err


def test_where_nothing_can_be_written_nothing_is_searched(cli, here: Path) -> None:
    (here / "mine.py").write_text(MINE)
    folder = cli("find", "mine.py::noisy_count", "--write", "proofs/my_proof.py", "-q")
    assert (folder.code, folder.out) == (2, "")
    assert "there is no folder proofs" in folder.err
    nameless = cli("find", "mine.py::noisy_count", "--write", "", "-q")
    assert nameless.code == 2
    assert "names no file" in nameless.err


def test_a_budget_of_any_length(cli, here: Path) -> None:
    (here / "mine.py").write_text(MINE)
    assert cli("find", "mine.py::noisy_count", "--timeout", "1e12", "-q").code == 0


def test_the_mended_mechanism_is_printed_and_written_with_its_proof(cli, here: Path) -> None:
    ran = cli("find", "noisy_max", "--adjacency", "monotone", "--claim", "eps", "--noise", "--write", "less.py", "-q")
    assert ran.code == 0
    assert ran.out.startswith("LESS NOISE SUFFICES  noisy_max    adjacency: monotone    claim: eps\n")
    assert "  eta  2 / eps  ->  1 / eps\n" in ran.out
    assert cli("check", "less.py", "-q").code == 0


def test_the_least_noise_as_json(cli, here: Path) -> None:
    (here / "mine.py").write_text(MINE)
    ran = cli("find", "mine.py", "--claim", "eps / 3", "--noise", "--format", "json", "-q")
    assert ran.code == 3
    mended, none = json.loads(ran.out)["found"]
    assert (mended["mechanism"], mended["verdict"], mended["changed"]) == ("noisy_count", "proved", True)
    assert mended["mended"][0]["scales"] == [{"name": "eta", "before": "1 / eps", "after": "3 / eps"}]
    (measured,) = mended["mended"][0]["sum_of_variances"]
    assert (measured["before"], measured["after"]) == (2, 18)
    assert (none["mechanism"], none["verdict"], none["mended"], none["source"]) == ("bare", "undecided", [], None)
    assert none["reason"]


def test_noise_and_claim_go_together(cli) -> None:
    ran = cli("find", "noisy_max", "--noise", "-q")
    assert ran.code == 2
    assert "--claim EXPRESSION --noise" in ran.err


def test_a_claim_that_is_no_expression(cli) -> None:
    ran = cli("find", "noisy_max", "--claim", "eps +", "--noise", "-q")
    assert ran.code == 2
    assert "the claim is not an expression" in ran.err


TAGS = '''\
from alignkit import ABOVE as TOP, Epsilon, Noise, Queries, Real, Tag, mechanism

w, up = Tag("w"), Tag("up")


@mechanism
def first_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for x in q:
        nu = noise.laplace(4 / eps)
        if x + nu >= T + rho:
            yield TOP
            break
        else:
            yield w
'''


def test_tags_keep_the_names_that_the_mechanisms_file_gives_them(cli, here: Path) -> None:
    (here / "mine.py").write_text(TAGS)
    ran = cli("find", "mine.py", "--adjacency", "monotone", "--write", "my_proof.py", "-q")
    assert ran.code == 0
    assert "from mine import TOP, first_above\n" in ran.out
    assert "where the output is TOP" in " ".join(ran.out.split())
    assert cli("check", "my_proof.py", "-q").code == 0


def test_an_alignments_own_names_leave_the_files_tags_alone(cli, here: Path) -> None:
    (here / "mine.py").write_text(TAGS.replace("yield TOP", "yield up"))
    ran = cli("find", "mine.py", "--adjacency", "monotone", "--write", "my_proof.py", "-q")
    assert ran.code == 0, ran.out
    assert "rho=rise, nu=[1 if out is up else 0 for out in omega]" in ran.out
    assert cli("check", "my_proof.py", "-q").code == 0
