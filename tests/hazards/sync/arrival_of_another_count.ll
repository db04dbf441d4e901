; Those that arrive and those that wait say how many threads the barrier takes, and not the same.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: barrier-protocol, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [32 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  %p = getelementptr i32, ptr %o, i32 %t
  %first = icmp ult i32 %t, 32
  br i1 %first, label %gives, label %takes
gives:
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 96)
  store i32 0, ptr %p, align 4
  ret void
takes:
  %i = sub i32 63, %t
  %r = getelementptr i32, ptr addrspace(3) @cells, i32 %i
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %v = load i32, ptr addrspace(3) %r, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  %p = getelementptr i32, ptr %o, i32 %t
  %first = icmp ult i32 %t, 32
  br i1 %first, label %gives, label %takes
gives:
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  store i32 0, ptr %p, align 4
  ret void
takes:
  %i = sub i32 63, %t
  %r = getelementptr i32, ptr addrspace(3) @cells, i32 %i
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %v = load i32, ptr addrspace(3) %r, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
