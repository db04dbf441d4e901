"""The functions in IR that every kernel has: shadow cells, barriers and the driver of blocks."""
