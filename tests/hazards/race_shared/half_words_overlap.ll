; Halves that lie one byte apart overlap; side by side they do not.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [132 x i8] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 1
  %q = getelementptr i8, ptr addrspace(3) @cells, i32 %k
  %h = trunc i32 %t to i16
  store i16 %h, ptr addrspace(3) %q, align 1
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 2
  %q = getelementptr i8, ptr addrspace(3) @cells, i32 %k
  %h = trunc i32 %t to i16
  store i16 %h, ptr addrspace(3) %q, align 1
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
