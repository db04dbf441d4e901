"""Wrong ops of puzzle 20, which is handed out with a right one: the kernel of puzzle 17."""

from tests.mutants.documents import Blind
from tests.mutants.lossy import lossy
from tests.mutants.puzzles.p17 import KNOWN, ONE_BLOCK

__all__ = ["BLIND", "EDITS"]

_NEXT = "input[next_i] if next_i < input_size else 0"
_PRODUCT = "shared_input[local_i + j] * shared_kernel[j]"

EDITS = {
    ("p20", 0): [
        *ONE_BLOCK,
        *KNOWN,
        ("past-the-end", _NEXT, "input[next_i]"),
        ("first-weight-left-out", "range(conv_size)", "range(1, conv_size)"),
        ("weights-turned", _PRODUCT, "shared_input[local_i + j] * shared_kernel[conv_size - 1 - j]"),
        ("barrier-left-out", "    barrier()\n\n    if global_i", "    if global_i"),
        *lossy(f"            sum += {_PRODUCT}", "sum", "output[global_i] = sum", "sum"),
    ],
}
BLIND = {
    ("p20", name): Blind("one block has all of the vector, and a thread for each element", "MISMATCH on drawn")
    for name, _, _ in ONE_BLOCK
} | {
    ("p20", "weights-known"): Blind("the documents have four weights", "FINDING on drawn, out-of-bounds"),
    ("p20", "blocks-known"): Blind("the documents have two blocks", "MISMATCH on drawn"),
}
