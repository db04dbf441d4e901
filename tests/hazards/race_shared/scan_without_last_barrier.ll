; The result of a scan step is read before all have written.
; target: nvidia:sm_90
; launch: grid 1, block 128, cluster 1
; arguments: o:inout:i32:128
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [128 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %k = sub i32 %t, 32
  %c = icmp sge i32 %k, 0
  %kk = select i1 %c, i32 %k, i32 %t
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %kk
  %x = load i32, ptr addrspace(3) %p, align 4
  %y = load i32, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(3) %q, align 4
  %j = xor i32 %t, 64
  %g = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %v = load i32, ptr addrspace(3) %g, align 4
  %owv = sext i32 %t to i64
  %opv = getelementptr i32, ptr %o, i64 %owv
  store i32 %v, ptr %opv, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %k = sub i32 %t, 32
  %c = icmp sge i32 %k, 0
  %kk = select i1 %c, i32 %k, i32 %t
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %kk
  %x = load i32, ptr addrspace(3) %p, align 4
  %y = load i32, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %j = xor i32 %t, 64
  %g = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %v = load i32, ptr addrspace(3) %g, align 4
  %owv = sext i32 %t to i64
  %opv = getelementptr i32, ptr %o, i64 %owv
  store i32 %v, ptr %opv, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
