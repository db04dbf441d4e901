"""What teaches: pictures and traces of what the lanes do, and the learner's loop: progress, hints, a watch over the files."""
