; Lanes of one warp store one value to one place at once.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:i32:32
; caught: several-writers, information

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [32 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %h = and i32 %t, 15
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %h
  store i32 5, ptr addrspace(3) %q, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 5, ptr addrspace(3) %q, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
