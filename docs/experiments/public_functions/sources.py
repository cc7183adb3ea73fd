"""The repositories whose functions are examined: what is fetched of each, and how its modules are imported.

`python docs/experiments/public_functions/sources.py --sources FOLDER` fetches them by git, each to
`FOLDER/owner/name/commit`, whose first eight digits name the folder. Nothing of them is part of alignkit.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

UNKNOWN = "not known"
GIT = "https://github.com/{owner}/{name}.git"


@dataclass(frozen=True)
class Source:
    """Files of a repository at a commit.

    ``root`` is the folder that is put on Python's path. ``bare`` are packages whose own ``__init__`` is not run, since
    it imports more than is installed, with their folders below ``root``. ``stand_ins`` are compiled modules that the
    functions do not use, with the names that are imported of them. ``distribution`` is the name under which pip has the
    same functions.
    """

    repository: str
    commit: str
    files: tuple[str, ...]
    root: str = ""
    bare: Mapping[str, str] = field(default_factory=dict)
    stand_ins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    distribution: str = ""

    @property
    def known(self) -> bool:
        """Whether the repository is known, so that the files can be fetched."""
        return self.repository != UNKNOWN

    @property
    def short_commit(self) -> str:
        """The first digits of the commit."""
        return self.commit[:8]

    def folder(self, sources: Path) -> Path:
        """Where its files lie below the folder of all sources."""
        return sources / self.repository / self.short_commit if self.known else sources / "unknown"

    def path_of(self, module: str) -> str:
        """The path of a module in the repository."""
        for package, folder in self.bare.items():
            if module.startswith(package + "."):
                inner = module.removeprefix(package + ".").replace(".", "/")
                return "/".join(part for part in (self.root, folder, f"{inner}.py") if part)
        return "/".join(part for part in (self.root, module.replace(".", "/") + ".py") if part)

    def function(self, where: str, sources: Path | None, packages: Path | None = None) -> Callable[..., Any]:
        """A function by ``module:name``, of the fetched files, or without ``sources`` of what is installed.

        ``packages`` is a folder of installed packages, which is looked through last.
        """
        if packages is not None:
            sys.path.append(str(packages))
        if sources is not None:
            root = self.folder(sources) / self.root
            if not root.is_dir():
                raise FileNotFoundError(f"{root} is not there: fetch the sources first")
            sys.path.insert(0, str(root))
            for name, folder in self.bare.items():
                sys.modules[name] = _bare(name, root / folder)
            for name, wanted in self.stand_ins.items():
                stand_in = sys.modules[name] = ModuleType(name)
                vars(stand_in).update(dict.fromkeys(wanted))
        module, _, path = where.partition(":")
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
        return found  # type: ignore[no-any-return]


def _bare(name: str, folder: Path) -> ModuleType:
    package = ModuleType(name)
    package.__path__ = [str(folder)]
    return package


def fetch(source: Source, sources: Path, git: str = GIT) -> None:
    """Fetch the files of a source; what is there stays as it is."""
    folder = source.folder(sources)
    if not source.known or all((folder / file).exists() for file in source.files):
        return
    folder.mkdir(parents=True, exist_ok=True)
    store = folder / ".git"

    def run(*words: str) -> bytes:
        return subprocess.run(["git", f"--git-dir={store}", *words], check=True, stdout=subprocess.PIPE).stdout

    owner, name = source.repository.split("/")
    run("init", "--quiet")
    run("fetch", "--quiet", "--depth=1", git.format(owner=owner, name=name), source.commit)
    with tarfile.open(fileobj=BytesIO(run("archive", source.commit, *source.files))) as archive:
        archive.extractall(folder, filter="data")


STATDP = Source("cmla-psu/statdp", "d1f1e8fafa1fe15342dc9502654ec241585b9919", ("statdp",))
DP_SNIPER = Source("eth-sri/dp-sniper", "ee087b2584ca97d1064154db5dd2bda0bb5a8ceb", ("dpsniper",))
DP_AUDITORIUM = Source(
    "google/differential-privacy",
    "b5b0286e313b64a692abfc8c528d54ef47d960a0",
    ("python/dp_auditorium/dp_auditorium/configs", "python/dp_auditorium/dp_auditorium/mechanisms"),
    root="python/dp_auditorium",
    bare={"dp_auditorium": "dp_auditorium"},
)
PRIVATE_PGM = Source(
    "ryan112358/private-pgm",
    "4d2b3c566b148da3ef800ce76e6189c548f2da22",
    ("mechanisms/mechanism.py", "mechanisms/cdp2adp.py"),
    root="mechanisms",
)
PIPELINE_DP = Source(
    "OpenMined/PipelineDP", "ec6e56edbf2ce8e2b2297df3e4992d91609d1d94", ("pipeline_dp",), distribution="pipeline-dp"
)
DIFFPRIVLIB = Source(
    "IBM/differential-privacy-library",
    "5d9c9d873c99295f14b0cfb61866fafbf3cc4684",
    ("diffprivlib",),
    distribution="diffprivlib",
)
SMARTNOISE = Source(
    "opendp/smartnoise-sdk",
    "81d1351b383b5d45b0818ae140a7291b4ce4a841",
    ("synth/snsynth",),
    root="synth",
    distribution="smartnoise-synth",
)
PATE = Source(
    "tensorflow/privacy",
    "03035d5d4a271ac795dab80f5bc1cef82fc3d462",
    ("research/pate_2017/aggregation.py",),
    root="research/pate_2017",
)
EEPRIVACY = Source("recurve-inc/eeprivacy", "a2063bd7f7021795bf3f742ddde4f0404b12c6cd", ("eeprivacy",))
DDUO = Source("uvm-plaid/dduo-python", "368e1aa47a913f7adcf1e5db1e4a329a26d8d7ba", ("duet",))
EKTELO = Source(
    "ektelo/ektelo",
    "53129fc417ae9b5a9830beb1229ec3e2611c5534",
    ("ektelo/private/pselection.py", "ektelo/private/measurement.py", "ektelo/matrix.py", "ektelo/operators.py",
     "ektelo/util.py"),
    bare={"ektelo": "ektelo", "ektelo.private": "ektelo/private", "ektelo.algorithm": "ektelo/algorithm"},
    stand_ins={"ektelo.algorithm.privBayes": ("privBayesSelect",)},
)  # fmt: skip
_ACS12 = "dpcomp_core/algorithm/thirdparty/Acs12/lib"
DPCOMP = Source(
    "dpcomp-org/dpcomp_core",
    "233cfcc380320860ab957003b7b6271e0c2027c1",
    ("dpcomp_core/algorithm/mwemND.py", "dpcomp_core/algorithm/estimate_engine.py",
     "dpcomp_core/algorithm/identity.py", "dpcomp_core/mixins.py", "dpcomp_core/util.py", _ACS12),
    bare={"acs12": _ACS12, "dpcomp_core.algorithm": "dpcomp_core/algorithm", "dpcomp_core": "dpcomp_core"},
)  # fmt: skip
RAP = Source(
    "amazon-science/relaxed-adaptive-projection",
    "7557d9f38d3fe1ac037d8b887677cc6c6f54df3c",
    ("privacy_budget_tracking",),
)
NAIVE = Source("fricklerhandwerk/differential-privacy", "3097bc6d6c4401fc31a05944d73b9109fb49ea74", ("naive.py",))
NAIVE_LATER = Source(
    "fricklerhandwerk/differential-privacy",
    "82e364816d9801aeea71ceadd286471f52238e82",
    ("naive.py", "algorithms.py"),
)
ESNM = Source("iagocc/esnm", "96601e322917249bd1f6fbdf8e74f44aa53b99f1", ("src/standard_selection.py",), root="src")
_SMOOTH = "e1d1f9b0c6c9e05a38448fb01dadcd76b5a00241"
SMOOTH_TREE = Source(
    "iagocc/smooth-noisy-max", _SMOOTH, ("greedy_decision_tree/src",), root="greedy_decision_tree"
)
SMOOTH_PERCENTILE = Source(
    "iagocc/smooth-noisy-max",
    _SMOOTH,
    ("percentile_selection/mechanims.py", "percentile_selection/utility.py", "percentile_selection/utils.py"),
    root="percentile_selection",
)
ONLINE_BEFORE = Source(
    "RoyLiberman/OnlineMW-via-NumericSparse",
    "f4737452c00d521cf797d515d08586e2a2343155",
    ("OnlineMWEM.py", "HistogramDataSet.py"),
)
ONLINE_AFTER = Source(
    "RoyLiberman/OnlineMW-via-NumericSparse",
    "9c82d28a7d3c31281f5582ddaa203f6f81236abd",
    ("OnlineMWEM.py", "HistogramDataSet.py"),
)
FREEGAP = Source("yxwangcs/freegap", "ed15bb06c94b0d9f97f116118b7adeb10160a339", ("refinedp",))
FREEGAP_FIRST = Source("yxwangcs/freegap", "56352a9dc5c46182743b3a449f0af3cbbd5f1a38", ("dp_gap",))
RECOVERYOS = Source(
    "greta-47/recoveryos", "221224d57ede2689a7d2c65138d618407573bd3e", ("differential_privacy.py",)
)
_DESEN = "perturbation/differential_privacy"
DESEN_TELECOM = Source(
    "MikeAure/DesenTelecom", "2e2ad918c948599763440654f2f9de9f589049ff", (_DESEN,), root=_DESEN
)
NAMELESS = Source(UNKNOWN, "", ())

SOURCES = tuple(value for value in list(vars().values()) if isinstance(value, Source))
"""All of them, in the order in which they stand here."""

PACKAGES = (
    "apache-beam", "dp-accounting", "faker", "future", "jax", "numba", "opendp", "pandas", "python-dp",
    "scikit-learn<1.8", "scipy", "six", "smartnoise-sql", "tqdm",
)  # fmt: skip
"""What pip installs so that the modules can be imported, beside what alignkit needs."""


def main() -> None:
    parser = argparse.ArgumentParser(description="fetch the repositories whose functions are examined")
    parser.add_argument("--sources", type=Path, required=True, help="the folder to which they are fetched")
    parser.add_argument("--git", default=GIT, help="where git finds a repository (default: %(default)s)")
    arguments = parser.parse_args()
    for source in SOURCES:
        try:
            fetch(source, arguments.sources, arguments.git)
            print(source.folder(arguments.sources))
        except subprocess.CalledProcessError as problem:
            print(f"{source.repository} is not fetched: {problem}", file=sys.stderr)


if __name__ == "__main__":
    main()
