"""LLVM IR: parse the printed text, decode it, and describe its types and values."""
