"""From a file to its module: the very module that an import by name gives, where there is one.

A file that no import reaches is imported under its own name, its folder first on the path, so that it can
import its neighbours. Two folders may hold files of one name: each file sees its own neighbours.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

CATALOGUE = ("alignkit.mechanisms", "alignkit.proofs")

# The modules imported from a folder that is not on the path, by folder and name.
_local: dict[str, dict[str, ModuleType]] = {}


def module_of(file: str | os.PathLike[str]) -> ModuleType:
    """The module of a Python file, imported unless it is already; what the import raises is passed on."""
    path = os.path.realpath(file)
    found = _loaded(path)
    if found is not None:
        return found
    for package in CATALOGUE:
        if os.path.dirname(path) in _folders(package):
            return importlib.import_module(f"{package}.{Path(path).stem}")
    name, base = _import_name(path)
    for longer, entry in _names_on_path(name, base):
        module = _by_name(longer, entry, path)
        if module is not None:
            return module
    if _is_free(name.partition(".")[0], base):
        module = _by_name(name, base, path)
        if module is not None:
            return module
    return _by_path(path, base)


def same_file(one: str, other: str) -> bool:
    """Whether two paths lead to one file."""
    return os.path.realpath(one) == os.path.realpath(other)


def _loaded(path: str) -> ModuleType | None:
    known = [module for modules in _local.values() for module in modules.values()]
    for module in [*known, *sys.modules.values()]:
        file = vars(module).get("__file__") if isinstance(module, ModuleType) else None
        if not isinstance(file, str):
            continue
        # Resolving each of a thousand paths would take long.
        if os.path.basename(file) == os.path.basename(path) or os.path.islink(file):
            if os.path.realpath(file) == path:
                return module
    return None


def _folders(package: str) -> list[str]:
    spec = importlib.util.find_spec(package)
    return [os.path.realpath(p) for p in (spec and spec.submodule_search_locations) or ()]


def _import_name(path: str) -> tuple[str, str]:
    """The name under which a file would be imported, and the folder that must be on the path for it."""
    base, parts = os.path.dirname(path), [Path(path).stem]
    while os.path.isfile(os.path.join(base, "__init__.py")) and os.path.dirname(base) != base:
        parts.insert(0, os.path.basename(base))
        base = os.path.dirname(base)
    if len(parts) > 1 and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts), base


def _names_on_path(name: str, base: str) -> Iterator[tuple[str, str]]:
    """The names by which Python may reach the file from where sys.path leads, the shortest first."""
    entries = {os.path.realpath(entry or os.curdir) for entry in sys.path}
    folder, longer = base, name
    while True:
        if folder in entries:
            yield longer, folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        longer, folder = f"{os.path.basename(folder)}.{longer}", parent


def _is_free(top: str, base: str) -> bool:
    """Whether a module may take a name for itself, without hiding an installed one."""
    if top in sys.stdlib_module_names:
        return False
    if any(top in modules for modules in _local.values()):
        return True
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return False
    return spec is None or any(os.path.dirname(place) == base for place in _origins(spec))


def _origins(spec: ModuleSpec) -> list[str]:
    """The file of a module, or the folders of a package."""
    if spec.submodule_search_locations is not None:
        return [os.path.realpath(place) for place in spec.submodule_search_locations]
    return [os.path.realpath(spec.origin)] if spec.origin else []


def _by_name(name: str, base: str, path: str) -> ModuleType | None:
    if not all(part.isidentifier() for part in name.split(".")):
        return None
    with _importing_from(base):
        try:
            spec = importlib.util.find_spec(name)
        except (ModuleNotFoundError, ValueError):
            return None
        if spec is None or spec.origin is None or os.path.realpath(spec.origin) != path:
            return None
        return importlib.import_module(name)


def _by_path(path: str, base: str) -> ModuleType:
    """Import a file whose name cannot be imported, or belongs to another module, under a name of its own."""
    stem = re.sub(r"\W", "_", Path(path).stem)
    name = f"{stem}_{hashlib.sha256(path.encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    with _importing_from(base):
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            sys.modules.pop(name, None)
            raise
    return module


@contextlib.contextmanager
def _importing_from(base: str) -> Iterator[None]:
    """Put a folder first on the path, and its modules in place of those of other folders with their names."""
    own = _local.setdefault(base, {})
    hidden = {
        name: module
        for folder, modules in _local.items()
        if folder != base
        for name, module in modules.items()
        if sys.modules.get(name) is module and _is_in(base, name.partition(".")[0])
    }
    for name in hidden:
        del sys.modules[name]
    sys.modules.update(own)
    before = dict(sys.modules)
    sys.path.insert(0, base)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(base)
        for name, module in list(sys.modules.items()):
            if before.get(name) is not module and _belongs(name, module, base):
                own[name] = module
        sys.modules.update(hidden)


def _is_in(base: str, top: str) -> bool:
    place = os.path.join(base, top)
    return os.path.isfile(place + ".py") or os.path.isdir(place)


def _belongs(name: str, module: ModuleType, base: str) -> bool:
    """Whether a module was imported from a folder itself, not from something installed below it."""
    if not isinstance(module, ModuleType):
        return False
    place = os.path.join(base, *name.split("."))
    file = vars(module).get("__file__")
    if isinstance(file, str):
        return os.path.realpath(file) in (f"{place}.py", os.path.join(place, "__init__.py"))
    return place in [os.path.realpath(p) for p in vars(module).get("__path__", ())]
