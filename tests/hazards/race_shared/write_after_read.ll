; Threads overwrite what another warp may not have read yet.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [64 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q0 = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 0, ptr addrspace(3) %q0, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %j = sub i32 63, %t
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %v = load i32, ptr addrspace(3) %p, align 4
  store i32 %t, ptr addrspace(3) %q0, align 4
  %owv = sext i32 %t to i64
  %opv = getelementptr i32, ptr %o, i64 %owv
  store i32 %v, ptr %opv, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q0 = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 0, ptr addrspace(3) %q0, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %j = sub i32 63, %t
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %v = load i32, ptr addrspace(3) %p, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %t, ptr addrspace(3) %q0, align 4
  %owv = sext i32 %t to i64
  %opv = getelementptr i32, ptr %o, i64 %owv
  store i32 %v, ptr %opv, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
