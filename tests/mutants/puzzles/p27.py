"""Wrong kernels of puzzle 27; the documents check no element of a bin and no quotient."""

from tests.mutants.documents import NOTHING, Blind
from tests.mutants.lossy import lossy

__all__ = ["BLIND", "EDITS", "EQUIVALENT", "RULES"]

_PRODUCT = "a[global_i] * b[global_i]"
# Where there is an element for each thread, nothing lies behind the elements.
_GUARD = "    if global_i < size:\n        "
_READ_FIRST = "read-before-the-guard"

EDITS = {
    ("p27:traditional-dot-product", 0): [
        ("twice-the-first-squared", _PRODUCT, "2 * a[global_i] * a[global_i]"),
        ("barrier-after-load-left-out", "    barrier()\n\n    var stride", "    var stride"),
        ("barrier-after-step-left-out", "        barrier()\n\n        stride //= 2", "        stride //= 2"),
        ("last-step-left-out", "while stride > 0:", "while stride > 1:"),
        ("first-product-left-out", "if global_i < size:", "if global_i < size and global_i > 0:"),
        ("elements-for-threads", "var stride = tpb // 2", "var stride = SIZE // 2"),
        ("shared-memory-for-the-elements", "](row_major[tpb]())", "](row_major[SIZE]())"),
    ],
    ("p27:block-sum-dot-product", 0): [
        ("twice-the-first-squared", _PRODUCT, "2 * a[global_i] * a[global_i]"),
        ("last-thread-writes", "if local_i == 0:", "if local_i == tpb - 1:"),
        ("own-product", "= total", "= product"),
        ("last-product-left-out", "if global_i < size:", "if global_i < size - 1:"),
        ("result-known", "= total", "= Scalar[dtype](1381760)"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
        (
            _READ_FIRST,
            f"{_GUARD}product = {_PRODUCT}",
            f"    product = {_PRODUCT}\n    if global_i >= size:\n        product = 0",
        ),
        *lossy("        product = a[global_i] * b[global_i]", "product", "output[0] = total", "total"),
    ],
    ("p27:histogram", 0): [
        ("nothing-extracted", "bin_output[Int(place)] = value", "_ = place"),
        ("at-their-own-places", "bin_output[Int(place)]", "bin_output[global_i]"),
        ("counts-itself", "exclusive=True", "exclusive=False"),
        ("last-left-out-of-the-count", "place + belongs", "place"),
        ("another-thread-counts", "if local_i == tpb - 1:", "if local_i == tpb - 2:"),
        ("below-0-lost", "min(max(bin, 0), num_bins - 1)", "min(bin, num_bins - 1)"),
        ("from-1-on-lost", "min(max(bin, 0), num_bins - 1)", "max(bin, 0)"),
        ("rounded-to-the-next", "floor(value * Scalar[dtype](num_bins))", "round(value * Scalar[dtype](num_bins))"),
        ("edge-in-the-bin-before", "floor(value * Scalar[dtype](num_bins))", "floor(value * 7.999)"),
        ("bins-known", "var num_bins = Int(num_bins_dev)", "var num_bins = NUM_BINS"),
        (
            _READ_FIRST,
            f"{_GUARD}value = input_data[global_i]\n",
            f"    value = input_data[global_i]\n{_GUARD.rstrip(' ')}",
        ),
        ("always-the-first-bin", "== target_bin:", "== 0:"),
        (
            "rest-cleared",
            "    if belongs == 1:",
            "    bin_output[tpb - 1 - local_i] = 0\n    barrier()\n    if belongs == 1:",
        ),
        ("in-reverse", "bin_output[Int(place)]", "bin_output[tpb - 1 - Int(place)]"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
    ],
    ("p27:normalize", 0): [
        ("sum-for-mean", "total / Scalar[dtype](size)", "total"),
        (
            "not-handed-on",
            "mean = block.broadcast[block_size=tpb](mean, 0)",
            "_ = block.broadcast[block_size=tpb](mean, 0)",
        ),
        ("divides-by-zero", "and total > 0:", "and total == total:"),
        ("negative-mean", "and total > 0:", "and total != 0:"),
        ("mean-known", "value / mean", "value / 4.5"),
        ("multiplied", "value / mean", "value * mean"),
        ("mean-of-magnitudes", "broadcast=False](value)", "broadcast=False](abs(value))"),
        ("mean-of-thread-1", "(mean, 0)", "(mean, 1)"),
        ("size-known", "var size = Int(size_dev)", "var size = SIZE"),
        (
            _READ_FIRST,
            f"{_GUARD}value = input_data[global_i]\n",
            "    value = input_data[global_i]\n    if global_i >= size:\n        value = 0\n",
        ),
        ("quotient-rounded", "value / mean", "round(value / mean * 1024) / 1024"),
    ],
}
EQUIVALENT = {
    ("p27:normalize", 0): [
        (
            "every-thread-divides",
            "if local_i == 0 and",
            "if local_i < tpb and",
            "what the other threads made is lost: all take what thread 0 has",
        ),
    ],
}
BLIND = {
    ("p27:traditional-dot-product", "twice-the-first-squared"): Blind("b is 2a", "MISMATCH on random-27"),
    ("p27:block-sum-dot-product", "twice-the-first-squared"): Blind("b is 2a", "MISMATCH on random-27"),
    ("p27:histogram", "in-reverse"): Blind("nothing is compared", "MISMATCH on documented"),
    ("p27:histogram", "below-0-lost"): Blind("no element is below 0", "MISMATCH on edges"),
    ("p27:histogram", "from-1-on-lost"): Blind("no element is 1 or more", "MISMATCH on edges-bin-7"),
    ("p27:normalize", "sum-for-mean"): Blind("nothing is compared", "MISMATCH on documented"),
    ("p27:normalize", "divides-by-zero"): Blind("the sum is above 0", "MISMATCH on sum-of-zero"),
    ("p27:block-sum-dot-product", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-112"),
    ("p27:histogram", "size-known"): Blind("the documents have one size", "FINDING on fresh-size-40, uninitialised"),
    ("p27:normalize", "size-known"): Blind("the documents have one size", "MISMATCH on fresh-size-30"),
}
_FULL = "the block has an element for each thread"
BLIND |= {
    ("p27:traditional-dot-product", "elements-for-threads"): Blind(_FULL, "MISMATCH on drawn"),
    ("p27:traditional-dot-product", "shared-memory-for-the-elements"): Blind(_FULL, "FINDING on drawn, out-of-bounds"),
    **{
        (f"p27:{mode}", _READ_FIRST): Blind(_FULL, "FINDING on drawn, out-of-bounds")
        for mode in ("block-sum-dot-product", "histogram", "normalize")
    },
    ("p27:histogram", "bins-known"): Blind("the documents have one number of bins", "MISMATCH on drawn"),
}
RULES = {
    "p27:histogram": NOTHING,
    "p27:normalize": NOTHING,
}
