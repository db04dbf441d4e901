"""Drives GPU puzzles written in Mojo, from kernel to asserted result."""
