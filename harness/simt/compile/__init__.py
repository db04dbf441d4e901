"""Compile decoded IR to segments for both engines, and to Python for the interpreter; `native` emits machine code."""
