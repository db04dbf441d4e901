; A wave pulls from lanes outside the branch and gets zeros.
; target: amd:gfx942
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: inactive-source, warning

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @caught(ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 32
  br i1 %c, label %in, label %end
in:
  %x = xor i32 %t, 32
  %y = shl i32 %x, 2
  %s = call i32 @llvm.amdgcn.ds.bpermute(i32 %y, i32 %t)
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %w
  store i32 %s, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}

define amdgpu_kernel void @clean(ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 32
  br i1 %c, label %in, label %end
in:
  %x = xor i32 %t, 16
  %y = shl i32 %x, 2
  %s = call i32 @llvm.amdgcn.ds.bpermute(i32 %y, i32 %t)
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %w
  store i32 %s, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i32 @llvm.amdgcn.workitem.id.x()
