; The kernel stores to the buffer that it must only read.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:f32:32 a:in:f32:32
; caught: write-to-constant, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %q = getelementptr float, ptr %a, i64 %w
  store float 1.0, ptr %q, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %q = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %q, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
