"""What the page of limitations says is installed: the packages that alignkit needs, and what these need."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support.pages import section


def needed(package: str, known: set[str]) -> set[str]:
    """A package's name, with the names of all that it needs without extras."""
    name = canonicalize_name(package)
    if name in known:
        return known
    known.add(name)
    try:
        requirements = [Requirement(text) for text in requires(name) or ()]
    except PackageNotFoundError:
        return known
    for requirement in requirements:
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            needed(requirement.name, known)
    return known


def test_the_page_lists_every_package_that_is_installed() -> None:
    rows = re.findall(r"^\| (`[^|]*`) \|", section("limitations.md", "## What is installed"), re.MULTILINE)
    listed = {canonicalize_name(name) for row in rows for name in re.findall(r"`([^`]+)`", row)}
    assert listed == needed("alignkit", set()) - {"alignkit"}
