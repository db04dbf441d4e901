"""What executes a kernel: the MAX engine on a GPU or a CPU, and the simulator."""
