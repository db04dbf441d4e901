; A box begins eight bytes into the rows of its tensor.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64 m:map:i32:8x16:4x16
; caught: tensor-copy, error

target triple = "nvptx64-nvidia-cuda"

@bar = internal addrspace(3) global [1 x i64] undef, align 8
@tile = internal addrspace(3) global [128 x i32] undef, align 128

define ptx_kernel void @caught(ptr %o, ptr byval([128 x i8]) align 64 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %first = icmp eq i32 %t, 0
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %send, label %sent
send:
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) @tile, ptr %m, i32 2, i32 2, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
  store i32 7, ptr addrspace(3) @tile, align 4
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %sent
sent:
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr byval([128 x i8]) align 64 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %first = icmp eq i32 %t, 0
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %send, label %sent
send:
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) @tile, ptr %m, i32 4, i32 2, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
  store i32 7, ptr addrspace(3) @tile, align 4
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %sent
sent:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32)
declare void @llvm.nvvm.cp.async.bulk.wait.group.read(i32)
