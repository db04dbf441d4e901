"""Bulk copies between memories and blocks: what a barrier or a group waits for."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness import simt
from harness.simt.observing.races import RaceDetector
from tests.simt.snippets import kernel

CP = "llvm.nvvm.cp.async"
SHARED = """@s = internal addrspace(3) global [64 x i32] undef, align 16
@bar = internal addrspace(3) global [1 x i64] undef, align 8
"""
HEAD = """
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %p = getelementptr i32, ptr %o, i64 %i
"""


BULK = f"""
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %begun
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 256)
  BRING
  br label %begun
begun:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %go, label %wait
go:
  %v = load i32, ptr addrspace(3) %q
  %twice = add i32 %v, %v
  store i32 %twice, ptr addrspace(3) %q
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %send, label %sent
send:
  %far = addrspacecast ptr %o to ptr addrspace(1)
  call void @{CP}.bulk.shared.cta.to.global(
    ptr addrspace(1) %far, ptr addrspace(3) @s, i32 256, i64 0, i1 false)
  call void @{CP}.bulk.commit.group()
  WAIT
  br label %sent
sent:
"""


INTO = {
    "cta": f"""call void @{CP}.bulk.global.to.shared.cta(
    ptr addrspace(3) @s, ptr addrspace(3) @bar, ptr addrspace(1) %g, i32 256, i64 0, i1 false)""",
    "cluster": f"""%here = addrspacecast ptr addrspace(3) @s to ptr addrspace(7)
  call void @{CP}.bulk.global.to.shared.cluster(ptr addrspace(7) %here, ptr addrspace(3) @bar,
    ptr addrspace(1) %g, i32 256, i16 0, i64 0, i1 false, i1 false)""",
}


WAITS = [
    f"call void @{CP}.bulk.wait.group(i32 0)",
    f"call void @{CP}.bulk.wait.group.read(i32 0)\n  store i32 -1, ptr addrspace(3) @s",
    "",
]


@pytest.mark.parametrize("into", INTO)
@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("seed", [None, 5])
def test_bulk_copies_come_in_by_a_barrier_and_go_out_by_a_group(into, wait, seed):
    """What goes out arrives in the end also where nobody waits for it; when it was read its place may be used again."""
    lines = re.sub(r"([(,])\n\s+", r"\1 ", BULK.replace("BRING", INTO[into]).replace("WAIT", wait))
    output, source = np.zeros(64, np.int32), np.arange(64, dtype=np.int32)
    result = simt.launch(
        kernel(HEAD + lines, "ptr %o, ptr %a", SHARED),
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[output, source],
        observers=simt.observers(),
        options=simt.Options(seed=seed),
    )

    assert (result.verdict, result.findings) == ("clean", ())
    assert output.tolist() == (2 * source).tolist()


PEERS = f"""
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %other = xor i32 %rank, 1
  store i32 %b1, ptr addrspace(3) %q
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %begun
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 128)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %begun
begun:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  br i1 %first, label %send, label %wait
send:
  %half = getelementptr i32, ptr addrspace(3) @s, i32 32
  %to = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %half, i32 %other)
  %far = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @bar, i32 %other)
  %n = ptrtoint ptr addrspace(7) %far to i32
  %its = inttoptr i32 %n to ptr addrspace(3)
  call void @{CP}.bulk.shared.cta.to.cluster(ptr addrspace(7) %to, ptr addrspace(3) %its, ptr addrspace(3) @s, i32 128)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %go, label %wait
