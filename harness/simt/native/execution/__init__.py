"""Running a launch in compiled code: its launch key, memory, worker threads, blocks and counts."""
