"""What the ops have in common."""

comptime RIGHT = 0
"""The number of no defect."""
comptime Values = UnsafePointer[Float32, MutAnyOrigin]
"""Elements in the device's memory, row by row."""
