"""Child processes with limits, sandboxes, fork servers and channels, and what the machine has for them."""
