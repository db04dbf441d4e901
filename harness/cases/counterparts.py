"""Search, by halving, for the input that a wrong kernel uses instead of a missing one, or omits for a foreign one."""

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
    """Return the element that a kernel uses in place of a missing one, or leaves out for a foreign one; at most one.

    An element is missing if it affects the result in the oracle alone, foreign if in the kernel alone. Only the first
    missing or foreign one of `differing` counts. The returned element is of the same input and not in `differing`.
    Its effect in the kernel (if one is missing) or in the oracle (if one is foreign) differs from that in the other.
    The list is empty if there is none, `differing` has such an element already, or `effect` returns None on the way.

    Args:
        differing: Elements of some of the inputs whose effects in kernel and oracle differ, with both effects.
        elements: The elements of all inputs.
        effect: Returns how a result changes with a group of elements, in kernel and oracle; None if that is unknown.
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
