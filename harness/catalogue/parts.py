"""The titles of the course's parts, a constant each; `harness.catalogue.PARTS` has the puzzles of each."""

from __future__ import annotations

__all__ = [
    "ALGORITHMS",
    "ASYNCHRONY",
    "BLOCK_OPERATIONS",
    "DEBUGGING",
    "FEATURES",
    "FUNCTIONAL",
    "FUNDAMENTALS",
    "MAX_OPS",
    "PERFORMANCE",
    "TORCH_OPS",
    "WARPS",
]

FUNDAMENTALS = "threads, blocks and shared memory"
DEBUGGING = "finding faults"
ALGORITHMS = "algorithms"
MAX_OPS = "ops of MAX"
TORCH_OPS = "ops in PyTorch"
FUNCTIONAL = "functional patterns"
WARPS = "lanes of a warp"
BLOCK_OPERATIONS = "operations of a whole block"
ASYNCHRONY = "asynchronous copies and barriers"
PERFORMANCE = "measuring and tuning"
FEATURES = "tensor cores, clusters and alignment"
