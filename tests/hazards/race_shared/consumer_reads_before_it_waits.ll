; A producer arrives, and the consumer reads before it waits.
; target: nvidia:sm_90
; launch: grid 1, block 128, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [64 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 64
  br i1 %c, label %give, label %take
give:
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 3, i32 128)
  br label %end
take:
  %j = sub i32 127, %t
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %v = load i32, ptr addrspace(3) %p, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 3, i32 128)
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 64
  br i1 %c, label %give, label %take
give:
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 3, i32 128)
  br label %end
take:
  %j = sub i32 127, %t
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 3, i32 128)
  %v = load i32, ptr addrspace(3) %p, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
