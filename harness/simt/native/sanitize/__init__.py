"""What is emitted beside an instruction: checks of bounds, alignment, undefined values and races, and counters."""
