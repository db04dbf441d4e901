"""Timing, apart from checking; `harness.bench.run` is its front."""
