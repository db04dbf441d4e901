; The undefined arm of a select is chosen by some; the twin loads it and never chooses it.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:f32:32
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [32 x float] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %q = getelementptr float, ptr addrspace(3) @cells, i32 %t
  %u = load float, ptr addrspace(3) %q, align 4
  %c = icmp slt i32 %t, 31
  %v = select i1 %c, float 1.0, float %u
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %q = getelementptr float, ptr addrspace(3) @cells, i32 %t
  %u = load float, ptr addrspace(3) %q, align 4
  %c = icmp slt i32 %t, 32
  %v = select i1 %c, float 1.0, float %u
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
