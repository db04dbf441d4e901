"""Wrong kernels of puzzle 15."""

from tests.mutants.lossy import lossy

__all__ = ["EDITS", "EQUIVALENT"]

EDITS = {
    ("p15", 0): [
        ("barrier-after-load-left-out", "    barrier()\n\n    var stride", "    var stride"),
        ("barrier-after-step-left-out", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
        ("stride-halved", "TPB // 2", "TPB // 4"),
        ("stride-doubled", "TPB // 2", "TPB"),
        ("last-step-left-out", "while stride > 0:", "while stride > 1:"),
        ("tail-not-zeroed", "    else:\n        cache[local_i] = 0\n", ""),
        ("guard-off-by-one", "if global_i < size:", "if global_i <= size:"),
        ("guard-too-tight", "if global_i < size:", "if global_i < size - 1:"),
        ("neighbour-row", "a[batch, global_i]", "a[batch ^ 1, global_i]"),
        ("all-threads-write", "    if local_i == 0:\n", "    if local_i >= 0:\n"),
        ("last-block-dropped", "if local_i == 0:", "if local_i == 0 and batch + 1 < BATCH:"),
        ("input-copied", "output[batch, 0] = cache[0]", "output[batch, 0] = a[batch, 0]"),
        ("nothing-written", "output[batch, 0] = cache[0]", "_ = cache[0]"),
        (
            "write-past-the-end",
            "output[batch, 0] = cache[0]",
            "output[batch, 0] = cache[0]\n        if batch + 1 == BATCH:\n            output[batch + 1, 0] = 0",
        ),
        ("maximum-for-sum", "cache[local_i] += addend", "cache[local_i] = max(cache[local_i], addend)"),
        *lossy("        cache[local_i] = a[batch, global_i]", "cache[local_i]", "] = cache[0]", "cache[0]"),
    ],
    ("p15@scale", 0): lossy("    partial[local_i] = total", "partial[local_i]", "] = partial[0]", "partial[0]"),
}
EQUIVALENT = {
    ("p15", 0): [
        (
            "barrier-between-read-and-add-left-out",
            "        barrier()\n\n        if local_i < stride:\n            cache[local_i] += addend",
            "        if local_i < stride:\n            cache[local_i] += addend",
            "a step reads slots stride..2*stride-1 and writes slots 0..stride-1, which no other thread "
            "reads in that step: with the barrier between steps in place, no two accesses conflict",
        ),
    ],
}
