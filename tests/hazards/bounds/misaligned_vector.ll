; Two floats are loaded at once from a place that is not a multiple of eight.
; target: nvidia:sm_90
; launch: grid 1, block 31, cluster 1
; arguments: o:out:f32:31 a:in:f32:32
; caught: misaligned, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %k = mul i64 %w, 1
  %h = and i64 %k, 30
  %q = getelementptr float, ptr %a, i64 %w
  %v = load <2 x float>, ptr %q, align 8
  %e = extractelement <2 x float> %v, i32 0
  %p = getelementptr float, ptr %o, i64 %w
  store float %e, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %k = mul i64 %w, 1
  %h = and i64 %k, 30
  %q = getelementptr float, ptr %a, i64 %h
  %v = load <2 x float>, ptr %q, align 8
  %e = extractelement <2 x float> %v, i32 0
  %p = getelementptr float, ptr %o, i64 %w
  store float %e, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
