"""The blocks of a launch, a chunk after another."""

from collections.abc import Sequence

import numpy as np

from harness.simt.arrays import distinct
from harness.simt.run.engine import Engine
from harness.simt.run.setup import Setup
from harness.simt.state.lanes import Geometry, clusters_of

__all__ = ["run_blocks"]


def run_blocks(engine: Engine, setup: Setup, blocks_of_chunk: int, only: Sequence[int] | None = None) -> None:
    """Runs the grid, or some blocks of it, a chunk of whole clusters at a time."""
    clusters = clusters_of(engine.grid, engine.cluster)
    if engine.random is not None:
        clusters = engine.random.permutation(clusters)
    size = blocks_of_chunk // engine.cluster_size
    some = np.ones(clusters.shape, bool) if only is None else np.isin(clusters, only)
    for start in distinct(np.flatnonzero(some.any(1)) // size * size).tolist():
        blocks = clusters[start : start + size][some[start : start + size]]
        geometry = Geometry(blocks, engine.grid, engine.block, engine.cluster, engine.target.warp)
        if engine.program.cache.geometry is not None:
            geometry.share(engine.program.cache.geometry)
        for allocations, rows, kind in (
            (setup.per_block, len(blocks), "shared"),
            (setup.per_lane, geometry.lanes, "local"),
        ):
            for allocation in allocations:
                origin = engine.observation.origin(kind, allocation.name) if engine.observation.tracked else 0
                allocation.reset(rows, origin)
        engine.run_chunk(geometry, setup.registers)
        engine.budget.renew()
        engine.program.cache.geometry = geometry.known()
