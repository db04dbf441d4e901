"""Run cases on a GPU under NVIDIA's compute-sanitizer: module `run`; module `tool` starts it and reads its log."""
