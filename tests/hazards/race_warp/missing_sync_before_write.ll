; Lanes overwrite what a neighbour reads.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:i32:32
; caught: race, warning

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [32 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %j = xor i32 %t, 1
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %v = load i32, ptr addrspace(3) %p, align 4
  store i32 9, ptr addrspace(3) %q, align 4
  %owv = sext i32 %t to i64
  %opv = getelementptr i32, ptr %o, i64 %owv
  store i32 %v, ptr %opv, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %j = xor i32 %t, 1
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %v = load i32, ptr addrspace(3) %p, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  store i32 9, ptr addrspace(3) %q, align 4
  %owv = sext i32 %t to i64
  %opv = getelementptr i32, ptr %o, i64 %owv
  store i32 %v, ptr %opv, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)
