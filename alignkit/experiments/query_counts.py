"""The item counts that an experiment asks for: from a file, or of generated transactions."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

from alignkit.data import ItemCounts, QuestParameters, quest_counts, read_counts

GENERATED = QuestParameters().name
"""The name of the data that is generated: T40I10D100K."""

_SUFFIXES = (".gz", ".dat", ".csv", ".txt")


def experiment_data(name: str, *, seed: int = 0) -> ItemCounts:
    """The item counts that ``name`` stands for: T40I10D100K is generated, anything else is a file.

    A file is a FIMI file or an `item,count` table, and is also looked for in the folder that the environment variable
    ALIGNKIT_DATA names. Items that occur in no transaction are left out, as they are in a file. Raises DataError where
    the file cannot be read.
    """
    if name == GENERATED:
        return _occurring(quest_counts(seed=seed))
    folder = os.environ.get("ALIGNKIT_DATA")
    if folder and not os.path.lexists(name) and os.path.lexists(os.path.join(folder, name)):
        name = os.path.join(folder, name)
    return _occurring(read_counts(name))


def _occurring(counts: ItemCounts) -> ItemCounts:
    kept = [(item, count) for item, count in zip(counts.items, counts.counts, strict=True) if count]
    return replace(counts, items=tuple(item for item, _ in kept), counts=tuple(count for _, count in kept))


def data_label(counts: ItemCounts) -> str:
    """A short name of the data, for figures and files.

    >>> data_label(ItemCounts(("1",), (3,), 3, "data/kosarak.dat.gz"))
    'kosarak'
    """
    if counts.source.startswith("generated "):
        return GENERATED
    name = Path(counts.source).name
    while Path(name).suffix in _SUFFIXES:
        name = Path(name).stem
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name) or "data"


def counts_digest(counts: ItemCounts) -> str:
    """A digest of the counts, in their order.

    >>> len(counts_digest(ItemCounts(("1",), (3,), 3, "data.csv")))
    32
    """
    text = ",".join(map(str, counts.counts))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
