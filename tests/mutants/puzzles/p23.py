"""Wrong functions of puzzle 23, in which a library chooses the launch."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

_ALL = 'elementwise[simd_width, target="gpu"](add, Coord(size), ctx)'
_TILES = (
    'elementwise[1, target="gpu"](add_tile, Coord(size // tile_size), ctx)\n    # END OF FILL ME IN\n\n\ndef manual'
)
_CHUNKS = 'elementwise[1, target="gpu"](add_chunk, Coord(size // chunk_size), ctx)'
_WITHIN = "vectorize[simd_width](tile_size, add)"
_LAST = f'{_WITHIN}\n\n    elementwise[1, target="gpu"](add_tile, Coord(size // tile_size), ctx)'

# Right at the documents' sizes alone: as many tiles as elements of one, as many chunks as groups of a tile, and no
# element left over.
_COINCIDENCES = {
    ("p23:elementwise", "every-group-full"): (
        "output.store(at, a.load[width=width](at) + b.load[width=width](at))",
        "output.store(\n            at, a.load[width=simd_width](at) + b.load[width=simd_width](at)\n        )",
        Blind("groups divide the vector", "FINDING on drawn, out-of-bounds"),
    ),
    ("p23:tiled", "a-tile-for-each-element-of-one"): (
        _TILES,
        _TILES.replace("size // tile_size", "tile_size"),
        Blind("there are as many tiles as elements of one", "MISMATCH on drawn"),
    ),
    ("p23:manual-vectorized", "a-chunk-for-each-group-of-a-tile"): (
        _CHUNKS,
        _CHUNKS.replace("size // chunk_size", "tile_size // simd_width"),
        Blind("there are as many chunks as groups in a tile", "MISMATCH on drawn"),
    ),
    ("p23:vectorized", "a-tile-for-each-element-of-one"): (
        _LAST,
        _LAST.replace("size // tile_size", "tile_size"),
        Blind("there are as many tiles as elements of one", "MISMATCH on drawn"),
    ),
}
_WIDER = [
    ("p23:elementwise", "Coord(size), ctx", "Coord(size + simd_width), ctx"),
    ("p23:tiled", "Coord(size // tile_size), ctx", "Coord(size // tile_size + 1), ctx"),
    ("p23:manual-vectorized", "Coord(size // chunk_size), ctx", "Coord(size // chunk_size + 1), ctx"),
    ("p23:vectorized", "Coord(size // tile_size), ctx", "Coord(size // tile_size + 1), ctx"),
]
EDITS = {
    ("p23:elementwise", 0): [
        ("half-of-the-elements", _ALL, _ALL.replace("(size)", "(size // 2)")),
        ("over-the-end", _ALL, _ALL.replace("(size)", "(size + 2 * simd_width)")),
        ("launched-twice", _ALL, f"{_ALL}\n    {_ALL}"),
        (
            "first-twice",
            "a.load[width=width](at) + b.load[width=width](at)",
            "a.load[width=width](at) + a.load[width=width](at)",
        ),
        ("not-launched", _ALL, "pass"),
    ],
    ("p23:tiled", 0): [
        ("half-of-each-tile", "range(0, tile_size, simd_width)", "range(0, tile_size // 2, simd_width)"),
        ("first-tile-everywhere", "b.tile[tile_size](Coord(tile))", "b.tile[tile_size](Coord(0))"),
        ("last-tile-left-out", _TILES, _TILES.replace("size // tile_size", "size // tile_size - 1")),
        ("a-call-for-each-element", _TILES, _TILES.replace("size // tile_size", "size")),
        (
            "vectors-side-by-side",
            "sums.store(\n                Coord(i),",
            "sums.store(\n                Coord(i // 2),",
        ),
    ],
    ("p23:manual-vectorized", 0): [
        ("groups-of-one-element", "begin + group * simd_width", "begin + group"),
        ("last-group-left-out", "comptime for group in range(tile_size)", "comptime for group in range(tile_size - 1)"),
        ("chunks-of-a-tile", "Int(at[0].value()) * chunk_size", "Int(at[0].value()) * tile_size"),
        ("last-chunk-left-out", _CHUNKS, _CHUNKS.replace("size // chunk_size", "size // chunk_size - 1")),
        ("a-call-for-each-tile", _CHUNKS, _CHUNKS.replace("size // chunk_size", "size // tile_size")),
    ],
    ("p23:vectorized", 0): [
        ("half-of-each-tile", _WITHIN, _WITHIN.replace("tile_size", "tile_size // 2")),
        ("first-tile-everywhere", "var here = Coord(begin + i)", "var here = Coord(i)"),
        ("a-step-too-far", _WITHIN, _WITHIN.replace("tile_size", "tile_size + simd_width")),
        (
            "first-twice",
            "a.load[width=width](here) + b.load[width=width](here)",
            "a.load[width=width](here) + a.load[width=width](here)",
        ),
    ],
}
for _case, _old, _new in _WIDER:
    EDITS[_case, 0].insert(0, ("stores-past-the-end", _old, _new))
for (_case, _name), (_old, _new, _) in _COINCIDENCES.items():
    EDITS[_case, 0].insert(1, (_name, _old, _new))
BLIND = {mutant: blind for mutant, (_, _, blind) in _COINCIDENCES.items()} | {
    (case, "stores-past-the-end"): Blind(
        "nobody looks past the end of the result", "FINDING on documented, out-of-bounds"
    )
    for case, _, _ in _WIDER
}
