"""What an instruction's flags promise: rows that keep a promise, and rows in which one lane breaks it."""

from __future__ import annotations

import numpy as np

from tests.simt.engines import LANES
from tests.simt.launches.row import Row, whole

__all__ = ["BROKEN", "KEPT"]

AS_FLOAT = "%f = bitcast i32 %v to float\n  "
AS_BITS = "\n  %w = bitcast float %g to i32"
AS_BYTE = "\n  %w = zext i8 %k to i32"
# Lines, a value that keeps the promise, and one that breaks it.
PROMISES = (
    ("%w = add nsw i32 %v, 1", 5, 0x7FFFFFFF),
    ("%w = add nuw i32 %v, 1", 5, -1),
    ("%w = sub nsw i32 %v, 1", 5, -0x80000000),
    ("%w = sub nuw i32 %v, 6", 6, 5),
    ("%w = mul nsw i32 %v, 3", -5, 0x40000000),
    ("%w = mul nuw i32 %v, 3", 5, -5),
    ("%w = shl nsw i32 %v, 2", -5, 0x20000000),
    ("%w = shl nuw i32 %v, 2", 5, 0x40000000),
    ("%w = shl i32 1, %v", 31, 32),
    ("%w = lshr exact i32 %v, 2", 8, 9),
    ("%w = ashr exact i32 %v, 2", -8, -7),
    ("%w = sdiv exact i32 %v, 3", -9, -8),
    ("%w = udiv exact i32 %v, 3", 9, 8),
    ("%w = or disjoint i32 %v, 1", 8, 9),
    ("%k = zext nneg i32 %v to i64\n  %w = trunc i64 %k to i32", 5, -5),
    (f"%g = uitofp nneg i32 %v to float{AS_BITS}", 5, -5),
    (f"%k = trunc nsw i32 %v to i8{AS_BYTE}", -5, 128),
    (f"%k = trunc nuw i32 %v to i8{AS_BYTE}", 255, -5),
    ("%c = icmp samesign ult i32 %v, 7\n  %w = zext i1 %c to i32", 5, -5),
    ("%w = call i32 @llvm.abs.i32(i32 %v, i1 true)", -5, -0x80000000),
    ("%w = call i32 @llvm.ctlz.i32(i32 %v, i1 true)", 5, 0),
    ("%w = call i32 @llvm.cttz.i32(i32 %v, i1 true)", 5, 0),
    (f"{AS_FLOAT}%g = fadd nnan float %f, 1.0{AS_BITS}", 1.5, np.nan),
    (f"{AS_FLOAT}%g = fsub nnan float %f, 0x7FF0000000000000{AS_BITS}", 1.5, np.inf),
    (f"{AS_FLOAT}%g = fmul ninf float %f, 2.0{AS_BITS}", 1.5, 3e38),
    (f"{AS_FLOAT}%g = fdiv fast float 1.0, %f{AS_BITS}", 2.0, 0.0),
    (f"{AS_FLOAT}%c = fcmp nnan olt float %f, 1.0\n  %w = zext i1 %c to i32", 1.5, np.nan),
)


def _values(kept: float, broken: float | None = None) -> np.ndarray:
    values = np.full(LANES, kept, np.int32 if isinstance(kept, int) else np.float32)
    if broken is not None:
        values[LANES // 2] = broken
    return values.view(np.int32)


KEPT = tuple(Row(f"kept: {lines}", whole(lines), {"values": _values(kept)}) for lines, kept, _ in PROMISES)
BROKEN = tuple(
    Row(f"broken: {lines}", whole(lines), {"values": _values(kept, broken)}, 0, ("uninitialised",))
    for lines, kept, broken in PROMISES
)
