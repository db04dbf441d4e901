"""A recording as plain data, which can go to another process."""

from __future__ import annotations

from typing import Any

from harness.simt.observing.recording import Recorder

__all__ = ["facts"]


def facts(recorder: Recorder) -> dict[str, Any]:
    """What a launch did.

    Args:
        recorder: It observed the launch, which ended or was ended.

    Returns:
        The launch's shape; the tables that everything else refers to by number: `lines` (file and line), `buffers`,
        `variables`, `texts` and `sets`; and the steps, as `docs/pictures.md` has them.
    """
    engine = recorder.engine
    return {
        "grid": list(engine.grid),
        "block": list(engine.block),
        "cluster": list(engine.cluster),
        "warp": engine.target.warp,
        "blocks": recorder.blocks,
        "lines": [list(line) for line in recorder.lines],
        "buffers": [recorder.cells.described(buffer) for buffer in recorder.cells.buffers.values()],
        "variables": [{"name": name, "line": line} for name, _, line in recorder.variables],
        "texts": recorder.texts,
        "sets": recorder.sets,
        "parts": recorder.parts,
        "steps": recorder.steps,
        "kept": recorder.kept,
    }
