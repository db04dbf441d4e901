; A word holds a field and a byte that nothing set: the byte must be masked away.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca i32, align 4
  %h = trunc i32 %t to i16
  store i16 %h, ptr %l, align 2
  %x = getelementptr i8, ptr %l, i64 2
  store i8 1, ptr %x, align 1
  %word = load i32, ptr %l, align 4
  %v = and i32 %word, 16777216
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca i32, align 4
  %h = trunc i32 %t to i16
  store i16 %h, ptr %l, align 2
  %x = getelementptr i8, ptr %l, i64 2
  store i8 1, ptr %x, align 1
  %word = load i32, ptr %l, align 4
  %v = and i32 %word, 16777215
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
