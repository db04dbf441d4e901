; Half of a word is set; a shift brings down the one half or the other.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca i64, align 8
  store i32 %t, ptr %l, align 8
  %word = load i64, ptr %l, align 8
  %high = lshr i64 %word, 32
  %v = trunc i64 %high to i32
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca i64, align 8
  store i32 %t, ptr %l, align 8
  %word = load i64, ptr %l, align 8
  %high = shl i64 %word, 32
  %low = lshr i64 %high, 32
  %v = trunc i64 %low to i32
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
