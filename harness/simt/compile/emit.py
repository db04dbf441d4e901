"""Every emitter: the modules here declare theirs when imported."""

from harness.simt.compile import (
    emit_aggregate,
    emit_call,
    emit_compute,
    emit_frames,
    emit_memory,
    emit_variable,
)
from harness.simt.compile.emitters import EMITTERS

__all__ = [
    "EMITTERS",
    "emit_aggregate",
    "emit_call",
    "emit_compute",
    "emit_frames",
    "emit_memory",
    "emit_variable",
]
