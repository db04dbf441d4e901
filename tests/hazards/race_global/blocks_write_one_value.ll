; All blocks write one value to the same places.
; target: nvidia:sm_90
; launch: grid 4, block 32, cluster 1
; arguments: o:inout:i32:256
; caught: several-writers, information

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bn = mul i32 %b, 0
  %i = add i32 %bn, %t
  %w = sext i32 %i to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 5, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bn = mul i32 %b, 32
  %i = add i32 %bn, %t
  %w = sext i32 %i to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 5, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
