"""What teaches: traces of what the lanes do, and the learner's loop with progress, hints and a watch."""
