; The fence of barriers that began releases nothing else to the peer.
; target: nvidia:sm_90
; launch: grid 4, block 32, cluster 2
; arguments: o:inout:i32:128
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [32 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bn = mul i32 %b, 32
  %i = add i32 %bn, %t
  %w = sext i32 %i to i64
  %k = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %j = xor i32 %k, 1
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  %g = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %q, i32 %j)
  store i32 %i, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  call void @llvm.nvvm.barrier.cluster.arrive.relaxed.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %v = load i32, ptr addrspace(7) %g, align 4
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bn = mul i32 %b, 32
  %i = add i32 %bn, %t
  %w = sext i32 %i to i64
  %k = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %j = xor i32 %k, 1
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  %g = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %q, i32 %j)
  store i32 %i, ptr addrspace(3) %q, align 4
  fence syncscope("cluster") release
  call void @llvm.nvvm.barrier.cluster.arrive.relaxed.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %v = load i32, ptr addrspace(7) %g, align 4
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare void @llvm.nvvm.barrier.cluster.arrive.relaxed.aligned()
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
