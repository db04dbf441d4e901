"""Every emitter: the modules here declare theirs when imported."""

from . import emit_aggregate, emit_call, emit_compute, emit_memory
from .emitters import EMITTERS

__all__ = ["EMITTERS", "emit_aggregate", "emit_call", "emit_compute", "emit_memory"]
