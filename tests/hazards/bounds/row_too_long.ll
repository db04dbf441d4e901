; A row of six is addressed as if it had eight columns.
; target: nvidia:sm_90
; launch: grid 1, block 24, cluster 1
; arguments: o:out:f32:24
; caught: out-of-bounds, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = udiv i32 %t, 6
  %k = urem i32 %t, 6
  %m = mul i32 %r, 8
  %i = add i32 %m, %k
  %w = sext i32 %i to i64
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = udiv i32 %t, 6
  %k = urem i32 %t, 6
  %m = mul i32 %r, 6
  %i = add i32 %m, %k
  %w = sext i32 %i to i64
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
