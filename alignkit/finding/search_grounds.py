"""What a search starts from: paired runs at several values of the public parameters, and the shapes to try."""

from __future__ import annotations

import random
from dataclasses import dataclass

from alignkit.finding.candidates import candidate_shapes
from alignkit.finding.samples import Samples, sampled
from alignkit.finding.shapes import Shape
from alignkit.limits import Deadline
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_decorator import Mechanism


@dataclass(frozen=True)
class SearchGrounds:
    """Paired runs of a mechanism, and shapes, the plain ones first."""

    samples: Samples
    shapes: tuple[Shape, ...]


def pose(mechanism: Mechanism, adjacency: Adjacency, seed: int, deadline: Deadline) -> SearchGrounds:
    """Run a mechanism at several settings. The same seed gives the same runs. Raises OutOfTime at the deadline."""
    source = random.Random(seed)
    samples = sampled(mechanism, adjacency, deadline, source)
    pairs = [pair for _, pair in samples.pairs]
    return SearchGrounds(samples, tuple(candidate_shapes(mechanism, adjacency, pairs, source)) if pairs else ())
