"""Instruction selection: the IR that one instruction of a kernel becomes."""
