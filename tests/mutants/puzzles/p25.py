"""Wrong kernels of puzzle 25."""

from tests.mutants.documents import Blind, within
from tests.mutants.lossy import lossy

__all__ = ["BLIND", "EDITS", "EQUIVALENT", "RULES", "SILENT"]

_FIRST = "            for i in range(4):\n"
_FROM_ITS_OWN = """            largest = input[first]
            for i in range(1, 8):
"""
_FROM_ZERO = """            largest = 0
            for i in range(8):
"""
_OF_LANE_0 = """        if lane == 0:
            var first = block_dim.x * block_idx.x
            largest = input[first]
            for i in range(1, 8):
                largest = max(largest, input[first + i])
        var threshold = broadcast(largest) / 2
"""
_OF_EACH_EIGHT = """        for i in range(8):
            largest = max(largest, input[global_i // 8 * 8 + i])
        var threshold = largest / 2
"""

# Right in the documents' one block alone, of one warp.
_FIRST_BLOCK = ("other-blocks-dropped", "if global_i < size:", "if global_i < WARP_SIZE:")
_FIRST_OF_ALL = ("first-of-all-blocks", "input[first + i]", "input[i]")
_FIRST_OF_A_WARP = ("first-of-each-warp", "var first = block_dim.x * block_idx.x", "var first = global_i")
_FIRST_THREAD = ("thread-for-lane", "if lane == 0:", "if thread_idx.x == 0:")

EDITS = {
    ("p25:neighbor", 0): [
        _FIRST_BLOCK,
        ("elements-of-the-first-block", "input[global_i]", "input[lane]"),
        ("last-not-written", "        else:\n            output[global_i] = 0\n", ""),
        ("last-subtracts-itself", "if lane < WARP_SIZE - 1:", "if lane < WARP_SIZE:"),
        ("wrong-sign", "after - own", "own - after"),
        ("distance-two", "shuffle_down(own, 1)", "shuffle_down(own, 2)"),
        ("two-last-are-0", "if lane < WARP_SIZE - 1:", "if lane < WARP_SIZE - 2:"),
        ("computed-not-exchanged", "after - own", "Scalar[dtype](2 * global_i + 1)"),
        (
            "last-does-not-take-part",
            "        var after = shuffle_down(own, 1)\n",
            "        var after = own\n        if lane < WARP_SIZE - 1:\n            after = shuffle_down(own, 1)\n",
        ),
        ("read-not-exchanged", "shuffle_down(own, 1)", "input[min(global_i + 1, size - 1)]"),
        *lossy("        var after = shuffle_down(own, 1)", "after", "] = after - own", "after - own"),
    ],
    ("p25:average", 0): [
        ("over-the-edge-of-a-warp", "if lane < WARP_SIZE - 2:", "if global_i < size - 2:"),
        ("grid-instead-of-warp", "shuffle_down(own, 2)", "input[min(global_i + 2, size - 1)]"),
        ("three-halves", "(own + after + second) / 3", "(own + after + second) / 2"),
        ("second-twice", "(own + after + second)", "(own + second + second)"),
        ("last-but-one-alone", "elif lane < WARP_SIZE - 1:", "elif lane < WARP_SIZE - 2:"),
        ("last-block-dropped", "if global_i < size:", "if global_i < size // 2:"),
        ("mean-made-an-integer", "(own + after + second) / 3", "round((own + after + second) / 3)"),
    ],
    ("p25:broadcast-shuffle-coordination", 0): [
        _FIRST_BLOCK,
        _FIRST_OF_ALL,
        _FIRST_OF_A_WARP,
        _FIRST_THREAD,
        ("not-broadcast", "scale = broadcast(scale)", "_ = broadcast(scale)"),
        ("three-of-four", _FIRST, "            for i in range(3):\n"),
        ("first-left-out", _FIRST, "            for i in range(1, 5):\n"),
        ("last-scaled-twice", "output[global_i] = own * scale", "output[global_i] = (own + after) * scale"),
        ("scale-known", "(own + after) * scale", "(own + after) * 5"),
    ],
    ("p25:broadcast-basic", 0): [
        _FIRST_BLOCK,
        _FIRST_OF_ALL,
        _FIRST_OF_A_WARP,
        _FIRST_THREAD,
        ("not-broadcast", "total = broadcast(total)", "_ = broadcast(total)"),
        ("number-for-sum", "total + input[global_i]", "Scalar[dtype](10) + input[global_i]"),
        ("index-for-element", "total + input[global_i]", "total + Scalar[dtype](global_i + 1)"),
        ("five-of-four", _FIRST, "            for i in range(5):\n"),
        (
            "only-lane-0-writes",
            "        output[global_i] = total",
            "        if lane == 0:\n            output[global_i] = total",
        ),
        *lossy("        total = broadcast(total)", "total", "] = total + input[global_i]", "total + input[global_i]"),
    ],
    ("p25:broadcast-conditional", 0): [
        _FIRST_BLOCK,
        _FIRST_OF_ALL,
        _FIRST_OF_A_WARP,
        _FIRST_THREAD,
        ("lane-0-of-the-grid", "if lane == 0:", "if global_i == 0:"),
        ("largest-of-seven", "range(1, 8)", "range(1, 7)"),
        ("largest-of-all", "range(1, 8)", "range(1, WARP_SIZE)"),
        ("threshold-itself-halved", "own >= threshold", "own > threshold"),
        ("starts-from-zero", _FROM_ITS_OWN, _FROM_ZERO),
        ("mean-for-maximum", "broadcast(largest) / 2", "broadcast(largest) - 4.5"),
        ("threshold-known", "broadcast(largest) / 2", "Scalar[dtype](4.5)"),
        ("maximum-of-each-eight", _OF_LANE_0, _OF_EACH_EIGHT),
    ],
}
_LOST = "what the other lanes made is lost: all take what lane 0 has"
EQUIVALENT = {
    ("p25:broadcast-shuffle-coordination", 0): [
        ("every-lane-the-same-four", "if lane == 0:", "if lane >= 0:", _LOST),
    ],
    ("p25:broadcast-conditional", 0): [
        ("every-eighth-lane-the-same-eight", "if lane == 0:", "if lane % 8 == 0:", _LOST),
    ],
}
SILENT = {
    ("p25:neighbor", "last-does-not-take-part"): "a lane that takes no part may hand over its register all the same",
}
_OF_THE_FIRST = ("other-blocks-dropped", "first-of-all-blocks", "first-of-each-warp", "thread-for-lane")
_IN_THE_FIRST = {
    "p25:neighbor": ("other-blocks-dropped", "elements-of-the-first-block"),
    "p25:broadcast-shuffle-coordination": _OF_THE_FIRST,
    "p25:broadcast-basic": _OF_THE_FIRST,
    "p25:broadcast-conditional": (*_OF_THE_FIRST, "lane-0-of-the-grid"),
}
BLIND = {
    **{
        (case, name): Blind("there is one block, of one warp", "MISMATCH on drawn")
        for case, names in _IN_THE_FIRST.items()
        for name in names
    },
    ("p25:neighbor", "last-not-written"): Blind(
        "the last element is to be 0, and memory happens to hold 0", "MISMATCH on documented"
    ),
    ("p25:broadcast-conditional", "maximum-of-each-eight"): Blind(
        "each eight elements have the same maximum", "MISMATCH on 0-largest"
    ),
    ("p25:broadcast-conditional", "largest-of-all"): Blind(
        "each eight elements have the same maximum", "MISMATCH on 8-largest"
    ),
}
RULES = {
    "p25:broadcast-shuffle-coordination": within(1e-4),
}
