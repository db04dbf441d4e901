"""The simulated device that Mojo's library calls: its `AsyncRT_` functions, memory, streams, launches and checks."""
