"""Execute kernels with the MAX engine on a GPU or in the simulator, and their references with MAX on the host CPU."""
