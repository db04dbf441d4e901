; An index runs past a thread's own array.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: out-of-bounds, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca [4 x i32], align 4
  %z = getelementptr [4 x i32], ptr %l, i64 0, i64 4
  store i32 %t, ptr %z, align 4
  %v = load i32, ptr %z, align 4
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 0, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca [4 x i32], align 4
  %z = getelementptr [4 x i32], ptr %l, i64 0, i64 3
  store i32 %t, ptr %z, align 4
  %v = load i32, ptr %z, align 4
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 0, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
