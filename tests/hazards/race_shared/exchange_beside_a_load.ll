; A plain load beside compare-and-swaps: one of them stores, or all of them fail and store nothing.
; target: nvidia:sm_90
; launch: grid 1, block 128, cluster 1
; arguments: o:inout:i32:1
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@state = internal addrspace(3) global i32 undef, align 4

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %first = icmp eq i32 %t, 0
  br i1 %first, label %set, label %ready
set:
  store i32 0, ptr addrspace(3) @state, align 4
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = icmp eq i32 %t, 64
  %wanted = select i1 %other, i32 0, i32 7
  %got = cmpxchg ptr addrspace(3) @state, i32 %wanted, i32 1 monotonic monotonic
  br i1 %first, label %read, label %end
read:
  %v = load i32, ptr addrspace(3) @state, align 4
  store i32 %v, ptr %o, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %first = icmp eq i32 %t, 0
  br i1 %first, label %set, label %ready
set:
  store i32 0, ptr addrspace(3) @state, align 4
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = icmp eq i32 %t, 64
  %wanted = select i1 %other, i32 9, i32 7
  %got = cmpxchg ptr addrspace(3) @state, i32 %wanted, i32 1 monotonic monotonic
  br i1 %first, label %read, label %end
read:
  %v = load i32, ptr addrspace(3) @state, align 4
  store i32 %v, ptr %o, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
