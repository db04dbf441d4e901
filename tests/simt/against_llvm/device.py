"""Rows in the simulator: one kernel for all that have the same operands, one lane for each of those."""

from __future__ import annotations

import numpy as np

from harness import simt
from tests.simt.against_llvm.row import PLACES, loads
from tests.simt.snippets import kernel

__all__ = ["simulated"]

BLOCK = 32


class _Poisoned(simt.Observer):
    """Which lanes stored an undefined value, by the result's name."""

    def __init__(self, names, lanes):
        self.lanes = {name: np.zeros(lanes, bool) for name in names}

    def tainted(self, event):
        """See `Observer`."""
        assert event.use == "output", event.site.text
        ids = event.lanes.get("lane_id")
        self.lanes[event.allocation.name][ids] |= np.broadcast_to(event.taint != 0, ids.shape)


def simulated(rows, values, constants, engine="reference", parts=True):
    """What the simulator computes.

    Args:
        rows: All with the same operands.
        values: Of each operand the patterns, all elements in one row.
        constants: By the place of an operand that stands in the code its patterns.
        engine: Of these the compiled one sees no undefined values.
        parts: Whether a result counts as undefined only if all of its bytes are.

    Returns:
        For each row its results as `Shape.unpack` has them, and which lanes' are undefined.
    """
    shapes = rows[0].shapes
    lanes = len(values[0]) // shapes[0].count
    padded = -(-lanes // BLOCK) * BLOCK
    given = []
    for place, shape, column in zip(PLACES, shapes, values, strict=False):
        more = column + column[: shape.count] * (padded - lanes)
        given.append(simt.Buffer(shape.pack(more), f"p{place}"))
    sizes = [row.shape.pack([0] * row.shape.count).nbytes for row in rows]
    outputs = [np.zeros(padded * size, np.uint8) for size in sizes]
    kinds = [f"u{1 if parts else min(size, 8)}" for size in sizes]
    arrays = zip(outputs, kinds, strict=True)
    buffers = [simt.Buffer(output.view(kind), f"o.{number}") for number, (output, kind) in enumerate(arrays)]
    params = ", ".join(f"ptr %{buffer.name}" for buffer in (*given, *buffers))
    body = loads(shapes, "%i", constants) + "".join(row.lines(number, "%i") for number, row in enumerate(rows))
    watch = _Poisoned([buffer.name for buffer in buffers], padded)
    launched = simt.launch(
        kernel(body, params),
        target="nvidia:sm_90",
        grid=padded // BLOCK,
        block=BLOCK,
        args=[*given, *buffers],
        observers=[watch] if engine == "reference" else [],
        options=simt.Options(engine=engine),
    )
    launched.raise_for_fault()
    assert bool(launched.engine.native) == (engine == "native"), launched.engine.why
    assert launched.verdict == "clean", [str(finding) for finding in launched.findings]
    return [
        (row.shape.unpack(output)[: lanes * row.shape.count], watch.lanes[buffer.name][:lanes])
        for row, output, buffer in zip(rows, outputs, buffers, strict=True)
    ]
