"""Wrong and right kernels of puzzle 26."""

from tests.mutants.documents import NOTHING, Blind
from tests.mutants.lossy import lossy

__all__ = ["BLIND", "EDITS", "RIGHT", "RULES"]

# Right in the documents' one block alone, of one warp.
_FIRST_BLOCK = ("other-blocks-dropped", "if global_i < size:", "if global_i < WARP_SIZE:")
_FIRST_ELEMENTS = ("elements-of-the-first-warp", "input[global_i]", "input[Int(lane_id())]")
_NO_GUARD = ("guard-left-out", "if global_i < size:", "if global_i >= 0:")

EDITS = {
    ("p26:pair-swap", 0): [
        _FIRST_BLOCK,
        _FIRST_ELEMENTS,
        _NO_GUARD,
        ("distance-two", "shuffle_xor(value, 1)", "shuffle_xor(value, 2)"),
        ("input-copied", "shuffle_xor(value, 1)", "value"),
        ("nothing-written", "output[global_i] = shuffle_xor(value, 1)", "_ = shuffle_xor(value, 1)"),
        ("guard-too-tight", "if global_i < size:", "if global_i < size - 1:"),
        ("shifted-store", "output[global_i] =", "output[global_i + 1] ="),
        ("computed-not-exchanged", "shuffle_xor(value, 1)", "Scalar[dtype](global_i ^ 1)"),
        *lossy("        var value = input[global_i]", "value", "= shuffle_xor(value, 1)", "shuffle_xor(value, 1)"),
    ],
    ("p26:parallel-max", 0): [
        _FIRST_BLOCK,
        _FIRST_ELEMENTS,
        (
            "every-lane-looks-at-all",
            "        output[global_i] = largest",
            "        for i in range(size):\n            largest = max(largest, input[i])\n"
            "        output[global_i] = largest",
        ),
        ("first-step-left-out", "WARP_SIZE // 2", "WARP_SIZE // 4"),
        ("last-step-left-out", "while offset > 0:", "while offset > 1:"),
        ("every-other-step", "offset //= 2", "offset //= 4"),
        ("minimum-for-maximum", "max(largest, shuffle", "min(largest, shuffle"),
        ("starts-from-zero", "var largest = input[global_i]", "var largest = max(input[global_i], Scalar[dtype](0))"),
        (
            "one-lane-writes",
            "output[global_i] = largest",
            "if thread_idx.x == 0:\n            output[global_i] = largest",
        ),
        ("last-lane-broadcast", "output[global_i] = largest", "output[global_i] = input[size - 1]"),
        ("input-copied", "output[global_i] = largest", "output[global_i] = input[global_i]"),
        ("nothing-written", "output[global_i] = largest", "_ = largest"),
        *lossy("        var largest = input[global_i]", "largest", "] = largest", "largest"),
    ],
    ("p26:conditional-max", 0): [
        _NO_GUARD,
        ("first-step-left-out", "WARP_SIZE // 2", "WARP_SIZE // 4"),
        ("last-step-left-out", "while offset > 0:", "while offset > 1:"),
        ("parity-swapped", "lane % 2 == 0", "lane % 2 == 1"),
        ("maximum-everywhere", "output[global_i] = smallest", "output[global_i] = largest"),
        (
            "grid-instead-of-warp",
            "var smallest = largest",
            "for other in range(size):\n            largest = max(largest, input[other])\n"
            "        var smallest = largest",
        ),
        ("smallest-starts-from-zero", "var smallest = largest", "var smallest = min(largest, Scalar[dtype](0))"),
        ("last-block-dropped", "if global_i < size:", "if global_i < size // 2:"),
        (
            "write-past-the-end",
            "if global_i < size:",
            "if global_i == size - 1:\n        output[size] = 0\n    if global_i < size:",
        ),
        *lossy("        var largest = input[global_i]", "largest", "] = largest", "largest"),
    ],
    ("p26:prefix-sum", 0): [
        _FIRST_BLOCK,
        _FIRST_ELEMENTS,
        _NO_GUARD,
        ("without-itself", "exclusive=False", "exclusive=True"),
        ("computed-not-summed", "prefix_sum[exclusive=False](value)", "value * (value + 1) / 2"),
        ("first-two-steps", "= prefix_sum[exclusive=False](value)", "= value + shuffle_xor(value, 1)"),
        ("nothing-written", "output[global_i] = prefix_sum[exclusive=False](value)", "_ = value"),
        (
            "each-lane-sums",
            "var value = input[global_i]\n        output[global_i] = prefix_sum[exclusive=False](value)",
            "var value = Scalar[dtype](0)\n        for i in range(global_i + 1):\n            value += input[i]\n"
            "        output[global_i] = value",
        ),
        *lossy(
            "        var value = input[global_i]",
            "value",
            "= prefix_sum[exclusive=False](value)",
            "prefix_sum[exclusive=False](value)",
        ),
    ],
    ("p26:partition", 0): [
        ("threads-for-lanes", "WARP_SIZE // 2", "Int(block_dim.x) // 2"),
        _NO_GUARD,
        ("pivot-below", "value < pivot", "value <= pivot"),
        ("pivot-known", "value < pivot", "value < 5"),
        ("nothing-written", "output[place] = value", "_ = place"),
        ("zeros-written", "output[place] = value", "output[place] = 0"),
        ("input-copied", "output[place] = value", "output[global_i] = value"),
        ("half-of-them-below", "Int(total) +", "size // 2 +"),
        ("first-step-left-out", "WARP_SIZE // 2", "WARP_SIZE // 4"),
        ("rest-in-reverse", "Int(total) + Int(lane_id()) - Int(before)", "size - 1 - (Int(lane_id()) - Int(before))"),
        ("lower-in-reverse", "var place = Int(before)", "var place = Int(total) - 1 - Int(before)"),
        ("counts-itself", "prefix_sum[exclusive=True](below)", "prefix_sum[exclusive=False](below)"),
    ],
    ("p26@scale", 0): lossy(  # the deeper of two stores: the other is of blocks of one warp
        "    largest = _butterfly_max[WARP_SIZE](largest)", "largest", " " * 16 + "output[row, 0] = largest", "largest"
    ),
}
RIGHT = [
    ("p26:pair-swap", "computed-index", "output[global_i] = input[global_i ^ 1]\n", ("shuffles_per_lane",)),
    (
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
    (
        "p26:parallel-max",
        "every-lane-looks-at-its-warp",
        """
var first = global_i // WARP_SIZE * WARP_SIZE
var largest = rebind[Scalar[dtype]](input[first])
for i in range(1, WARP_SIZE):
    largest = max(largest, rebind[Scalar[dtype]](input[first + i]))
output[global_i] = largest
""",
        ("shuffles_per_lane", "reads_per_input_element"),
    ),
    (
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
    (
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
_ONE_WARP = "there is one block, of one warp"
BLIND = {
    **{
        (f"p26:{mode}", name): Blind(_ONE_WARP, "MISMATCH on drawn")
        for mode, names in {
            "pair-swap": ("other-blocks-dropped", "elements-of-the-first-warp"),
            "parallel-max": ("other-blocks-dropped", "elements-of-the-first-warp"),
            "prefix-sum": ("other-blocks-dropped", "elements-of-the-first-warp"),
        }.items()
        for name in names
    },
    **{
        (f"p26:{mode}", "guard-left-out"): Blind(
            "there are as many threads as elements", "FINDING on drawn, out-of-bounds"
        )
        for mode in ("pair-swap", "conditional-max", "prefix-sum", "partition")
    },
    ("p26:partition", "threads-for-lanes"): Blind(_ONE_WARP, "FINDING on drawn, out-of-bounds"),
    ("p26:pair-swap", "computed-not-exchanged"): Blind(
        "each element is its own place", "MISMATCH on squares-descending"
    ),
    ("p26:parallel-max", "last-lane-broadcast"): Blind("the last element is the largest", "MISMATCH on peak-at-lane-0"),
    ("p26:partition", "zeros-written"): Blind("nothing is compared", "MISMATCH on documented"),
    ("p26:partition", "nothing-written"): Blind("nothing is compared", "MISMATCH on documented"),
}
RULES = {
    "p26:partition": NOTHING,
}
