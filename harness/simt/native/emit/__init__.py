"""Emitting LLVM IR as text: a builder, types and values, the context struct, and the body of a lane's function."""
