"""NVIDIA's `wmma`: fragment loads, stores and products, expanded into plain accesses and `mma`.

A product of 16 x 16 or of 32 x 8 becomes two of 16 x 8; one of 8 x 32 becomes one of 32 x 8 with A and B transposed and
exchanged. PTX does not specify which lane holds which element: here the layout is that of `mma`.
See: https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-wmma-mma
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.ptx_types import FLOATS
from harness.simt.ir.types import Float, Int, Struct, Type, size_of

__all__: list[str] = []

NAME = "llvm.nvvm.wmma"
LANE = "llvm.nvvm.read.ptx.sreg.laneid"
WIDE, HALF = Int(64), Float("half")
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}
# The types of registers; of any other kind they are words.
REGISTER_TYPES: dict[str, Type] = {"f16": FLOATS["f16x2"], "f32": FLOATS["f32"], "f64": FLOATS["f64"]}


class TileShape(NamedTuple):
    """The extents of a product."""

    rows: int
    columns: int
    depth: int

    def __str__(self) -> str:
        return f"m{self.rows}n{self.columns}k{self.depth}"


class RegisterPlace(NamedTuple):
    """The place in a matrix of a register's first element, for the lane of group g and number t in its group of four.

    Attributes:
        outer: The row in A and C, or the column in B, less g; the other index if the product is transposed.
        inner: The other index, less `step` times t. The elements of a register are adjacent along it.
        step: The distance between the elements of adjacent lanes.
    """

    outer: int
    inner: int
    step: int


def _register_places(shape: TileShape, role: str, kind: str) -> list[RegisterPlace]:
    """Return, in register order, the place in the matrix of each register's first element, less the lane's share.

    For A and B of halves, the places repeat until there are 8.

    Args:
        role: The matrix, `a`, `b`, `c` or `d`.
        kind: The type of its elements, as in `BITS`.
    """
    bits = BITS[kind]
    packed = 1 if bits == 64 else 32 // bits
    if role in "cd":
        tall = 1 if shape.rows == shape.columns == 8 else 2
        tiles = [(16 * tile, 0) if shape.rows != shape.columns else (0, 8 * tile) for tile in range(tall)]
        each = [(8 * half, at) for half in range(tall) for at in range(0, 2, packed)]
        return [RegisterPlace(outer + half, inner + at, 2) for outer, inner in tiles for half, at in each]
    wide, steps = shape.columns if role == "b" else shape.rows, shape.depth // (4 * packed)
    is_narrow = wide == 8 or (wide == 16 and role == "b")  # in tiles of 8, as `mma` takes B
    places = [
        RegisterPlace(outer + half, 4 * packed * step, packed)
        for outer in range(0, wide, 8 if is_narrow else 16)
        for step in range(steps)
        for half in ((0,) if is_narrow else (0, 8))
    ]
    # Fragments of halves always have eight registers; others hold each element once.
    return places * (8 // len(places)) if kind == "f16" else places


def _is_contiguous(shape: TileShape, role: str, layout: str) -> bool:
    """Return whether a register's elements are adjacent in memory.

    They are neighbours in a row of A, C or D or a column of B; in a column of a C or D with more columns than rows.
    """
    transposed = role in "cd" and shape.columns > shape.rows
    return (layout == "row") == (role != "b" and not transposed)


def _times(low: Lowering, value: Operand, factor: int) -> Operand:
    if isinstance(value, Const):
        return Const(WIDE, value.value * factor)
    return value if factor == 1 else low.op("mul", WIDE, value, Const(WIDE, factor))


def _sum(low: Lowering, left: Operand, right: Operand) -> Operand:
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(WIDE, left.value + right.value)
    return left if right == Const(WIDE, 0) else low.op("add", WIDE, left, right)


class _FragmentMemory:
    """Computes the addresses of the elements of a lane's fragment."""

    def __init__(
        self,
        low: Lowering,
        shape: TileShape,
        role: str,
        layout: str,
        kind: str,
        pointer: Operand,
        strides: Sequence[Operand],
    ) -> None:
        self._low, self._pointer, self._bits = low, pointer, BITS[kind]
        self.contiguous = _is_contiguous(shape, role, layout)
        extents = {"a": (shape.rows, shape.depth), "b": (shape.depth, shape.columns)}
        rows, columns = extents.get(role, (shape.rows, shape.columns))
        stride: Operand = Const(WIDE, columns if layout == "row" else rows)
        for operand in strides:
            stride = Const(WIDE, operand.value) if isinstance(operand, Const) else low.op("zext", WIDE, operand)
        step = Const(WIDE, 1)
        self._outer: Operand = stride if self.contiguous else step
        self._inner: Operand = step if self.contiguous else stride
        lane = low.value(LANE, Int(32))
        group = low.op("zext", WIDE, low.op("lshr", Int(32), lane, Const(Int(32), 2)))
        self._place = low.op("zext", WIDE, low.op("and", Int(32), lane, Const(Int(32), 3)))
        self._start = low.op("mul", WIDE, group, self._outer)

    def element(self, place: RegisterPlace, number: int) -> Operand:
        """Emit code that returns the address of a register's element by its number, or of the byte that it is in."""
        low = self._low
        along = _times(low, low.op("mul", WIDE, self._place, self._inner), place.step)
        more = _sum(low, _times(low, self._outer, place.outer), _times(low, self._inner, place.inner + number))
        offset = _times(
            low, _sum(low, _sum(low, self._start, along), more), self._bits if self._bits < 8 else self._bits // 8
        )
        if self._bits < 8:
            offset = low.op("lshr", WIDE, offset, Const(WIDE, 3))
        return low.op("getelementptr", self._pointer.type, self._pointer, offset, source_type=Int(8))


