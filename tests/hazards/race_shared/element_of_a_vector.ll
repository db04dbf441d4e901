; One word of a vector that another warp writes.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [128 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 32
  %k = mul i32 %t, 4
  br i1 %c, label %one, label %two
one:
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %k
  store <4 x i32> zeroinitializer, ptr addrspace(3) %q, align 16
  br label %end
two:
  %u = sub i32 %t, 32
  %m = mul i32 %u, 4
  %m2 = add i32 %m, 3
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %m2
  %v = load i32, ptr addrspace(3) %p, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 32
  %k = mul i32 %t, 4
  br i1 %c, label %one, label %mid
one:
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %k
  store <4 x i32> zeroinitializer, ptr addrspace(3) %q, align 16
  br label %mid
mid:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %end, label %two
two:
  %u = sub i32 %t, 32
  %m = mul i32 %u, 4
  %m2 = add i32 %m, 3
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %m2
  %v = load i32, ptr addrspace(3) %p, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
