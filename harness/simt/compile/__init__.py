"""Compile a kernel: from decoded IR to segments, for both engines, and to Python functions for the interpreter."""
