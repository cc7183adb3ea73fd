"""Random bits: from the operating system for release, from a seed for tests."""

from __future__ import annotations

import hashlib
import os
from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]


class RandomBits(ABC):
    """Independent fair bits, out of random bytes. ``consumed`` counts those that were handed out."""

    def __init__(self) -> None:
        self.consumed = 0

    @abstractmethod
    def bytes(self, count: int) -> bytes:
        """So many independent random bytes."""

    def bits(self, count: int) -> int:
        """A whole number of ``count`` bits: uniform on 0, …, 2^count − 1."""
        self.consumed += count
        spare = -count % 8
        return int.from_bytes(self.bytes((count + spare) // 8), "little") >> spare

    def words(self, count: int, width: int = 64) -> Words:
        """An array of numbers of ``width`` bits each, at most 64."""
        self.consumed += count * width
        words = np.frombuffer(self.bytes(8 * count), dtype="<u8").astype(np.uint64, copy=False)
        return words if width == 64 else words >> np.uint64(64 - width)


class SecureBits(RandomBits):
    """The operating system's randomness (``os.urandom``), which is meant for cryptography.

    >>> SecureBits().bits(10) < 1024
    True
    """

    def bytes(self, count: int) -> bytes:
        return os.urandom(count)


class SeededBits(RandomBits):
    """Bits that a seed determines, for tests: never for release.

    SHAKE-256 of the seed and a counter.

    >>> SeededBits(7).bits(64) == SeededBits(7).bits(64), SeededBits(7).bits(64) == SeededBits(8).bits(64)
    (True, False)
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._seed = str(seed)
        self._reads = 0

    def bytes(self, count: int) -> bytes:
        self._reads += 1
        return hashlib.shake_256(f"{self._seed}/{self._reads}".encode()).digest(count)
