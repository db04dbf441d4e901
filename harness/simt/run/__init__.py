"""Launch a kernel: bind arguments, run it in the interpreter or the compiled engine, repeat it in other orders."""
