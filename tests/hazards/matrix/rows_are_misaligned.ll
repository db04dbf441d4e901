; The rows of a matrix lie 24 bytes apart: each must begin at a multiple of 16.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:i32:32
; caught: misaligned, error

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [256 x i16] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %h = mul i32 %t, 24
  %q = getelementptr i8, ptr addrspace(3) @tile, i32 %h
  %r = and i32 %t, 15
  %k = mul i32 %r, 16
  %w = getelementptr i8, ptr addrspace(3) @tile, i32 %k
  store <8 x i16> zeroinitializer, ptr addrspace(3) %w, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %q)
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %h = mul i32 %t, 16
  %q = getelementptr i8, ptr addrspace(3) @tile, i32 %h
  %r = and i32 %t, 15
  %k = mul i32 %r, 16
  %w = getelementptr i8, ptr addrspace(3) @tile, i32 %k
  store <8 x i16> zeroinitializer, ptr addrspace(3) %w, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %q)
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3))
