"""Every name that `mbarrier` has, by the registry's list: what counts an arrival, bytes, or asks for a phase."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import all_intrinsics
from tests.simt.snippets import kernel

NAME = "llvm.nvvm.mbarrier"
SHARED = "@bar = internal addrspace(3) global i64 undef, align 8\n"
BAR = "ptr addrspace(3) @bar"
WAIT = f"call i1 @{NAME}.test.wait.parity.scope.cta.space.cta({BAR}, i32"
ARRIVE = f"call i64 @{NAME}.arrive.shared({BAR})"
ARRIVALS = [name for name in all_intrinsics() if re.fullmatch(rf"{NAME}\.arrive(\.[\w.]+)?", name)]
ARRIVALS += [
    f"asm:mbarrier.arrive.expect_tx.relaxed.{scope}.shared::cta.b64 $0, [$1], $2;" for scope in ("cta", "cluster")
]
WAITS = [name for name in all_intrinsics() if re.fullmatch(rf"{NAME}\.(test|try)\.wait(\.[\w.]+)?", name)]
WAITS.append("asm:mbarrier.try_wait.parity.shared::cta.b64 $0, [$1], $2;")
# A GPU may wait as long as it likes unless it is told how long. An H200 goes on meanwhile to what does not need the
# answer: an arrival that stands behind the question, by the same thread, still counts.
SOONER = [
    pytest.param(name, marks=pytest.mark.simulated) if "try" in name and ".tl" not in name else name for name in WAITS
]
# As Mojo's library and CUDA's headers write them.
LOOPS = [
    f"asm:{{ .reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity{kind}.shared{space}.b64 P1, [$0], $1{limit}; "
    f"{branches} }}"
    for kind, space, limit, branches in (
        *(
            (f".{order}.{scope}", "::cta", "", "@P1 bra DONE; bra LAB_WAIT; DONE:")
            for order in ("acquire", "relaxed")
            for scope in ("cta", "cluster")
        ),
        ("", "", ", $2", "@P1 bra.uni DONE; bra.uni LAB_WAIT; DONE:"),
        ("", "::cta", "", "@P1 bra DONE; bra LAB_WAIT; DONE:"),
        ("", "::cta", "", "@!P1 bra LAB_WAIT;"),
    )
]
COPIES = [name for name in all_intrinsics() if name.startswith("llvm.nvvm.cp.async.mbarrier.arrive")]
BYTES = [name for name in all_intrinsics() if re.fullmatch(rf"{NAME}\.(expect|complete)\.tx\.[\w.]+", name)]


def bits(body, count):
    """What one thread finds, as the numbers `%e0`, `%e1` and so on; the barrier takes so many arrivals."""
    found = re.findall(r"(%e\d) = call i1", body)
    stores = "".join(
        f"  %z{n} = zext i1 {bit} to i32\n  %q{n} = getelementptr i32, ptr %o, i64 {n}\n  store i32 %z{n}, ptr %q{n}\n"
        for n, bit in enumerate(found)
    )
    head = f"""  %generic = addrspacecast {BAR} to ptr
  %small = ptrtoint {BAR} to i32
  %far = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster({BAR}, i32 0)
  call void @{NAME}.init.shared({BAR}, i32 {count})
