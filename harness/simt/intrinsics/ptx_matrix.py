"""Lower PTX `mma`, `wmma`, `wgmma`, `ldmatrix`, `stmatrix` to intrinsics, which `nvvm_mma` and its like compute.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions
"""

import re

from harness.simt.compile.lowering import Lowering, NotKnown, declares
from harness.simt.compile.registry import TABLE
from harness.simt.compile.registry import load_declarations as load_intrinsics
from harness.simt.intrinsics.ptx_memory import SHARED
from harness.simt.ir.assembly import Part
from harness.simt.ir.module import Operand
from harness.simt.ir.ptx_types import FLOATS, TYPES
from harness.simt.ir.types import Int, Struct, Type

__all__: list[str] = []

NAME = "llvm.nvvm"
SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
EIGHT_BIT = ("e4m3", "e5m2")
INTEGERS = ("s8", "u8", "s4", "u4", "b1")
KINDS = ("f16", "bf16", "tf32", "f64", *EIGHT_BIT)


def _take_shape(low: Lowering) -> tuple[int, int, int]:
    """Take the shape modifier, and return (rows, columns, depth). Raises `NotKnown` without one."""
    word = next((word for word in low.words if SHAPE.fullmatch(word)), None)
    match = SHAPE.fullmatch(word or "")
    if word is None or match is None:
        raise NotKnown
    low.words.remove(word)
    rows, columns, depth = map(int, match.groups())
    return rows, columns, depth


@declares("mma.sync")
def lower_multiply(low: Lowering) -> None:
    """Lower `mma`: the product of matrices held by a warp, plus a matrix.

    Raises `NotKnown` for layouts other than `row.col`, and for shapes and types that no declared intrinsic has.
    """
    low.take("aligned")
    rows, columns, depth = _take_shape(low)
    if low.words[:2] != ["row", "col"] or columns != 8:
        raise NotKnown
    del low.words[:2]
    low.expect_operands(4)
    to, first, second, third = (low.require("f32", "f16", "f64", "s32", *KINDS, *INTEGERS) for _ in range(4))
    if (first != second and first not in INTEGERS) or to != third or (to == "s32") != (first in INTEGERS):
        raise NotKnown
    shape = f"m{rows}n8k{depth}.row.col"
    if first == "b1":
        name = f"{NAME}.mma.{low.require('xor', 'and')}.{low.require('popc')}.{shape}.b1"
    elif first in INTEGERS:
        kinds = first if first == second else f"{first}.{second}"
        name = f"{NAME}.mma.{shape}{'.satfinite' if low.take('satfinite') else ''}.{kinds}"
    elif first in EIGHT_BIT:
        name = f"asm:mma.sync.aligned.{shape}.{to}.{first}.{second}.{third}"
    else:
        name = f"{NAME}.mma.{shape}.{f'{to}.{third}' if first == 'f16' else first}"
    if name not in TABLE:
        raise NotKnown
    sum_type: Type = FLOATS["f16x2"] if to == "f16" else TYPES[to]
    factor_type: Type = FLOATS["f64"] if first == "f64" else Int(32)
    values = [low.read(part, factor_type) for operand in (1, 2) for part in low.registers(operand)]
    sums = low.registers(0)
    values += [low.read(part, sum_type) for part in low.registers(3)]
    _write_results(low, name, sums, sum_type, values)


def _write_results(low: Lowering, name: str, targets: tuple[Part, ...], ty: Type, values: list[Operand]) -> None:
    if len(targets) == 1:
        low.write(targets[0], low.value(name, ty, *values))
        return
    total = low.value(name, Struct((ty,) * len(targets)), *values)
    for place, part in enumerate(targets):
        low.write(part, low.element(total, place))


def _take_matrix_move(low: Lowering) -> tuple[int, bool]:
    """Take the modifiers of `ldmatrix` or `stmatrix`, and return (number of matrices, whether they are transposed).

    Raises `NotKnown` unless there are two operands, and the matrices are of 8 x 8 halves.
    """
    low.take("aligned")
    low.require("m8n8")
    count, transposed = int(low.require("x1", "x2", "x4")[1]), low.take("trans")
    low.take_one_of(*SHARED)
    low.take_type("b16")
    low.expect_operands(2)
    return count, transposed


@declares("ldmatrix.sync")
def lower_load(low: Lowering) -> None:
    """Lower `ldmatrix`: load 1, 2 or 4 matrices from shared memory; `NotKnown` unless there is a register for each."""
    count, transposed = _take_matrix_move(low)
    targets = low.registers(0)
    if len(targets) != count:
        raise NotKnown
    name = f"{NAME}.ldmatrix.sync.aligned.m8n8.x{count}{'.trans' if transposed else ''}.b16.p3"
    _write_results(low, name, targets, Int(32), [low.pointer(1, shared=True)])


@declares("stmatrix.sync")
def lower_store(low: Lowering) -> None:
    """Lower `stmatrix`: store 1, 2 or 4 matrices to shared memory; `NotKnown` unless there is a register for each."""
    count, transposed = _take_matrix_move(low)
    values = [low.read(part, Int(32)) for part in low.registers(1)]
    if len(values) != count:
        raise NotKnown
    name = f"{NAME}.stmatrix.sync.aligned.m8n8.x{count}{'.trans' if transposed else ''}.b16"
    low.call(name, low.pointer(0, shared=True), *values)


WORDS = ("f16", "bf16", "tf32", "f32", "f64", "s32", "s8", "u8", "s4", "u4", "b1")
REGISTERS: dict[str, Type] = {"f16": FLOATS["f16x2"], "f32": FLOATS["f32"], "f64": FLOATS["f64"]}  # else words


