"""Kernels that copy a tensor's box or column, for the tests of such copies."""

from __future__ import annotations

import numpy as np

from harness import simt

F32 = np.float32
HEAD = """
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [1024 x float] undef, align 1024
@bar = internal addrspace(3) global [1 x i64] undef, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32)
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
"""


def load(rank, elements, coordinates):
    """A kernel of 32 threads that loads a box and writes what shared memory holds then."""
    places = ", ".join(f"${3 + number}" for number in range(rank))
    text = f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
    given = "".join(f", i32 {place}" for place in coordinates)
    types = "r,l,r" + ",r" * rank
    return (
        HEAD
        + f"""
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %m, ptr %o) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %ready
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 {4 * elements})
  %d = ptrtoint ptr addrspace(3) @tile to i32
  %b = ptrtoint ptr addrspace(3) @bar to i32
  call void asm sideeffect "{text} [$0], [$1, {{{places}}}], [$2];", "{types}"(i32 %d, ptr %m, i32 %b{given})
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %loop, label %wait
loop:
  %i = phi i32 [ %t, %wait ], [ %j, %loop ]
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %v = load float, ptr addrspace(3) %q, align 4
  %p = getelementptr float, ptr %o, i32 %i
  store float %v, ptr %p, align 4
  %j = add i32 %i, 32
  %more = icmp slt i32 %j, {elements}
  br i1 %more, label %loop, label %end
end:
  ret void
}}"""
    )


def run(text, *args, block=32, cluster=1, target="nvidia:sm_90"):
    """Launches it; every observer must have found nothing."""
    result = simt.launch(
        text, target=target, grid=cluster, block=block, cluster=cluster, args=args, observers=simt.observers()
    )
    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    return args[-1]


MULTICAST = (
    HEAD
    + """
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(
  ptr addrspace(7), ptr addrspace(3), ptr, i32, i16, i64, i1, i1, i32)
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %m, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %ready
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 256)
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  br i1 %first, label %send, label %wait
send:
  %half = mul i32 %r, 32
  %h = getelementptr float, ptr addrspace(3) @tile, i32 %half
  %d = addrspacecast ptr addrspace(3) %h to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(
    ptr addrspace(7) %d, ptr addrspace(3) @bar, ptr %m, i32 %half, i16 3, i64 0, i1 true, i1 false, i32 0)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %read, label %wait
read:
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %v = load float, ptr addrspace(3) %q, align 4
  %own = mul i32 %r, 64
  %i = add i32 %own, %t
  %p = getelementptr float, ptr %o, i32 %i
  store float %v, ptr %p, align 4
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  ret void
}"""
)
