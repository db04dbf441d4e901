; A table in constant memory is stored to.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:f32:32
; caught: write-to-constant, error

target triple = "nvptx64-nvidia-cuda"

@table = internal addrspace(4) constant [1 x float] [float 1.0], align 4

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %v = load float, ptr addrspace(4) @table, align 4
  store float 2.0, ptr addrspace(4) @table, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %v = load float, ptr addrspace(4) @table, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
