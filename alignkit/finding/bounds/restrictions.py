"""What an alignment of a shape may not do in a program, in words: a bound holds for alignments that keep to it."""

from __future__ import annotations

from alignkit.finding.shapes import LOSER, Case, Layout, Shape, Site
from alignkit.finding.source_text import tags_in_scope, where_in_words
from alignkit.running.adjacency import Adjacency


def restrictions_of(shape: Shape) -> str:
    """Which draws of a mechanism keep still, or move by a given shift, in every alignment of the shape.

    A search guesses from runs which outputs may come again and again, and which draws are those of losers. The
    restriction is therefore part of what is said, and no fact about the mechanism.
    """
    several = len({kind.sensitivity for kind in shape.mechanism.private.values()}) > 1
    name = "largest sensitivity" if several else "sensitivity"
    said = [
        f"moves {key} by {'minus ' if share < 0 else ''}the {name} from the start"
        for key, share in sorted(shape.given.items())
    ]
    tag_names = {tag.name: name for name, tag in tags_in_scope(shape.mechanism).items()}
    by_case: dict[Case, list[str]] = {}
    for key, case in sorted(shape.still):
        by_case.setdefault(case, []).append(key)
    if shape.layout is not Layout.NO_POSITION:
        by_case[LOSER,] = sorted(key for key, site in shape.sites.items() if site is Site.VECTOR)
    few = shape.adjacency in (Adjacency.ONE, Adjacency.L1)
    where: dict[str, list[str]] = {}
    for case, keys in sorted(by_case.items()):
        words = f"keeps {_listed(keys)} still"
        if few and case != (LOSER,):
            words = f"moves {_listed(keys)} by the change of the answer alone"
        if keys:
            where.setdefault(words, []).append(where_in_words(case, tag_names))
    said += [f"{words} {' or '.join(places)}" for words, places in where.items()]
    return _listed(said)


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
