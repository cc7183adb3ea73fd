"""What importing alignkit costs and gives: solvers and the terminal are loaded by those who use them."""

from __future__ import annotations

import ast
import doctest
import importlib
import pickle
import pydoc
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

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
    parameters = importlib.import_module("alignkit.language.parameters")
    assert all(getattr(alignkit, name) is getattr(parameters, name) for name in aliases)


FUNCTIONS_AND_CLASSES = [name for name in public(alignkit.__all__) if hasattr(getattr(alignkit, name), "__qualname__")]


def test_the_functions_and_classes_are_all_that_is_public_but_two_tags() -> None:
    assert set(public(alignkit.__all__)) - set(FUNCTIONS_AND_CLASSES) == {"ABOVE", "BELOW"}


@pytest.mark.parametrize("name", FUNCTIONS_AND_CLASSES)
def test_what_is_public_says_that_it_is_of_alignkit(name: str) -> None:
    value = getattr(alignkit, name)
    assert pydoc.render_doc(value, renderer=pydoc.plaintext).splitlines()[0].endswith(f"{name} in module alignkit")
    assert pickle.loads(pickle.dumps(value)) is value


def test_nothing_else_says_so() -> None:
    marked = set()
    for path in Path(alignkit.__file__).parent.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                if any(isinstance(d, ast.Name) and d.id == "public" for d in node.decorator_list):
                    marked.add(node.name)
    assert marked == set(FUNCTIONS_AND_CLASSES)


def test_tracebacks_name_public_errors_as_users_import_them() -> None:
    error = pickle.loads(pickle.dumps(alignkit.InputError("a wrong value")))
    assert traceback.format_exception_only(error) == ["alignkit.InputError: a wrong value\n"]


def test_examples_in_public_classes_are_still_found_in_their_modules() -> None:
    found = doctest.DocTestFinder().find(importlib.import_module("alignkit.language.tags"))
    assert [test for test in found if test.name.endswith(".Tag") and test.examples]
