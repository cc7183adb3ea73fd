"""From a file to its module: the very module that an import by name gives, where there is one.

A file is imported under its own name, its folder (for a package, the folder above it) first on the path, so
that it can import its neighbours. Two folders may hold files of one name: each file sees its own neighbours,
and what is installed is not hidden by them afterwards.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import os
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from alignkit.errors import TargetError

CATALOGUE = ("alignkit.mechanisms", "alignkit.proofs")

# While a file is imported, the path and the table of modules are other ones; a worker may have several threads.
_one_at_a_time = threading.RLock()

# What was imported from each folder, by name.
_local: dict[str, dict[str, ModuleType]] = {}


def module_of(file: str | os.PathLike[str]) -> ModuleType:
    """The module of a Python file, imported unless it is already; what the import raises is passed on."""
    with _one_at_a_time:
        return _module_of(os.path.realpath(file))


def _module_of(path: str) -> ModuleType:
    module = loaded(path)
    if module is not None:
        return module
    for package in CATALOGUE:
        if os.path.dirname(path) in _folders(package):
            stem = Path(path).stem
            return importlib.import_module(package if stem == "__init__" else f"{package}.{stem}")
    name, base = _import_name(path)
    if _takes_names(name.partition(".")[0]) and all(part.isidentifier() for part in name.split(".")):
        module = _by_name(name, base, path)
    return _by_path(path, base) if module is None else module


def origin_of(name: str) -> str | None:
    """The file that Python would import by a name; None where there is no module of that name, or none with a file."""
    try:
        spec = importlib.util.find_spec(name)
    except (ModuleNotFoundError, ValueError) as problem:
        missing = getattr(problem, "name", None) or name
        if name == missing or name.startswith(f"{missing}."):
            return None
        raise
    return None if spec is None else spec.origin


def same_file(one: str, other: str) -> bool:
    """Whether two paths lead to one file."""
    return one == other or os.path.realpath(one) == os.path.realpath(other)


def loaded(file: str) -> ModuleType | None:
    """The module of a file, where it has been imported."""
    path = os.path.realpath(file)
    name = os.path.basename(path)
    local = [module for modules in _local.values() for module in modules.values()]
    for module in [*sys.modules.values(), *local]:
        imported_from = _file(module)
        # Only likely paths are resolved: to resolve a thousand of them takes long.
        if imported_from is None or (os.path.basename(imported_from) != name and not os.path.islink(imported_from)):
            continue
        if os.path.realpath(imported_from) == path:
            return module
    return None


def _file(module: object) -> str | None:
    file = vars(module).get("__file__") if isinstance(module, ModuleType) else None
    return file if isinstance(file, str) else None


def _folders(package: str) -> list[str]:
    spec = importlib.util.find_spec(package)
    return [os.path.realpath(p) for p in (spec and spec.submodule_search_locations) or ()]


def _import_name(path: str) -> tuple[str, str]:
    """The name under which a file is imported, and the folder that must be on the path for it."""
    base, parts = os.path.dirname(path), [Path(path).stem]
    while os.path.isfile(os.path.join(base, "__init__.py")) and os.path.dirname(base) != base:
        parts.insert(0, os.path.basename(base))
        base = os.path.dirname(base)
    if len(parts) > 1 and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts), base


def _takes_names(top: str) -> bool:
    """Whether a user's module may be entered under a name, if only during an import."""
    return top not in sys.stdlib_module_names and top != "alignkit"


def _by_name(name: str, base: str, path: str) -> ModuleType | None:
    with _importing_from(base):
        origin = origin_of(name)
        return importlib.import_module(name) if origin is not None and os.path.realpath(origin) == path else None


def has_importable_name(module: str, file: str) -> bool:
    """Whether the module of a file was imported under a name by which other files can import it."""
    return module != _name_of_its_own(os.path.realpath(file))


def _name_of_its_own(path: str) -> str:
    stem = re.sub(r"\W", "_", Path(path).stem)
    return f"{stem}_{hashlib.sha256(path.encode()).hexdigest()[:8]}"


def _by_path(path: str, base: str) -> ModuleType:
    """Import a file whose name cannot be imported, or is the standard library's, under a name of its own."""
    name = _name_of_its_own(path)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise TargetError(f"{path} is not a Python file")
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
    """Put a folder first on the path, and its modules in the place of others that have their names."""
    own = _local.setdefault(base, {})
    hidden = _hidden_by(base)
    for name in hidden:
        del sys.modules[name]
    for name, module in own.items():
        sys.modules.setdefault(name, module)
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
        for name in own:
            if _installed_elsewhere(name.partition(".")[0], base):
                sys.modules.pop(name, None)
            else:
                _add_names(name, base)
        sys.modules.update(hidden)


def _hidden_by(base: str) -> dict[str, ModuleType]:
    """The modules whose names stand for others in a folder.

    Only those whose names are there are looked at: to resolve a thousand paths takes long.
    """
    tops = {name.partition(".")[0] for name in list(sys.modules)}
    files = {top for top in tops if _takes_names(top) and os.path.isfile(os.path.join(base, f"{top}.py"))}
    folders = {top for top in tops if _takes_names(top) and os.path.isdir(os.path.join(base, top))}
    likely = [(n, m) for n, m in list(sys.modules.items()) if n.partition(".")[0] in files | folders]
    return {
        name: module
        for name, module in likely
        if not _belongs(name, module, base)
        and (name.partition(".")[0] in files or _is_from_another(name, module, base))
    }


def _is_from_another(name: str, module: ModuleType, base: str) -> bool:
    """Whether a module was imported from a folder that is not on the path for others, and is not this one."""
    return any(modules.get(name) is module for folder, modules in _local.items() if folder != base)


def _belongs(name: str, module: ModuleType, base: str) -> bool:
    """Whether a module was imported from a folder itself, not from something installed below it."""
    place = os.path.join(base, *name.split("."))
    file = _file(module)
    if file is not None:
        return os.path.realpath(file) in (f"{place}.py", os.path.join(place, "__init__.py"))
    return isinstance(module, ModuleType) and place in map(os.path.realpath, vars(module).get("__path__", ()))


def _installed_elsewhere(top: str, base: str) -> bool:
    """Whether a name leads to another module once the folder is off the path again."""
    for finder in sys.meta_path:
        with contextlib.suppress(Exception):
            spec = finder.find_spec(top, None)
            if spec is not None and spec.origin is not None:
                return os.path.dirname(os.path.realpath(spec.origin)) not in (base, os.path.join(base, top))
    return False


def _add_names(name: str, base: str) -> None:
    """Enter a module under each name by which sys.path leads to it, so that there is no second one."""
    entries = {os.path.realpath(entry or os.curdir) for entry in sys.path}
    module, folder, longer = sys.modules.get(name), base, name
    while module is not None and os.path.dirname(folder) != folder:
        longer, folder = f"{os.path.basename(folder)}.{longer}", os.path.dirname(folder)
        if folder in entries:
            sys.modules.setdefault(longer, module)
