"""Decode printed LLVM IR, debug records and inline assembly; describe types, constants, pointer bits and sites."""
