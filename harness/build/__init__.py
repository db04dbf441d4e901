"""Mojo to artifacts: compiler, cache, generated glue, graphs and device code."""
