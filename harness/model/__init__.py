"""Records that other packages share (cases, targets, launch plans, verdicts, reports); files, languages, messages."""
