"""Cases with their traces, and what the simulator's memory held at each step."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from harness.cases import pipeline
from harness.catalogue import case
from harness.learning import trace
from harness.learning.trace import Trace
from harness.model.sources import ROOT, Sources
from harness.simt.observing.recording import Recorder

CASES = ("p15", "p26:pair-swap", "p26:parallel-max", "p26:conditional-max", "p34:reduction")
# By name: the case, what of its solution is replaced, and by what.
SPOILT = {
    "p15": ("p15", "    barrier()\n\n    var stride", "    var stride"),
    "p34": ("p34:reduction", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
}
SPOILT["deadlock"] = (*SPOILT["p34"][:2], "        if local_i < 128:\n            barrier()\n\n        stride //= 2")
Snapshot = dict[tuple[str, int, int], str]


class Watched(Recorder):
    """A recorder that also looks at all of memory when a step ends."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.snapshots: list[Snapshot] = []
        self._seen = -1
        WATCHED.append(self)

    def _settle(self) -> None:
        super()._settle()
        self.snapshots.append(self._snapshot())

    def _snapshot(self) -> Snapshot:
        """By the buffer's name, the row and the cell, what is printed of it; where something was written."""
        held = {}
        for buffer in self.cells.buffers.values():
            allocation, size = buffer.allocation, buffer.dtype.itemsize
            name = self.cells.names.get(allocation.number, allocation.name)
            rows = allocation.data.reshape(-1, allocation.stride)[:, : buffer.count * size]
            values = np.ascontiguousarray(rows).view(buffer.dtype)
            shadow = allocation.shadow
            for row, line in enumerate(values):
                owner = int(self.engine.geometry.blocks[row]) if allocation.rows == "block" else 0
                for cell, value in enumerate(line):
                    first = row * allocation.stride + cell * size
                    if shadow is None or not shadow[first : first + size].any():
                        held[name, owner, cell] = str(value)
        return held


WATCHED: list[Watched] = []


def spoilt(name: str, folder: Path) -> Path:
    """The solution of a case as a file, spoilt."""
    id, old, new = SPOILT[name]
    text = (ROOT / "mojo" / case(id).puzzle / "solution.mojo").read_text()
    assert old in text
    file = folder / f"{name}.mojo"
    file.write_text(text.replace(old, new))
    return file


def made(id: str, file: Path | None = None, target: str = "nvidia") -> tuple[Trace, Watched]:
    """The trace of a case, and who recorded it."""
    before = trace.Recorder
    trace.Recorder = Watched
    try:
        sources = Sources(overrides={case(id).puzzle: file}) if file else Sources()
        result, _ = trace.of_case(case(id), plan=pipeline.plan(target, "simulator"), sources=sources)
    finally:
        trace.Recorder = before
    return result, WATCHED.pop()


traced = cache(made)


def shown(data: Mapping[str, Any], cells: Mapping[int, Mapping[int, int]]) -> Snapshot:
    """What a replay holds, as `Watched` has it."""
    held = {}
    for number, buffer in enumerate(data["buffers"]):
        for place, text in cells[number].items():
            owner, cell = divmod(place, buffer["cells"])
            held[buffer["name"], owner, cell] = data["texts"][text]
    return held
