"""Teaching: traces of what lanes do, and the learner's loop with progress, hints and a watch."""