def _load_element(low: Lowering, ty: Type, address: Operand) -> Operand:
    return low.op("load", ty, address, align=size_of(ty))


def _load(
    shape: TileShape, role: str, layout: str, kind: str, low: Lowering, pointer: Operand, *strides: Operand
) -> Operand | tuple[Operand, ...]:
    """Emit code that loads a fragment; return its registers, or a single one.

    Registers with the same place are loaded once. Elements that are not adjacent are loaded one by one and packed.
    `strides` has at most one stride, in elements; by default rows or columns lie next to each other in memory.
    """
    memory = _FragmentMemory(low, shape, role, layout, kind, pointer, strides)
    ty, bits = REGISTER_TYPES.get(kind, Int(32)), BITS[kind]
    packed = 1 if bits == 64 else 32 // bits
    registers: dict[RegisterPlace, Operand] = {}
    for place in (places := _register_places(shape, role, kind)):
        if place in registers:
            continue
        if memory.contiguous or packed == 1:
            registers[place] = _load_element(low, ty, memory.element(place, 0))
            continue
        word: Operand = Const(Int(32), 0)
        for number in range(packed):
            element = low.cast(_load_element(low, Int(bits), memory.element(place, number)), Int(32))
            word = low.op("or", Int(32), word, low.op("shl", Int(32), element, Const(Int(32), bits * number)))
        registers[place] = low.cast(word, ty)
    values = tuple(registers[place] for place in places)
    return values if len(values) > 1 else values[0]


def _store(shape: TileShape, layout: str, kind: str, low: Lowering, pointer: Operand, *values: Operand) -> None:
    """Emit code that stores the fragment of a result; halves that are not adjacent in memory are stored one by one.

    Args:
        values: The registers, and after them, optionally, the stride in elements; see `_load`.
    """
    places = _register_places(shape, "d", kind)
    values, strides = values[: len(places)], values[len(places) :]
    memory = _FragmentMemory(low, shape, "d", layout, kind, pointer, strides)
    for place, value in zip(places, values, strict=True):
        if memory.contiguous or kind != "f16":
            low.do("store", value, memory.element(place, 0), align=size_of(value.type))
            continue
        for number in range(2):
            element = low.op("extractelement", HALF, value, Const(Int(32), number))
            low.do("store", element, memory.element(place, number), align=2)


class MmaForm(NamedTuple):
    """The `mma` that a kind of product expands to, and how many registers of A and of B it takes."""

    name: str
    accumulator: Type
    a: int
    b: int


HALVES = MmaForm("m16n8k16.row.col.{to}.{to}", FLOATS["f16x2"], 4, 2)
KINDS = {
    "f16": HALVES,
    "bf16": MmaForm("m16n8k16.row.col.bf16", Int(32), 4, 2),
    "tf32": MmaForm("m16n8k8.row.col.tf32", Int(32), 4, 2),
    "s8": MmaForm("m16n8k16.row.col{sat}.s8", Int(32), 2, 1),
    "u8": MmaForm("m16n8k16.row.col{sat}.u8", Int(32), 2, 1),
    "s4": MmaForm("m8n8k32.row.col{sat}.s4", Int(32), 1, 1),
    "u4": MmaForm("m8n8k32.row.col{sat}.u4", Int(32), 1, 1),
    "f64": MmaForm("m8n8k4.row.col.f64", FLOATS["f64"], 1, 1),
    "xor": MmaForm("xor.popc.m8n8k128.row.col.b1", Int(32), 1, 1),
    "and": MmaForm("and.popc.m8n8k128.row.col.b1", Int(32), 1, 1),
}


def _convert_sums(low: Lowering, values: Sequence[Operand], kind: str, to: str) -> list[Operand]:
    """Emit code that converts an accumulator from registers of two halves to those of one float, or back; return them.

    If `kind` is `to`, they are unchanged; else their number is doubled or halved.
    """
    pair, single = FLOATS["f16x2"], FLOATS["f32"]
    if kind == to:
        return list(values)
    if kind == "f16":
        elements = [
            low.op("extractelement", Float("half"), value, Const(Int(32), at)) for value in values for at in range(2)
        ]
        return [low.op("fpext", single, part) for part in elements]
    halves = [low.op("fptrunc", HALF, value) for value in values]
    return [low.build_vector(halves[at : at + 2], pair) for at in range(0, len(halves), 2)]


