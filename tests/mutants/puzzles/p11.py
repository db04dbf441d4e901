"""Wrong kernels of puzzle 11."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS", "SILENT"]

EDITS = {
    ("p11", 0): [
        (
            "barrier-left-out",
            "    barrier()\n\n    if global_i < size:\n        var",
            "    if global_i < size:\n        var",
        ),
        ("two-before-from-the-third-on", "if local_i > 1:", "if local_i > 2:"),
        ("no-guard-of-the-first", "if local_i > 0:", "if local_i >= 0:"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
        ("no-guard-of-the-load", "    if global_i < size:\n        shared", "    if global_i >= 0:\n        shared"),
        (
            "blocks-for-threads",
            "    var global_i = block_dim.x",
            "    from max.gpu import grid_dim\n\n    var global_i = grid_dim.x",
        ),
    ],
}
SILENT = {
    ("p11", "no-guard-of-the-first"): "what lies before an array in shared memory may be 0, and is on an H200",
}
BLIND = {
    ("p11", "no-guard-of-the-load"): Blind("each thread has an element", "FINDING on drawn, out-of-bounds"),
    ("p11", "blocks-for-threads"): Blind("there is one block", "FINDING on drawn, race"),
    ("p11", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-6"),
}
