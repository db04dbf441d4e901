"""Wrong kernels that the harness must catch."""
