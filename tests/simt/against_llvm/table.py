"""All rows, by the type of their first operand, and what has none."""

from __future__ import annotations

from harness.simt import intrinsics  # noqa: F401 - they declare
from harness.simt.compile.emitters import EMITTERS
from harness.simt.compile.registry import all_intrinsics as intrinsics_declared
from tests.simt.against_llvm.floats import float_rows
from tests.simt.against_llvm.integers import integer_rows
from tests.simt.against_llvm.shapes import Shape
from tests.simt.against_llvm.vectors import vector_rows

__all__ = ["MORE", "OUTSIDE", "QUICK", "SOME", "declared", "rows_of"]

# Each of the simulator's ways to keep a value: one bit, the next dtype, a dtype's own width, Python's integers.
SOME = ("i1", "i8", "i13", "i16", "i32", "i64", "i100", "half", "bfloat", "float", "double", "<3 x i24>", "<4 x float>")
QUICK = ("i1", "float")  # of those, what runs after each edit: the cheapest integers, and floats
WIDTHS = (*range(2, 8), 9, 12, 15, 17, 18, 23, 24, 25, 31, 33, 40, 47, 48, 53, 54, 56, 63, 65, 66, 72, 96, 127, 128)
VECTORS = (
    *("<2 x i1>", "<3 x i1>", "<8 x i1>", "<4 x i5>", "<4 x i8>", "<8 x i16>", "<3 x i32>", "<2 x i64>", "<2 x i33>"),
    *("<3 x i100>", "<2 x i128>", "<2 x half>", "<3 x half>", "<4 x bfloat>", "<2 x float>", "<3 x double>"),
)
MORE = (*(f"i{bits}" for bits in WIDTHS), *VECTORS)
# What only computes and yet is not compared: where a pointer is or what it says is the simulator's own.
OUTSIDE = {
    *("getelementptr", "ptrtoint", "ptrtoaddr", "inttoptr", "addrspacecast", "llvm.ptrmask", "llvm.ptr.annotation"),
    *("llvm.launder.invariant.group", "llvm.strip.invariant.group"),
    "llvm.ssa.copy",  # a name that passes of LLVM give a value, which it has no code for
}
# What touches memory, or passes control on.
EFFECTS = ("alloca", "atomicrmw", "cmpxchg", "fence", "load", "store", "variable", "call")
VENDORS = ("llvm.nvvm.", "llvm.amdgcn.")


def rows_of(text):
    """All rows whose first operand is of a type."""
    shape = Shape(text)
    rows = list(float_rows(text) if shape.is_float else integer_rows(text))
    return rows if text == shape.element else [*rows, *vector_rows(text)]


def declared():
    """The instructions and intrinsics of LLVM's own that only compute, and are computed exactly."""
    opcodes = {opcode for opcode in EMITTERS if opcode.partition(".")[0] not in EFFECTS}
    return opcodes | {
        name
        for name, intrinsic in intrinsics_declared().items()
        if intrinsic.kind in ("pure", "typed", "emitted", "expanded") and intrinsic.exact
        if name.startswith("llvm.") and not name.startswith(VENDORS)
    }
