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
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32)
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
"""


POLICY = 'call i64 asm "createpolicy.fractional.L2::evict_first.b64 $0;", "=l"()'


def copied(copy, elements, *, every=False):
    """A kernel of 32 threads of which one copies, or all, and then writes what shared memory holds.

    Args:
        copy: The lines that copy, for `%d` and `%b` as shared addresses, the map `%m` and a hint `%policy`; `%first` is
            the thread that expects the bytes.
    """
    return (
        HEAD
        + f"""
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %m, ptr %o) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %d = ptrtoint ptr addrspace(3) @tile to i32
  %b = ptrtoint ptr addrspace(3) @bar to i32
  %policy = {POLICY}
  br i1 %first, label %begin, label %ready
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 {4 * elements})
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 {"true" if every else "%first"}, label %send, label %wait
send:
{copy}
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


def load(rank, elements, coordinates, name=None):
    """A kernel of 32 threads that loads a box and writes what shared memory holds then.

    Args:
        name: The registry's name of the instruction: assembly, or LLVM's; the plain assembly if it is left out.
    """
    names = ", ".join(f"${3 + number}" for number in range(rank))
    plain = f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
    text = (name or f"asm:{plain} [$0], [$1, {{{names}}}], [$2];").removeprefix("asm:")
    given, types = [f"i32 {place}" for place in coordinates], ["r"] * rank
    if text.startswith("llvm."):
        kinds = ", ".join(["ptr addrspace(7)", "ptr addrspace(3)", "ptr", *["i32"] * rank, "i16, i64, i1, i1, i32"])
        operands = ", ".join(["ptr addrspace(7) %far, ptr addrspace(3) @bar, ptr %m", *given])
        copy = f"  %far = addrspacecast ptr addrspace(3) @tile to ptr addrspace(7)\n  call void @{text}({operands}, "
        copy += "i16 0, i64 %policy, i1 false, i1 true, i32 0)"
        return f"{copied(copy, elements)}\ndeclare void @{text}({kinds})"
    if "cache_hint" in text:
        given, types = [*given, "i64 %policy"], [*types, "l"]
    if elect := "setp" in text:
        given, types = [*given, "i32 %own"], [*types, "r"]
    copy = "  %own = zext i1 %first to i32\n" if elect else ""
    copy += (
        f'  call void asm sideeffect "{text}", "r,l,r,{",".join(types)}"(i32 %d, ptr %m, i32 %b, {", ".join(given)})'
    )
    return copied(copy, elements, every=elect)


def store(rank, start):
    """A kernel of 32 threads that stores a box with their numbers."""
    name, kinds = f"llvm.nvvm.cp.async.bulk.tensor.s2g.tile.{rank}d", ", i32" * rank
    places = "".join(f", i32 {place}" for place in start)
    return (
        HEAD
        + f"""
declare void @{name}(ptr addrspace(3), ptr{kinds}, i64, i1)
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %m) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %f = sitofp i32 %t to float
  store float %f, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %first = icmp eq i32 %t, 0
  br i1 %first, label %send, label %end
send:
  call void @{name}(ptr addrspace(3) @tile, ptr %m{places}, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %end
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
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
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
