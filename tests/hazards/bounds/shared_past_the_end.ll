; Every thread stores one slot to its right in an array of the block's size.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:f32:32
; caught: out-of-bounds, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [32 x float] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = add i32 %t, 1
  %q = getelementptr float, ptr addrspace(3) @cells, i32 %n
  store float 1.0, ptr addrspace(3) %q, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = add i32 %t, 0
  %q = getelementptr float, ptr addrspace(3) @cells, i32 %n
  store float 1.0, ptr addrspace(3) %q, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
