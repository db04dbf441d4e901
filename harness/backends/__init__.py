"""Execute kernels: with the MAX engine on a GPU or a CPU, or in the simulator."""
