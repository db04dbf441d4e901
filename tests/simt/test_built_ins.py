"""What clang emits for CUDA beside what Mojo does: scoped atomics, registers by assembly, votes of whoever is here."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import kernel

STORE = "  %p = getelementptr i32, ptr %o, i64 %i\n  store i32 %r, ptr %p, align 4"


def run(body: str, start: np.ndarray | None = None, grid: int = 1) -> np.ndarray:
    """The array after 64 threads of each block ran."""
    values = np.zeros(64 * grid, np.int32) if start is None else start
    result = simt.launch(
        kernel(body), target="nvidia:sm_90", grid=grid, block=64, args=[values], observers=simt.observers()
    )
    assert result.verdict == "clean", result.findings
    return values


@pytest.mark.parametrize(
    ("name", "value", "start", "expected"),
    [
        ("add.gen.i", "i32 2", 5, 5 + 2 * 64),
        ("max.gen.i", "i32 %t", -3, 63),
        ("min.gen.i", "i32 %t", 9, 0),
        ("and.gen.i", "i32 6", 13, 4),
        ("or.gen.i", "i32 6", 1, 7),
        ("xor.gen.i", "i32 1", 8, 8),
        ("inc.gen.i", "i32 9", 0, 64 % 10),
        ("dec.gen.i", "i32 9", 0, (10 - 64 % 10) % 10),
        ("exch.gen.i", "i32 7", 1, 7),
    ],
)
@pytest.mark.parametrize("scope", ["cta", "sys"])
def test_a_scoped_atomic_updates_one_after_another(name, value, start, expected, scope):
    body = f"  %r = call i32 @llvm.nvvm.atomic.{name}.{scope}.i32.p0(ptr %o, {value})"
    assert run(body, np.array([start], np.int32)).tolist() == [expected]


def test_a_scoped_exchange_compares():
    """Each thread finds the number before its own, in turn or not at all: one chain of those in order."""
    body = "  %n = add i32 %t, 1\n  %r = call i32 @llvm.nvvm.atomic.cas.gen.i.sys.i32.p0(ptr %o, i32 %t, i32 %n)"
    assert run(body, np.array([0], np.int32)).tolist() == [64]


@pytest.mark.parametrize(
    ("register", "expected"),
    [
        ("laneid", np.arange(128) % 32),
        ("warpid", np.arange(128) % 64 // 32),
        ("tid.x", np.arange(128) % 64),
        ("ctaid.x", np.arange(128) // 64),
        ("ntid.x", np.full(128, 64)),
        ("cluster_ctarank", np.zeros(128)),
        ("smid", np.arange(128) // 64),
        ("nsmid", np.full(128, 132)),
        ("lanemask_lt", (1 << np.arange(128) % 32) - 1),
    ],
)
def test_a_register_is_read_by_assembly_too(register, expected):
    body = f'  %r = call i32 asm sideeffect "mov.u32 $0, %{register};", "=r"()\n{STORE}'
    np.testing.assert_array_equal(run(body, grid=2), expected.astype(np.int64).astype(np.int32))


def test_a_vote_without_a_mask_is_of_those_who_are_here():
    """`__activemask` in a branch that the lower half of each warp takes."""
    body = f"""  %lane = and i32 %t, 31
  %c = icmp ult i32 %lane, 16
  br i1 %c, label %half, label %end
half:
  %r = call i32 @llvm.nvvm.vote.ballot(i1 true)
{STORE}
  br label %end
end:"""
    np.testing.assert_array_equal(run(body), np.tile(np.repeat([0xFFFF, 0], 16), 2))


def test_a_cycle_counter_goes_on():
    body = (
        """  %a = call i64 @llvm.readcyclecounter()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %b = call i64 @llvm.readcyclecounter()
  %d = icmp sgt i64 %b, %a
  %r = zext i1 %d to i32
"""
        + STORE
    )
    assert run(body).all()
