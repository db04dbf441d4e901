"""Runs under NVIDIA's compute-sanitizer."""
