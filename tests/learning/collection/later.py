"""Mistakes of puzzles 29 to 35: pipelines, what a profiler shows, tensor cores, clusters, and alignment."""

from __future__ import annotations

from tests.learning.collection.entry import Entry

__all__ = ["LATER"]

_DONE = "        # Nobody copies the next tiles before everybody is done with these.\n        barrier()\n"

LATER = (
    Entry(
        "p29:multi-stage",
        "one-of-two",
        "in range(local_i, TPB, STAGE1",
        "in range(local_i, STAGE1_THREADS, STAGE1",
        "fill",
        "input_shared|blur",
    ),
    Entry(
        "p29:multi-stage",
        "right-end-left-out",
        "l + BLUR_RADIUS + 1",
        "l + BLUR_RADIUS",
        "include",
        "total +=|BLUR_RADIUS,",
    ),
    Entry(
        "p29:multi-stage", "no-left-end", "max(l - BLUR_RADIUS, 0)", "l - BLUR_RADIUS", "index", "input_shared[nei", "["
    ),
    Entry(
        "p29:multi-stage",
        "not-blurred",
        "var smooth = blur_shared[local_i]",
        "var smooth = input_shared[local_i]",
        "weight",
        "input_shared[local_i]|smooth",
    ),
    Entry(
        "p29:double-buffer",
        "in-place",
        "buffers[1 - read, local_i] =",
        "buffers[read, local_i] =",
        "index",
        "buffers[read, local_i]",
    ),
    Entry(
        "p29:double-buffer",
        "counts-one-less",
        "mbarrier_init(bar.ptr, TPB)",
        "mbarrier_init(bar.ptr, TPB - 1)",
        "phase",
        "",
    ),
    Entry(
        "p29:double-buffer",
        "other-buffer",
        "buffers[STENCIL_ITERATIONS % BUFFER_COUNT",
        "buffers[(STENCIL_ITERATIONS + 1) % BUFFER_COUNT",
        "include",
        "output[global_i]|buffers[",
    ),
    Entry(
        "p29:double-buffer",
        "no-wait",
        "        token = mbarrier_arrive(bar.ptr)\n        while not mbarrier_test_wait(bar.ptr, token):\n"
        "            pass\n",
        "        token = mbarrier_arrive(bar.ptr)\n",
        "phase",
        "buffers[",
        "buffers",
    ),
    Entry("p30:kernel1", "second-left-out", "a[i] + b[i]", "a[i] + a[i]", "include", "a[i] + a[i]", "output[0]|b[0]"),
    Entry("p30:kernel3", "one-off", "size - 1 - i", "size - i", "index", "reverse", "output["),
    Entry("p31:minimal", "y-forgotten", "alpha * x[i] + y[i]", "alpha * x[i]", "include", "alpha * x[i]", "y[0]"),
    Entry(
        "p31:sophisticated",
        "last-power-missing",
        "cache[7, local_i] + series",
        "cache[6, local_i]",
        "weight",
        "cache[6",
    ),
    Entry("p31:balanced", "y-by-x", "y[i] * 1.00001", "x[i] * 1.00001", "include", "x[i] * 1.00001", "y[0]"),
    Entry(
        "p32:no-conflict",
        "place-in-the-grid",
        "output[global_i] = shared_mem[local_i]",
        "output[global_i] = shared_mem[global_i]",
        "index",
        "shared_mem[global_i]",
    ),
    Entry(
        "p32:two-way",
        "array-of-a-block",
        "row_major[2 * TPB]()",
        "row_major[TPB]()",
        "size",
        "shared_mem",
        "shared_mem",
    ),
    Entry(
        "p32:two-way",
        "reads-every-one",
        "shared_mem[2 * local_i] * 2",
        "shared_mem[local_i] * 2",
        "index",
        "shared_mem[local_i]",
    ),
    Entry(
        "p33:tiled",
        "no-wait",
        "        async_copy_wait_all()\n        barrier()",
        "        barrier()",
        "wait",
        "a_shared[row|b_shared",
    ),
    Entry("p33:tiled", "no-barrier-at-the-end", _DONE, "", "step", "copy_dram|total +="),
    Entry("p33:tiled", "row-for-column", "b_shared[k, column]", "b_shared[column, k]", "index", "b_shared[column, k]"),
    Entry(
        "p33:tensor-core",
        "tile-that-stays",
        "A.tile[BM, BK](Int(block_idx.y), step)",
        "A.tile[BM, BK](Int(block_idx.y), 0)",
        "include",
        "A.tile|sum.",
    ),
    Entry("p33:tensor-core", "no-barrier-at-the-end", _DONE, "", "step", "copy_tensor|load_"),
    Entry(
        "p34:coordination",
        "no-barrier",
        "    barrier()\n\n    # Arriving",
        "    # Arriving",
        "barrier",
        "total += shared",
    ),
    Entry(
        "p34:coordination",
        "one-short",
        "for i in range(tpb):",
        "for i in range(tpb - 1):",
        "include",
        "total +=|range(",
    ),
    Entry(
        "p34:reduction", "barrier-for-cluster", "    cluster_sync()\n", "    barrier()\n", "cluster", "temp_storage["
    ),
    Entry(
        "p34:reduction",
        "one-block-too-many",
        "range(CLUSTER_SIZE)",
        "range(CLUSTER_SIZE + 1)",
        "end",
        "temp_storage[peer]|range(",
        "temp_storage[4]",
    ),
    Entry(
        "p34:reduction",
        "own-sum-again",
        "temp_storage[peer]",
        "temp_storage[block_id]",
        "include",
        "[block_id]",
        "output[0]",
    ),
    Entry(
        "p34:reduction",
        "sync-in-a-branch",
        "    if local_i == 0:\n        temp_storage[block_id] = shared_mem[0]\n\n"
        "    # Releases this block's partial sum and acquires those of its peers.\n    cluster_sync()",
        "    if local_i == 0:\n        temp_storage[block_id] = shared_mem[0]\n        cluster_sync()",
        "meet",
        "cluster_sync()",
    ),
    Entry(
        "p34:advanced",
        "no-second-barrier",
        "    barrier()\n\n    cluster_arrive()",
        "    cluster_arrive()",
        "barrier",
        "shared_data[",
    ),
    Entry(
        "p34:advanced",
        "first-warp-alone",
        "range(0, tpb, WARP_SIZE)",
        "range(0, WARP_SIZE, WARP_SIZE)",
        "include",
        "total +=|range(0",
    ),
    Entry(
        "p35:scalar", "one-too-many", "    if i < size:", "    if i <= size:", "guard", "output[i]", "a[", further=True
    ),
    Entry("p35:scalar", "no-bias", "a[i] * SCALE + BIAS", "a[i] * SCALE", "operation", "a[i] * SCALE", "output[0]"),
    Entry("p35:unaligned", "one-further", "(Coord(i))", "(Coord(i + 1))", "index", "Coord(i + 1)", "output[0]|a[0]"),
    Entry("p35:aligned", "no-guard", "if i + SIMD_WIDTH <= size:", "if True:", "guard", "a.load", further=True),
)
