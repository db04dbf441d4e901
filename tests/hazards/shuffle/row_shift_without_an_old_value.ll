; A shift within a row gives the first lane of each row what it had before, which is undefined.
; target: amd:gfx942
; launch: grid 1, block 64, cluster 1
; arguments: o:out:i32:64 a:in:i32:64
; caught: uninitialised, error

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %q = getelementptr i32, ptr %a, i64 %w
  %v = load i32, ptr %q, align 4
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 undef, i32 %v, i32 273, i32 15, i32 15, i1 false)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p, align 4
  ret void
}

define amdgpu_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %q = getelementptr i32, ptr %a, i64 %w
  %v = load i32, ptr %q, align 4
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %v, i32 273, i32 15, i32 15, i1 false)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 immarg)
