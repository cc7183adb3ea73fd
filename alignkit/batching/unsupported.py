"""What ends a batch."""

from __future__ import annotations


class Unbatched(Exception):
    """Raised where a program cannot be run on arrays; its runs are then made one by one."""
