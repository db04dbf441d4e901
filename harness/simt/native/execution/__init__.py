"""Running a launch: its memory, its workers and their blocks."""
