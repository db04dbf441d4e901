; A copy in im2col mode is given a map that was made for tiles.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64 m:map:i32:4x8x16:2x2x16
; caught: tensor-copy, error

target triple = "nvptx64-nvidia-cuda"

@bar = internal addrspace(3) global [1 x i64] undef, align 8
@tile = internal addrspace(3) global [128 x i32] undef, align 128

define ptx_kernel void @caught(ptr %o, ptr byval([128 x i8]) align 64 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %s = getelementptr i32, ptr addrspace(3) @tile, i32 0
  %q = getelementptr i32, ptr addrspace(3) %s, i32 %t
  %d = ptrtoint ptr addrspace(3) %s to i32
  %b = ptrtoint ptr addrspace(3) @bar to i32
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %ready
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 256)
  call void asm sideeffect "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4, $5}], [$2], {$6};", "r,l,r,r,r,r,h"(i32 %d, ptr %m, i32 %b, i32 0, i32 2, i32 1, i16 0)
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %read, label %wait
read:
  %v = load i32, ptr addrspace(3) %q, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr byval([128 x i8]) align 64 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %s = getelementptr i32, ptr addrspace(3) @tile, i32 0
  %q = getelementptr i32, ptr addrspace(3) %s, i32 %t
  %d = ptrtoint ptr addrspace(3) %s to i32
  %b = ptrtoint ptr addrspace(3) @bar to i32
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %ready
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 256)
  call void asm sideeffect "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4, $5}], [$2];", "r,l,r,r,r,r"(i32 %d, ptr %m, i32 %b, i32 0, i32 2, i32 1)
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %read, label %wait
read:
  %v = load i32, ptr addrspace(3) %q, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
