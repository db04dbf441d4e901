"""AMD's copies from a descriptor to shared memory: each lane of a wave fills its place."""

from __future__ import annotations

from typing import Any

import numpy as np

from harness import simt
from tests.simt.engines import OUT, VALUE
from tests.simt.launches.row import Row
from tests.simt.snippets import kernel

__all__ = ["LEFT_SPREAD", "SPREAD"]

BARRIER = """
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire"""
WAIT = "\n  call void @llvm.amdgcn.s.waitcnt(i32 {})"
ALL, ALL_BUT_ONE, OF_NO_COPY = map(WAIT.format, (3952, 3953, 49279))
DESCRIBED = """
  %base = ptrtoint ptr %a to i64
  %low = trunc i64 %base to i32
  %up = lshr i64 %base, 32
  %high = trunc i64 %up to i32
  %d0 = insertelement <4 x i32> <i32 0, i32 0, i32 {}, i32 0>, i32 %low, i64 0
  %d1 = insertelement <4 x i32> %d0, i32 %high, i64 1
  %whole = bitcast <4 x i32> %d1 to i128
  %d = inttoptr i128 %whole to ptr addrspace(8)
  %at = mul i32 %t, 4
  %fours = and i32 %at, 252
  %wide = mul i32 %fours, 4
  %near = xor i64 %i, 1
  %across = xor i64 %i, 64
  %wave = and i64 %i, 64
  %place = getelementptr [256 x i32], ptr addrspace(3) @room, i64 0, i64 %wave
  %own = getelementptr [256 x i32], ptr addrspace(3) @room, i64 0, i64 %i"""
COPY = """
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(
    ptr addrspace(8) %d, ptr addrspace(3) {}, i32 {}, i32 {}, i32 {}, i32 {}, i32 0)""".replace("\n    ", "")
WORD, SECOND = COPY.format("%place", 4, "%at", 0, 0), COPY.format("%place", 4, "%at", 0, 512)
FROM = """
  %r = getelementptr [256 x i32], ptr addrspace(3) @room, i64 0, i64 {}
  %w = load i32, ptr addrspace(3) %r"""
NEAR, ACROSS = FROM.format("%near"), FROM.format("%across")
FIRST, OTHER = NEAR.replace("%r", "%r1").replace("%w", "%w1"), COPY.format("%place", 4, "%at", 4, 0)
STORED = "\n  store i32 %v, ptr addrspace(3) {}"
ROUNDS = f"""
  br label %round
round:
  %n = phi i32 [ 0, %0 ], [ %m, %round ]
  %more = mul i32 %n, 16{COPY.format("%place", 4, "%at", "%more", 0)}{ALL}{BARRIER}
  %x = load i32, ptr addrspace(3) %own{BARRIER}
  %m = add i32 %n, 1
  %c = icmp ult i32 %m, 5
  br i1 %c, label %round, label %end
end:
  %w = add i32 %x, 1"""
PROVED = {
    "a word of another lane": (WORD, ALL, BARRIER, NEAR),
    "a word of another wave": (WORD, ALL, BARRIER, ACROSS),
    "four words": (COPY.format("@room", 16, "%wide", 0, 0), ALL, BARRIER, NEAR),
    "two, one after the other": (WORD, ALL, BARRIER, FIRST, BARRIER, OTHER, ALL, BARRIER, NEAR),
    "two that are waited for together": (WORD, SECOND, ALL, BARRIER, NEAR),
    "one in each round": (ROUNDS,),
}
LEFT = {
    "it is read before": ((WORD, BARRIER, NEAR), "async-copy"),
    "it is read without a barrier": ((WORD, ALL, ACROSS), "race"),
    "not all are waited for": ((WORD, SECOND, ALL_BUT_ONE, BARRIER, FROM.format("%near")), None),
    "other counters are waited for": ((WORD, OF_NO_COPY, BARRIER, NEAR), "async-copy"),
    "each lane gives its own place": ((COPY.format("%own", 4, "%at", 0, 0), ALL, BARRIER, NEAR), "buffer-to-shared"),
    "another lane stores there while it copies": ((WORD, STORED.format("%own"), ALL, BARRIER, NEAR), "async-copy"),
    "the next one comes too early": ((WORD, ALL, BARRIER, ACROSS, WORD, ALL), "race"),
}
STORED_BEFORE = (STORED.format("%own"), WORD, ALL, BARRIER, NEAR)
ROOM = "@room = internal addrspace(3) global [256 x i32] undef, align 16\n"


def _row(name: str, lines: tuple[str, ...], holds: int = 1024, block: int = 128, **facts: Any) -> Row:
    """Return a row of copies, and of what is between them."""
    text = kernel("".join((VALUE, DESCRIBED.format(holds), *lines, OUT)), "ptr %a, ptr %o", ROOM, "amd:gfx942")
    values = np.arange(256, dtype=np.int32)
    how = {"target": "amd:gfx942", "block": block, "size": 256, "values": values, "initialised": True}
    return Row(f"spread: {name}", simt.decode(text), how, scalar=None, **facts)


SPREAD = (
    *(_row(name, lines, block=64 if name == "four words" else 128) for name, lines in PROVED.items()),
    _row("a wait for no copies", (STORED.format("%own"), ALL, BARRIER, NEAR)),
)
LEFT_SPREAD = (
    *(_row(name, lines, compiled=0, found=kind or ()) for name, (lines, kind) in LEFT.items()),
    _row("another lane stores before where it copies to", STORED_BEFORE),
    _row("a descriptor does not allow it", (WORD, ALL, BARRIER, NEAR), holds=256, compiled=0),
)
