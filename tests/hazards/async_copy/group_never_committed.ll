; The copies are in no group when their thread waits for its groups.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64 a:in:i32:64
; caught: async-copy, error

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %s = getelementptr i32, ptr addrspace(1) %g, i32 %t
  %p = getelementptr i32, ptr %o, i32 %t
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %q, ptr addrspace(1) %s)
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  %v = load i32, ptr addrspace(3) %q, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %s = getelementptr i32, ptr addrspace(1) %g, i32 %t
  %p = getelementptr i32, ptr %o, i32 %t
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %q, ptr addrspace(1) %s)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  %v = load i32, ptr addrspace(3) %q, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.cp.async.wait.all()
