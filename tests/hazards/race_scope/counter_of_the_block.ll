; An atomic of the scope of a block, used by all blocks.
; target: nvidia:sm_90
; launch: grid 4, block 32, cluster 1
; arguments: o:inout:i32:1
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = atomicrmw add ptr %o, i32 1 syncscope("block") monotonic, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = atomicrmw add ptr %o, i32 1 syncscope("device") monotonic, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
