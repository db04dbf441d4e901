"""What teaches: pictures and traces of what the lanes do."""
