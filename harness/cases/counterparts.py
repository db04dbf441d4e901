"""Find what an element takes in the place of an input that it leaves out, and the other way round."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

__all__ = ["Differing", "Element", "find_counterpart"]

Element = tuple[str, int]
"""An element of an input: its name and the place of it, counted flat."""
Differing = tuple[Element, float, float]
"""An element of an input, and by how much a result follows it in the kernel and in the oracle."""


def find_counterpart(
    differing: Sequence[Differing],
    elements: Sequence[Element],
    effect: Callable[[list[Element]], tuple[float, float] | None],
) -> list[Differing]:
    """Return, in a list of at most one, the element that a kernel takes instead of a missing one, or leaves out for a
    foreign one.

    Only the first of `differing` counts that has no effect in the kernel (missing) or in the oracle (foreign). The
    counterpart is another element of the same input that has an effect there, and another one than in the other of the
    two. The list is empty if none is missing or foreign, `differing` has such an element already, or `effect` returns
    None on the way.

    Args:
        differing: Elements of some of the inputs whose effects in kernel and oracle differ.
        elements: The elements of all inputs.
        effect: Returns how a result follows a group of elements in kernel and oracle; None if that is unknown.
    """
    missing = next((not kernel for _, kernel, oracle in differing if not (kernel and oracle)), None)
    if missing is None:
        return []
    side = 0 if missing else 1
    name = next(element[0] for element, *effects in differing if not effects[side])
    if any(element[0] == name and effects[side] for element, *effects in differing):
        return []
    excluded = {element for element, *_ in differing}
    groups = [[element for element in elements if element[0] == name and element not in excluded]]
    while groups:
        group = groups.pop()
        effects = effect(group) if group else (0.0, 0.0)
        if effects is None:
            return []
        if not effects[side] or np.isclose(*effects, rtol=1e-3, atol=1e-4):
            continue
        if len(group) == 1:
            return [(group[0], *effects)]
        half = len(group) // 2
        groups += [group[half:], group[:half]]
    return []
