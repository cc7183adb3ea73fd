"""A proof reached by path and by import is one object, whichever comes first."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import alignkit.mechanisms
import alignkit.proofs
from alignkit import load
from alignkit.catalogue import find_alignments, whereabouts
from alignkit.cli.new_command import TEMPLATE


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_catalogue_by_path_and_by_import() -> None:
    from alignkit.mechanisms.sparse_vector import sparse_vector
    from alignkit.proofs.sparse_vector import gap_phi

    [proofs], [mechanisms] = alignkit.proofs.__path__, alignkit.mechanisms.__path__
    assert load(f"{proofs}/sparse_vector.py::gap_phi") is gap_phi
    assert load(f"{mechanisms}/sparse_vector.py::sparse_vector") is sparse_vector
    assert load("alignkit.proofs.sparse_vector.gap_phi") is gap_phi
    assert gap_phi in find_alignments([f"{proofs}/sparse_vector.py"])


def test_the_catalogue_by_path_first() -> None:
    [proofs] = alignkit.proofs.__path__
    script = (
        "import sys; from alignkit import load; phi = load(sys.argv[1]); "
        "from alignkit.proofs.sparse_vector import gap_phi; assert phi is gap_phi; "
        "from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap; "
        "assert phi.mechanism is sparse_vector_with_gap is load('sparse_vector_with_gap')"
    )
    target = f"{proofs}/sparse_vector.py::gap_phi"
    done = subprocess.run([sys.executable, "-c", script, target], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_a_file_by_path_then_by_import(on_path: Path) -> None:
    path = write(on_path / "first_by_path.py", TEMPLATE.format(name="m"))
    phi = load(f"{path}::phi")
    assert importlib.import_module("first_by_path").phi is phi


def test_a_file_by_import_then_by_path(on_path: Path) -> None:
    path = write(on_path / "first_by_import.py", TEMPLATE.format(name="m"))
    module = importlib.import_module("first_by_import")
    assert load(f"{path}::phi") is module.phi


def test_a_file_by_two_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "real_file.py", TEMPLATE.format(name="m"))
    (tmp_path / "link.py").symlink_to(path)
    monkeypatch.chdir(tmp_path)
    assert load("real_file.py::phi") is load(f"{path}::phi") is load("link.py::phi")


@pytest.mark.parametrize("path_first", [True, False])
def test_a_file_in_a_package_and_in_a_plain_folder(on_path: Path, path_first: bool) -> None:
    for kind in ("package", "folder"):
        name = f"{kind}_{path_first}"
        path = write(on_path / name / "inside.py", TEMPLATE.format(name="m"))
        if kind == "package":
            write(on_path / name / "__init__.py", "")
        if path_first:
            phi = load(f"{path}::phi")
            assert importlib.import_module(f"{name}.inside").phi is phi
        else:
            phi = importlib.import_module(f"{name}.inside").phi
            assert load(f"{path}::phi") is phi


def test_relative_imports_in_a_package(tmp_path: Path) -> None:
    write(tmp_path / "relative_package" / "__init__.py", "")
    write(tmp_path / "relative_package" / "mechanisms.py", TEMPLATE.format(name="m"))
    path = write(tmp_path / "relative_package" / "proofs.py", "from .mechanisms import m, phi\n")
    assert load(f"{path}::phi") is load(f"{path.with_name('mechanisms.py')}::phi")


def test_neighbours_and_the_target_share_their_mechanism(tmp_path: Path) -> None:
    text = TEMPLATE.format(name="m")
    mechanism, _, proof = text.partition("# An alignment says")
    write(tmp_path / "a_neighbour.py", mechanism)
    head = "from alignkit import BELOW, alignment\nfrom a_neighbour import m\n"
    path = write(tmp_path / "its_proof.py", head + "#" + proof)
    assert load(f"{path}::phi").mechanism is load(f"{tmp_path / 'a_neighbour.py'}::m")
    assert str(tmp_path) not in sys.path


def test_two_folders_with_files_of_one_name_see_their_own(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write(tmp_path / folder / "mechs.py", TEMPLATE.format(name=f"m_{folder}"))
        write(tmp_path / folder / "proofs.py", f"from mechs import m_{folder}, phi\n")
    one, two = (load(f"{tmp_path / folder / 'proofs.py'}::phi") for folder in ("one", "two"))
    assert one.mechanism.name == "m_one"
    assert two.mechanism.name == "m_two"
    assert one is load(f"{tmp_path / 'one' / 'mechs.py'}::phi")
    assert two is load(f"{tmp_path / 'two' / 'mechs.py'}::phi")


def test_a_file_never_takes_the_place_of_what_is_installed(tmp_path: Path) -> None:
    for name in ("queue", "rich", "numpy"):
        path = write(tmp_path / f"{name}.py", TEMPLATE.format(name="m"))
        phi = load(f"{path}::phi")
        assert phi is load(f"{path}::phi")
        installed = importlib.import_module(name)
        assert not hasattr(installed, "phi")
        assert os.path.dirname(installed.__file__) != str(tmp_path)


def test_a_file_whose_name_python_cannot_import(tmp_path: Path) -> None:
    path = write(tmp_path / "my-proof.v2.py", TEMPLATE.format(name="m"))
    assert load(f"{path}::phi") is load(f"{path}::phi")
    file, number = whereabouts(load(f"{path}::phi"))
    assert (file, number) == (str(path), 0)


def test_a_file_that_failed_can_be_mended(tmp_path: Path) -> None:
    path = write(tmp_path / "mended.py", "import not_there\n")
    with pytest.raises(Exception, match="not_there"):
        load(f"{path}::phi")
    write(path, TEMPLATE.format(name="m"))
    os.utime(path, (0, 0))
    assert load(f"{path}::phi").name == "phi"
