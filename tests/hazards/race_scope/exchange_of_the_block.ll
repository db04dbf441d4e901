; Blocks exchange a value by atomics of the scope of a block: whoever comes last, each might miss the other.
; target: nvidia:sm_90
; launch: grid 2, block 1, cluster 1
; arguments: o:inout:i32:1
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = add i32 %b, 1
  %x = atomicrmw xchg ptr %o, i32 %v syncscope("block") monotonic, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = add i32 %b, 1
  %x = atomicrmw xchg ptr %o, i32 %v syncscope("device") monotonic, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
