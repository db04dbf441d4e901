; Lanes exchange through global memory without a sync.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:i32:32
; caught: race, warning

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = xor i32 %t, 1
  %w0 = sext i32 %t to i64
  %gp = getelementptr i32, ptr %o, i64 %w0
  store i32 %t, ptr %gp, align 4
  %w1 = sext i32 %j to i64
  %gq = getelementptr i32, ptr %o, i64 %w1
  %v = load i32, ptr %gq, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = xor i32 %t, 1
  %w0 = sext i32 %t to i64
  %gp = getelementptr i32, ptr %o, i64 %w0
  store i32 %t, ptr %gp, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %w1 = sext i32 %j to i64
  %gq = getelementptr i32, ptr %o, i64 %w1
  %v = load i32, ptr %gq, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)
