; The last access is twice as wide as what is left.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32 a:in:f32:32
; caught: out-of-bounds, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %q = getelementptr float, ptr %a, i64 31
  %v = load i64, ptr %q, align 4
  %e = trunc i64 %v to i32
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %e, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %q = getelementptr float, ptr %a, i64 31
  %v = load i32, ptr %q, align 4
  %e = trunc i64 %w to i32
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %e, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
