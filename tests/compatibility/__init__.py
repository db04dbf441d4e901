"""Compatibility with version 24f83de3: scripts, reports and stored files of its users go on to work."""
