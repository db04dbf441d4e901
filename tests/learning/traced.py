"""Cases with their traces, and what the simulator's memory held at each step."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.build.device_code import Code
from harness.cases import pipeline
from harness.catalogue import find_case
from harness.learning import trace
from harness.learning.trace import Trace
from harness.model.sources import Sources
from harness.model.target import Target
from harness.simt.observing.recording import Recorder
from tests import compiled
from tests.generate.added import ADDED, NEW, solution_of
from tests.learners import LEARNERS, codes, solution, write

CASES = ("p15", "p26:pair-swap", "p26:parallel-max", "p26:conditional-max", "p34:reduction")
# By name: the case, and which of the learners' files.
SPOILT = {
    "p15": ("p15", "no first barrier"),
    "p34": ("p34:reduction", "no last barrier in p34"),
    "deadlock": ("p34:reduction", "a barrier of some"),
    "mismatch": ("p15", "half of the tree"),
    "bound": ("p15", "writes_outside"),
}
# Those that `tests` compare with what is stored for figures.
DRAWN = ("p01", "p06", "p12", "p16:single-block")
LAUNCHED_TWICE = "p14:complete"
_SHOWN = ADDED["p97"]  # whose lesson has a figure
TARGETS = tuple(map(Target.parse, ("nvidia:sm_90", "amd:gfx942", "apple:apple-m4")))
Snapshot = dict[tuple[str, int, int], str]


class Watched(Recorder):
    """A recorder that also looks at all of memory when a step ends."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.snapshots: list[Snapshot] = []
        self._seen = -1
        WATCHED.append(self)

    def _record_pending(self) -> None:
        super()._record_pending()
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
    id, learner = SPOILT[name]
    file = folder / f"{name}.mojo"
    put(id, learner, file)
    return file


def put(id: str, learner: str, file: Path) -> None:
    """Writes one of the learners' files of a case, both of whose builds are known then."""
    text = write(learner, file)
    compiled.put(_debugged()[id, text, TARGETS[0]], find_case(id), file, TARGETS[0], debug=True)


def made(id: str, file: Path | None = None, target: str = "nvidia") -> tuple[Trace, Watched]:
    """The trace of a case, and who recorded it."""
    if file is None and id in CASES:
        known(id, Target.parse(target))
    before = trace.Recorder
    trace.Recorder = Watched
    try:
        sources = Sources(overrides={find_case(id).puzzle: file}) if file else Sources()
        (result,), _ = trace.record_case(find_case(id), plan=pipeline.plan(target, "simulator"), sources=sources)
    finally:
        trace.Recorder = before
    return result, WATCHED.pop()


def known_of_added() -> None:
    """Lets a copy with the puzzles of `ADDED` find what it would compile of them."""
    found = {puzzle: codes(f"{puzzle} solved", entry) for puzzle, entry in ADDED.items()}
    debugged = _debugged()["added", "", TARGETS[0]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.model.sources.ROOT", NEW)  # below it the files have the names that they have in the copy
        for puzzle, entry in ADDED.items():
            compiled.put(found[puzzle], entry, solution_of(puzzle), TARGETS[0])
        compiled.put(debugged, _SHOWN, solution_of(_SHOWN.puzzle), TARGETS[0], debug=True)


def known(id: str, target: Target) -> None:
    """Lets the harness find both builds of a solution of `CASES`, or for NVIDIA of another, as if it had made them."""
    compiled.solutions()
    entry = find_case(id)
    code = _debugged()[id, solution(entry.puzzle), target]
    compiled.put(code, entry, Sources().kernel_file(entry), target, debug=True)


@cache
def _debugged() -> dict[tuple[str, str, Target], list[Code]]:
    """The debug builds of the solutions for all targets and of what is spoilt, from one compilation: alone each takes
    nearly as long.
    """
    places = [(id, target) for target in TARGETS for id in CASES if find_case(id).refusal(target) is None]
    places += [(id, TARGETS[0]) for id in (*DRAWN, LAUNCHED_TWICE)]
    wanted = [(id, solution(find_case(id).puzzle), target) for id, target in places]
    wanted += [(id, LEARNERS[learner][1], TARGETS[0]) for id, learner in SPOILT.values()]
    parts = {part: (find_case(part[0]), *part[1:]) for part in wanted}
    parts["added", "", TARGETS[0]] = (_SHOWN, solution_of(_SHOWN.puzzle).read_text(encoding="utf-8"), TARGETS[0])
    made = iter(compiled.codes(list(parts.values()), debug=True))
    return {part: [next(made) for _ in entry.kernel_steps] for part, (entry, *_) in parts.items()}


traced = cache(made)


def shown(data: Mapping[str, Any], cells: Mapping[int, Mapping[int, int]]) -> Snapshot:
    """What a replay holds, as `Watched` has it."""
    held = {}
    for number, buffer in enumerate(data["buffers"]):
        for place, text in cells[number].items():
            owner, cell = divmod(place, buffer["cells"])
            held[buffer["name"], owner, cell] = data["texts"][text]
    return held
