; The zeros below the lowest bit of a number are counted, and one number has no bit (`__builtin_ctz` of 0).
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %r = call i32 @llvm.cttz.i32(i32 %t, i1 true)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %r = call i32 @llvm.cttz.i32(i32 %t, i1 false)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p, align 4
  ret void
}

declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
