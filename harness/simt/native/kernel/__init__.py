"""The function of a lane from one wait to the next, and the plan by which a kernel's module is emitted."""
