; Vectors of four words whose last word is the next thread's first.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [260 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 3
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %k
  %a = insertelement <4 x i32> zeroinitializer, i32 %t, i32 0
  %b = insertelement <4 x i32> %a, i32 %t, i32 3
  store <4 x i32> %b, ptr addrspace(3) %q, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 4
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %k
  %a = insertelement <4 x i32> zeroinitializer, i32 %t, i32 0
  %b = insertelement <4 x i32> %a, i32 %t, i32 3
  store <4 x i32> %b, ptr addrspace(3) %q, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
