"""The profile of kernels that are small enough to count by hand."""

import re

import numpy as np
import pytest

from harness import simt
from harness.simt.rows import Row

HEAD = """target triple = "nvptx64-nvidia-cuda"
@cells = internal addrspace(3) global [1024 x i32] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.wait.all()
declare float @llvm.fma.f32(float, float, float)
define ptx_kernel void @k(ptr %o, ptr %a) !dbg !4 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !10
  %w = zext i32 %t to i64
  %at = getelementptr float, ptr %o, i64 %w
"""
TAIL = """ret void, !dbg !10
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.mojo", directory: "")
!2 = !{i32 2, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!10 = !DILocation(line: 2, column: 1, scope: !4)
"""


def profile(body: str, *, block: int = 32) -> simt.LaunchResult:
    """A launch of one block; `@LINE:COLUMN` at the end of an instruction is its place."""
    located = TAIL
    places: dict[str, int] = {}
    text = re.sub(r" @(\d+:\d+)$", lambda at: f", !dbg !{places.setdefault(at[1], 20 + len(places))}", body, flags=re.M)
    for place, number in places.items():
        line, column = place.split(":")
        located += f"!{number} = !DILocation(line: {line}, column: {column}, scope: !4)\n"
    return simt.launch(
        HEAD + text + located,
        target="nvidia:sm_90",
        grid=1,
        block=block,
        args=[np.zeros(1024, np.float32), simt.Buffer(np.ones(1024, np.float32), "a", writable=False)],
        observers=simt.observers(profile=True),
    )


def rows(result: simt.LaunchResult) -> dict[tuple[int, int, str], Row]:
    return {(row.line, row.column, row.what): row for row in result.profile}


def test_two_accesses_of_one_line_are_apart():
    """`o[t] = a[t] + a[8 * t]`: one load takes 4 sectors, the other 32."""
    found = rows(
        profile(
            """
            %p = getelementptr float, ptr %a, i64 %w
            %x = load float, ptr %p, align 4 @7:12
            %e = shl i64 %w, 3
            %q = getelementptr float, ptr %a, i64 %e
            %y = load float, ptr %q, align 4 @7:19
            %v = fadd float %x, %y @7:17
            store float %v, ptr %at, align 4 @7:10
            """
        )
    )

    near, far = found[7, 12, "global load"], found[7, 19, "global load"]
    assert (near.requests, near.lanes, near.bytes, near.sectors, near.least_sectors, near.lines) == (
        1,
        32,
        128,
        4,
        4,
        1,
    )
    assert (far.requests, far.bytes, far.sectors, far.least_sectors, far.lines) == (1, 128, 32, 4, 8)
    assert found[7, 10, "global store"].sectors == 4
    assert found[7, 17, "arithmetic"].operations == 32


def test_a_copy_is_a_load_and_a_store_each_once():
    """Lanes wait for it in two parts; the store is where it was begun."""
    found = rows(
        profile(
            """
            %s = getelementptr i32, ptr addrspace(3) @cells, i32 %t
            %p = getelementptr float, ptr %a, i64 %w
            %g = addrspacecast ptr %p to ptr addrspace(1)
            call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %s, ptr addrspace(1) %g) @5:9
            %c = icmp slt i32 %t, 8
            br i1 %c, label %first, label %second @6:5
            first:
            call void @llvm.nvvm.cp.async.wait.all() @7:9
            br label %end
            second:
            call void @llvm.nvvm.cp.async.wait.all() @9:9
            br label %end
            end:
            """
        )
    )

    load, store = found[5, 9, "global load"], found[5, 9, "shared store"]
    assert (load.requests, load.lanes, load.bytes, load.sectors) == (1, 32, 128, 4)
    assert (store.requests, store.lanes, store.bytes, store.passes, store.conflicts) == (1, 32, 128, 1, 0)
    assert not any(kind == "global store" for *_, kind in found)


