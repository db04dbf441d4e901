"""Wrong ops of puzzle 17."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p17", 0): [("next-block-left-out", "input[next_i] if next_i < input_size else 0", "0")],
}
BLIND = {
    ("p17", "next-block-left-out"): Blind(
        "one block has all of the vector: no element of the next block is needed", "MISMATCH on documented"
    ),
}
