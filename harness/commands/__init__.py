"""One module for each family of commands; `harness.cli` says which."""
