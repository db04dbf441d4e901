; Blocks share a counter whose atomics are of the scope of the block.
; target: nvidia:sm_90
; launch: grid 4, block 32, cluster 1
; arguments: o:inout:i32:4
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = atomicrmw add ptr %o, i32 1 syncscope("block") monotonic, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = sext i32 %b to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %x = atomicrmw add ptr %p, i32 1 syncscope("block") monotonic, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
