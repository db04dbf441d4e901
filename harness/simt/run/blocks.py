"""Run a launch's blocks in the interpreter, chunk by chunk: reset shared and local memory, shuffle by seed."""

from collections.abc import Sequence

import numpy as np

from harness.simt.arrays import distinct
from harness.simt.run.interpreter import Interpreter
from harness.simt.run.setup import Setup
from harness.simt.state.lanes import Geometry, clusters_of

__all__ = ["run_blocks"]


def run_blocks(engine: Interpreter, setup: Setup, blocks_of_chunk: int, only: Sequence[int] | None = None) -> None:
    """Run the grid, or only the blocks with the numbers `only`, in chunks of whole clusters.

    With `only`, blocks run in the chunks that they have in a full run, without the others. If the launch has a seed,
    the clusters are shuffled. Shared and local memory is reset before each chunk, and the time budget renewed after it
    if the options have `patience`. The first error of `run_chunk` is raised; later chunks do not run then.

    Args:
        blocks_of_chunk: How many blocks a chunk has, a multiple of the cluster's.
    """
    clusters = clusters_of(engine.grid, engine.cluster)
    if engine.random is not None:
        clusters = engine.random.permutation(clusters)
    size = blocks_of_chunk // engine.cluster_size
    selected = np.ones(clusters.shape, bool) if only is None else np.isin(clusters, only)
    for start in distinct(np.flatnonzero(selected.any(1)) // size * size).tolist():
        blocks = clusters[start : start + size][selected[start : start + size]]
        geometry = Geometry(blocks, engine.grid, engine.block, engine.cluster, engine.target.warp)
        if engine.program.cache.geometry is not None:
            geometry.reuse(engine.program.cache.geometry)
        for allocations, count, kind in (
            (setup.per_block, len(blocks), "shared"),
            (setup.per_lane, geometry.lanes, "local"),
        ):
            for allocation in allocations:
                origin = engine.observation.origin(kind, allocation.name) if engine.observation.tracked else 0
                allocation.reset(count, origin)
        engine.run_chunk(geometry, setup.registers)
        engine.budget.renew()
        engine.program.cache.geometry = geometry.cached_values()
