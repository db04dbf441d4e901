"""What the others speak of: cases, targets, where the Mojo files are, verdicts."""
