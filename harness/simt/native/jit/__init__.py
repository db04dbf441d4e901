"""Compilation of LLVM IR to machine code of this host, which the object cache stores."""
