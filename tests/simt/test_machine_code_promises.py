"""What an instruction's flags promise: of a launch that breaks one, machine code proves nothing, and Python tells."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simt.engines import LANES, OUT, VALUE, both

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
    (f"{AS_FLOAT}%g = fadd nnan float %f, 1.0{AS_BITS}", np.float32(1.5), np.float32("nan")),
    (f"{AS_FLOAT}%g = fsub nnan float %f, 0x7FF0000000000000{AS_BITS}", np.float32(1.5), np.float32("inf")),
    (f"{AS_FLOAT}%g = fmul ninf float %f, 2.0{AS_BITS}", np.float32(1.5), np.float32(3e38)),
    (f"{AS_FLOAT}%g = fdiv fast float 1.0, %f{AS_BITS}", np.float32(2.0), np.float32(0.0)),
    (f"{AS_FLOAT}%c = fcmp nnan olt float %f, 1.0\n  %w = zext i1 %c to i32", np.float32(1.5), np.float32("nan")),
)


@pytest.mark.slow
@pytest.mark.parametrize(("lines", "kept", "broken"), PROMISES, ids=[lines.split("\n  ")[-1] for lines, *_ in PROMISES])
def test_a_promise_that_one_lane_breaks_is_not_proved(lines, kept, broken):
    right, wrong = (np.full(LANES, value).astype(np.asarray(kept).dtype, casting="unsafe") for value in (kept, kept))
    wrong[LANES // 2] = broken
    found = {}
    for name, values in (("kept", right), ("broken", wrong)):
        given = values.astype(np.int32) if values.dtype.kind == "i" else values.view(np.int32)
        found[name] = both(f"{VALUE}\n  {lines}{OUT}", values=given)

    assert found["kept"].engine.native == 1 and not found["kept"].findings
    assert found["broken"].engine.native == 0
    assert [finding.kind for finding in found["broken"].findings] == ["uninitialised"]
