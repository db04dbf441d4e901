"""Checks of bounds, alignment, undefined values and races beside an instruction, and counters."""
