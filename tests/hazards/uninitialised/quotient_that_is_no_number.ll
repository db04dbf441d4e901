; Zero by zero, where the compiler was promised that nothing is a NaN (`-ffast-math`): the result may be anything.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:f32:32 a:in:f32:32
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %q = getelementptr float, ptr %a, i64 %w
  %e = load float, ptr %q, align 4
  %r = fdiv nnan float %e, %e
  %p = getelementptr float, ptr %o, i64 %w
  store float %r, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %q = getelementptr float, ptr %a, i64 %w
  %e = load float, ptr %q, align 4
  %r = fdiv float %e, %e
  %p = getelementptr float, ptr %o, i64 %w
  store float %r, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
