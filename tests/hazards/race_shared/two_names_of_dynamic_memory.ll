; Dynamic shared memory under two names that begin at one address: the second array is not moved behind the first.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1, dynamic shared bytes 384
; arguments: o:inout:i32:64
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@halves = external addrspace(3) global [0 x i16], align 2
@words = external addrspace(3) global [0 x i32], align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @words, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  %h = trunc i32 %t to i16
  %p = getelementptr i16, ptr addrspace(3) @halves, i32 %t
  store i16 %h, ptr addrspace(3) %p, align 2
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr addrspace(3) %q, align 4
  %r = getelementptr i32, ptr %o, i32 %t
  store i32 %v, ptr %r, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @words, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  %h = trunc i32 %t to i16
  %n = add i32 %t, 128
  %p = getelementptr i16, ptr addrspace(3) @halves, i32 %n
  store i16 %h, ptr addrspace(3) %p, align 2
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr addrspace(3) %q, align 4
  %r = getelementptr i32, ptr %o, i32 %t
  store i32 %v, ptr %r, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
