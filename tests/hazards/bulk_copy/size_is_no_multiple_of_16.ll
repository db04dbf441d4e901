; A bulk copy of 100 bytes.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64 a:in:i32:64
; caught: async-copy, error

target triple = "nvptx64-nvidia-cuda"

@bar = internal addrspace(3) global [1 x i64] undef, align 8
@tile = internal addrspace(3) global [64 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %p = getelementptr i32, ptr %o, i32 %t
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %begun
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 100)
  %s0 = getelementptr i8, ptr addrspace(1) %g, i32 0
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i32 0), ptr addrspace(3) @bar, ptr addrspace(1) %s0, i32 100, i64 0, i1 false)
  br label %begun
begun:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %go, label %wait
go:
  store i32 %t, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %p = getelementptr i32, ptr %o, i32 %t
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %begun
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 112)
  %s0 = getelementptr i8, ptr addrspace(1) %g, i32 0
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i32 0), ptr addrspace(3) @bar, ptr addrspace(1) %s0, i32 112, i64 0, i1 false)
  br label %begun
begun:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %go, label %wait
go:
  store i32 %t, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1)
