"""The folder that keeps finished units, so that interrupted work goes on where it stopped."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from alignkit.errors import InputError
from alignkit.experiments.moments import Moments
from alignkit.experiments.units_of_work import Unit, moments_document, moments_in


@dataclass(frozen=True)
class FinishedUnits:
    """One small file for each unit, named after what it computes and on which data; ``data`` is a digest of these."""

    folder: Path
    data: str

    def find(self, unit: Unit) -> dict[str, Moments] | None:
        """What a unit measured in earlier work; None where it is not there, or its file is damaged."""
        identity = self._identity(unit)
        try:
            document = json.loads(self._path(identity).read_text(encoding="utf-8"))
            return moments_in(document["moments"]) if document["unit"] == identity else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, unit: Unit, moments: dict[str, Moments]) -> None:
        """Write what a unit measured; the file is there as a whole or not at all."""
        identity = self._identity(unit)
        document = {"unit": identity, "moments": moments_document(moments)}
        write_whole(self._path(identity), (json.dumps(document) + "\n").encode())

    def _identity(self, unit: Unit) -> str:
        return f"{self.data} {unit.identity}"

    def _path(self, identity: str) -> Path:
        return self.folder / f"{hashlib.sha256(identity.encode()).hexdigest()[:32]}.json"


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there as a whole or not at all; raise InputError where it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        number, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(content)
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror or problem}") from None
