"""The modules that build the site, which stand in ``docs`` and are no part of alignkit."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs"))
