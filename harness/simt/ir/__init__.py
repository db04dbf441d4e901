"""LLVM IR: parsed, decoded, typed."""
