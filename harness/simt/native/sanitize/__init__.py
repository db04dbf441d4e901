"""Emitted checks of bounds, alignment, undefined values, races and control paths, and emitted counters."""
