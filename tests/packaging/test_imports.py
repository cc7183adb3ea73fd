"""What importing alignkit costs and gives: solvers and the terminal are loaded by those who use them."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import alignkit


def test_import_is_light(tmp_path: Path) -> None:
    program = (
        "import sys, alignkit; dir(alignkit); "
        "print(*{'z3', 'sympy', 'numpy', 'rich', 'hypothesis', 'pytest', 'IPython'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


HEAVY = ("z3", "cvc5", "sympy", "numpy", "scipy", "rich", "flint", "highspy", "multiprocessing")


def loaded_by(program: str, names: tuple[str, ...]) -> list[str]:
    """Which of some modules are loaded once a program has run in a new process."""
    asked = f"\nimport sys; print([name for name in {names!r} if name in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program + asked], capture_output=True, text=True, check=True)
    return list(ast.literal_eval(done.stderr))


def test_the_checker_loads_z3_but_neither_attacks_nor_what_samples_and_prints() -> None:
    names = (*HEAVY, "alignkit.attacking", "alignkit.finding", "alignkit.laws")
    assert loaded_by("from alignkit import check", names) == ["z3", "flint"]


def test_reading_the_catalogue_loads_no_library() -> None:
    program = "from alignkit.catalogue import alignments, mechanisms; assert alignments() and mechanisms()"
    assert loaded_by(program, HEAVY) == []


def test_sampling_loads_numpy_where_it_is_first_used() -> None:
    program = "from alignkit.mechanisms.laplace import laplace_mechanism as m; "
    assert loaded_by(program, ("numpy",)) == []
    assert loaded_by(program + "m.sample([1], eps=1, delta=1, seed=1)", ("numpy",)) == ["numpy"]


def public(names: list[str]) -> list[str]:
    return [name for name in names if not name.startswith("_")]


def test_what_is_listed_is_what_is_public():
    """Submodules that others have imported, and the module's own imports, are not part of the interface."""
    for module in ("checking", "cli", "reporting.json_documents", "attacking.mechanism_attack", "mechanisms.laplace"):
        importlib.import_module(f"alignkit.{module}")
    assert public(dir(alignkit)) == sorted(public(alignkit.__all__))
    assert len(set(alignkit.__all__)) == len(alignkit.__all__)
    assert {"__name__", "__version__", "__all__"} <= set(dir(alignkit))


def test_every_public_name_is_there_and_says_what_it_is():
    for name in alignkit.__all__:
        value = getattr(alignkit, name)
        if callable(value):
            assert value.__doc__, name


def test_type_checkers_see_the_names_that_there_are():
    """To them each name comes from the module that it is loaded from, or is an alias of Python's types."""
    tree = ast.parse(Path(alignkit.__file__).read_text(encoding="utf-8"))
    (block,) = [s for s in tree.body if isinstance(s, ast.If) and ast.unparse(s.test) == "TYPE_CHECKING"]
    seen = {
        (alias.asname or alias.name): statement.module
        for statement in [*tree.body, *block.body]
        if isinstance(statement, ast.ImportFrom) and statement.module.startswith("alignkit.")
        for alias in statement.names
    }
    aliases = {s.target.id for s in block.body if isinstance(s, ast.AnnAssign)}
    assert sorted([*public(list(seen)), *aliases]) == sorted(public(alignkit.__all__))
    for name, module in seen.items():
        assert getattr(alignkit, name) is getattr(importlib.import_module(module), name)
    assert {getattr(alignkit, name).__module__ for name in aliases} == {"alignkit.language.parameters"}
