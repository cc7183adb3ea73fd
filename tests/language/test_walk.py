"""The order in which a program's nodes are met, which every reader of a program relies on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from alignkit.catalogue import mechanisms
from alignkit.language.program import Node, walk


def by_fields(node: Node) -> Iterator[Node]:
    """The node and everything below it, read off its fields anew."""
    yield node
    for name in node.field_names:
        value: Any = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Node):
                yield from by_fields(part)


@pytest.mark.parametrize("mechanism", mechanisms(), ids=lambda mechanism: mechanism.name)
def test_a_walk_meets_every_node_once_in_source_order(mechanism):
    body = mechanism.program.body
    expected = [node for statement in body for node in by_fields(statement)]
    for _ in range(2):  # the second walk takes what the first has kept
        assert list(map(id, walk(*body))) == list(map(id, expected))
    assert len(set(map(id, expected))) == len(expected)
