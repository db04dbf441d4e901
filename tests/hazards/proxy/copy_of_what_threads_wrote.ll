; A bulk copy sends what threads wrote, and nothing tells the asynchronous proxy.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64 a:in:i32:64
; caught: async-proxy, error

target triple = "nvptx64-nvidia-cuda"

@bar = internal addrspace(3) global [1 x i64] undef, align 8
@tile = internal addrspace(3) global [64 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %p = getelementptr i32, ptr %o, i32 %t
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %first = icmp eq i32 %t, 0
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %send, label %sent
send:
  %d = addrspacecast ptr %o to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %d, ptr addrspace(3) @tile, i32 256, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
  store i32 7, ptr addrspace(3) @tile, align 4
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %sent
sent:
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %p = getelementptr i32, ptr %o, i32 %t
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %first = icmp eq i32 %t, 0
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %send, label %sent
send:
  %d = addrspacecast ptr %o to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %d, ptr addrspace(3) @tile, i32 256, i64 0, i1 false)
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
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1), ptr addrspace(3), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32)
declare void @llvm.nvvm.cp.async.bulk.wait.group.read(i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
