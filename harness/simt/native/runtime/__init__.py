"""The run-time library, and the functions by which it asks about a kernel."""
