"""Wrong and right kernels of puzzle 15."""

from tests.mutants.documents import Blind
from tests.mutants.lossy import lossy

__all__ = ["BLIND", "EDITS", "EQUIVALENT", "RIGHT"]

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
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
        ("index-of-another-row", "output[batch, 0]", "output[0, batch]"),
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
_LOAD = """
if local_i < size:
    cache[local_i] = a[batch, local_i]
else:
    cache[local_i] = 0

barrier()
"""
_TREE = """
var stride = TPB // 2
while stride > 0:
    if local_i < stride:
        cache[local_i] += cache[local_i + stride]

    barrier()

    stride //= 2
"""
RIGHT = [
    (
        "p15",
        "serial-loop",
        """
if local_i == 0:
    var total = Scalar[dtype](0)
    for i in range(size):
        total += a[batch, i]
    output[batch, 0] = total
""",
        ("shared_bytes_per_block", "reduction_steps"),
    ),
    (
        "p15",
        "every-thread-sums",
        """
var total = Scalar[dtype](0)
for i in range(size):
    total += a[batch, i]
output[batch, 0] = total
""",
        ("shared_bytes_per_block", "reduction_steps", "reads_per_input_element", "writes_per_output_element"),
    ),
    (
        "p15",
        "shuffles",
        """
var value = Scalar[dtype](0)
if local_i < size:
    value = rebind[Scalar[dtype]](a[batch, local_i])

var offset = TPB // 2
while offset > 0:
    value += shuffle_xor(0xFF, value, UInt32(offset))
    offset //= 2

if local_i == 0:
    output[batch, 0] = value
""",
        ("shared_bytes_per_block", "reduction_steps", "shuffles_per_lane"),
        "from max.gpu.primitives.warp import shuffle_xor",
    ),
    (
        "p15",
        "atomics",
        """
if local_i == 0:
    cache[0] = 0

barrier()

if local_i < size:
    _ = Atomic.fetch_add(cache.ptr, rebind[Scalar[dtype]](a[batch, local_i]))

barrier()

if local_i == 0:
    output[batch, 0] = cache[0]
""",
        ("reduction_steps",),
        "from std.atomic import Atomic",
    ),
    ("p15", "tree-in-one-line", f"{_LOAD}{_TREE}\nif local_i == 0:\n    output[batch, 0] = cache[0]\n"),
    (
        "p15",
        "all-threads-write",
        f"{_LOAD}{_TREE}\noutput[batch, 0] = cache[0]\n",
        ("writes_per_output_element",),
    ),
    ("p15", "another-thread-writes", f"{_LOAD}{_TREE}\nif local_i == 5:\n    output[batch, 0] = cache[0]\n"),
    (
        "p15",
        "interleaved-tree",
        f"""{_LOAD}
var stride = 1
while stride < TPB:
    if local_i % (2 * stride) == 0:
        cache[local_i] += cache[local_i + stride]

    barrier()

    stride *= 2

if local_i == 0:
    output[batch, 0] = cache[0]
""",
    ),
    (
        "p15",
        "mirrored-tree",
        f"""{_LOAD}
var stride = TPB // 2
while stride > 0:
    if local_i >= TPB - stride:
        cache[local_i] += cache[local_i - stride]

    barrier()

    stride //= 2

if local_i == TPB - 1:
    output[batch, 0] = cache[local_i]
""",
    ),
    (
        "p15",
        "sum-in-a-register",
        f"""{_LOAD}
var total = cache[local_i]
var stride = TPB // 2
while stride > 0:
    if local_i < stride:
        total += cache[local_i + stride]
        cache[local_i] = total

    barrier()

    stride //= 2

if local_i == 0:
    output[batch, 0] = total
""",
    ),
]
BLIND = {
    ("p15", "index-of-another-row"): Blind("in one column both indices lead to one element", "MISMATCH on drawn"),
    ("p15", "tail-not-zeroed"): Blind("shared memory happens to hold 0", "FINDING on documented, uninitialised"),
    ("p15", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-4"),
}
