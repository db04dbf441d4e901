"""Wrong and right kernels of puzzle 34."""

from tests.mutants.documents import RISING, Blind, within
from tests.mutants.lossy import lossy

__all__ = ["BLIND", "EDITS", "RIGHT", "RULES"]

_SCALED = "        shared_data[local_i] = input[global_i] * Scalar[dtype](\n            my_block_rank + 1\n        )\n"

# The documents ask of the sums of blocks that they are positive and each larger than the one before.
EDITS = {
    ("p34:coordination", 0): [
        ("rank-for-sum", "output[block_id] = total", "output[block_id] = Scalar[dtype](my_block_rank + 1)"),
        ("sum-of-the-indices", _SCALED, "        shared_data[local_i] = Scalar[dtype](global_i)\n"),
        ("not-scaled", _SCALED, "        shared_data[local_i] = input[global_i]\n"),
        ("barrier-left-out", "    barrier()\n\n    # Arriving", "    # Arriving"),
        ("last-element-left-out", "range(tpb)", "range(tpb - 1)"),
        ("every-block-the-first", "output[block_id] = total", "output[0] = total"),
        ("block-for-rank", "my_block_rank + 1", "Int(block_id) + 1"),
        ("rank-for-block", "output[block_id] = total", "output[my_block_rank] = total"),
        ("never-arrives", "    cluster_arrive()\n", ""),
        ("never-waits", "    cluster_wait()\n", ""),
        ("guard-too-tight", "if global_i < size:", "if global_i < size - 1:"),
        *lossy(_SCALED.rstrip("\n"), "shared_data[local_i]", "output[block_id] = total", "total"),
    ],
    ("p34:advanced", 0): [
        ("rank-for-sum", "output[block_id] = total", "output[block_id] = Scalar[dtype](my_block_rank + 1)"),
        ("first-of-each-warp-alone", "shared_data[first] = warp_total", "_ = warp_total"),
        ("barrier-after-load-left-out", "    barrier()\n\n    # Of each", "    # Of each"),
        ("barrier-after-sums-left-out", "    barrier()\n\n    cluster", "    cluster"),
        ("block-for-rank", "my_block_rank + 1", "Int(block_id) + 1"),
        ("rank-for-block", "output[block_id] = total", "output[my_block_rank] = total"),
        ("last-warp-left-out", "range(0, tpb, WARP_SIZE)", "range(0, tpb - WARP_SIZE, WARP_SIZE)"),
        ("all-lanes-add", "if elect_one_sync():", "if True:"),
        ("not-scaled", _SCALED, "        shared_data[local_i] = input[global_i]\n"),
        ("never-waits", "    cluster_wait()\n", ""),
    ],
    ("p34:reduction", 0): [
        ("barrier-after-load-left-out", "    barrier()\n\n    # Lanes", "    # Lanes"),
        ("barrier-after-step-left-out", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
        ("cluster-sync-left-out", "    cluster_sync()\n", ""),
        ("block-barrier-for-cluster-sync", "    cluster_sync()\n", "    barrier()\n"),
        ("stride-halved", "tpb // 2", "tpb // 4"),
        ("stride-doubled", "tpb // 2", "tpb"),
        ("last-step-left-out", "while stride > 0:", "while stride > 1:"),
        ("guard-too-tight", "if global_i < size:", "if global_i < size - 1:"),
        ("tail-not-zeroed", "    else:\n        shared_mem[local_i] = 0\n", ""),
        ("first-five-left-out", "if global_i < size:", "if global_i < size and global_i > 4:"),
        ("all-threads-write", "        if elect_one_sync():\n", "        if True:\n"),
        ("elected-lane-of-every-warp-writes", "my_block_rank == 0 and local_i < WARP_SIZE", "my_block_rank == 0"),
        ("elected-in-every-block", "my_block_rank == 0 and local_i < WARP_SIZE", "local_i < WARP_SIZE"),
        ("a-quarter-for-a-block", "tpb // 2", "SIZE // 8"),
        ("the-documents-four", "range(CLUSTER_SIZE)", "range(4)"),
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
_SUMS = """
if global_i < size:
    shared_mem[local_i] = input[global_i]
else:
    shared_mem[local_i] = 0

barrier()

var stride = tpb // 2
while stride > 0:
    if local_i < stride:
        shared_mem[local_i] += shared_mem[local_i + stride]

    barrier()

    stride //= 2

if local_i == 0:
    temp_storage[block_id] = shared_mem[0]

cluster_sync()
"""
_TOTAL = """
        var total = Scalar[dtype](0)
        for peer in range(CLUSTER_SIZE):
            total += temp_storage[peer]
        output[0] = total
"""
RIGHT = [
    # As the documents have it: the election is one of each warp.
    (
        "p34:reduction",
        "elected-in-each-warp",
        f"{_SUMS}\nif my_block_rank == 0:\n    if elect_one_sync():{_TOTAL}",
        ("output_writers",),
    ),
    (
        "p34:reduction",
        "thread-0-of-the-last-block",
        f"{_SUMS}\nif my_block_rank == CLUSTER_SIZE - 1:\n    if local_i == 0:{_TOTAL}",
        ("first_writing_block",),
    ),
    (
        "p34:reduction",
        "one-thread-does-it-all",
        """
if my_block_rank == 0:
    if local_i == 0:
        var total = Scalar[dtype](0)
        for i in range(size):
            total += input[i]
        output[0] = total
""",
        (
            "reduction_steps",
            "cluster_barriers_per_thread",
            "shared_bytes_per_block",
            "scratch_writers",
            "contributing_blocks",
            "communicating_blocks",
            "scratch",
        ),
    ),
]
_OPEN = "what hardware does when arriving and waiting do not fit is left open"
SILENT = {
    ("p34:coordination", "never-arrives"): _OPEN,
    ("p34:coordination", "never-waits"): _OPEN,
    ("p34:advanced", "never-waits"): _OPEN,
}
_ONE_CLUSTER = "there is one cluster"
BLIND = {
    **{
        (case, name): Blind(_ONE_CLUSTER, refused)
        for case in ("p34:coordination", "p34:advanced")
        for name, refused in (("block-for-rank", "MISMATCH on drawn"), ("rank-for-block", "FINDING on drawn, race"))
    },
    ("p34:reduction", "a-quarter-for-a-block"): Blind("a block has a quarter of the elements", "MISMATCH on drawn"),
    ("p34:reduction", "the-documents-four"): Blind("a cluster has four blocks", "FINDING on drawn, out-of-bounds"),
    ("p34:coordination", "rank-for-sum"): Blind(
        "a sum is to be above 0 and larger than the one before", "MISMATCH on documented"
    ),
    ("p34:advanced", "rank-for-sum"): Blind(
        "a sum is to be above 0 and larger than the one before", "MISMATCH on documented"
    ),
    ("p34:reduction", "first-five-left-out"): Blind("10 is near enough", "MISMATCH on documented"),
}
RULES = {
    "p34:coordination": RISING,
    "p34:advanced": RISING,
    "p34:reduction": within(0, 10),
}
