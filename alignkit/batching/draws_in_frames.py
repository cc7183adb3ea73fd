"""Draws of noise at every place of a frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from alignkit.batching.arithmetic_on_columns import compared
from alignkit.batching.batch_values import Items, varies
from alignkit.batching.columns import NumberColumn
from alignkit.batching.comparisons import compare_values
from alignkit.batching.frames import ITERATION, Frame
from alignkit.batching.sequences import sequence
from alignkit.batching.unsupported import Unbatched
from alignkit.batching.walks import Walk
from alignkit.interpreting.values import NOISE
from alignkit.language import program
from alignkit.noise import CHOICE
from alignkit.noise.distribution_parameters import checked_parameter, checked_weights


def draw_arguments(walker: Walk, node: program.Draw, frame: Frame) -> tuple[Any, ...]:
    """The arguments of a draw, checked."""
    if frame.get(node.source) is not NOISE:
        raise node.place.error(f"`{node.source}` is not the noise", "draw from the noise parameter")
    values = tuple(walker.value(a, frame) for a in node.arguments)
    if node.distribution is CHOICE:
        weights = sequence(values[0], frame, node.place)
        _check_weights(walker, node, weights, frame)
        return (weights,)
    values = node.distribution.bind(*values)
    for value, parameter in zip(values, node.distribution.parameters, strict=True):
        if isinstance(value, NumberColumn):
            low = compared("<=", value, 0)
            if low.any():
                raise walker.undefined(f"the {parameter.name} of {node.name} must be above 0", node.place, frame, low)
        elif varies(value):
            raise Unbatched("a parameter of varying kind")
        else:
            checked_parameter(value, parameter, node.distribution.name)
    return values


def _check_weights(walker: Walk, node: program.Draw, weights: tuple[Any, ...], frame: Frame) -> None:
    if not any(map(varies, weights)):
        checked_weights(weights)
        return
    positive: Any = False
    for i, weight in enumerate(weights):
        low = compare_values("<", weight, 0, frame, node.place)
        if np.any(low):
            raise walker.undefined(f"weight {i} of {node.name} is below 0", node.place, frame, np.asarray(low))
        positive = positive | compare_values(">", weight, 0, frame, node.place)
    if not np.all(positive):
        raise walker.undefined(f"no weight of {node.name} is above 0", node.place, frame, ~np.asarray(positive))


def drawn(walker: Walk, node: program.Draw, arguments: tuple[Any, ...], frame: Frame) -> NumberColumn:
    """The noise of a draw at every place of the frame."""
    key, iteration, runs = "", (), frame.runs
    if walker.noise.records:
        key, iteration = walker.keys[walker.path, node.site], frame.get(ITERATION)
        iteration = iteration.values if isinstance(iteration, Items) else iteration
    return walker.noise.draw(key, iteration, runs, node.distribution, arguments, frame.shape)
