"""What type checkers accept runs: the pair on docs/python_api.md is proved, whether its annotations are text or not."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.defining import load

from alignkit import check


@pytest.mark.parametrize("above", ["", "from __future__ import annotations\n"], ids=["at once", "postponed"])
def test_the_annotated_pair_is_proved(files: Path, tmp_path: Path, above: str):
    path = tmp_path / "pair.py"
    path.write_text(above + (files / "annotated.py").read_text(encoding="utf-8"), encoding="utf-8")
    pair = load(path, "pair")
    assert check(pair.phi, effort=0).require().proved
    assert pair.first_above.domain.lattices == {"q": 1, "delta": 1}
    assert pair.first_above.private["q"].sensitivity == "delta"
    assert pair.phi.replay([0], [-1], T=0, delta=1, eps=1, H={"eta": 0, "eta_i": [0]}).violation is None
