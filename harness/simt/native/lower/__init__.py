"""Instruction selection: the LLVM IR that one instruction of a kernel becomes."""
