"""What users' files look like to type checkers: the README's example, the annotated pair, and what is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.installed import ROOT, as_installed

from alignkit.cli.new_command import TEMPLATE

# The line that ends in a comment has an error with its words, in mypy and in basedpyright; no other has one.
WRONG = '''\
from typing import Annotated

from alignkit import BELOW, Count, Epsilon, Lattice, Noise, Queries, Sensitivity, alignment, check, largest, mechanism

Counts = Annotated[Queries, Sensitivity(1), Lattice(1)]


@mechanism
def m(q: Counts, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    q.append(eta)  # append
    both = q + eta  # operator
    noise.laplase(eps)  # laplase
    noise.laplace("1 / eps")  # argument
    largest(q, k / 2)  # argument
    yield BELOW.nme  # nme


m.sampel([1])  # sampel
Sensitivity()  # argument
alignment(m, epsilon="eps", adjacent="monotone")  # adjacent


@alignment(m, epsilon="eps", adjacency="monotone")
def phi(q, q_, H):
    return H.shift(eta=1)


check(phi).proven  # proven
check(phi).proved.require()  # require
'''

SHOWN = """\
from typing import reveal_type

from annotated import first_above, phi
from my_svt import sparse_vector_with_gap

from alignkit import check

reveal_type(first_above.sample)
reveal_type(phi)
reveal_type(sparse_vector_with_gap)
reveal_type(check(phi).require().proved)
"""


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with alignkit in it, for a type checker to find."""
    return as_installed(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder: my_svt.py, template.py, annotated.py, wrong.py and shown.py."""
    folder = tmp_path_factory.mktemp("files")
    for page, name in (("README.md", "my_svt"), ("docs/python_api.md", "annotated")):
        found = re.search(rf"```python\n(# {name}\.py\n.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
        assert found is not None, f"{page} shows no {name}.py"
        (folder / f"{name}.py").write_text(found[1], encoding="utf-8")
    (folder / "template.py").write_text(TEMPLATE.format(name="template"), encoding="utf-8")
    (folder / "wrong.py").write_text(WRONG, encoding="utf-8")
    (folder / "shown.py").write_text(SHOWN, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def wrong() -> dict[int, str]:
    """The lines of wrong.py that have an error, and a pattern of its words."""
    lines = WRONG.splitlines()
    return {i: line.rpartition("# ")[2] for i, line in enumerate(lines, 1) if "# " in line}
