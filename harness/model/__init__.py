"""The vocabulary that other packages share: cases, targets, sources, verdicts, reports."""
