"""What is found and proved; what a second opinion says beside the checks of a search is read by no test here."""

from __future__ import annotations

from support.brief_checks import brief_checks as brief_checks
