"""Extend a finding of unwritten elements if all blocks write the same ones: the index ignores the block's number."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np

from harness.cases.check import index
from harness.cases.trail import Trail
from harness.model.case import Instance
from harness.simt.events import AccessEvent
from harness.simt.findings import Finding

__all__ = ["add_block_writers", "find_shared_element"]


def add_block_writers(finding: Finding, instance: Instance, trail: Trail) -> Finding:
    """Return the finding with the values `unwritten` ("blocks"), `twice` and `writers` if all blocks write the same.

    `twice` is the first element that several blocks write, such as `[1]`; `writers` is the number of these blocks.
    Otherwise the finding is returned unchanged (see `find_shared_element`).

    Args:
        finding: Of elements of a result that nobody writes.
        instance: The case at the width of its warps; it has the result's shape.
        trail: The record of the launch.
    """
    name = finding.argument or ""
    result = next((tensor for tensor in instance.results if tensor.name == name), None)
    shared = find_shared_element(trail, name)
    if result is None or shared is None or shared[0] >= result.elements:
        return finding
    values = {"unwritten": "blocks", "twice": index(shared[0], result.indexed_shape), "writers": shared[1]}
    return replace(finding, values=finding.values | values)


def find_shared_element(trail: Trail, name: str) -> tuple[int, int] | None:
    """Return the flat index of the first element of a result that several blocks write, and how many do.

    It is None unless all of this holds: threads with the same number in their blocks write the same elements, if they
    write any; some element is written by two or more blocks; threads with different numbers do not all write the same
    elements. Atomics are writes too.

    Args:
        trail: The record of a launch.
        name: The name of the result.
    """
    by_thread: dict[tuple[int, ...], dict[tuple[int, ...], set[int]]] = defaultdict(lambda: defaultdict(set))
    blocks_of: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for event, values, _ in trail.events:
        if not isinstance(event, AccessEvent) or event.kind == "load" or event.allocation.name != name:
            continue
        size = event.size // (values.shape[1] if values.ndim > 1 else 1)
        count = event.lanes.n
        elements = np.broadcast_to(event.offsets, (count,)) // size
        axes = [
            np.broadcast_to(event.lanes.get(f"{kind}.{axis}"), (count,)) for kind in ("ctaid", "tid") for axis in "xyz"
        ]
        for element, *place in zip(elements.tolist(), *(axis.tolist() for axis in axes), strict=True):
            block, thread = tuple(place[:3]), tuple(place[3:])
            by_thread[thread][block].add(element)
            blocks_of[element].add(block)
    agree = all(len({frozenset(written) for written in blocks.values()}) == 1 for blocks in by_thread.values())
    several = [(element, len(blocks)) for element, blocks in sorted(blocks_of.items()) if len(blocks) > 1]
    own = {frozenset().union(*blocks.values()) for blocks in by_thread.values()}
    return several[0] if agree and several and len(own) > 1 else None
