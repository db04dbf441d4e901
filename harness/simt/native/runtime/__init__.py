"""The run-time library in C, functions that it calls for a kernel's facts, layouts of counts, needed barriers."""
