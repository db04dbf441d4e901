; All threads count in one of eight cells, by an update that is no atomic.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:out:i32:8
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@bins = internal addrspace(3) global [8 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %t, 8
  br i1 %first, label %clear, label %ready
clear:
  %z = getelementptr i32, ptr addrspace(3) @bins, i32 %t
  store i32 0, ptr addrspace(3) %z, align 4
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %k = and i32 %t, 7
  %q = getelementptr i32, ptr addrspace(3) @bins, i32 %k
  %v = load i32, ptr addrspace(3) %q, align 4
  %x = add i32 %v, 1
  store i32 %x, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %write, label %end
write:
  %r = getelementptr i32, ptr addrspace(3) @bins, i32 %t
  %n = load i32, ptr addrspace(3) %r, align 4
  %p = getelementptr i32, ptr %o, i32 %t
  store i32 %n, ptr %p, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %t, 8
  br i1 %first, label %clear, label %ready
clear:
  %z = getelementptr i32, ptr addrspace(3) @bins, i32 %t
  store i32 0, ptr addrspace(3) %z, align 4
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %k = and i32 %t, 7
  %q = getelementptr i32, ptr addrspace(3) @bins, i32 %k
  %v = atomicrmw add ptr addrspace(3) %q, i32 1 monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %write, label %end
write:
  %r = getelementptr i32, ptr addrspace(3) @bins, i32 %t
  %n = load i32, ptr addrspace(3) %r, align 4
  %p = getelementptr i32, ptr %o, i32 %t
  store i32 %n, ptr %p, align 4
  br label %end
end:
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
