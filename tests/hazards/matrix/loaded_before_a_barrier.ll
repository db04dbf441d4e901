; Warps load matrices that the other one wrote, with no barrier in between.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [256 x i16] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %n = mul i32 %t, 8
  %w = getelementptr i8, ptr addrspace(3) @tile, i32 %n
  store <4 x i16> zeroinitializer, ptr addrspace(3) %w, align 8
  %other = sub i32 63, %t
  %u = mul i32 %other, 16
  %s = and i32 %u, 511
  %q = getelementptr i8, ptr addrspace(3) @tile, i32 %s
  %v = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %q)
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %n = mul i32 %t, 8
  %w = getelementptr i8, ptr addrspace(3) @tile, i32 %n
  store <4 x i16> zeroinitializer, ptr addrspace(3) %w, align 8
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = sub i32 63, %t
  %u = mul i32 %other, 16
  %s = and i32 %u, 511
  %q = getelementptr i8, ptr addrspace(3) @tile, i32 %s
  %v = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %q)
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3))
