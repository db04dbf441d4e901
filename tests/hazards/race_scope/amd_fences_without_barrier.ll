; On AMD fences alone order no two threads.
; target: amd:gfx942
; launch: grid 1, block 128, cluster 1
; arguments: o:inout:i32:128
; caught: race, error

target triple = "amdgcn-amd-amdhsa"

@cells = internal addrspace(3) global [128 x i32] undef, align 16

define amdgpu_kernel void @caught(ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  fence syncscope("workgroup") release
  fence syncscope("workgroup") acquire
  %j = sub i32 127, %t
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %v = load i32, ptr addrspace(3) %p, align 4
  %w = sext i32 %t to i64
  %op = getelementptr i32, ptr addrspace(1) %o, i64 %w
  store i32 %v, ptr addrspace(1) %op, align 4
  ret void
}

define amdgpu_kernel void @clean(ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %j = sub i32 127, %t
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %v = load i32, ptr addrspace(3) %p, align 4
  %w = sext i32 %t to i64
  %op = getelementptr i32, ptr addrspace(1) %o, i64 %w
  store i32 %v, ptr addrspace(1) %op, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
