"""`alignkit completion`: what a shell offers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

OFFERS = {
    "ch": "check",
    "check --q": "--quiet",
    "check hybr": "hybrid_identity hybrid_estimates hybrid_identity_in_steps hybrid_estimates_in_steps hybrids",
    "check hybrids mi": "mine.py",
    "run sparse_vector_o": "sparse_vector_of_lee_and_clifton sparse_vector_of_stoddard sparse_vector_of_chen",
    "run noisy_max --data mi": "mine.py",
    "attack noisy_max --adjacency m": "monotone",
    "completion z": "zsh",
}

ASK = """
ask() { COMP_WORDS=(alignkit "$@"); COMP_CWORD=$#; _shtab_alignkit; echo "${COMPREPLY[*]}"; }
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash to ask")
def test_what_bash_offers(cli, mine: Path) -> None:
    script = cli("completion", "bash").out + ASK + "\n".join(f"ask {typed}" for typed in OFFERS)
    asked = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert asked.stderr == ""
    assert asked.stdout.splitlines() == list(OFFERS.values())


@pytest.mark.parametrize(("shell", "start"), [("zsh", "#compdef alignkit"), ("fish", "# AUTOMATICALLY GENERATED")])
def test_other_shells_offer_the_same(cli, here: Path, shell: str, start: str) -> None:
    ran = cli("completion", shell)
    assert ran.code == 0
    assert ran.out.startswith(start)
    for word in ("prove or refute alignments", "hybrid_estimates", "import-timeout", "certify a lower bound"):
        assert word in ran.out


def test_an_unknown_shell(cli, here: Path) -> None:
    ran = cli("completion", "cmd")
    assert ran.code == 2
    assert "invalid choice" in ran.err
