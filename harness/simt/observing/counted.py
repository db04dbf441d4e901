"""Names of counters: per thread, totals, and which add up over launches; the others are in `dataflow_counters`.

This module imports nothing, so that reading the names does not load the simulator.
"""

from __future__ import annotations

__all__ = ["BY_THREAD", "SUMMED", "TOTALS"]

BY_THREAD = ("instructions", "global_loads", "global_stores", "shared_loads", "shared_stores", "shuffles", "barriers")
TOTALS = (
    "global_load_bytes",
    "global_store_bytes",
    "shared_load_bytes",
    "shared_store_bytes",
    "divergent_branches",
    "bank_conflicts",
    "global_transactions",
)
# Counters that may be added up over launches; the others hold for one launch, or one thread.
SUMMED = ("steps", "lanes", *BY_THREAD, "cluster_barriers", *TOTALS)
