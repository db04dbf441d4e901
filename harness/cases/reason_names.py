"""Choose the id of the message about a wrong element (see `reasons`), and format an access on the way to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.cases.check import index
from harness.cases.trail import Touch
from harness.model.case import Instance
from harness.simt.excerpt import shared_name

__all__ = ["describe_touch", "name_reason"]

MOST_TIMES = 1024  # threads of a block, which may all add one element; what seems to count more often goes elsewhere


def name_reason(missing: bool, foreign: bool, again: bool, weights: Sequence[float]) -> str:
    """Return the id of the message about a wrong element: `check.reason.` and a word.

    Missing gives `other` (with a foreign one), `again` or `missing`; foreign alone gives `foreign`. Otherwise it is
    `combined` without weights, `times` if all are whole numbers from 2 to 1024, `sign` if the first is -1, or `weight`.

    Args:
        missing: Whether it leaves out an input that it needs.
        foreign: Whether it takes in one that is no part of it.
        again: Whether an element of the missing one's array counts twice or more.
        weights: For inputs that both kernel and oracle use, how many times as much as it should each one counts.
    """
    if missing:
        return f"check.reason.{'other' if foreign else 'again' if again else 'missing'}"
    if foreign:
        return "check.reason.foreign"
    if not weights:
        return "check.reason.combined"
    integral = all(1 < weight <= MOST_TIMES and np.isclose(weight, round(weight)) for weight in weights)
    return f"check.reason.{'times' if integral else 'sign' if np.isclose(weights[0], -1) else 'weight'}"


def describe_touch(touch: Touch, instance: Instance, lines: Sequence[str]) -> dict[str, object]:
    """Return the parameters of a message's line about an access: `line`, `who`, `act`, `what` and `value`.

    `act` is the access's kind, such as `store`. `what` is `NAME[INDEX] = `, with a shared array's name in the source,
    and empty for an exchange.

    Args:
        touch: The access.
        instance: The instance of the case; its tensors have shapes.
        lines: The lines of the kernel's file, which name shared arrays.
    """
    tensor = next((tensor for tensor in instance.tensors if tensor.name == touch.name), None)
    at = index(touch.flat, tensor.indexed_shape) if tensor and touch.flat < tensor.elements else f"[{touch.flat}]"
    number = touch.name.removeprefix("shared array ")
    variable = shared_name(lines, touch.place.line, int(number)) if number.isdigit() else None
    what = f"{variable or touch.name}{at} = " if touch.name else ""
    return {"line": touch.place.line, "who": touch.who, "act": touch.kind, "what": what, "value": touch.value}
