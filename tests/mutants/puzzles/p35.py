"""Wrong kernels of puzzle 35; what tells aligned from unaligned ones is their code alone."""

from tests.mutants.documents import Blind, within

__all__ = ["BLIND", "EDITS", "RULES"]

_ONE = "align_of[Scalar[dtype]]()"
_ALL = "align_of[SIMD[dtype, SIMD_WIDTH]]()"
_INTEGERS = "(values.cast[DType.int32]() * 2 + 1).cast[dtype]()"
_FIRST = "a.load[width=1, alignment=alignment](Coord(i))"

EDITS = {
    ("p35:scalar", 0): [
        ("scale-left-out", "a[i] * SCALE + BIAS", "a[i] + a[i]"),
        ("added-before", "a[i] * SCALE + BIAS", "(a[i] + BIAS) * SCALE"),
        ("guard-left-out", "if i < size:", "if i >= 0:"),
        ("all-for-size", "if i < size:", "if i < SIZE:"),
        ("guard-off-by-one", "if i < size:", "if i < size - 1:"),
        ("integers", "a[i] * SCALE + BIAS", "(a[i].cast[DType.int32]() * 2 + 1).cast[dtype]()"),
    ],
    ("p35:unaligned", 0): [
        ("said-to-be-aligned", _ONE, _ALL),
        ("guard-left-out", "i + SIMD_WIDTH <= size", "i >= 0"),
        ("half-aligned", _ONE, "align_of[SIMD[dtype, 2]]()"),
        ("last-vector-left-out", "i + SIMD_WIDTH <= size", "i + SIMD_WIDTH < size"),
        ("vectors-overlap", " * SIMD_WIDTH\n", " * SIMD_WIDTH // 2\n"),
        (
            "one-element-for-all",
            "var values = a.load[width=SIMD_WIDTH, alignment=alignment](Coord(i))",
            f"var values = SIMD[dtype, SIMD_WIDTH]({_FIRST})",
        ),
        ("integers", "values * SCALE + BIAS", _INTEGERS),
    ],
    ("p35:aligned", 0): [
        ("of-an-elements-alignment", _ALL, _ONE),
        ("guard-left-out", "i + SIMD_WIDTH <= size", "i >= 0"),
        ("half-aligned", _ALL, "align_of[SIMD[dtype, 2]]()"),
        ("not-a-multiple", " * SIMD_WIDTH\n", " * SIMD_WIDTH + 1\n"),
        ("last-vector-left-out", "i + SIMD_WIDTH <= size", "i + SIMD_WIDTH < size"),
        ("one-of-four", " * SIMD_WIDTH\n", " * SIMD_WIDTH * SIMD_WIDTH\n"),
        ("stored-element-by-element", "output.store[alignment=alignment]", f"output.store[alignment={_ONE}]"),
        ("integers", "values * SCALE + BIAS", _INTEGERS),
    ],
}
_AS_MANY = "there are as many threads as there is for them"
BLIND = {
    **{
        (f"p35:{mode}", "guard-left-out"): Blind(_AS_MANY, "FINDING on drawn, out-of-bounds")
        for mode in ("scalar", "unaligned", "aligned")
    },
    ("p35:scalar", "all-for-size"): Blind("all elements count", "MISMATCH on drawn-size-1500"),
    ("p35:unaligned", "said-to-be-aligned"): Blind(
        "an address of this data is aligned, and alignment changes no result", "a promise is not kept"
    ),
    ("p35:aligned", "of-an-elements-alignment"): Blind("alignment changes no result", "a promise is not kept"),
}
RULES = {
    "p35:scalar": within(1e-5),
    "p35:unaligned": within(1e-5),
    "p35:aligned": within(1e-5),
}
