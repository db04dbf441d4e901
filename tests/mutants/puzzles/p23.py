"""Wrong functions of puzzle 23: their launches are too wide."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

_WIDER = [
    ("p23:elementwise", "Coord(size), ctx", "Coord(size + simd_width), ctx"),
    ("p23:tiled", "Coord(size // tile_size), ctx", "Coord(size // tile_size + 1), ctx"),
    ("p23:manual-vectorized", "Coord(size // chunk_size), ctx", "Coord(size // chunk_size + 1), ctx"),
    ("p23:vectorized", "Coord(size // tile_size), ctx", "Coord(size // tile_size + 1), ctx"),
]
EDITS = {(case, 0): [("stores-behind-the-end", old, new)] for case, old, new in _WIDER}
BLIND = {
    (case, "stores-behind-the-end"): Blind(
        "nobody looks at what lies behind the result", "FINDING on documented, out-of-bounds"
    )
    for case, _, _ in _WIDER
}
