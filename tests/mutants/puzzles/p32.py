"""Wrong kernels of puzzle 32; those that differ in their banks alone give the same results."""

from tests.mutants.documents import EQUAL, Blind, first

__all__ = ["BLIND", "EDITS", "EQUIVALENT", "RULES", "SILENT"]

_BARRIER = "    barrier()\n\n"
_LOCAL = "var local_i = Int(thread_idx.x)"
_APART = "var local_i = Int(thread_idx.x) * 2 % TPB + Int(thread_idx.x) * 2 // TPB"
_TWICE = """[2 * local_i] = input[global_i] + 10

    barrier()

    if global_i < size:
        output[global_i] = shared_mem[2 * local_i]"""
_RIGHT = "the results are right, and only the banks are others, or more memory"

EDITS = {
    ("p32:no-conflict", 0): [
        ("two-way", _LOCAL, _APART),
        ("twice-the-memory", "(row_major[TPB]())", "(row_major[2 * TPB]())"),
        ("doubled-before", "input[global_i] + 10", "input[global_i] * 2 + 10"),
        ("integers", "shared_mem[local_i] * 2", "(shared_mem[local_i].cast[DType.int32]() * 2).cast[dtype]()"),
        ("store-without-guard", "size:\n        output", "SIZE:\n        output"),
        ("first-block-alone", "input[global_i] + 10", "input[local_i] + 10"),
        ("guard-too-tight", "size:\n        output", "size - 1:\n        output"),
    ],
    ("p32:two-way", 0): [
        ("no-conflict", _TWICE, _TWICE.replace("2 * ", "")),
        ("four-way", _LOCAL, _APART),
        ("past-the-slot", "shared_mem[2 * local_i] =", "shared_mem[local_i] ="),
        ("the-slot-between", "= shared_mem[2 * local_i] * 2", "= shared_mem[2 * local_i + 1] * 2"),
        ("outside", "(row_major[2 * TPB]())", "(row_major[TPB]())"),
        ("ten-left-out", "input[global_i] + 10", "input[global_i]"),
        ("guard-too-tight", "size:\n        output", "size - 1:\n        output"),
    ],
}
EQUIVALENT = {
    ("p32:no-conflict", 0): [
        ("barrier-left-out", _BARRIER, "", "each thread reads the slot that it wrote itself, and no other"),
    ],
    ("p32:two-way", 0): [
        ("barrier-left-out", _BARRIER, "", "each thread reads the slot that it wrote itself, and no other"),
        (
            "second-barrier",
            "shared_mem[2 * local_i] * 2",
            "shared_mem[2 * local_i] * 2\n\n    barrier()",
            "nothing comes after it",
        ),
    ],
}
SILENT = {
    ("p32:no-conflict", "two-way"): _RIGHT,
    ("p32:no-conflict", "twice-the-memory"): _RIGHT,
    ("p32:two-way", "no-conflict"): _RIGHT,
    ("p32:two-way", "four-way"): _RIGHT,
}
BLIND = {
    ("p32:no-conflict", "store-without-guard"): Blind("all elements count", "FINDING on drawn-size-466, uninitialised"),
    ("p32:no-conflict", "first-block-alone"): Blind(
        "the first ten elements lie in the first block", "MISMATCH on documented"
    ),
    ("p32:no-conflict", "two-way"): Blind("banks change no result", "a promise is not kept"),
    ("p32:two-way", "no-conflict"): Blind("banks change no result", "a promise is not kept"),
}
RULES = {
    "p32:no-conflict": first(10, EQUAL),
    "p32:two-way": first(10, EQUAL),
}
