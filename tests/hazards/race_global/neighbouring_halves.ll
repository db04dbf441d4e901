; Halves of neighbouring threads: one byte apart, or two.
; target: nvidia:sm_90
; launch: grid 4, block 32, cluster 1
; arguments: o:inout:i32:256
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bn = mul i32 %b, 32
  %i = add i32 %bn, %t
  %w = sext i32 %i to i64
  %k = mul i64 %w, 1
  %p = getelementptr i8, ptr %o, i64 %k
  %h = trunc i32 %i to i16
  store i16 %h, ptr %p, align 1
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bn = mul i32 %b, 32
  %i = add i32 %bn, %t
  %w = sext i32 %i to i64
  %k = mul i64 %w, 2
  %p = getelementptr i8, ptr %o, i64 %k
  %h = trunc i32 %i to i16
  store i16 %h, ptr %p, align 2
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
