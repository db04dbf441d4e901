; Half of the threads go around a barrier, do what comes behind it, and end.
; target: amd:gfx942
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:f32:64
; caught: missed-barrier, error

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @caught(ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 32
  br i1 %c, label %in, label %end
in:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  br label %end
end:
  %p = getelementptr float, ptr addrspace(1) %o, i64 %w
  store float 1.0, ptr addrspace(1) %p, align 4
  ret void
}

define amdgpu_kernel void @clean(ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 64
  br i1 %c, label %in, label %end
in:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  br label %end
end:
  %p = getelementptr float, ptr addrspace(1) %o, i64 %w
  store float 1.0, ptr addrspace(1) %p, align 4
  ret void
}

declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()
