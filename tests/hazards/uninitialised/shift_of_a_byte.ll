; A byte is shifted by more than it has bits and widened afterwards: one of the four bytes that the host sees has no value.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %n = trunc i32 %t to i8
  %b = shl i8 1, %n
  %r = zext i8 %b to i32
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %b = shl i32 1, %t
  %n = trunc i32 %b to i8
  %r = zext i8 %n to i32
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
