"""Draws whose scale varies: it mentions more than public parameters and the iteration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from alignkit.language.program import Place


@dataclass(frozen=True)
class VaryingScale:
    """The parameters of one draw on D that vary; of a vector, those at the index with the key ``index``."""

    name: str
    parameters: tuple[Any, ...]
    place: Place
    index: str = ""
