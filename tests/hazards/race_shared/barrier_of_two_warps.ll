; A named barrier of two warps, and data of the third.
; target: nvidia:sm_90
; launch: grid 1, block 96, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [96 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 64
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  br i1 %c, label %meet, label %end
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %a = add i32 %t, 32
  %m = urem i32 %a, 96
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %m
  %v = load i32, ptr addrspace(3) %p, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 64
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  br i1 %c, label %meet, label %end
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %a = add i32 %t, 32
  %m = urem i32 %a, 64
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %m
  %v = load i32, ptr addrspace(3) %p, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
