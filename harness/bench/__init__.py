"""Timing, apart from checking; `harness.measure` is its front."""