def _require_declared(name: str) -> str:
    """Return the name of an intrinsic, after importing the modules that declare such names.

    Raises `NotKnown` unless it is declared.
    """
    load_intrinsics(name)
    if name not in TABLE:
        raise NotKnown
    return name


def _take_fragment(low: Lowering) -> tuple[str, bool, str, Type]:
    """Take modifiers, and return (shape and layout as a format with the field `verb`, whether the address is shared,
    element type, type of the registers). `NotKnown` without `sync`, a layout, a shape or an element type.
    """
    low.require("sync")
    low.take("aligned")
    layout = low.require("row", "col")
    rows, columns, depth = _take_shape(low)
    shared = low.take_one_of(*SHARED) is not None
    if not shared:
        low.take("global")
    kind = low.require(*WORDS)
    return f"m{rows}n{columns}k{depth}.{{verb}}.{layout}", shared, kind, REGISTERS.get(kind, Int(32))


@declares("wmma.load")
def lower_load_fragment(low: Lowering) -> None:
    """Lower `wmma.load`: load a fragment whose rows or columns lie a stride apart, by default next to each other."""
    role = low.require("a", "b", "c")
    start, shared, kind, ty = _take_fragment(low)
    stride = ".stride" if low.expect_operands(2, 3) == 3 else ""
    name = _require_declared(f"{NAME}.wmma.{start.format(verb=f'load.{role}')}{stride}.{kind}")
    values = [low.pointer(1, shared), *([low.read(2, Int(32))] if stride else [])]
    _write_results(low, name, low.registers(0), ty, values)


@declares("wmma.store")
def lower_store_fragment(low: Lowering) -> None:
    """Lower `wmma.store`: store the fragment of a result; the last operand may be a stride."""
    low.require("d")
    start, shared, kind, ty = _take_fragment(low)
    stride = ".stride" if low.expect_operands(2, 3) == 3 else ""
    name = _require_declared(f"{NAME}.wmma.{start.format(verb='store.d')}{stride}.{kind}")
    values = [low.read(part, ty) for part in low.registers(1)]
    low.call(name, low.pointer(0, shared), *values, *([low.read(2, Int(32))] if stride else []))


@declares("wmma.mma")
def lower_multiply_fragments(low: Lowering) -> None:
    """Lower `wmma.mma`: the product of two fragments plus a third; `NotKnown` if no intrinsic has such types."""
    word = low.take_one_of("xor", "and")
    start = f".{word}.{low.require('popc')}" if word else ""
    low.require("sync")
    low.take("aligned")
    layouts = low.require("row", "col"), low.require("row", "col")
    rows, columns, depth = _take_shape(low)
    to, second = low.require(*WORDS), low.require(*WORDS)
    third, source = low.take_one_of(*WORDS), low.take_one_of(*WORDS)
    low.expect_operands(4)
    kind = f"{to}.{second}" if third is None else second
    if third is not None and (third != second or source != to):
        raise NotKnown
    kind += ".satfinite" if low.take("satfinite") else ""
    name = f"{NAME}.wmma.m{rows}n{columns}k{depth}.mma{start}.{layouts[0]}.{layouts[1]}.{kind}"
    factor_type = REGISTERS.get("f16" if third is None else second, Int(32))
    addend = REGISTERS.get(second if third is None else to, Int(32))
    values = [low.read(part, factor_type) for number in (1, 2) for part in low.registers(number)]
    values += [low.read(part, addend) for part in low.registers(3)]
    _write_results(low, _require_declared(name), low.registers(0), REGISTERS.get(to, Int(32)), values)


@declares("wgmma.mma_async.sync")
def lower_multiply_group(low: Lowering) -> None:
    """Lower `wgmma.mma_async`: a product of matrices in shared memory by four warps; A may be in four registers.

    If operand 3, a predicate, holds, the product is added to what operand 0's registers hold; else it replaces that.
    The operands after operand 3 give the signs of A and B, and for 16-bit types whether a matrix in memory is
    transposed.

    Raises `NotKnown` for shapes and types that no declared intrinsic has, or another number of registers or operands.
    """
    low.take("aligned")
    rows, columns, depth = _take_shape(low)
    to, first, second = low.require("f32", "f16"), low.require(*KINDS), low.require(*KINDS)
    name = f"asm:wgmma.mma_async.sync.aligned.m{rows}nNk{depth}.{to}.{first}.{second}"
    sums, a = low.registers(0), low.registers(1)
    sum_type: Type = FLOATS["f32"] if to == "f32" else Int(32)
    # A matrix in shared memory may be transposed if its elements have 16 bits.
    transpose_flags = (2 if len(a) == 1 else 1) if first in ("f16", "bf16") else 0
    low.expect_operands(6 + transpose_flags)
    if name not in TABLE or len(a) not in (1, 4) or len(sums) * (2 if to == "f32" else 4) != columns:
        raise NotKnown
    values = [low.read(part, sum_type) for part in sums]
    values += [low.read(part, Int(64 if len(a) == 1 else 32)) for part in a]
    values += [low.read(2, Int(64)), low.read(3, Int(1))]
    values += [low.read(number, Int(32)) for number in range(4, 6 + transpose_flags)]
    _write_results(low, name, sums, sum_type, values)


@declares("wgmma.fence.sync", "wgmma.commit_group.sync", "wgmma.wait_group.sync")
def lower_group(low: Lowering) -> None:
    """Lower `wgmma` fences, commits of groups, and waits for groups."""
    low.take("aligned")
    low.call_with_operands(f"{NAME}.{low.name}.aligned", *((Int(64),) if low.name == "wgmma.wait_group.sync" else ()))
