"""What the documents fix, a module for each puzzle with `FIXED`: launches that no further one may be."""
