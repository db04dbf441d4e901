; Thread 0 reads its left neighbour, which does not exist.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:f32:32 a:in:f32:32
; caught: out-of-bounds, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %m = sub i64 %w, 1
  %n = call i64 @llvm.smax.i64(i64 %m, i64 -1)
  %q = getelementptr float, ptr %a, i64 %n
  %v = load float, ptr %q, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %m = sub i64 %w, 1
  %n = call i64 @llvm.smax.i64(i64 %m, i64 0)
  %q = getelementptr float, ptr %a, i64 %n
  %v = load float, ptr %q, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.smax.i64(i64, i64)
