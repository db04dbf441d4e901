"""The state of a launch: its lanes and its memory."""
