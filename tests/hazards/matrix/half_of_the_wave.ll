; Half of a wave multiplies matrices that the whole wave holds.
; target: amd:gfx942
; launch: grid 1, block 64, cluster 1
; arguments: o:out:f32:256 a:in:f32:64
; caught: inactive-source, error

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %q = getelementptr float, ptr %a, i64 %w
  %v = load float, ptr %q, align 4
  %p = getelementptr <4 x float>, ptr %o, i64 %w
  store <4 x float> zeroinitializer, ptr %p, align 4
  %here = icmp ult i32 %t, 32
  br i1 %here, label %in, label %end
in:
  %d = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x4f32(float %v, float %v, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  store <4 x float> %d, ptr %p, align 4
  br label %end
end:
  ret void
}

define amdgpu_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %q = getelementptr float, ptr %a, i64 %w
  %v = load float, ptr %q, align 4
  %p = getelementptr <4 x float>, ptr %o, i64 %w
  store <4 x float> zeroinitializer, ptr %p, align 4
  %here = icmp ult i32 %t, 64
  br i1 %here, label %in, label %end
in:
  %d = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x4f32(float %v, float %v, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  store <4 x float> %d, ptr %p, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x4f32(float, float, <4 x float>, i32, i32, i32)
