"""Opening the user's cache, before anything of the checker is loaded."""

from __future__ import annotations

from dataclasses import dataclass

from alignkit.caching.folders import PrivateFolder, user_folder
from alignkit.caching.origins import Origin, origin


@dataclass(frozen=True)
class OpenedCache:
    """The folder of the cache, and by what verdicts are reached in this run."""

    folder: PrivateFolder
    origin: Origin


def open_cache() -> OpenedCache | None:
    """Open the user's cache; None where the user wants none.

    Raises UnusableFolderError where the folder cannot be used.
    """
    folder = user_folder()
    return None if folder is None else OpenedCache(folder, origin())
