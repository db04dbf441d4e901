; Two warps write the same places at two instructions.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [64 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %h = and i32 %t, 31
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %h
  %c = icmp ult i32 %t, 32
  br i1 %c, label %one, label %two
one:
  store i32 1, ptr addrspace(3) %q, align 4
  br label %end
two:
  store i32 2, ptr addrspace(3) %q, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %h = and i32 %t, 31
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %h
  %c = icmp ult i32 %t, 32
  br i1 %c, label %one, label %mid
one:
  store i32 1, ptr addrspace(3) %q, align 4
  br label %mid
mid:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %end, label %two
two:
  store i32 2, ptr addrspace(3) %q, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
