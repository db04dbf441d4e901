; Half-words are stored to every other place.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i16:64
; caught: never-written, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = mul i32 %t, 2
  %w = sext i32 %d to i64
  %p = getelementptr i16, ptr %o, i64 %w
  store i16 1, ptr %p, align 2
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = mul i32 %t, 2
  %w = sext i32 %d to i64
  %p = getelementptr i16, ptr %o, i64 %w
  store i32 1, ptr %p, align 2
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