def _multiply(
    shape: TileShape, kind: str, to: str, source: str, sat: str, low: Lowering, *values: Operand
) -> tuple[Operand, ...]:
    """Emit code that multiplies two fragments and adds a third, by one or two `mma`; return the result's registers.

    Args:
        kind: The type of A and B as in `BITS`, or `xor` or `and` for bits.
        to: The type of the result. If only the result or only the addend has halves, `mma` adds up floats.
        source: The type of the addend.
        sat: `.satfinite` or nothing.
        values: The registers of A, of B and of the addend.
    """
    form = KINDS[kind]
    memory = kind if kind not in ("xor", "and") else "b1"
    counts = [len(_register_places(shape, role, memory)) for role in "ab"]
    a, b, c = values[: counts[0]], values[counts[0] : sum(counts)], values[sum(counts) :]
    # If only one of result and addend has halves, the sum is computed in floats.
    within = "f16" if to == source == "f16" else "f32" if "f16" in (to, source) else source
    sums = _convert_sums(low, c, source, within)
    if shape.columns > shape.rows:
        a, b = b, a
    tiles = 1 if shape.rows == shape.columns == 8 else 2
    each = len(sums) // tiles
    ty = sums[0].type
    name = f"llvm.nvvm.mma.{form.name.format(to=within, sat=sat)}"
    results: list[Operand] = []
    for tile in range(tiles):
        left = tile if shape.rows != shape.columns else 0
        right = tile if shape.rows == shape.columns else 0
        operands = (*a[form.a * left :][: form.a], *b[form.b * right :][: form.b], *sums[each * tile :][:each])
        total = low.value(name, Struct((ty,) * each), *operands)
        results += [low.element(total, place) for place in range(each)]
    return tuple(_convert_sums(low, results, within, to))


WIDE_SHAPES = tuple(TileShape(*extents, 16) for extents in ((16, 16), (32, 8), (8, 32)))
# By kind of A and B: (shapes, kinds of the accumulator).
TABLE: dict[str, tuple[tuple[TileShape, ...], tuple[str, ...]]] = {
    "f16": (WIDE_SHAPES, ("f16", "f32")),
    "bf16": (WIDE_SHAPES, ("f32",)),
    "s8": (WIDE_SHAPES, ("s32",)),
    "u8": (WIDE_SHAPES, ("s32",)),
    "tf32": ((TileShape(16, 16, 8),), ("f32",)),
    "f64": ((TileShape(8, 8, 4),), ("f64",)),
    "s4": ((TileShape(8, 8, 32),), ("s32",)),
    "u4": ((TileShape(8, 8, 32),), ("s32",)),
    "b1": ((TileShape(8, 8, 128),), ("s32",)),
}
LAYOUTS = ("row", "col")


def _moves() -> Iterator[tuple[TileShape, str, str, str]]:
    """Yield (shape, matrix, layout, kind) of all loads and stores, some twice; A and B below a byte have one layout."""
    for kind, (shapes, sums) in TABLE.items():
        for shape, role, layout in product(shapes, "ab", LAYOUTS):
            if BITS[kind] >= 8 or layout == ("row" if role == "a" else "col"):
                yield shape, role, layout, kind
        for shape, role, layout, to in product(shapes, "cd", LAYOUTS, sums):
            yield shape, role, layout, to


def _products() -> Iterator[tuple[str, TileShape, str, str, str, str]]:
    """Yield (intrinsic, shape, kind, kind of result, kind of addend, `.satfinite` or nothing) of all products."""
    for kind, (shapes, sums) in TABLE.items():
        small = BITS[kind] < 8
        for shape, first, second in product(shapes, LAYOUTS, LAYOUTS):
            if small and (first, second) != LAYOUTS:
                continue
            start, layouts = f"{NAME}.{shape}.mma", f"{first}.{second}"
            if kind == "f16":
                for to, source in product(sums, sums):
                    yield f"{start}.{layouts}.{to}.{source}", shape, kind, to, source, ""
            elif kind == "b1":
                for word in ("xor", "and"):
                    yield f"{start}.{word}.popc.{layouts}.b1", shape, word, "s32", "s32", ""
            else:
                (to,) = sums
                for sat in ("", ".satfinite") if to == "s32" else ("",):
                    yield f"{start}.{layouts}.{kind}{sat}", shape, kind, to, to, sat


for shape, role, layout, kind in dict.fromkeys(_moves()):
    verb = f"{NAME}.{shape}.{'store' if role == 'd' else 'load'}.{role}.{layout}"
    names = f"{verb}.{kind}", f"{verb}.stride.{kind}"
    expands(*names)(partial(_store, shape, layout, kind) if role == "d" else partial(_load, shape, role, layout, kind))
for name, shape, kind, to, source, sat in _products():
    expands(name, exact=to == "s32")(partial(_multiply, shape, kind, to, source, sat))
