"""The function of a lane from one wait to the next, also for lockstep, and the plan by which a module is emitted."""
