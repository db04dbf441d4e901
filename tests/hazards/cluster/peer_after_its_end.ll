; Nothing keeps the peer alive until its shared memory has been read.
; target: nvidia:sm_90
; launch: grid 2, block 32, cluster 2
; arguments: o:out:f32:64
; caught: peer-ended, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [32 x float] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = mul i32 %b, 32
  %i = add i32 %x, %t
  %w = sext i32 %i to i64
  %q = getelementptr float, ptr addrspace(3) @cells, i32 %t
  store float 1.0, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %j = xor i32 %k, 1
  %g = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %q, i32 %j)
  %v = load float, ptr addrspace(7) %g, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = mul i32 %b, 32
  %i = add i32 %x, %t
  %w = sext i32 %i to i64
  %q = getelementptr float, ptr addrspace(3) @cells, i32 %t
  store float 1.0, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %k = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %j = xor i32 %k, 1
  %g = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %q, i32 %j)
  %v = load float, ptr addrspace(7) %g, align 4
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
