; A word read over bytes that other threads write.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [128 x i8] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 4
  %q = getelementptr i8, ptr addrspace(3) @cells, i32 %t
  %h = trunc i32 %t to i8
  store i8 %h, ptr addrspace(3) %q, align 1
  %c = icmp ult i32 %t, 16
  br i1 %c, label %in, label %end
in:
  %p = getelementptr i8, ptr addrspace(3) @cells, i32 %k
  %v = load i32, ptr addrspace(3) %p, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 4
  %q = getelementptr i8, ptr addrspace(3) @cells, i32 %t
  %h = trunc i32 %t to i8
  store i8 %h, ptr addrspace(3) %q, align 1
  %c = icmp ult i32 %t, 16
  br i1 %c, label %in, label %end
in:
  %k64 = add i32 %k, 64
  %p = getelementptr i8, ptr addrspace(3) @cells, i32 %k64
  store i32 0, ptr addrspace(3) %p, align 4
  %v = load i32, ptr addrspace(3) %p, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
