"""Explanations: no test here is about the numbers of an attack."""

from __future__ import annotations

from support.brief_checks import brief_checks as brief_checks
