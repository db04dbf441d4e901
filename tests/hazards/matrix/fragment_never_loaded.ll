; A column of one matrix is loaded by half of the lanes that hold it.
; target: amd:gfx942
; launch: grid 1, block 64, cluster 1
; arguments: o:out:f32:256 a:in:f32:64
; caught: uninitialised, error

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %l = alloca float, align 4, addrspace(5)
  %q = getelementptr float, ptr %a, i64 %w
  %v = load float, ptr %q, align 4
  %here = icmp ult i32 %t, 60
  br i1 %here, label %in, label %go
in:
  store float %v, ptr addrspace(5) %l, align 4
  br label %go
go:
  %f = load float, ptr addrspace(5) %l, align 4
  %d = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x4f32(float %v, float %f, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  %p = getelementptr <4 x float>, ptr %o, i64 %w
  store <4 x float> %d, ptr %p, align 4
  ret void
}

define amdgpu_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %l = alloca float, align 4, addrspace(5)
  %q = getelementptr float, ptr %a, i64 %w
  %v = load float, ptr %q, align 4
  %here = icmp ult i32 %t, 64
  br i1 %here, label %in, label %go
in:
  store float %v, ptr addrspace(5) %l, align 4
  br label %go
go:
  %f = load float, ptr addrspace(5) %l, align 4
  %d = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x4f32(float %v, float %f, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  %p = getelementptr <4 x float>, ptr %o, i64 %w
  store <4 x float> %d, ptr %p, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x4f32(float, float, <4 x float>, i32, i32, i32)
