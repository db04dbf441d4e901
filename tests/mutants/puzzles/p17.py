"""Wrong ops of puzzle 17: its kernel, and the function that launches it."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS", "KNOWN", "ONE_BLOCK"]

_REST = "    if local_i < conv_size - 1:  # what the last threads of the block need too\n"
_SUM = "    if global_i < input_size:\n        var sum"
# Right in the documents' one block alone, which is as long as the vector.
ONE_BLOCK = [
    ("next-block-left-out", "input[next_i] if next_i < input_size else 0", "0"),
    ("next-block-past-the-vector", "var next_i = global_i + TPB", "var next_i = global_i + input_size"),
    ("threads-for-elements", _SUM, _SUM.replace("input_size", "TPB")),
]
# Right with the documents' four weights and two blocks alone.
KNOWN = [
    ("weights-known", "comptime for j in range(conv_size)", "comptime for j in range(4)"),
    ("blocks-known", "grid_dim=BLOCKS_PER_GRID", "grid_dim=(2, 1)"),
]

EDITS = {
    ("p17", 0): [
        *ONE_BLOCK,
        *KNOWN,
        ("edge-of-the-block-left-out", _REST, _REST.replace("conv_size - 1", "conv_size - 2")),
        ("barrier-left-out", f"    barrier()\n\n{_SUM}", _SUM),
        ("one-block", "grid_dim=BLOCKS_PER_GRID", "grid_dim=(1, 1)"),
        ("weights-turned", "* shared_kernel[j]", "* shared_kernel[conv_size - 1 - j]"),
        ("first-weight-left-out", "comptime for j in range(conv_size)", "comptime for j in range(1, conv_size)"),
        ("data-for-weights", "](kernel.unsafe_ptr()", "](input.unsafe_ptr()"),
        ("fewer-threads", "block_dim=(TPB, 1)", "block_dim=(TPB - 1, 1)"),
    ],
}
BLIND = {
    ("p17", name): Blind("one block has all of the vector, and a thread for each element", "MISMATCH on drawn")
    for name, _, _ in ONE_BLOCK
} | {
    ("p17", "weights-known"): Blind("the documents have four weights", "FINDING on drawn, out-of-bounds"),
    ("p17", "blocks-known"): Blind("the documents have two blocks", "MISMATCH on drawn"),
}
