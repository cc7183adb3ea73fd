"""The built wheel: what it holds, and that it works from another folder without the checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from support.sources import copy_sources

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
# Where a folder of the checkout is installed.
FOLDERS = {"alignkit": "alignkit", "mechanisms": "alignkit/mechanisms", "proofs": "alignkit/proofs"}


def run(*command: str | Path, folder: Path, path: str | Path | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    copy_sources(source)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", built, source, folder=built)
    [path] = built.glob("alignkit-*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("installed")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "install", "--no-deps", "--no-index", "--target", target, wheel, folder=target)
    return target


def test_the_wheel_holds_every_file(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        f"{place}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, place in FOLDERS.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {name for name in names if ".dist-info/" not in name} == expected


def test_the_wheel_installs_one_top_level_package(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"alignkit"}


def test_the_metadata_link_the_papers_that_are_to_be_cited(wheel: Path) -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    [metadata] = (name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".dist-info/METADATA"))
    lines = zipfile.ZipFile(wheel).read(metadata).decode("utf-8").splitlines()
    links = {line.rpartition("https://doi.org/")[2] for line in lines if line.startswith("Project-URL: ")}
    assert links == set(re.findall(r"doi: (\S+)", citation))


def test_it_imports_from_another_folder(installed: Path, tmp_path: Path) -> None:
    program = """
import importlib.metadata, importlib.util
import alignkit, alignkit.mechanisms, alignkit.proofs
from alignkit.cli import main
for module in (alignkit, alignkit.mechanisms, alignkit.proofs):
    print(module.__file__)
assert callable(main)
assert importlib.util.find_spec("mechanisms") is None
assert importlib.util.find_spec("proofs") is None
[script] = importlib.metadata.distribution("alignkit").entry_points.select(group="console_scripts")
assert (script.name, script.value) == ("alignkit", "alignkit.cli:main"), script
"""
    places = run(sys.executable, "-c", program, folder=tmp_path, path=installed).split()
    assert places == [str(installed / place / "__init__.py") for place in FOLDERS.values()]


def test_pytest_finds_its_plugin(installed: Path, tmp_path: Path) -> None:
    shutil.copy(installed / "alignkit/proofs/laplace.py", tmp_path / "laplace_proofs.py")
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v")
    lines = run(*command, folder=tmp_path, path=installed).splitlines()
    tests = [line.split()[:2] for line in lines if "::" in line]
    assert ["laplace_proofs.py::phi", "PASSED"] in tests


def test_type_checkers_find_its_types(installed: Path, tmp_path: Path) -> None:
    """In a user's file, where alignkit is installed in the environment: by py.typed, the catalogue's too."""
    environment, file = tmp_path / "environment", tmp_path / "users.py"
    run(sys.executable, "-m", "venv", "--without-pip", environment, folder=tmp_path)
    names = {"base": str(environment), "platbase": str(environment)}
    packages = Path(sysconfig.get_path("purelib", scheme="venv", vars=names))
    (packages / "installed.pth").write_text(f"{installed}\n")
    python = sysconfig.get_path("scripts", scheme="venv", vars=names) + "/python"
    file.write_text(
        "from alignkit import check\n"
        "from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap\n"
        "from alignkit.proofs.sparse_vector import gap_phi\n"
        "reveal_type(sparse_vector_with_gap)\n"
        "reveal_type(check(gap_phi).proved)\n"
    )
    mypy = (sys.executable, "-m", "mypy", "--config-file=", "--no-error-summary", "--cache-dir", tmp_path / "cache")
    said = run(*mypy, "--python-executable", python, file, folder=tmp_path).splitlines()
    revealed = [line.partition('"')[2] for line in said]
    assert revealed == ['alignkit.running.mechanism_decorator.Mechanism[Any]"', 'bool"']


@pytest.mark.parametrize("above", [True, False])
def test_a_folder_of_its_name_does_not_hide_it(installed: Path, tmp_path: Path, above: bool) -> None:
    if above:
        (tmp_path / "alignkit").symlink_to(ROOT)
    else:
        (tmp_path / "alignkit").mkdir()
    # Without `site`, so that nothing of an editable installation helps.
    program = "import alignkit.mechanisms.sparse_vector as m; from alignkit import check; print(m.__file__)"
    libraries = os.pathsep.join([str(installed), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    [place] = run(sys.executable, "-S", "-c", program, folder=tmp_path, path=libraries).splitlines()
    assert place == str(installed / "alignkit/mechanisms/sparse_vector.py")