go:
  %m = add i32 %t, 32
  %come = getelementptr i32, ptr addrspace(3) @s, i32 %m
  %v = load i32, ptr addrspace(3) %come
  store i32 %v, ptr %p
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
"""


def peers(body, seed=None):
    """Launches two blocks of a cluster; returns the result and the output."""
    output = np.zeros(64, np.int32)
    result = simt.launch(
        kernel(HEAD + body, "ptr %o, ptr %a", SHARED),
        target="nvidia:sm_90",
        grid=2,
        block=32,
        cluster=2,
        args=[output, np.zeros(64, np.int32)],
        observers=simt.observers(),
        options=simt.Options(seed=seed),
    )
    return result, output


@pytest.mark.parametrize("seed", [None, 3, 5])
def test_blocks_copy_to_each_other(seed):
    """In bulk, from shared memory to that of a peer, whose barrier counts the bytes; none has ended by then."""
    result, output = peers(PEERS, seed)

    assert (result.verdict, result.findings) == ("clean", ())
    assert output.tolist() == [*range(32, 64), *range(32)]


def test_a_copy_to_a_block_that_does_not_wait_may_come_after_its_end():
    result, _ = peers(PEERS[: PEERS.index("  %done")])

    assert "peer-ended" in {finding.id for finding in result.findings}


FENCES = {
    "call void @llvm.nvvm.fence.proxy.async()": True,
    "call void @llvm.nvvm.fence.proxy.async.shared_cta()": True,
    "call void @llvm.nvvm.fence.proxy.async.shared_cluster()": True,
    "call void @llvm.nvvm.fence.proxy.async.global()": False,
    'call void asm sideeffect "fence.proxy.async;", ""()': True,
    'call void asm sideeffect "fence.proxy.async.shared::cta;", ""()': True,
    'call void asm sideeffect "fence.proxy.async.shared::cluster;", ""()': True,
    'call void asm sideeffect "fence.proxy.async.global;", ""()': False,
    "": False,
}


@pytest.mark.parametrize("fence", FENCES)
def test_a_fence_of_proxies_is_of_the_memory_that_it_names(fence):
    """Threads store to shared memory what a bulk copy then reads."""
    body = f"""{HEAD}
      %first = icmp eq i32 %t, 0
      store i32 %t, ptr addrspace(3) %q
      {fence}
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      br i1 %first, label %send, label %sent
    send:
      %far = addrspacecast ptr %o to ptr addrspace(1)
      call void @{CP}.bulk.shared.cta.to.global(ptr addrspace(1) %far, ptr addrspace(3) @s, i32 256, i64 0, i1 false)
      call void @{CP}.bulk.commit.group()
      call void @{CP}.bulk.wait.group(i32 0)
      br label %sent
    sent:"""
    output = np.zeros(64, np.int32)
    result = simt.launch(
        kernel(body, "ptr %o, ptr %a", SHARED),
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[output, np.zeros(64, np.int32)],
        observers=simt.observers(),
    )

    assert output.tolist() == list(range(64))
    assert [finding.kind for finding in result.findings] == ["async-proxy"] * (not FENCES[fence])


@pytest.mark.parametrize(("fence", "races"), [("fence.proxy.async;", True), ("fence.acq_rel.cta;", False)])
def test_a_fence_of_proxies_synchronises_no_threads(fence, races):
    """One warp tells another by a flag that it has stored."""
    body = f"""
      %flag = getelementptr i32, ptr addrspace(3) @s, i32 1
      switch i32 %t, label %end [i32 0, label %tell
        i32 32, label %hear]
    tell:
      store i32 7, ptr addrspace(3) @s
      call void asm sideeffect "{fence}", ""()
      store atomic i32 1, ptr addrspace(3) %flag syncscope("block") monotonic, align 4
      br label %end
    hear:
      %f = load atomic i32, ptr addrspace(3) %flag syncscope("block") monotonic, align 4
      %come = icmp eq i32 %f, 1
      br i1 %come, label %read, label %hear
    read:
      call void asm sideeffect "{fence}", ""()
      %v = load i32, ptr addrspace(3) @s
      store i32 %v, ptr %o
      br label %end
    end:"""
    result = simt.launch(
        kernel(body, globals_=SHARED),
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[np.zeros(1, np.int32)],
        observers=[RaceDetector()],
    )

    assert result.fault is None
    assert [finding.kind for finding in result.findings] == ["race"] * races
