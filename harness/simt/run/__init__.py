"""Runs the lanes of a launch."""
