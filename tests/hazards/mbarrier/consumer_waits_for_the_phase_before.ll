; A wait for the parity of the phase before the first one lets the consumers pass at once.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@bar = internal addrspace(3) global [2 x i64] undef, align 8
@tile = internal addrspace(3) global [64 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %j = sub i32 63, %t
  %r = getelementptr i32, ptr addrspace(3) @tile, i32 %j
  %p = getelementptr i32, ptr %o, i32 %t
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %begun
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 32)
  br label %begun
begun:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %gives = icmp ult i32 %t, 32
  br i1 %gives, label %give, label %take
give:
  store i32 %t, ptr addrspace(3) %q, align 4
  %k = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  br label %end
take:
  br label %wait1
wait1:
  %done1 = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 1)
  br i1 %done1, label %go1, label %wait1
go1:
  %v = load i32, ptr addrspace(3) %r, align 4
  store i32 %v, ptr %p, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %j = sub i32 63, %t
  %r = getelementptr i32, ptr addrspace(3) @tile, i32 %j
  %p = getelementptr i32, ptr %o, i32 %t
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %begun
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 32)
  br label %begun
begun:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %gives = icmp ult i32 %t, 32
  br i1 %gives, label %give, label %take
give:
  store i32 %t, ptr addrspace(3) %q, align 4
  %k = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  br label %end
take:
  br label %wait1
wait1:
  %done1 = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done1, label %go1, label %wait1
go1:
  %v = load i32, ptr addrspace(3) %r, align 4
  store i32 %v, ptr %p, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
