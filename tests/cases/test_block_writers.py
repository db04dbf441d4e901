"""Elements that each block writes again, by an index that counts in a block."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.cases.block_writers import find_shared_element
from harness.cases.trail import Trail
from harness.simt.events import AccessEvent


class Lanes:
    """Lanes of several blocks of two threads."""

    def __init__(self, blocks: list[int], threads: list[int]) -> None:
        self.n = len(blocks)
        self._values = {"ctaid.x": np.array(blocks), "tid.x": np.array(threads)}

    def get(self, name: str) -> np.ndarray:
        return self._values.get(name, np.zeros(1, np.int64))


def trail_of(blocks: list[int], threads: list[int], elements: list[int]) -> Trail:
    """The record of one store of floats to `output`."""
    event: Any = object.__new__(AccessEvent)
    facts = {
        "kind": "store",
        "allocation": type("Allocation", (), {"name": "output"}),
        "size": 4,
        "offsets": 4 * np.array(elements),
        "lanes": Lanes(blocks, threads),
    }
    for name, value in facts.items():
        object.__setattr__(event, name, value)
    trail = Trail()
    trail.events.append((event, np.zeros(len(elements), np.float32), 0))
    return trail


@pytest.mark.parametrize(
    ("elements", "shared"),
    [
        ([0, 1, 0, 1, 0, 1], (0, 3)),  # `output[thread_idx.x]`
        ([1, 0, 1, 0, 1, 0], (0, 3)),
        ([0, 1, 2, 3, 4, 5], None),  # the global index
        ([0, 1, 1, 2, 2, 3], None),  # some overlap, but the index counts on
        ([0, 0, 0, 0, 0, 0], None),  # not a thread for each element
    ],
)
def test_an_index_that_counts_in_a_block_is_found(elements, shared):
    trail = trail_of([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1], elements)

    assert find_shared_element(trail, "output") == shared
    assert find_shared_element(trail, "other") is None
