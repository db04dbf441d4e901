; Threads call `malloc`, which no library defines for AMD.
; target: amd:gfx942
; launch: grid 1, block 64, cluster 1
; arguments: o:out:i32:64
; caught: capability, error

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %b = call ptr @malloc(i64 4)
  store i32 %t, ptr %b
  %v = load i32, ptr %b
  store i32 %v, ptr %p
  ret void
}

define amdgpu_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %a = alloca i32, addrspace(5)
  %b = addrspacecast ptr addrspace(5) %a to ptr
  store i32 %t, ptr %b
  %v = load i32, ptr %b
  store i32 %v, ptr %p
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr @malloc(i64)
