"""The function of a lane from one wait to the next, and how lanes are led through it."""
