"""What the documents fix of puzzle 34."""

from __future__ import annotations

from harness.catalogue.further import make_further
from harness.catalogue.p34 import Sizes, reduction_at
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

_SEVERAL = Sizes(size=300, threads=64, cluster=2, blocks=6)

FIXED = (
    Fixed(
        "p34:reduction",
        ("CLUSTER_SIZE", "grid_dim.x"),
        make_further(
            reduction_at(_SEVERAL),
            {
                "SIZE": _SEVERAL.size,
                "TPB": _SEVERAL.threads,
                "CLUSTER_SIZE": _SEVERAL.cluster,
                "cluster_layout": f"row_major[{_SEVERAL.blocks}]()",
            },
        ),
        "FINDING",
        "one block of each cluster adds up the sums of the first cluster, which another one does not wait for",
    ),
)
