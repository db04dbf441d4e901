"""The compiled engine: runs kernels as machine code of this host and checks them, or declines a launch."""
