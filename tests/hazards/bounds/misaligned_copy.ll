; Structs of 16 bytes are copied from a place that is not a multiple of 16.
; target: nvidia:sm_90
; launch: grid 1, block 4, cluster 1
; arguments: o:inout:f32:16 a:in:f32:24
; caught: misaligned, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 4
  %n = add i32 %k, 1
  %q = getelementptr float, ptr %a, i32 %n
  %p = getelementptr float, ptr %o, i32 %k
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %p, ptr align 16 %q, i64 16, i1 false)
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 4
  %n = add i32 %k, 4
  %q = getelementptr float, ptr %a, i32 %n
  %p = getelementptr float, ptr %o, i32 %k
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %p, ptr align 16 %q, i64 16, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
