"""Right kernels that are not the solutions: what else a learner may write, and what each leaves unkept."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.catalogue import case
from harness.model.frames import blank
from harness.model.sources import Sources

__all__ = ["RIGHT", "Right"]


@dataclass(frozen=True, slots=True)
class Right:
    """One right kernel.

    Attributes:
        case: Its case's id.
        name: What it does.
        body: What stands in the region, without its first indentation.
        unkept: The promises that it does not keep, by what comes after `promise.` in their ids.
        imports: Lines that it needs at the top.
    """

    case: str
    name: str
    body: str
    unkept: tuple[str, ...] = ()
    imports: str = ""

    @property
    def id(self) -> str:
        """Case and name."""
        return f"{self.case}-{self.name}"

    def source(self) -> str:
        """The problem's file with the region filled in."""
        entry = case(self.case)
        text = blank(Sources("solutions").kernel_file(entry).read_text())
        start = re.search(rf"^def {entry.kernels[0]}\b", text, re.MULTILINE).end()
        region = re.compile(r"(?P<pad> +)(?P<mark># FILL ME IN[^\n]*)\n +pass\n").search(text, start)
        body = "\n".join(region["pad"] + line if line else "" for line in self.body.strip("\n").split("\n"))
        filled = f"{region['pad']}{region['mark']}\n{body}\n"
        text = text[: region.start()] + filled + text[region.end() :]
        return text.replace("\n\nfrom ", f"\n\n{self.imports}\nfrom ", 1) if self.imports else text


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
_P15 = [
    Right(
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
    Right(
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
    Right(
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
    Right(
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
    Right("p15", "tree-in-one-line", f"{_LOAD}{_TREE}\nif local_i == 0:\n    output[batch, 0] = cache[0]\n"),
    Right(
        "p15",
        "all-threads-write",
        f"{_LOAD}{_TREE}\noutput[batch, 0] = cache[0]\n",
        ("writes_per_output_element",),
    ),
    Right("p15", "another-thread-writes", f"{_LOAD}{_TREE}\nif local_i == 5:\n    output[batch, 0] = cache[0]\n"),
    Right(
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
    Right(
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
    Right(
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
_P26 = [
    Right("p26:pair-swap", "computed-index", "output[global_i] = input[global_i ^ 1]\n", ("shuffles_per_lane",)),
    Right(
        "p26:pair-swap",
        "two-shuffles",
        """
var value = rebind[Scalar[dtype]](input[global_i])
var above = shuffle_down(value, 1)
var below = shuffle_up(value, 1)
output[global_i] = above if global_i % 2 == 0 else below
""",
        ("shuffles_per_lane",),
        "from max.gpu.primitives.warp import shuffle_down, shuffle_up",
    ),
    Right(
        "p26:parallel-max",
        "every-lane-looks-at-all",
        """
var largest = rebind[Scalar[dtype]](input[0])
for i in range(1, size):
    largest = max(largest, rebind[Scalar[dtype]](input[i]))
output[global_i] = largest
""",
        ("shuffles_per_lane", "reads_per_input_element"),
    ),
    Right(
        "p26:parallel-max",
        "from-near-to-far",
        """
var largest = rebind[Scalar[dtype]](input[global_i])
var offset = 1
while offset < WARP_SIZE:
    largest = max(largest, shuffle_xor(largest, UInt32(offset)))
    offset *= 2
output[global_i] = largest
""",
    ),
    Right(
        "p26:conditional-max",
        "every-lane-looks-at-its-warp",
        """
var first = global_i - lane_id()
var largest = rebind[Scalar[dtype]](input[first])
var smallest = largest
for i in range(1, WARP_SIZE):
    var value = rebind[Scalar[dtype]](input[first + i])
    largest = max(largest, value)
    smallest = min(smallest, value)
output[global_i] = largest if lane_id() % 2 == 0 else smallest
""",
        ("shuffles_per_lane", "reads_per_input_element"),
    ),
]
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
_P34 = [
    # As the documents have it: the election is one of each warp.
    Right(
        "p34:reduction",
        "elected-in-each-warp",
        f"{_SUMS}\nif my_block_rank == 0:\n    if elect_one_sync():{_TOTAL}",
        ("output_writers",),
    ),
    Right(
        "p34:reduction",
        "thread-0-of-the-last-block",
        f"{_SUMS}\nif my_block_rank == CLUSTER_SIZE - 1:\n    if local_i == 0:{_TOTAL}",
        ("first_writing_block",),
    ),
    Right(
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
RIGHT: tuple[Right, ...] = (*_P15, *_P26, *_P34)
