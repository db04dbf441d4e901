"""Typical mistakes of puzzles with blocks, warps and clusters; the others are in `typical`."""

from __future__ import annotations

from tests.learning.typical import Typical

__all__ = ["BLOCKS"]

BLOCKS = (
    Typical(
        "p13:simple",
        "unguarded",
        "            if local_i + j < SIZE:\n                total += shared_a[local_i + j] * shared_b[j]",
        "            total += shared_a[local_i + j] * shared_b[j]",
        "out-of-bounds.after",
        "total += shared_a",
    ),
    Typical(
        "p13:block-boundary",
        "no-halo",
        "    if local_i < CONV_2 - 1:\n        var behind = global_i + TPB",
        "    if local_i < 0:\n        var behind = global_i + TPB",
        "uninitialised.output",
        "output[global_i] = total",
    ),
    Typical(
        "p14:simple",
        "exclusive",
        "    if global_i < size:\n        output[global_i] = shared[local_i]",
        "    if global_i < size:\n        output[global_i] = shared[local_i] - a[global_i]",
        "check.reason",
        "output[global_i] = shared[local_i] - a[global_i]",
    ),
    Typical(
        "p14:simple",
        "last-step-missing",
        "while offset < TPB:",
        "while offset < TPB // 2:",
        "check.reason",
        "shared[local_i] += addend",
    ),
    Typical("p14:simple", "off-by-one", "if local_i >= offset:", "if local_i > offset:", "check.reason", "addend"),
    Typical(
        "p16:naive",
        "transposed-store",
        "output[row, col] = total",
        "output[col, row] = total",
        "check.reason",
        "output[col, row] = total",
    ),
    Typical(
        "p16:naive",
        "unguarded",
        "if row < size and col < size:",
        "if True:",
        "out-of-bounds.after",
        "total += a[row, k]",
    ),
    Typical(
        "p16:single-block",
        "local-swapped",
        "a_shared[local_row, k]",
        "a_shared[local_col, k]",
        "check.reason",
        "",
    ),
    Typical(
        "p16:single-block", "no-barrier", "    barrier()\n", "    pass\n", "race.shared.write-read", "total += a_shared"
    ),
    Typical(
        "p16:tiled",
        "second-barrier-missing",
        "        # Nobody loads the next tiles before everybody is done with these.\n        barrier()",
        "        pass",
        "race.shared.read-write",
        "total += a_shared",
    ),
    Typical(
        "p15",
        "one-index",
        "cache[local_i] = a[batch, global_i]",
        "cache[local_i] = a[local_i]",
        "check.reason",
        "a[local_i]",
    ),
    Typical(
        "p15",
        "returned-early",
        "    if global_i < size:\n        cache[local_i] = a[batch, global_i]\n    else:\n        cache[local_i] = 0\n",
        "    cache[local_i] = 0\n    if global_i >= size:\n        return\n    cache[local_i] = a[batch, global_i]\n",
        "missed-barrier.ended",
        "        return",
    ),
    Typical(
        "p15",
        "one-statement",
        "        var addend = Scalar[dtype](0)\n        if local_i < stride:\n"
        "            addend = cache[local_i + stride]\n\n        barrier()\n\n"
        "        if local_i < stride:\n            cache[local_i] += addend\n",
        "        if local_i + stride < TPB:\n            cache[local_i] += cache[local_i + stride]\n",
        "race.shared.read-write",
        "cache[local_i] += cache[local_i + stride]",
    ),
    Typical(
        "p15",
        "missing-guard",
        "    if global_i < size:\n        cache[local_i] = a[batch, global_i]\n    else:\n        cache[local_i] = 0\n",
        "    cache[local_i] = a[batch, global_i]\n",
        "out-of-bounds.after",
        "cache[local_i] = a[batch, global_i]",
    ),
    Typical(
        "p15",
        "doubled",
        "cache[local_i] += addend",
        "cache[local_i] += addend + addend",
        "check.reason",
        "cache[local_i] += addend + addend",
    ),
    Typical("p26:parallel-max", "one-step-too-many", "WARP_SIZE // 2", "WARP_SIZE", "promise.shuffles_per_lane", ""),
    Typical(
        "p26:parallel-max",
        "exchange-in-branch",
        "            largest = max(largest, shuffle_xor(largest, UInt32(offset)))",
        "            if global_i < 16:\n                largest = max(largest, shuffle_xor(largest, UInt32(offset)))",
        "inactive-source.undefined",
        "shuffle_xor(largest",
    ),
    Typical("p26:parallel-max", "minimum", "largest = max(", "largest = min(", "check.reason", "largest = min("),
    Typical(
        "p26:parallel-max",
        "endless",
        "            offset //= 2\n\n        output[global_i] = largest",
        "            offset //= 1\n\n        output[global_i] = largest",
        "livelock",
        "while offset > 0",
    ),
    Typical(
        "p34:reduction",
        "rank-not-asked",
        "if my_block_rank == 0 and local_i < WARP_SIZE:",
        "if local_i < WARP_SIZE:",
        "promise.output_writers",
        "",
    ),
    Typical(
        "p34:reduction",
        "warp-not-asked",
        "if my_block_rank == 0 and local_i < WARP_SIZE:",
        "if my_block_rank == 0:",
        "promise.output_writers",
        "",
    ),
    Typical(
        "p34:reduction",
        "sync-removed",
        "    cluster_sync()\n",
        "",
        "race.global.write-read",
        "total += temp_storage[peer]",
    ),
    Typical(
        "p34:reduction",
        "sync-in-branch",
        "    if local_i == 0:\n        temp_storage[block_id] = shared_mem[0]\n\n"
        "    # Releases this block's partial sum and acquires those of its peers.\n    cluster_sync()",
        "    if local_i == 0:\n        temp_storage[block_id] = shared_mem[0]\n        cluster_sync()",
        "cluster-protocol.missed",
        "cluster_sync()",
    ),
)
