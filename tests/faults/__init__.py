"""Kernels that misbehave, and what must become of each."""
