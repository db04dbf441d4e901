; Waves of 64 lanes vote, and the kernel asks for 32 bits.
; target: amd:gfx942
; launch: grid 1, block 64, cluster 1
; arguments: o:out:i32:64
; caught: capability, error

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %c = icmp ult i32 %t, 7
  %v = call i32 @llvm.amdgcn.ballot.i32(i1 %c)
  store i32 %v, ptr %p
  ret void
}

define amdgpu_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %c = icmp ult i32 %t, 7
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  %v = trunc i64 %b to i32
  store i32 %v, ptr %p
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
