"""A library of custom ops: each right, and with five defects."""