def test_conflicts_are_told_for_loads_stores_and_atomics():
    body = """
        %e = shl i32 %t, 1
        %s = getelementptr i32, ptr addrspace(3) @cells, i32 %e
        store i32 1, ptr addrspace(3) %s, align 4 @3:5
        %x = load i32, ptr addrspace(3) %s, align 4 @4:5
        %y = atomicrmw add ptr addrspace(3) %s, i32 1 monotonic, align 4 @5:5
        %z = atomicrmw add ptr addrspace(3) @cells, i32 1 monotonic, align 4 @6:5
        """
    found = rows(profile(body))

    assert [found[3, 5, "shared store"].conflicts, found[4, 5, "shared load"].conflicts] == [1, 1]
    assert [found[5, 5, "shared atomic"].passes, found[6, 5, "shared atomic"].passes] == [2, 32]


def test_a_branch_is_told_by_the_warps_that_it_divides():
    """Of three warps, the last of 6 lanes, it divides the second."""
    body = """
        %c = icmp slt i32 %t, 40
        br i1 %c, label %in, label %end @4:9
        in:
        store float 1.0, ptr %at, align 4 @5:5
        br label %end
        end:
        """
    result = profile(body, block=70)
    branch, store = rows(result)[4, 9, "branch"], rows(result)[5, 5, "global store"]

    assert (branch.requests, branch.lanes, branch.divergent) == (3, 70, 1)
    assert (store.requests, store.lanes, store.sectors) == (2, 40, 5)
    assert result.counters["elements_written"] == 40


@pytest.mark.parametrize(
    ("instruction", "operations"),
    [
        ("%v = fadd float 1.0, 2.0", 32),
        ("%v = call float @llvm.fma.f32(float 1.0, float 2.0, float 3.0)", 64),
        ("%v = fmul <4 x float> zeroinitializer, zeroinitializer", 128),
        ("%v = add i32 %t, 1", 0),
    ],
)
def test_operations_are_those_on_floating_point_numbers(instruction: str, operations: int):
    found = rows(profile(f"{instruction} @3:5\nstore float 0.0, ptr %at, align 4 @4:5\n"))

    assert sum(row.operations for row in found.values()) == operations


def test_vectors_write_as_many_elements():
    body = """
        %b = shl i64 %w, 4
        %p = getelementptr i8, ptr %o, i64 %b
        store <4 x float> zeroinitializer, ptr %p, align 16 @3:5
        """
    result = profile(body)
    row = rows(result)[3, 5, "global store"]

    assert (row.bytes, row.sectors, row.lines) == (512, 16, 4)
    assert result.counters["elements_written"] == 128


def test_nobody_counts_where_nobody_asks():
    result = simt.launch(
        HEAD + TAIL,
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[np.zeros(1024, np.float32), np.zeros(1024, np.float32)],
        observers=simt.observers(),
    )

    assert result.profile == ()
    assert "elements_written" not in result.counters


@pytest.mark.parametrize(
    ("align", "requests", "sectors"),
    [pytest.param(16, 1, 16, id="known"), pytest.param(8, 2, 32, id="half"), pytest.param(4, 4, 64, id="unknown")],
)
def test_a_vector_of_an_unknown_alignment_is_moved_in_parts(align: int, requests: int, sectors: int):
    """Each part of 32 vectors lies in all of their 16 sectors."""
    body = f"""
        %b = shl i64 %w, 4
        %p = getelementptr i8, ptr %o, i64 %b
        store <4 x float> zeroinitializer, ptr %p, align {align} @3:5
        """
    result = profile(body)
    row = rows(result)[3, 5, "global store"]

    assert (row.requests, row.sectors, row.bytes, row.lanes) == (requests, sectors, 512, 32 * requests)
    assert result.counters["global_transactions"] == sectors


def test_a_vector_of_shared_memory_takes_a_pass_for_128_bytes():
    body = """
        %b = shl i32 %t, 4
        %p = getelementptr i8, ptr addrspace(3) @cells, i32 %b
        store <4 x float> zeroinitializer, ptr addrspace(3) %p, align 16 @3:5
        store <4 x float> zeroinitializer, ptr addrspace(3) %p, align 4 @4:5
        """
    found = rows(profile(body))
    whole, apart = found[3, 5, "shared store"], found[4, 5, "shared store"]

    assert (whole.passes, whole.conflicts) == (4, 0)
    assert (apart.requests, apart.passes, apart.conflicts) == (4, 16, 12)