"""
    output = np.full(len(found), -1, np.int32)
    result = simt.launch(
        kernel(head + body + stores, globals_=SHARED),
        target="nvidia:sm_90",
        grid=1,
        block=1,
        args=[output],
        observers=simt.observers(),
    )
    assert result.verdict == "clean", (result.findings, result.fault)
    return output.tolist()


def called(name, *operands, gives="i64"):
    """A call of what has that name, by which the barrier comes first."""
    given = ", ".join((place(name), *operands))
    if not name.startswith("asm:"):
        return f"call {gives} @{name}({given})"
    kinds = [{"void": "", "i64": "=l,", "i1": "=b,"}[gives] + "r", *["r"] * len(operands)]
    return f'call {gives} asm sideeffect "{name[4:]}", "{",".join(kinds)}"({given})'


def place(name):
    """The barrier as an instruction of that name takes it."""
    if name.startswith("asm:"):
        return "i32 %small"
    if name.endswith("space.cluster"):
        return "ptr addrspace(7) %far"
    return BAR if name.endswith((".shared", "space.cta")) else "ptr %generic"


@pytest.mark.parametrize("name", ARRIVALS)
def test_an_arrival_counts_once_and_one_that_drops_out_lowers_the_next_count(name):
    """Two by that name and one other end a phase of three; of the next phase one is left, if two dropped out."""
    counts = "scope" in name or "noComplete" in name or "asm" in name
    numbers = [f"i32 {16 if 'expect' in name else 1}"] if counts else []
    gives = "void" if name.endswith("space.cluster") else "i64"
    lines = []
    for turn in range(2):
        result = "" if gives == "void" else f"%t{turn} = "
        lines.append(f"{result}{called(name, *numbers, gives=gives)}")
        if "expect" in name:
            lines.append(f"call void @{NAME}.complete.tx.scope.cta.space.cta({BAR}, i32 16)")
    lines += [f"%e0 = {WAIT} 0)", f"%t2 = {ARRIVE}", f"%e1 = {WAIT} 0)", f"%t3 = {ARRIVE}", f"%e2 = {WAIT} 1)"]

    assert bits("".join(f"  {line}\n" for line in lines), 3) == [0, 1, ".drop" in name]


@pytest.mark.parametrize("name", SOONER)
def test_a_phase_is_asked_for_by_its_parity_or_a_token(name):
    """Before its second arrival, and after."""
    which = "i32 0" if ".parity" in name else "i64 %t0"
    call = called(name, which, *["i32 100"] if ".tl" in name else [], gives="i1")
    lines = [f"%t0 = {ARRIVE}", f"%e0 = {call}", f"%t1 = {ARRIVE}", f"%e1 = {call}"]

    assert bits("".join(f"  {line}\n" for line in lines), 2) == [0, 1]


@pytest.mark.parametrize("name", BYTES)
def test_bytes_are_awaited_and_come(name):
    """A phase whose arrivals are there lasts until its bytes are."""
    here = f"{NAME}.{{}}.tx.scope.cta.space.cta"
    calls = {kind: f"call void @{here.format(kind)}({BAR}, i32 16)" for kind in ("expect", "complete")}
    calls["expect" if ".expect." in name else "complete"] = f"call void @{name}({place(name)}, i32 16)"
    lines = [calls["expect"], f"%t0 = {ARRIVE}", f"%e0 = {WAIT} 0)", calls["complete"], f"%e1 = {WAIT} 0)"]

    assert bits("".join(f"  {line}\n" for line in lines), 1) == [0, 1]


@pytest.mark.parametrize("name", [f"{NAME}.inval", f"{NAME}.inval.shared"])
def test_a_barrier_begins_anew_after_it_was_invalidated(name):
    lines = [f"call void @{name}({place(name)})", f"call void @{NAME}.init.shared({BAR}, i32 1)"]
    lines += [f"%e0 = {WAIT} 0)", f"%t0 = {ARRIVE}", f"%e1 = {WAIT} 0)"]

    assert bits("".join(f"  {line}\n" for line in lines), 2) == [0, 1]


@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.parametrize("seed", [None, 1])
def test_a_loop_waits_for_the_end_of_a_phase(name, seed):
    """One warp waits until the other has arrived; when it has asked again, and so acquired, it reads what it wrote."""
    body = f"""
      %small = ptrtoint {BAR} to i32
      %late = icmp ult i32 %t, 32
      %first = icmp eq i32 %t, 0
      br i1 %first, label %begin, label %begun
    begin:
      call void @{NAME}.init.shared({BAR}, i32 32)
      br label %begun
    begun:
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      br i1 %late, label %wait, label %write
    write:
      %w = getelementptr i32, ptr addrspace(3) @words, i32 %t
      store i32 %t, ptr addrspace(3) %w
      %k = {ARRIVE}
      br label %end
    wait:
      {called(name, "i32 0", *["i32 100"] if "$2" in name else [], gives="void")}
      %done = {WAIT} 0)
      %gap = xor i32 %t, 63
      %r = getelementptr i32, ptr addrspace(3) @words, i32 %gap
      %v = load i32, ptr addrspace(3) %r
      %x = select i1 %done, i32 %v, i32 -1
      %p = getelementptr i32, ptr %o, i32 %t
      store i32 %x, ptr %p
      br label %end
    end:"""
    words = "@words = internal addrspace(3) global [64 x i32] undef, align 8\n"
    output = np.zeros(32, np.int32)
    result = simt.launch(
        kernel(body, globals_=SHARED + words),
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[output],
        observers=simt.observers(),
        options=simt.Options(seed=seed),
    )

    assert result.verdict == "clean", (result.findings, result.fault)
    assert output.tolist() == [*range(63, 31, -1)]


@pytest.mark.parametrize("name", COPIES)
def test_copies_arrive_when_they_have_come(name):
    """With `noinc` as one of the arrivals that the barrier takes; else as one more, and another one ends the phase."""
    counted = "noinc" in name
    body = f"""
      %generic = addrspacecast {BAR} to ptr
      %first = icmp eq i32 %t, 0
      br i1 %first, label %begin, label %begun
    begin:
      call void @{NAME}.init.shared({BAR}, i32 {32 if counted else 1})
      br label %begun
    begun:
      call void @llvm.nvvm.bar.warp.sync(i32 -1)
      %w = getelementptr i32, ptr addrspace(3) @words, i32 %t
      %a = getelementptr i32, ptr %given, i32 %t
      %far = addrspacecast ptr %a to ptr addrspace(1)
      call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %w, ptr addrspace(1) %far)
      call void @{name}({place(name)})
      call void @llvm.nvvm.bar.warp.sync(i32 -1)
      br i1 {"false" if counted else "%first"}, label %last, label %wait
    last:
      %early = {WAIT} 0)
      %k = {ARRIVE}
      %bit = zext i1 %early to i32
      %s = getelementptr i32, ptr %o, i32 32
      store i32 %bit, ptr %s
      br label %wait
    wait:
      %done = {WAIT} 0)
      br i1 %done, label %read, label %wait
    read:
      %gap = xor i32 %t, 31
      %r = getelementptr i32, ptr addrspace(3) @words, i32 %gap
      %v = load i32, ptr addrspace(3) %r
      %p = getelementptr i32, ptr %o, i32 %t
      store i32 %v, ptr %p"""
    words = "@words = internal addrspace(3) global [32 x i32] undef, align 16\n"
    output, given = np.zeros(33, np.int32), np.arange(100, 132, dtype=np.int32)
    result = simt.launch(
        kernel(body, "ptr %o, ptr %given", SHARED + words),
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[output, given],
        observers=simt.observers(unwritten=False),
    )

    assert result.verdict == "clean", (result.findings, result.fault)
    assert output.tolist() == [*reversed(given.tolist()), 0]


def test_a_thread_chooses_whether_the_barrier_of_a_peer_hears_of_it():
    """Of bytes that it is to expect, with an arrival, and of bytes that come: of 32 threads one does each time."""
    cluster = "llvm.nvvm.barrier.cluster"
    expect = (
        "asm:.reg .pred p; .reg .b32 remAddr32; setp.eq.u32 p, $2, 1; @p mapa.shared::cluster.u32 remAddr32, $0, $1; "
        "@p mbarrier.arrive.expect_tx.shared::cluster.b64 _, [remAddr32], $3;"
    )
    complete = (
        "asm:{ .reg .pred p; .reg .s32 remAddr32; setp.eq.u32 p, $3, 1; mapa.shared::cluster.u32 remAddr32, $0, $1; "
        "@p mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [remAddr32], $2; }"
    )
    together = f"call void @{cluster}.arrive.aligned()\n call void @{cluster}.wait.aligned()"
    body = f"""
      %small = ptrtoint {BAR} to i32
      %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
      %peer = xor i32 %rank, 1
      %first = icmp eq i32 %t, 0
      %seventh = icmp eq i32 %t, 7
      %one = zext i1 %first to i32
      %other = zext i1 %seventh to i32
      br i1 %first, label %begin, label %begun
    begin:
      call void @{NAME}.init.shared({BAR}, i32 1)
      call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
      br label %begun
    begun:
      {together}
      {called(expect, "i32 %peer", "i32 %other", "i32 16", gives="void")}
      {together}
      %e0 = {WAIT} 0)
      {together}
      {called(complete, "i32 %peer", "i32 16", "i32 %one", gives="void")}
      {together}
      %e1 = {WAIT} 0)
      %low = zext i1 %e0 to i32
      %high = zext i1 %e1 to i32
      %twice = shl i32 %high, 1
      %r = or i32 %low, %twice
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %r, ptr %p
      {together}"""
    output = np.zeros(64, np.int32)
    result = simt.launch(
        kernel(body, globals_=SHARED),
        target="nvidia:sm_90",
        grid=2,
        block=32,
        cluster=2,
        args=[output],
        observers=simt.observers(),
    )

    assert result.verdict == "clean", (result.findings, result.fault)
    assert output.tolist() == [2] * 64
