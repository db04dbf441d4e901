"""Wrong kernels of puzzle 34."""

from tests.mutants.lossy import lossy

__all__ = ["EDITS", "EQUIVALENT"]

EDITS = {
    ("p34:reduction", 0): [
        ("barrier-after-load-left-out", "    barrier()\n\n    # Lanes", "    # Lanes"),
        ("barrier-after-step-left-out", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
        ("cluster-sync-left-out", "    cluster_sync()\n", ""),
        ("block-barrier-for-cluster-sync", "    cluster_sync()\n", "    barrier()\n"),
        ("stride-halved", "tpb // 2", "tpb // 4"),
        ("stride-doubled", "tpb // 2", "tpb"),
        ("last-step-left-out", "while stride > 0:", "while stride > 1:"),
        ("guard-too-tight", "if global_i < size:", "if global_i < size - 1:"),
        ("all-threads-write", "        if elect_one_sync():\n", "        if True:\n"),
        ("elected-lane-of-every-warp-writes", "my_block_rank == 0 and local_i < WARP_SIZE", "my_block_rank == 0"),
        ("elected-in-every-block", "my_block_rank == 0 and local_i < WARP_SIZE", "local_i < WARP_SIZE"),
        ("last-block-dropped", "range(CLUSTER_SIZE)", "range(CLUSTER_SIZE - 1)"),
        ("own-partial-only", "temp_storage[peer]", "temp_storage[block_id]"),
        ("nothing-written", "output[0] = total", "_ = total"),
        ("input-copied", "output[0] = total", "output[0] = input[0]"),
        (
            "write-past-the-end",
            "output[0] = total",
            "output[0] = total\n            temp_storage[CLUSTER_SIZE] = total",
        ),
        *lossy("        shared_mem[local_i] = input[global_i]", "shared_mem[local_i]", "output[0] = total", "total"),
    ],
    ("p34@scale", 0): lossy("    partial[local_i] = total", "partial[local_i]", "] = cluster_total", "cluster_total"),
}
EQUIVALENT = {
    ("p34:reduction", 0): [
        (
            "tail-not-zeroed",
            "    else:\n        shared_mem[local_i] = 0\n",
            "",
            "size is the number of threads of the documented grid, so no thread is past the end",
        ),
    ],
}
