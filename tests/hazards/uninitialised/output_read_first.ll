; The kernel adds to a result that it has not set to zero.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:f32:32
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %p = getelementptr float, ptr %o, i64 %w
  %v = load float, ptr %p, align 4
  %s = fadd float %v, 1.0
  store float %s, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %p = getelementptr float, ptr %o, i64 %w
  store float 0.0, ptr %p, align 4
  %v = load float, ptr %p, align 4
  %s = fadd float %v, 1.0
  store float %s, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
