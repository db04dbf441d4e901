; Warps exchange through global memory without a barrier.
; target: nvidia:sm_90
; launch: grid 4, block 64, cluster 1
; arguments: o:inout:i32:256
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bn = mul i32 %b, 64
  %i = add i32 %bn, %t
  %w = sext i32 %i to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %i, ptr %p, align 4
  %x = xor i32 %i, 32
  %y = sext i32 %x to i64
  %g = getelementptr i32, ptr %o, i64 %y
  %v = load i32, ptr %g, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bn = mul i32 %b, 64
  %i = add i32 %bn, %t
  %w = sext i32 %i to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %i, ptr %p, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = xor i32 %i, 32
  %y = sext i32 %x to i64
  %g = getelementptr i32, ptr %o, i64 %y
  %v = load i32, ptr %g, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
