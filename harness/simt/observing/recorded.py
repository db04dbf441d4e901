"""Turn a finished `Recorder` into JSON data: the launch's shape, lines, buffers, lane sets, texts, packed steps."""

from __future__ import annotations

from typing import Any

from harness.simt.observing.recording import Recorder

__all__ = ["recording_to_dict"]


def recording_to_dict(recorder: Recorder) -> dict[str, Any]:
    """Return a recording as JSON.

    Args:
        recorder: It observed the launch, which has ended.

    Returns:
        The launch's `grid`, `block`, `cluster` and `warp`; the numbers of the recorded `blocks`, None for all; the
        tables that everything else refers to by number: `lines` (file and line), `buffers`, `variables`, `texts` and
        `sets`; the steps, in `parts`, as described in `docs/pictures.md`; and how many there were (`steps`) and are
        recorded (`kept`).
    """
    engine = recorder.engine
    return {
        "grid": list(engine.grid),
        "block": list(engine.block),
        "cluster": list(engine.cluster),
        "warp": engine.target.warp,
        "blocks": recorder.blocks,
        "lines": [list(line) for line in recorder.lines],
        "buffers": [recorder.cells.as_dict(buffer) for buffer in recorder.cells.buffers.values()],
        "variables": [{"name": name, "line": line} for name, _, line in recorder.variables],
        "texts": recorder.texts,
        "sets": recorder.sets,
        "parts": recorder.parts,
        "steps": recorder.steps,
        "kept": recorder.kept,
    }
