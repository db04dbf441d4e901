; Each thread reads only what it wrote itself.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:f32:32 a:in:f32:32
; caught: redundant-barrier, information

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [32 x float] undef, align 16

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %q = getelementptr float, ptr addrspace(3) @cells, i32 %t
  %v = load float, ptr %a, align 4
  store float %v, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %n = xor i32 %t, 0
  %r = getelementptr float, ptr addrspace(3) @cells, i32 %n
  %e = load float, ptr addrspace(3) %r, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float %e, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %q = getelementptr float, ptr addrspace(3) @cells, i32 %t
  %v = load float, ptr %a, align 4
  store float %v, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %n = xor i32 %t, 1
  %r = getelementptr float, ptr addrspace(3) @cells, i32 %n
  %e = load float, ptr addrspace(3) %r, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float %e, ptr %p, align 4
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
