"""Machine code of this host for kernels: it proves that nothing is to be said of a launch, or declines."""
