"""What is proved, and why not; what an attack or a second opinion says beside it is hardly read here."""

from __future__ import annotations

from support.brief_checks import brief_checks as brief_checks
