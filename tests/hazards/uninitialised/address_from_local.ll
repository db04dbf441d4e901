; An index is read from a variable that was never set.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:f32:32 a:in:f32:32
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca i64, align 8
  %v = load i64, ptr %l, align 8
  %h = and i64 %v, 31
  %q = getelementptr float, ptr %a, i64 %h
  %e = load float, ptr %q, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca i64, align 8
  store i64 %w, ptr %l, align 8
  %v = load i64, ptr %l, align 8
  %h = and i64 %v, 31
  %q = getelementptr float, ptr %a, i64 %h
  %e = load float, ptr %q, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
