"""What a reason for a wrong element is called: an id of the harness's messages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["name_reason"]

MOST_TIMES = 1024  # threads of a block, which may all add one element; what seems to count more often goes elsewhere


def name_reason(missing: bool, foreign: bool, again: bool, weights: Sequence[float]) -> str:
    """Return the id of the message about a wrong element.

    Args:
        missing: Whether it leaves out an input that it needs.
        foreign: Whether it takes in one that is no part of it.
        again: Whether an element of the missing one's array counts twice or more.
        weights: How many times as much as they should those count that are neither.
    """
    if missing:
        return f"check.reason.{'other' if foreign else 'again' if again else 'missing'}"
    if foreign:
        return "check.reason.foreign"
    if not weights:
        return "check.reason.combined"
    whole = 1 < weights[0] <= MOST_TIMES and np.isclose(weights[0], round(weights[0]))
    return f"check.reason.{'times' if whole else 'sign' if np.isclose(weights[0], -1) else 'weight'}"
