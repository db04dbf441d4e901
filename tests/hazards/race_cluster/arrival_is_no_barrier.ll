; An arrival alone does not order the warps of a block.
; target: nvidia:sm_90
; launch: grid 2, block 64, cluster 2
; arguments: o:inout:i32:128
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [64 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bn = mul i32 %b, 64
  %i = add i32 %bn, %t
  %w = sext i32 %i to i64
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  %j = xor i32 %t, 32
  %h = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  %v = load i32, ptr addrspace(3) %h, align 4
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bn = mul i32 %b, 64
  %i = add i32 %bn, %t
  %w = sext i32 %i to i64
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  %j = xor i32 %t, 32
  %h = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %v = load i32, ptr addrspace(3) %h, align 4
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
