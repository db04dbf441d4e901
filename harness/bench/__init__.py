"""Time cases, transfers and the same work of other libraries on a GPU; `harness.bench.run` is the command."""
