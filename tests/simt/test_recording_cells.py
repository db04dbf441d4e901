"""What a recording shows of memory that is accessed both as integers and as floats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness import simt
from harness.simt.observing.columns import ATOMIC, LOAD, SETTLED, STORE, unpack_rows
from harness.simt.observing.recorded import recording_to_dict
from harness.simt.observing.recording import Recorder

HEAD = """target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [2 x i32] undef, align 8
define ptx_kernel void @k(ptr %o) !dbg !4 {
"""
DEBUG = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.mojo", directory: "")
!2 = !{i32 2, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
"""
TILE = "ptr addrspace(3) @tile"


def record(*lines: str, dtypes: dict[str, Any] | None = None) -> tuple[list[tuple[int, list[str]]], dict[str, Any]]:
    """Return (kind, texts) of each access of one thread, each instruction on a line of its own, and all facts."""
    body = "".join(f"  {line}, !dbg !{10 + at}\n" for at, line in enumerate((*lines, "ret void")))
    places = "".join(
        f"!{10 + at} = !DILocation(line: {2 + at}, column: 1, scope: !4)\n" for at in range(len(lines) + 1)
    )
    recorder = Recorder(dtypes=dtypes)
    result = simt.launch(
        simt.decode(f"{HEAD}{body}}}\n{DEBUG}{places}", variables=True),
        target="nvidia:sm_90",
        grid=1,
        block=1,
        args=[simt.Buffer(np.zeros(2, np.int32), "o")],
        observers=[recorder],
    )
    assert result.verdict == "clean", result.findings
    data = recording_to_dict(recorder)
    texts = data["texts"]
    accesses = [row for part in data["parts"] for row in unpack_rows(part, "accesses")]
    return [(row["kind"], [texts[value] for value in row["values"]]) for row in accesses], data


def test_cells_that_were_cleared_as_integers_hold_floats():
    found, data = record(f"store i32 0, {TILE}", f"store float 1.5, {TILE}", f"%v = load i32, {TILE}")

    assert found == [(STORE, ["0"]), (STORE, ["1.5"]), (LOAD, ["1.5"])]
    assert [buffer["dtype"] for buffer in data["buffers"] if buffer["space"] == "shared"] == ["float32"]


def test_an_atomic_on_floats_that_were_cleared_as_integers_leaves_a_float():
    found, _ = record("store i32 0, ptr %o", "%v = atomicrmw fadd ptr %o, float 2.5 monotonic")

    assert found == [(STORE, ["0"]), (ATOMIC, ["2.5"]), (SETTLED, ["2.5"])]


@pytest.mark.parametrize(("dtype", "text"), [(np.int32, "1069547520"), (np.float32, "1.5")])
def test_a_declared_type_of_cells_stays(dtype, text):
    """A float in a cell of integers is shown by its bits, as a debugger shows it."""
    found, data = record("store float 1.5, ptr %o", dtypes={"o": np.dtype(dtype)})

    assert found == [(STORE, [text])]
    assert [buffer["dtype"] for buffer in data["buffers"]] == [np.dtype(dtype).name]


def test_a_cell_of_a_bfloat_holds_its_value():
    """Also where it is read from memory later, and beyond the largest float16."""
    found, _ = record(
        f"store bfloat 0xR3FC0, {TILE}",
        f"store i32 {0x3FC0 << 16 | 0x47C0}, {TILE}",
        f"%v = load bfloat, {TILE}",
    )

    assert found[0] == (STORE, ["1.5"])
    assert found[2] == (SETTLED, ["98304.0", "1.5"])
    assert found[-1] == (LOAD, ["98304.0"])
