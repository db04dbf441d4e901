; clang's atomicAdd_block, used by all blocks; its near twin is atomicAdd_system.
; target: nvidia:sm_90
; launch: grid 4, block 32, cluster 1
; arguments: o:inout:i32:1
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %o, i32 1)
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %o, i32 1)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr, i32)
