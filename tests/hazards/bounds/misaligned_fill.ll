; Structs of 8 bytes are cleared at a place that is not a multiple of 8.
; target: nvidia:sm_90
; launch: grid 1, block 4, cluster 1
; arguments: o:inout:f32:12
; caught: misaligned, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 2
  %n = add i32 %k, 1
  %p = getelementptr float, ptr %o, i32 %n
  call void @llvm.memset.p0.i64(ptr align 8 %p, i8 0, i64 8, i1 false)
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 2
  %n = add i32 %k, 2
  %p = getelementptr float, ptr %o, i32 %n
  call void @llvm.memset.p0.i64(ptr align 8 %p, i8 0, i64 8, i1 false)
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
