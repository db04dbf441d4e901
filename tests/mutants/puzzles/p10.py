"""Wrong kernels of puzzle 10, beside those that are handed out."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS", "EQUIVALENT"]

_GUARDED = "    if row < size and col < size:\n        output[row, col] = {}"

EDITS = {
    ("p10:memory-bug", 0): [
        (f"no-guard-of-{name}", _GUARDED.format("a"), _GUARDED.format("a").replace("row < size and col < size", left))
        for name, left in (("columns", "row < size"), ("rows", "col < size"), ("both", "row >= 0"))
    ]
    + [("size-known", "var size = Int(size_dev)", "var size = SIZE")],
    ("p10:race-condition", 0): [
        ("barrier-left-out", "        shared[0] = total\n\n    barrier()\n", "        shared[0] = total\n"),
        ("one-thread-writes", "output[row, col] = shared[0]", "output[0, 0] = shared[0]"),
        ("last-column-left-out", "for x in range(size)", "for x in range(size - 1)"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
    ],
}
EQUIVALENT = {
    ("p10:race-condition", 0): [
        (
            "each-thread-sums",
            "    if row == 0 and col == 0:\n",
            "    if row < size and col < size:\n",
            "each of the four threads writes the same sum",
        ),
    ],
}
BLIND = {
    ("p10:memory-bug", "no-guard-of-columns"): Blind(
        "nobody looks past the end of the result", "FINDING on documented, out-of-bounds"
    ),
    ("p10:memory-bug", "no-guard-of-rows"): Blind(
        "nobody looks past the end of the result", "FINDING on documented, out-of-bounds"
    ),
    ("p10:memory-bug", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-1"),
    ("p10:race-condition", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-1"),
}
