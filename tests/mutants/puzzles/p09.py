"""Wrong kernels of puzzle 9, beside those that are handed out."""

from tests.mutants.documents import NOTHING, Blind

__all__ = ["BLIND", "EDITS", "RULES", "SILENT"]

EDITS = {
    ("p09:first-case", 0): [
        (
            "input-that-is-not-there",
            "DeviceBuffer[dtype](ctx, a, SIZE, owning=False)",
            "ctx.enqueue_create_buffer[dtype](SIZE)",
        ),
        ("input-for-output", "        output,\n        input,\n", "        input,\n        input,\n"),
        (
            "fewer-threads",
            "        block_dim=THREADS_PER_BLOCK,\n    )\n\n\ndef process",
            "        block_dim=(SIZE - 1, 1),\n    )\n\n\ndef process",
        ),
        (
            "not-launched-in-one-block",
            "        grid_dim=BLOCKS_PER_GRID,\n        block_dim=THREADS_PER_BLOCK,\n    )\n\n\ndef process",
            "        grid_dim=(2, 1),\n        block_dim=THREADS_PER_BLOCK,\n    )\n\n\ndef process",
        ),
    ],
    ("p09:second-case", 0): [
        ("window-of-two", "range(3)", "range(2)"),
        ("window-shifted", "Int(i) + step - 1", "Int(i) + step"),
        ("no-end", "0 <= place < SIZE", "0 <= place"),
        ("no-beginning", "0 <= place < SIZE", "place < SIZE"),
        ("window-by-the-size", "range(3)", "range(SIZE - 1)"),
    ],
    ("p09:third-case", 0): [
        (
            "read-and-written-in-one-step",
            "    barrier()\n\n    if i < SIZE - 1:\n        shared[i] +=",
            "    if i < SIZE - 1:\n        shared[i] +=",
        ),
        ("read-before-it-is-there", "    barrier()\n\n    var before", "    var before"),
        ("sum-of-filtered-ones", "shared[i] += before / 2", "shared[i] += rebind[Scalar[dtype]](shared[i - 1]) / 2"),
        ("last-one-left-out", "    else:\n        output[i] = a[i]\n", ""),
    ],
}
SILENT = {
    ("p09:second-case", "no-beginning"): "what lies before a buffer may be 0, and is on an H200",
    (
        "p09:third-case",
        "sum-of-filtered-ones",
    ): "what lies before an array in shared memory may be 0, and is on an H200",
}
BLIND = {
    ("p09:second-case", "window-by-the-size"): Blind("SIZE - 1 is the width of the window", "MISMATCH on drawn"),
    ("p09:third-case", "read-and-written-in-one-step"): Blind("nothing is compared", "FINDING on documented, race"),
    ("p09:third-case", "last-one-left-out"): Blind("nothing is compared", "MISMATCH on documented"),
}
RULES = {
    "p09:third-case": NOTHING,
}
